package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// framed gives the window functions of a node the frames that SQL says. Of the
// library's, those by RANGE look at the first term of ORDER BY alone, go on to
// the end of the partition where it is descending, and take NULL for a value;
// and without a frame MIN, MAX, FIRST_VALUE and others each take one of their
// own.
func framed(ctx *sql.Context, w *plan.Window) (*plan.Window, bool) {
	list := make([]sql.Expression, len(w.SelectExprs))
	changed := false
	for i, e := range w.SelectExprs {
		list[i] = framedIn(ctx, e, &changed)
	}
	if !changed {
		return w, false
	}
	return plan.NewWindow(list, w.Child), true
}

func framedIn(ctx *sql.Context, e sql.Expression, changed *bool) sql.Expression {
	if f, ok := e.(sql.WindowAdaptableExpression); ok {
		window := f.Window()
		if window == nil || !replacesFrame(window.Frame) {
			return e
		}
		own := *window
		own.Frame = &rangeFrame{window.Frame}
		*changed = true
		return f.WithWindow(ctx, &own)
	}
	if a, ok := e.(*expression.Alias); ok {
		inner := false
		if child := framedIn(ctx, a.Child, &inner); inner {
			*changed = true
			if out, err := a.WithChildren(ctx, child); err == nil {
				return out
			}
		}
	}
	return e
}

func replacesFrame(f sql.WindowFrame) bool {
	switch f.(type) {
	case nil,
		*plan.RangeUnboundedPrecedingToNPrecedingFrame, *plan.RangeUnboundedPrecedingToCurrentRowFrame,
		*plan.RangeUnboundedPrecedingToNFollowingFrame, *plan.RangeUnboundedPrecedingToUnboundedFollowingFrame,
		*plan.RangeNPrecedingToNPrecedingFrame, *plan.RangeNPrecedingToCurrentRowFrame,
		*plan.RangeNPrecedingToNFollowingFrame, *plan.RangeNPrecedingToUnboundedFollowingFrame,
		*plan.RangeCurrentRowToCurrentRowFrame, *plan.RangeCurrentRowToNFollowingFrame,
		*plan.RangeCurrentRowToUnboundedFollowingFrame,
		*plan.RangeNFollowingToNFollowingFrame, *plan.RangeNFollowingToUnboundedFollowingFrame:
		return true
	}
	return false
}

// A rangeFrame is a frame by RANGE. Without one of the library's inside it is
// the default: the partition up to the peers of the current row, which without
// ORDER BY are all rows.
type rangeFrame struct{ sql.WindowFrame }

func (f *rangeFrame) String() string {
	if f.WindowFrame == nil {
		return ""
	}
	return f.WindowFrame.String()
}

// NewFramer implements sql.WindowFrame.
func (f *rangeFrame) NewFramer(w *sql.WindowDefinition) (sql.WindowFramer, error) {
	out := &ranges{order: w.OrderBy.ToExpressions()}
	if f.WindowFrame == nil {
		out.end.current = true
		out.start.unbounded = true
		return out, nil
	}
	out.start = bound{unbounded: f.UnboundedPreceding(), current: f.StartCurrentRow()}
	out.end = bound{unbounded: f.UnboundedFollowing(), current: f.EndCurrentRow()}
	descending := len(w.OrderBy) > 0 && w.OrderBy[0].Order == sql.Descending
	distance := func(preceding, following sql.Expression) sql.Expression {
		by, sign := following, sqlparser.PlusStr
		if preceding != nil {
			by, sign = preceding, sqlparser.MinusStr
		}
		if by == nil || len(out.order) == 0 {
			return nil
		}
		if descending {
			sign = map[string]string{sqlparser.PlusStr: sqlparser.MinusStr, sqlparser.MinusStr: sqlparser.PlusStr}[sign]
		}
		return expression.NewArithmetic(out.order[0], by, sign)
	}
	out.start.value = distance(f.StartNPreceding(), f.StartNFollowing())
	out.end.value = distance(f.EndNPreceding(), f.EndNFollowing())
	out.descending = descending
	return out, nil
}

// A bound is an end of a frame: that of the partition, that of the peers of the
// current row, or where the order reaches a value computed of the current row.
type bound struct {
	unbounded, current bool
	value              sql.Expression
}

