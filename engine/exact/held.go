package exact

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector"
)

// held stands on top of a subquery whose rows the library gathers in memory: it
// counts them. A subquery that is a value ends with its second row, which is an
// error.
type held struct {
	plan.UnaryNode
	value bool
	// once says that the rows are the same for all rows of the statement, and
	// stay until it ends.
	once bool
}

var _ sql.ExecBuilderNode = (*held)(nil)

// holding puts held on top of a subquery.
func holding(sub *plan.Subquery, value bool) *plan.Subquery {
	if _, done := sub.Query.(*held); done {
		return sub
	}
	return sub.WithQuery(&held{plan.UnaryNode{Child: sub.Query}, value, sub.CanCacheResults()})
}

// Query is the node of a subquery that has been planned.
func Query(sub *plan.Subquery) sql.Node {
	if h, ok := sub.Query.(*held); ok {
		return h.Child
	}
	return sub.Query
}

func (h *held) String() string { return h.Child.String() }

// IsReadOnly implements sql.Node.
func (h *held) IsReadOnly() bool { return h.Child.IsReadOnly() }

// WithChildren implements sql.Node.
func (h *held) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(h, len(children), 1)
	}
	return &held{plan.UnaryNode{Child: children[0]}, h.value, h.once}, nil
}

// BuildRowIter implements sql.ExecBuilderNode.
func (h *held) BuildRowIter(ctx *sql.Context, b sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	rows, err := b.Build(ctx, h.Child, row)
	if err != nil {
		return nil, err
	}
	if h.value {
		return &oneRow{RowIter: rows}, nil
	}
	return &heldRows{RowIter: rows, account: connector.OpenAccount(ctx), once: h.once, outer: len(row)}, nil
}

// oneRow are the rows of a subquery that is a value.
type oneRow struct {
	sql.RowIter
	given bool
}

// Next implements sql.RowIter.
func (it *oneRow) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := it.RowIter.Next(ctx)
	if err == nil && it.given {
		return nil, sql.ErrExpectedSingleRow.New()
	}
	it.given = true
	return row, err
}

// heldRows are the rows of a subquery that is a list of values.
type heldRows struct {
	sql.RowIter
	account connector.Account
	once    bool
	outer   int // how many columns of the rows around stand before those of the subquery
}

// subqueryValues is what the account of a subquery is for.
const subqueryValues = "the list of a subquery's values, which is kept in memory,"

// Next implements sql.RowIter.
func (it *heldRows) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := it.RowIter.Next(ctx)
	if err == nil && !it.account.Grow(row[it.outer:]) {
		err = it.account.Full(subqueryValues)
	}
	return row, err
}

// Close implements sql.RowIter.
func (it *heldRows) Close(ctx *sql.Context) error {
	if !it.once {
		it.account.Free()
	}
	return it.RowIter.Close(ctx)
}
