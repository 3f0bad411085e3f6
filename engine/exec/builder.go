// Package exec has the operators that dynasql puts in place of the engine
// library's own. It runs above tables and knows nothing of DynamoDB.
package exec

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// A Builder builds the nodes that have an operator here and leaves all others
// to the library.
type Builder struct{ library sql.NodeExecBuilder }

// NewBuilder returns a builder whose operators build their children with the
// library's builder.
func NewBuilder(library sql.NodeExecBuilder) *Builder { return &Builder{library} }

// Build implements sql.NodeExecBuilder; no iterator and no error means that
// the library has to build the node.
func (b *Builder) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	if g, ok := n.(*plan.GroupBy); ok && len(g.GroupByExprs) > 0 {
		child, err := b.library.Build(ctx, g.Child, row)
		if err != nil {
			return nil, err
		}
		return newGroups(ctx, g, child)
	}
	return nil, nil
}