// ranges frames the rows of one partition after another.
type ranges struct {
	order      []sql.Expression
	descending bool
	start, end bound

	partition sql.WindowInterval
	next      int
	peers     sql.WindowInterval
	frame     sql.WindowInterval
}

var _ sql.WindowFramer = (*ranges)(nil)

// NewFramer implements sql.WindowFramer.
func (r *ranges) NewFramer(partition sql.WindowInterval) (sql.WindowFramer, error) {
	out := *r
	at := sql.WindowInterval{Start: partition.Start, End: partition.Start}
	out.partition, out.next, out.peers, out.frame = partition, partition.Start, at, at
	return &out, nil
}

// Next implements sql.WindowFramer.
func (r *ranges) Next(ctx *sql.Context, rows sql.WindowBuffer) (sql.WindowInterval, error) {
	if r.next >= r.partition.End {
		return sql.WindowInterval{}, io.EOF
	}
	if err := r.findPeers(ctx, rows); err != nil {
		return sql.WindowInterval{}, err
	}
	start, err := r.find(ctx, rows, r.start, r.partition.Start, r.peers.Start, -1)
	if err != nil {
		return sql.WindowInterval{}, err
	}
	end, err := r.find(ctx, rows, r.end, r.partition.End, r.peers.End, 0)
	if err != nil {
		return sql.WindowInterval{}, err
	}
	r.next++
	r.frame = sql.WindowInterval{Start: start, End: max(start, end)}
	return r.frame, nil
}

// findPeers finds the rows that the order does not tell apart from the current.
func (r *ranges) findPeers(ctx *sql.Context, rows sql.WindowBuffer) error {
	if len(r.order) == 0 {
		r.peers = r.partition
		return nil
	}
	if r.next < r.peers.End {
		return nil
	}
	r.peers = sql.WindowInterval{Start: r.next, End: r.next + 1}
	for ; r.peers.End < r.partition.End; r.peers.End++ {
		same, err := r.same(ctx, rows[r.next], rows[r.peers.End])
		if err != nil || !same {
			return err
		}
	}
	return nil
}

func (r *ranges) same(ctx *sql.Context, a, b sql.Row) (bool, error) {
	for _, e := range r.order {
		v, err := e.Eval(ctx, a)
		if err != nil {
			return false, err
		}
		w, err := e.Eval(ctx, b)
		if err != nil {
			return false, err
		}
		if v == nil || w == nil {
			if v != w {
				return false, nil
			}
			continue
		}
		if c, err := e.Type(ctx).Compare(ctx, v, w); err != nil || c != 0 {
			return false, err
		}
	}
	return true, nil
}

// find returns the position of a bound: the first row that is not before it,
// where before are the rows whose value is less than the bound's, and for an
// end (most 0) those that are equal too.
func (r *ranges) find(ctx *sql.Context, rows sql.WindowBuffer, b bound, unbounded, peers, most int) (int, error) {
	switch {
	case b.unbounded:
		return unbounded, nil
	case b.current || b.value == nil:
		return peers, nil
	}
	limit, err := b.value.Eval(ctx, rows[r.next])
	if err != nil {
		return 0, err
	}
	if limit == nil { // the current row has NULL: its peers alone are near it
		return peers, nil
	}
	e := r.order[0]
	at := r.partition.Start
	for ; at < r.partition.End; at++ {
		v, err := e.Eval(ctx, rows[at])
		if err != nil {
			return 0, err
		}
		if v == nil { // first where the order ascends, and last where it descends
			if r.descending {
				return at, nil
			}
			continue
		}
		c, err := e.Type(ctx).Compare(ctx, v, limit)
		if err != nil {
			return 0, err
		}
		if r.descending {
			c = -c
		}
		if c > most {
			return at, nil
		}
	}
	return at, nil
}

// FirstIdx implements sql.WindowFramer.
func (r *ranges) FirstIdx() int { return r.frame.Start }

// LastIdx implements sql.WindowFramer.
func (r *ranges) LastIdx() int { return r.frame.End }

// Interval implements sql.WindowFramer.
func (r *ranges) Interval() (sql.WindowInterval, error) { return r.frame, nil }
