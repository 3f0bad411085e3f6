package exec

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
)

// operators are those of this file over some rows: ROW_NUMBER over a window, and
// a count WITH ROLLUP.
func operators(t *testing.T, child sql.RowIter) map[string]sql.RowIter {
	t.Helper()
	id, group, x := benchColumns()
	over := &over{name: "row_number", window: &sql.WindowDefinition{PartitionBy: []sql.Expression{group}, OrderBy: sql.SortFields{{Column: x}}}}
	rollup, err := newRollup(sql.NewEmptyContext(), plan.NewGroupBy(
		[]sql.Expression{aggregation.NewCount(id)}, []sql.Expression{group, newMark(nil)}, nil), child)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]sql.RowIter{"window": newWindows(plan.NewWindow([]sql.Expression{id, over}, nil), child), "rollup": rollup}
}

// TestErrorsEnd: an error of the rows ends the statement, and their reading is
// closed once.
func TestErrorsEnd(t *testing.T) {
	failure := errors.New("no more")
	for name := range operators(t, nil) {
		child := &source{rows: benchRows(10), fail: failure}
		it := operators(t, child)[name]
		if _, err := it.Next(sql.NewEmptyContext()); !errors.Is(err, failure) {
			t.Errorf("%s: %v", name, err)
		}
		if err := it.Close(sql.NewEmptyContext()); err != nil || child.closed != 1 {
			t.Errorf("%s: closed %d times: %v", name, child.closed, err)
		}
	}
}

// TestCloseEarly: what is not read to its end is closed too, and has no rows any
// more.
func TestCloseEarly(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for name := range operators(t, nil) {
		child := &source{rows: benchRows(10)}
		it := operators(t, child)[name]
		if _, err := it.Next(ctx); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := it.Close(ctx); err != nil || child.closed != 1 {
			t.Errorf("%s: closed %d times: %v", name, child.closed, err)
		}
		if _, err := it.Next(ctx); err != io.EOF {
			t.Errorf("%s: after Close, %v", name, err)
		}
	}
}

// A canceller cancels a statement with its first row and has rows for ever.
type canceller struct {
	source
	cancel context.CancelFunc
}

func (c *canceller) Next(*sql.Context) (sql.Row, error) {
	c.at++
	c.cancel()
	return c.rows[0], nil
}

// TestCancelWhileReading: a statement that is cancelled ends within some rows.
func TestCancelWhileReading(t *testing.T) {
	for name := range operators(t, nil) {
		alive, cancel := context.WithCancel(context.Background())
		child := &canceller{source: source{rows: benchRows(1)}, cancel: cancel}
		it := operators(t, child)[name]
		if _, err := it.Next(sql.NewContext(alive)); !errors.Is(err, context.Canceled) || child.at > 2000 {
			t.Errorf("%s: after %d rows, %v", name, child.at, err)
		}
	}
}

// A watched is a column that counts how often it is asked for, and cancels a
// statement when it was asked for often enough.
type watched struct {
	expression.GetField
	asked, enough int
	cancel        context.CancelFunc
}

func (c *watched) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if c.asked++; c.asked == c.enough {
		c.cancel()
	}
	return c.GetField.Eval(ctx, row)
}

// TestCancelWhileComputing: a statement that is cancelled when all rows are read
// ends soon too.
func TestCancelWhileComputing(t *testing.T) {
	const rows = 100_000
	for name, o := range map[string]*over{
		"frames that are shared": {name: "sum"},
		"frames each by itself":  {name: "json_arrayagg"},
		"a place":                {name: "lag"},
	} {
		alive, cancel := context.WithCancel(context.Background())
		column := &watched{GetField: *expression.NewGetField(0, types.Int64, "id", false), enough: rows / 2, cancel: cancel}
		o.args = []sql.Expression{column}
		o.window = &sql.WindowDefinition{Frame: plan.NewRowsNPrecedingToCurrentRowFrame(expression.NewLiteral(int64(1), types.Int64))}
		it := newWindows(plan.NewWindow([]sql.Expression{o}, nil), &source{rows: benchRows(rows)})
		if _, err := it.Next(sql.NewContext(alive)); !errors.Is(err, context.Canceled) || column.asked > rows/2+5000 {
			t.Errorf("%s: asked %d times, %v", name, column.asked, err)
		}
	}
}

