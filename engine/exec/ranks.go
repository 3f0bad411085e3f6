package exec

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
)

// valuer returns what computes the function.
func (o *over) valuer(ctx *sql.Context) (valuer, error) {
	switch o.name {
	case "row_number":
		return rank(func(_ *part, at int) any { return int64(at + 1) }), nil
	case "rank":
		return rank(func(p *part, at int) any {
			first, _ := p.peers(at)
			return int64(first + 1)
		}), nil
	case "dense_rank":
		return new(denseRank), nil
	case "percent_rank":
		return rank(func(p *part, at int) any {
			first, _ := p.peers(at)
			return float64(first) / float64(max(1, p.len()-1))
		}), nil
	case "cume_dist":
		return rank(func(p *part, at int) any {
			_, end := p.peers(at)
			return float64(end) / float64(p.len())
		}), nil
	case "ntile":
		n, known, err := o.position(ctx, 0, 1, true)
		return &ntile{n, known}, err
	case "lag", "lead":
		return o.shift(ctx)
	case "first_value", "last_value", "nth_value":
		return o.pick(ctx)
	}
	aggregate, err := exact.NewAggregate(ctx, o.name, o.args)
	if err != nil {
		return nil, err
	}
	f, err := framesOf(ctx, o.window)
	if err != nil {
		return nil, err
	}
	if fold, of, ok := exact.FoldOf(ctx, aggregate); ok {
		return &slide{frames: f, of: of, fold: fold}, nil
	}
	return &anew{frames: f, aggregate: aggregate}, nil
}

// position is a constant argument: a whole number not below the least, or where
// it may be, NULL.
func (o *over) position(ctx *sql.Context, arg int, least int64, maybeNull bool) (n int64, known bool, err error) {
	n, known, err = constant(ctx, o.args[arg])
	if err == nil && (known && n < least || !known && !maybeNull) {
		err = &WindowError{1210, fmt.Sprintf("%s takes a number from %d on, and not %s", strings.ToUpper(o.name), least, o.args[arg])}
	}
	return n, known, err
}

// A rank is a function of a row's place alone.
type rank func(p *part, at int) any

func (r rank) begin(*part) error { return nil }

func (r rank) value(p *part, at int) (any, error) { return r(p, at), nil }

// denseRank counts the groups of peers.
type denseRank struct{ n int64 }

func (r *denseRank) begin(*part) error {
	r.n = 0
	return nil
}

func (r *denseRank) value(p *part, at int) (any, error) {
	if first, _ := p.peers(at); first == at {
		r.n++
	}
	return r.n, nil
}

// ntile divides a partition into n buckets, of which the first have one row
// more where it does not come out even.
type ntile struct {
	n     int64
	known bool
}

func (t *ntile) begin(*part) error { return nil }

func (t *ntile) value(p *part, at int) (any, error) {
	if !t.known {
		return nil, nil
	}
	size, more := int64(p.len())/t.n, int64(p.len())%t.n
	i := int64(at)
	if i < more*(size+1) {
		return i/(size+1) + 1, nil
	}
	return (i-more)/size + 1, nil
}

// shift is LAG and LEAD: the value some rows away.
type shift struct {
	of, otherwise sql.Expression
	by            int64
	typ           sql.Type // to which the values are converted; nil to leave them
}

func (o *over) shift(ctx *sql.Context) (valuer, error) {
	s := &shift{of: o.args[0], by: 1}
	if len(o.args) > 1 {
		n, _, err := o.position(ctx, 1, 0, false)
		if err != nil {
			return nil, err
		}
		s.by = min(n, unbounded)
	}
	if o.name == "lag" {
		s.by = -s.by
	}
	if len(o.args) == 3 {
		s.otherwise = o.args[2]
		if t := o.Type(ctx); !t.Equals(o.args[0].Type(ctx)) {
			s.typ = t
		}
	}
	return s, nil
}

func (s *shift) begin(*part) error { return nil }

func (s *shift) value(p *part, at int) (any, error) {
	away := int64(at) + s.by
	v, err := any(nil), error(nil)
	switch {
	case away >= 0 && away < int64(p.len()):
		v, err = p.eval(s.of, int(away))
	case s.otherwise != nil:
		v, err = p.eval(s.otherwise, at)
	}
	if err != nil || v == nil || s.typ == nil || types.IsDecimal(s.typ) {
		return v, err
	}
	v, _, err = s.typ.Convert(p.ctx, v)
	return v, err
}

// pick is FIRST_VALUE, LAST_VALUE and NTH_VALUE: the value of one row of the
// frame.
type pick struct {
	frames
	of sql.Expression
	n  int // from 0 on; the last is -1

	at   int // whose value was picked last
	last any
}

func (o *over) pick(ctx *sql.Context) (valuer, error) {
	f, err := framesOf(ctx, o.window)
	if err != nil {
		return nil, err
	}
	out := &pick{frames: f, of: o.args[0]}
	switch o.name {
	case "last_value":
		out.n = -1
	case "nth_value":
		n, _, err := o.position(ctx, 1, 1, false)
		out.n = int(min(n, unbounded) - 1)
		return out, err
	}
	return out, nil
}

func (f *pick) begin(p *part) error {
	f.at = -1
	return f.frames.begin(p)
}

func (f *pick) value(p *part, at int) (any, error) {
	first, end, err := f.frame(p, at)
	if err != nil {
		return nil, err
	}
	from := first + f.n
	if f.n < 0 {
		from = end - 1
	}
	if from < first || from >= end {
		return nil, nil
	}
	if from != f.at {
		if f.last, err = p.eval(f.of, from); err != nil {
			return nil, err
		}
		f.at = from
	}
	return f.last, nil
}
