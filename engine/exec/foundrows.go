package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector"
)

// foundRows is LIMIT, with the OFFSET below it, of a SELECT SQL_CALC_FOUND_ROWS:
// FOUND_ROWS() is then the number of rows without either (MySQL 8.0 Reference
// Manual, "Information Functions"). The library leaves out those before the
// offset, and one of a LIMIT 1 with an order.
type foundRows struct {
	sql.RowIter
	skip, limit int64
	given       int64
	found       int64
	err         error // that of the rows, io.EOF at their end
}

// newFoundRows returns nil where the library has to say what is wrong.
func newFoundRows(ctx *sql.Context, library sql.NodeExecBuilder, n *plan.Limit, row sql.Row) (sql.RowIter, error) {
	child, skip := n.Child, int64(0)
	limit, ok := connector.Count(ctx, n.Limit)
	if o, isOffset := child.(*plan.Offset); isOffset && ok {
		child = o.Child
		skip, ok = connector.Count(ctx, o.Offset)
	}
	if !ok {
		return nil, nil
	}
	rows, err := library.Build(ctx, child, row)
	if err != nil {
		return nil, err
	}
	return &foundRows{RowIter: rows, skip: skip, limit: limit}, nil
}

// Next implements sql.RowIter.
func (it *foundRows) Next(ctx *sql.Context) (sql.Row, error) {
	for it.err == nil {
		var row sql.Row
		if row, it.err = it.RowIter.Next(ctx); it.err != nil {
			break
		}
		it.found++
		if it.found > it.skip && it.given < it.limit {
			it.given++
			return row, nil
		}
	}
	return nil, it.err
}

// Close implements sql.RowIter. Whoever stands above may have had enough before
// all rows were counted.
func (it *foundRows) Close(ctx *sql.Context) error {
	for it.err == nil {
		if _, it.err = it.RowIter.Next(ctx); it.err == nil {
			it.found++
		}
	}
	err := it.RowIter.Close(ctx)
	if it.err != io.EOF {
		return err // which has been reported, or the statement was cancelled
	}
	ctx.GetLastQueryInfo().FoundRows.Store(it.found)
	return err
}
