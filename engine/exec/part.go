package exec

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// A part is one partition of a window, in its order.
type part struct {
	ctx    *sql.Context
	all    []sql.Row
	rows   []int32 // the numbers of the partition's rows among all
	begins []begin
	// of the peers of the row that was asked for last
	first, end int
}

func (p *part) len() int { return len(p.rows) }

// row is the row at a place of the order.
func (p *part) row(at int) sql.Row { return p.all[p.rows[at]] }

// eval is the value of an expression at a place of the order; outside of the
// partition it is NULL.
func (p *part) eval(e sql.Expression, at int) (any, error) {
	if at < 0 || at >= len(p.rows) {
		return nil, nil
	}
	return e.Eval(p.ctx, p.row(at))
}

// column is the values of an expression of all rows, in their order.
func (p *part) column(e sql.Expression) ([]any, error) {
	out := make([]any, len(p.rows))
	if field, ok := e.(*expression.GetField); ok && field.Index() < len(p.row(0)) {
		at := field.Index()
		for i, row := range p.rows {
			out[i] = p.all[row][at]
		}
		return out, nil
	}
	for i, row := range p.rows {
		if i&cancelMask == 0 && p.ctx.Err() != nil {
			return nil, p.ctx.Err()
		}
		var err error
		if out[i], err = e.Eval(p.ctx, p.all[row]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// peers are the places of the rows that the order does not tell apart from one.
// The rows have to be asked for in order.
func (p *part) peers(at int) (first, end int) {
	if at >= p.end {
		p.first, p.end = at, at+1
		for p.end < len(p.rows) && p.begins[p.end] == nothing {
			p.end++
		}
	}
	return p.first, p.end
}

// compute computes a function over all rows: in their order, or by their numbers.
func (f placed) compute(ctx *sql.Context, all []sql.Row, s *sorted, inOrder bool) ([]any, error) {
	run, err := f.valuer(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(all))
	for start := 0; start < len(s.rows); {
		end := start + 1
		for end < len(s.rows) && s.begins[end] != partition {
			end++
		}
		p := &part{ctx: ctx, all: all, rows: s.rows[start:end], begins: s.begins[start:end]}
		var err error
		if inOrder {
			err = p.run(run, func(at int, v any) { out[start+at] = v })
		} else {
			err = p.run(run, func(at int, v any) { out[p.rows[at]] = v })
		}
		if err != nil {
			return nil, err
		}
		start = end
	}
	return out, nil
}

// A valuer computes the values of a partition's rows, one after the other.
type valuer interface {
	// begin begins a partition.
	begin(p *part) error
	// value is that of the row at a place of the order.
	value(p *part, at int) (any, error)
}

func (p *part) run(f valuer, put func(at int, v any)) error {
	if err := f.begin(p); err != nil {
		return err
	}
	for at := range p.rows {
		if at&cancelMask == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		v, err := f.value(p, at)
		if err != nil {
			return err
		}
		put(at, v)
	}
	return nil
}
