package exact

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// totals is a sum over the frame of each row of a window. A frame that grows
// is added to; any other is added up anew.
type totals struct {
	of      sql.Expression
	framer  sql.WindowFramer
	average bool
	double  bool

	sum  sum
	done sql.WindowInterval // what the sum holds
}

var _ sql.WindowFunction = (*totals)(nil)

func newTotals(ctx *sql.Context, e sql.Expression, w *sql.WindowDefinition, average bool) (*totals, error) {
	of, err := transform.Clone(ctx, e)
	if err != nil {
		return nil, err
	}
	t := &totals{of: of, average: average, double: typeOfSum(ctx, e) == types.Float64}
	t.framer, err = framerOf(w)
	return t, err
}

// framerOf is the frame of a window: the one it says, else the whole partition,
// or with an order all rows up to the current one and its peers.
func framerOf(w *sql.WindowDefinition) (sql.WindowFramer, error) {
	switch {
	case w.Frame != nil:
		return w.Frame.NewFramer(w)
	case len(w.OrderBy) == 0:
		return aggregation.NewPartitionFramer(), nil
	}
	return &upToPeers{WindowFramer: aggregation.NewPeerGroupFramer(w.OrderBy.ToExpressions())}, nil
}

// upToPeers frames the rows of a partition up to the peers of the current row:
// those that the order does not tell apart from it.
type upToPeers struct {
	sql.WindowFramer // of the peers
	start            int
}

// NewFramer implements sql.WindowFramer.
func (f *upToPeers) NewFramer(partition sql.WindowInterval) (sql.WindowFramer, error) {
	peers, err := f.WindowFramer.NewFramer(partition)
	return &upToPeers{peers, partition.Start}, err
}

// Next implements sql.WindowFramer.
func (f *upToPeers) Next(ctx *sql.Context, rows sql.WindowBuffer) (sql.WindowInterval, error) {
	at, err := f.WindowFramer.Next(ctx, rows)
	return sql.WindowInterval{Start: f.start, End: at.End}, err
}

// FirstIdx implements sql.WindowFramer.
func (f *upToPeers) FirstIdx() int { return f.start }

// Interval implements sql.WindowFramer.
func (f *upToPeers) Interval() (sql.WindowInterval, error) {
	at, err := f.WindowFramer.Interval()
	return sql.WindowInterval{Start: f.start, End: at.End}, err
}

// DefaultFramer implements sql.WindowFunction.
func (t *totals) DefaultFramer() sql.WindowFramer { return t.framer }

// StartPartition implements sql.WindowFunction.
func (t *totals) StartPartition(ctx *sql.Context, _ sql.WindowInterval, _ sql.WindowBuffer) error {
	t.Dispose(ctx)
	t.reset(sql.WindowInterval{})
	return nil
}

func (t *totals) reset(at sql.WindowInterval) {
	t.sum, t.done = sum{double: t.double, average: t.average}, sql.WindowInterval{Start: at.Start, End: at.Start}
}

// Compute implements sql.WindowFunction.
func (t *totals) Compute(ctx *sql.Context, frame sql.WindowInterval, rows sql.WindowBuffer) (any, error) {
	if frame.Start != t.done.Start || frame.End < t.done.End {
		t.reset(frame)
	}
	for ; t.done.End < frame.End; t.done.End++ {
		v, err := t.of.Eval(ctx, rows[t.done.End])
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		t.sum.count++
		if err := t.sum.add(ctx, v); err != nil {
			return nil, err
		}
	}
	return t.sum.value(ctx)
}

// Dispose implements sql.Disposable.
func (t *totals) Dispose(ctx *sql.Context) { expression.Dispose(ctx, t.of) }
