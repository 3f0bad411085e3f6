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
	switch n := n.(type) {
	case *plan.GroupBy:
		if rollsUp(n) {
			child, err := b.library.Build(ctx, n.Child, row)
			if err != nil {
				return nil, err
			}
			return newRollup(ctx, n, child)
		}
		if len(row) == 0 {
			if it := typedGroupBy(ctx, b.library, n); it != nil {
				return it, nil
			}
		}
		if len(n.GroupByExprs) > 0 || anyGrows(ctx, n.SelectDeps) {
			child, err := b.library.Build(ctx, n.Child, row)
			if err != nil {
				return nil, err
			}
			return newGroups(ctx, n, child)
		}
	case *plan.Distinct:
		if len(n.DistinctOn()) == 0 {
			if len(row) == 0 {
				if it := typedDistinct(ctx, b.library, n); it != nil {
					return it, nil
				}
			}
			child, err := b.library.Build(ctx, n.Child, row)
			if err != nil {
				return nil, err
			}
			return newDistinct(ctx, child, n.Schema(ctx)), nil
		}
	case *plan.JoinNode:
		if len(row) == 0 {
			if it := typedJoinOf(ctx, b.library, n); it != nil {
				return it, nil
			}
		}
		if j := hashJoinOf(ctx, n, row); j != nil {
			return j.open(ctx, b.library)
		}
		if joins(n, row) {
			return newJoin(ctx, b.library, n, row)
		}
	case *plan.TopN:
		if cut, err := sortedAndCut(ctx, n); cut != nil || err != nil {
			if err != nil {
				return nil, err
			}
			return b.library.Build(ctx, cut, row)
		}
		return b.sort(ctx, n, row)
	case *plan.Sort:
		return b.sort(ctx, n, row)
	case *plan.Limit:
		if n.CalcFoundRows {
			return newFoundRows(ctx, b.library, n, row)
		}
	case *plan.Window:
		child, err := b.library.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return newWindows(n, child), nil
	case *plan.SetOp:
		if n.Distinct || n.SetOpType != plan.UnionType || n.Offset != nil || len(n.SortFields) > 0 {
			return b.library.Build(ctx, setOperation(n), row)
		}
	case *plan.Into:
		if into, err := intoVariables(ctx, n); into != nil || err != nil {
			if err != nil {
				return nil, err
			}
			return b.library.Build(ctx, into, row)
		}
	case *plan.RecursiveCte:
		return b.library.Build(ctx, orderedAndCut(n.Union(), recursionRows{n}), row)
	case *plan.CachedResults:
		if !n.IsFinalized() {
			return newCaching(ctx, b.library, n, row)
		}
	}
	return nil, nil
}

func (b *Builder) sort(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	o, ok := orderingOf(ctx, n)
	if !ok {
		return nil, nil
	}
	return o.build(ctx, b.library, row)
}

// How says how a node will be run, for EXPLAIN: on typed values as items come, or
// row by row with the expressions' own Eval. It is empty for nodes that are not
// run here.
func How(ctx *sql.Context, n sql.Node) string {
	switch n := n.(type) {
	case *plan.GroupBy:
		if !rollsUp(n) && typedGroupBy(ctx, nil, n) != nil {
			return "on typed values, a part in each reader"
		}
		return "row by row"
	case *plan.Distinct:
		if len(n.DistinctOn()) == 0 && typedDistinct(ctx, nil, n) != nil {
			return "on typed values"
		}
		return "row by row"
	case *plan.Sort, *plan.TopN:
		if o, ok := orderingOf(ctx, n); ok {
			if p, ok := pipelineOf(ctx, o.child); ok && typedSort(ctx, nil, p, o) != nil {
				return "on typed values"
			}
			return "row by row"
		}
	case *plan.JoinNode:
		if typedJoinOf(ctx, nil, n) != nil {
			return "on typed values"
		}
		return "row by row"
	}
	return ""
}
