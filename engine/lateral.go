package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// showOuterRows lets every derived table that a condition on outer columns was
// moved into see the outer row. The library notes that the table needs it, and
// counts its columns, but does not hand it down to a derived table inside
// another inside a subquery.
func showOuterRows(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	showOuter(ctx, n)
	return n, transform.SameTree, nil
}

func showOuter(ctx *sql.Context, n sql.Node) {
	transform.InspectWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) bool {
		if derived, ok := n.(*plan.SubqueryAlias); ok && derived.IsLateral {
			derived.OuterScopeVisibility = true
		}
		for _, q := range subqueries(ctx, n) {
			showOuter(ctx, q)
		}
		return true
	})
}

// keepLateralRows gives every lateral LEFT JOIN a condition on a column. Without
// one, or with one that is always true or false, the library makes a cross join
// of it, and loses the rows of the left side for which the right one is empty.
func keepLateralRows(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		j, ok := n.(*plan.JoinNode)
		if !ok || j.JoinType() != plan.JoinTypeLateralLeft {
			return n, transform.SameTree, nil
		}
		right, ok := j.Right().(plan.TableIdNode)
		if !ok || right.Columns().Len() == 0 {
			return n, transform.SameTree, nil
		}
		id, _ := right.Columns().Next(1)
		c := j.Right().Schema(ctx)[0]
		isNull := expression.NewIsNull(expression.NewGetFieldWithTable(int(id), int(right.Id()), c.Type, c.DatabaseSource, right.Name(), c.Name, c.Nullable))
		var filter sql.Expression = expression.NewOr(isNull, expression.NewNot(isNull)) // true
		if j.Filter != nil {
			never := expression.NewAnd(isNull, expression.NewNot(isNull))
			filter = expression.NewAnd(expression.NewOr(j.Filter, never), filter)
		}
		return j.WithFilter(filter), transform.NewTree, nil
	})
}
