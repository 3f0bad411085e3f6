package exec

import (
	"io"
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// cancelMask says after how many rows, less one, operators look whether the
// statement was cancelled.
const cancelMask = 0x3ff

// windows computes functions over windows. The rows are sorted once for each
// window that differs in its partitions or its order, and come out in the order
// of the last.
type windows struct {
	node   *plan.Window
	child  sql.RowIter
	filled bool

	rows    []sql.Row // of the child
	order   []int32   // in which rows come out
	next    int
	results [][]any // by the place of a function in the select list, by row; nil for other expressions
	spare   []any   // for rows to come
}

func newWindows(n *plan.Window, child sql.RowIter) *windows {
	return &windows{node: n, child: child, results: make([][]any, len(n.SelectExprs))}
}

// Next implements sql.RowIter.
func (it *windows) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	if it.next == len(it.rows) {
		return nil, io.EOF
	}
	if it.next&cancelMask == 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	i := it.order[it.next]
	it.next++
	out := it.newRow()
	for j, e := range it.node.SelectExprs {
		if r := it.results[j]; r != nil {
			out[j] = r[i]
			continue
		}
		v, err := e.Eval(ctx, it.rows[i])
		if err != nil {
			return nil, err
		}
		out[j] = v
	}
	return out, nil
}

// newRow takes a row of a block, which takes less time than one of its own.
func (it *windows) newRow() sql.Row {
	n := len(it.node.SelectExprs)
	if len(it.spare) < n {
		it.spare = make([]any, 128*n)
	}
	row := it.spare[:n:n]
	it.spare = it.spare[n:]
	return row
}

func (it *windows) fill(ctx *sql.Context) error {
	for {
		if len(it.rows)&cancelMask == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := it.child.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		it.rows = append(it.rows, row)
	}
	for _, same := range functionsByWindow(it.node.SelectExprs) {
		s, err := sortRows(ctx, it.rows, same[0].window)
		if err != nil {
			return err
		}
		it.order = s.rows
		for _, f := range same {
			if it.results[f.place], err = f.compute(ctx, it.rows, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// placed is a function with its place in the select list.
type placed struct {
	*over
	place int
}

// functionsByWindow puts functions together whose windows have the same
// partitions and order.
func functionsByWindow(list []sql.Expression) [][]placed {
	var out [][]placed
	for i, e := range list {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		f, ok := e.(*over)
		if !ok {
			continue
		}
		at := 0
		for at < len(out) && !sameOrder(out[at][0].window, f.window) {
			at++
		}
		if at == len(out) {
			out = append(out, nil)
		}
		out[at] = append(out[at], placed{f, i})
	}
	return out
}

func sameOrder(a, b *sql.WindowDefinition) bool {
	return reflect.DeepEqual(a.PartitionBy, b.PartitionBy) && reflect.DeepEqual(a.OrderBy, b.OrderBy)
}

// Close implements sql.RowIter.
func (it *windows) Close(ctx *sql.Context) error {
	it.rows, it.results, it.order, it.next, it.filled = nil, nil, nil, 0, true
	return it.child.Close(ctx)
}