// TestKeysOnce: the keys of a window are computed once a row, whatever the
// number of its functions, and an argument once a row, whatever the frame.
func TestKeysOnce(t *testing.T) {
	const rows = 5000
	field := func() *watched {
		return &watched{GetField: *expression.NewGetField(0, types.Int64, "id", false)}
	}
	by, argument := field(), field()
	w := &sql.WindowDefinition{OrderBy: sql.SortFields{{Column: by}}, Frame: plan.NewRowsNPrecedingToCurrentRowFrame(expression.NewLiteral(int64(1000), types.Int64))}
	it := newWindows(plan.NewWindow([]sql.Expression{
		&over{name: "row_number", window: w}, &over{name: "rank", window: w}, &over{name: "max", args: []sql.Expression{argument}, window: w},
	}, nil), &source{rows: benchRows(rows)})
	for range rows {
		if _, err := it.Next(sql.NewEmptyContext()); err != nil {
			t.Fatal(err)
		}
	}
	if by.asked != rows || argument.asked != rows {
		t.Errorf("keys computed %d times and arguments %d times for %d rows", by.asked, argument.asked, rows)
	}
}

// TestStagesComputeKeysTwice: the terms of a window whose rows go through files are
// computed once for the sort and once for the partitions.
func TestStagesComputeKeysTwice(t *testing.T) {
	const rows = 3000
	by := &watched{GetField: *expression.NewGetField(0, types.Int64, "id", false)}
	f := &over{name: "row_number", window: &sql.WindowDefinition{PartitionBy: []sql.Expression{by}}}
	ctx := sql.NewEmptyContext()
	s := newWindowStage(ctx, []placed{{f, 1}})
	defer s.close()
	for _, row := range benchRows(rows) {
		if err := s.add(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.finish(); err != nil {
		t.Fatal(err)
	}
	for range rows {
		if part, err := s.nextPartition(ctx); err != nil || len(part) != 1 {
			t.Fatal(part, err)
		}
	}
	if by.asked != 2*rows {
		t.Errorf("the term was computed %d times for %d rows", by.asked, rows)
	}
}

// TestSlidingFoldsAreLinear counts what a frame of many rows costs for each row.
func TestSlidingFoldsAreLinear(t *testing.T) {
	const rows = 4096
	work := 0
	s := &slide{
		frames: &rowsAround{-1000, 1001},
		of:     expression.NewGetField(0, types.Int64, "id", false),
		fold:   func() exact.Fold { return &tally{work: &work} },
	}
	all := benchRows(rows)
	order, err := sortRows(sql.NewEmptyContext(), all, &sql.WindowDefinition{})
	if err != nil {
		t.Fatal(err)
	}
	p := &part{ctx: sql.NewEmptyContext(), all: all, rows: order.rows, begins: order.begins}
	err = p.run(s, func(at int, v any) {
		if want := min(rows, at+1001) - max(0, at-1000); v != want {
			t.Fatalf("row %d: %v rows in its frame, want %d", at, v, want)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if work > 6*rows {
		t.Errorf("%d steps for %d rows", work, rows)
	}
}

// A tally counts its rows, and the steps of all tallies.
type tally struct {
	rows int
	work *int
}

func (f *tally) Add(*sql.Context, any) error {
	f.rows++
	*f.work++
	return nil
}

func (f *tally) Merge(_ *sql.Context, behind exact.Fold) error {
	f.rows += behind.(*tally).rows
	*f.work++
	return nil
}

func (f *tally) Value(*sql.Context) (any, error) { return f.rows, nil }
