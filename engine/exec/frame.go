package exec

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// frames are the frames of the rows of a partition, asked for in order: neither
// end of a frame ever goes back.
type frames interface {
	begin(p *part) error
	// frame is the places of the frame's rows, from first up to but without end.
	frame(p *part, at int) (first, end int, err error)
}

// framesOf returns the frames of a window. Without a frame they are the whole
// partition, and with an order the rows up to the last peer of the current one.
func framesOf(ctx *sql.Context, w *sql.WindowDefinition) (frames, error) {
	f := w.Frame
	switch {
	case f == nil:
		return &ranges{start: edge{unbounded: true}, end: edge{current: true}}, nil
	case !strings.HasPrefix(f.String(), "RANGE"):
		return rowFrames(ctx, f)
	}
	return rangeFrames(ctx, w)
}

// rowsAround frames a number of rows before and behind the current one.
type rowsAround struct{ first, end int64 }

// unbounded is farther away than any row.
const unbounded = 1 << 40

func rowFrames(ctx *sql.Context, f sql.WindowFrame) (frames, error) {
	out := &rowsAround{-unbounded, unbounded}
	var err error
	if !f.UnboundedPreceding() {
		if out.first, err = distance(ctx, f.StartNPreceding(), f.StartNFollowing()); err != nil {
			return nil, err
		}
	}
	if !f.UnboundedFollowing() {
		out.end, err = distance(ctx, f.EndNPreceding(), f.EndNFollowing())
		out.end++
	}
	return out, err
}

func distance(ctx *sql.Context, preceding, following sql.Expression) (int64, error) {
	by, sign := following, int64(1)
	if preceding != nil {
		by, sign = preceding, -1
	}
	if by == nil {
		return 0, nil
	}
	n, known, err := constant(ctx, by)
	if err == nil && (!known || n < 0) {
		err = &WindowError{3586, "a frame starts or ends at " + by.String() + " rows: it has to be a number from 0"}
	}
	return sign * min(n, unbounded), err
}

func (f *rowsAround) begin(*part) error { return nil }

func (f *rowsAround) frame(p *part, at int) (int, int, error) {
	n := int64(p.len())
	first, end := max(0, int64(at)+f.first), min(n, int64(at)+f.end)
	return int(min(first, n)), int(max(end, 0)), nil
}

// An edge is an end of a frame by RANGE: that of the partition, that of the
// peers of the current row, or where the order reaches a value computed of the
// current row.
type edge struct {
	unbounded, current bool
	value              sql.Expression
	at                 int // how far the rows before it reach
	found              int // its place for the last row
}

// ranges are frames by RANGE.
type ranges struct {
	start, end edge

	of         sql.Expression // the order
	typ        sql.Type       // in which its values are compared
	descending bool
	values     []any // of the partition
}

func rangeFrames(ctx *sql.Context, w *sql.WindowDefinition) (frames, error) {
	f := w.Frame
	out := &ranges{
		start: edge{unbounded: f.UnboundedPreceding(), current: f.StartCurrentRow()},
		end:   edge{unbounded: f.UnboundedFollowing(), current: f.EndCurrentRow()},
	}
	if (out.start.unbounded || out.start.current) && (out.end.unbounded || out.end.current) {
		return out, nil
	}
	if len(w.OrderBy) != 1 || !hasDistance(w.OrderBy[0].Column.Type(ctx)) {
		return nil, &WindowError{3587, "a frame by RANGE with a distance needs one ORDER BY expression, of a number or a time: " +
			"CAST(.. AS DATETIME) makes a time of a text"}
	}
	out.of, out.descending = w.OrderBy[0].Column, w.OrderBy[0].Order == sql.Descending
	out.typ = out.of.Type(ctx)
	if types.IsTime(out.typ) {
		out.typ = types.DatetimeMaxPrecision
	}
	var err error
	if out.start.value, err = out.limit(ctx, f.StartNPreceding(), f.StartNFollowing()); err != nil {
		return nil, err
	}
	out.end.value, err = out.limit(ctx, f.EndNPreceding(), f.EndNFollowing())
	return out, err
}

func hasDistance(t sql.Type) bool { return types.IsNumber(t) || types.IsTime(t) || types.IsTimespan(t) }

// limit is the value at an edge that has a distance from the current row.
func (r *ranges) limit(ctx *sql.Context, preceding, following sql.Expression) (sql.Expression, error) {
	by, minus := following, false
	if preceding != nil {
		by, minus = preceding, true
	}
	if by == nil {
		return nil, nil
	}
	interval, timed := by.(*expression.Interval)
	size := by
	if timed {
		size = interval.Child
	}
	if number := types.IsNumber(r.of.Type(ctx)); number == timed {
		if number {
			return nil, &WindowError{3589, "a frame by RANGE over numbers has a number for its distance, and not " + by.String()}
		}
		return nil, &WindowError{3588, fmt.Sprintf("a frame by RANGE over times has an INTERVAL for its distance, and not %s", by)}
	}
	v, err := size.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	if v == nil || strings.HasPrefix(fmt.Sprint(v), "-") {
		return nil, &WindowError{3586, "a frame starts or ends at a distance of " + by.String() + ": it has to be 0 or more"}
	}
	sign := sqlparser.PlusStr
	if minus != r.descending {
		sign = sqlparser.MinusStr
	}
	return expression.NewArithmetic(r.of, by, sign), nil
}

func (r *ranges) begin(p *part) error {
	r.start.at, r.end.at = 0, 0
	if r.of == nil {
		return nil
	}
	var err error
	r.values, err = p.column(r.of)
	return err
}

func (r *ranges) frame(p *part, at int) (int, int, error) {
	firstPeer, endOfPeers := p.peers(at)
	first, err := r.find(p, &r.start, at, 0, firstPeer, -1)
	if err != nil {
		return 0, 0, err
	}
	end, err := r.find(p, &r.end, at, p.len(), endOfPeers, 0)
	return first, end, err
}

// find returns the place of an edge: the first row that is not before it, where
// before are the rows whose value is less than the edge's, and for an end (most
// is 0) those that are equal too.
func (r *ranges) find(p *part, e *edge, at, unbounded, peers, most int) (int, error) {
	switch {
	case e.unbounded:
		return unbounded, nil
	case e.value == nil || r.values[at] == nil: // nothing but its peers is near NULL
		return peers, nil
	case p.first != at: // it has the frame of its first peer
		return e.found, nil
	}
	limit, err := p.eval(e.value, at)
	if err != nil {
		return 0, err
	}
	if e.found = peers; limit == nil {
		return e.found, nil
	}
	for e.at < len(r.values) {
		before, err := r.before(p.ctx, r.values[e.at], limit, most)
		if err != nil {
			return 0, err
		}
		if !before {
			break
		}
		e.at++
	}
	e.found = e.at
	return e.found, nil
}

func (r *ranges) before(ctx *sql.Context, v, limit any, most int) (bool, error) {
	if v == nil { // first where the order ascends, and last where it descends
		return !r.descending, nil
	}
	c, err := r.typ.Compare(ctx, v, limit)
	if r.descending {
		c = -c
	}
	return c <= most, err
}
