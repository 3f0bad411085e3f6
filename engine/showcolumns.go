package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
)

// columnRows are those of SHOW COLUMNS. In SHOW FULL COLUMNS the library leaves
// the privileges empty, from which tools conclude that nothing can be read.
func columnRows(ctx *sql.Context, n *plan.ShowColumns, row sql.Row) (sql.RowIter, error) {
	iter, err := (&rowexec.BaseBuilder{}).Build(ctx, n, row)
	at := n.Schema(ctx).IndexOfColName("Privileges")
	if err != nil || at < 0 {
		return iter, err
	}
	return &replaced{iter, at, "select"}, nil
}

// replaced puts a value into one column of all rows.
type replaced struct {
	sql.RowIter
	at    int
	value any
}

// Next implements sql.RowIter.
func (r *replaced) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := r.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	row = row.Copy()
	row[r.at] = r.value
	return row, nil
}
