package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/spill"
)

// caching gives the rows of a node for the first time, and keeps them for the
// times that the library's loops ask again.
type caching struct {
	sql.RowIter
	node    *plan.CachedResults
	rows    []sql.Row
	account *spill.Account
}

func newCaching(ctx *sql.Context, b sql.NodeExecBuilder, n *plan.CachedResults, row sql.Row) (sql.RowIter, error) {
	from, err := b.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &caching{RowIter: from, node: n, account: memoryOf(ctx).Account()}, nil
}

// Next implements sql.RowIter.
func (it *caching) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := it.RowIter.Next(ctx)
	if err == io.EOF {
		it.node.SetCachedResults(it.rows)
	}
	if err != nil {
		return nil, err
	}
	if !it.account.Grow(spill.SizeOf(row)) && it.account.Beyond() {
		return nil, it.account.Full("a derived table that the statement goes through more than once, which is kept in memory,")
	}
	it.rows = append(it.rows, row)
	return row, nil
}

// Close implements sql.RowIter. The account ends here: in a correlated subquery
// the rows end with the row around it, which nothing tells.
func (it *caching) Close(ctx *sql.Context) error {
	it.account.Free()
	return it.RowIter.Close(ctx)
}
