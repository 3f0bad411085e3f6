package exec

import (
	"io"
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/spill"
)

// cancelMask says after how many rows, less one, operators look whether the
// statement was cancelled.
const cancelMask = 0x3ff

// windows computes functions over windows. The rows are sorted once for each
// window that differs in its partitions or its order, and come out in the order
// of the last. Rows that do not fit into memory go on in stages.
type windows struct {
	node    *plan.Window
	child   sql.RowIter
	filled  bool
	account *spill.Account
	staged  *stagedWindows // nil while the rows are in memory

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
	if it.staged != nil {
		return it.staged.next(ctx)
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
	all := functionsByWindow(it.node.SelectExprs)
	if err := it.gather(ctx, all); err != nil {
		return err
	}
	if it.staged != nil {
		return it.staged.finish(ctx)
	}
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

// sortBytes is about what sorting takes of memory for a row.
const sortBytes = 64

// gather reads all rows of the child. Once they are too many, they and those
// that follow go on in stages.
func (it *windows) gather(ctx *sql.Context, all [][]placed) error {
	it.account = memoryOf(ctx).Account()
	for n, held := 0, int64(0); ; n++ {
		if n&cancelMask == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := it.child.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if it.staged != nil {
			if err := it.staged.add(row); err != nil {
				return err
			}
			continue
		}
		it.rows = append(it.rows, row)
		held += spill.SizeOf(row) + sortBytes + int64(16*len(it.results))
		if it.account.Check(held) && !it.account.Set(held) {
			if err := it.toStages(ctx, all); err != nil {
				return err
			}
		}
	}
}

func (it *windows) toStages(ctx *sql.Context, all [][]placed) error {
	it.account.Free()
	it.staged = newStagedWindows(ctx, it.node.SelectExprs, all, len(it.rows[0]))
	for _, row := range it.rows {
		if err := it.staged.add(row); err != nil {
			return err
		}
	}
	it.rows = nil
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
	if it.account != nil {
		it.account.Free()
	}
	it.staged.close()
	it.staged = nil
	it.rows, it.results, it.order, it.block, it.next, it.filled = nil, nil, nil, nil, 0, true
	return it.child.Close(ctx)
}
