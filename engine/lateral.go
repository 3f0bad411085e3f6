package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
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
