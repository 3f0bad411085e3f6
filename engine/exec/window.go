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
	results [][]any // by the place of a function in the select list; nil for other expressions
	inOrder []bool  // which results are in the order of the rows that come out, and not by row
	block   []any   // rows that are made and have not come out
}

func newWindows(n *plan.Window, child sql.RowIter) *windows {
	return &windows{node: n, child: child, results: make([][]any, len(n.SelectExprs)), inOrder: make([]bool, len(n.SelectExprs))}
}

// Next implements sql.RowIter.
func (it *windows) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	width := len(it.node.SelectExprs)
	if len(it.block) == 0 {
		if it.next == len(it.rows) {
			return nil, io.EOF
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := it.fillBlock(ctx, width); err != nil {
			return nil, err
		}
	}
	row := it.block[:width:width]
	it.block = it.block[width:]
	return row, nil
}

// blockRows is how many rows are made at a time, one column after the other:
// rows that are far apart in memory are then fetched side by side.
const blockRows = 128

func (it *windows) fillBlock(ctx *sql.Context, width int) error {
	order := it.order[it.next:min(it.next+blockRows, len(it.order))]
	block := make([]any, len(order)*width)
	for j, e := range it.node.SelectExprs {
		column := block[j:]
		switch field, ok := e.(*expression.GetField); {
		case it.results[j] != nil && it.inOrder[j]:
			for k, v := range it.results[j][it.next : it.next+len(order)] {
				column[k*width] = v
			}
		case it.results[j] != nil:
			for k, i := range order {
				column[k*width] = it.results[j][i]
			}
		case ok && field.Index() < len(it.rows[order[0]]):
			at := field.Index()
			for k, i := range order {
				column[k*width] = it.rows[i][at]
			}
		default:
			for k, i := range order {
				v, err := e.Eval(ctx, it.rows[i])
				if err != nil {
					return err
				}
				column[k*width] = v
			}
		}
	}
	it.next += len(order)
	it.block = block
	return nil
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
	all := functionsByWindow(it.node.SelectExprs)
	for n, same := range all {
		s, err := sortRows(ctx, it.rows, same[0].window)
		if err != nil {
			return err
		}
		it.order = s.rows
		for _, f := range same {
			it.inOrder[f.place] = n == len(all)-1
			if it.results[f.place], err = f.compute(ctx, it.rows, s, it.inOrder[f.place]); err != nil {
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
	it.rows, it.results, it.order, it.block, it.next, it.filled = nil, nil, nil, nil, 0, true
	return it.child.Close(ctx)
}
