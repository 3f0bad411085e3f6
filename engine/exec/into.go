package exec

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// intoRows are the rows of SELECT .. INTO variables, of which the second is an
// error: the library gathers all of them first.
type intoRows struct{ plan.UnaryNode }

func (r *intoRows) String() string { return r.Child.String() }

// IsReadOnly implements sql.Node.
func (r *intoRows) IsReadOnly() bool { return r.Child.IsReadOnly() }

// WithChildren implements sql.Node.
func (r *intoRows) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 1)
	}
	return &intoRows{plan.UnaryNode{Child: children[0]}}, nil
}

// BuildRowIter implements sql.ExecBuilderNode.
func (r *intoRows) BuildRowIter(ctx *sql.Context, b sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	return b.Build(ctx, plan.NewLimit(expression.NewLiteral(int64(2), types.Int64), r.Child), row)
}

// intoVariables makes SELECT .. INTO variables end with its second row; nil if
// that has been done.
func intoVariables(ctx *sql.Context, n *plan.Into) (sql.Node, error) {
	if _, done := n.Child.(*intoRows); done || len(n.IntoVars) == 0 {
		return nil, nil
	}
	return n.WithChildren(ctx, &intoRows{plan.UnaryNode{Child: n.Child}})
}
