package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/function"
)

// mixedBounds makes both bounds of a BETWEEN numbers if one is a number and the
// other a text: MySQL then compares all three as numbers. The library takes
// BETWEEN apart into two comparisons, each by the types it has.
func mixedBounds(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		b, ok := e.(*expression.Between)
		if !ok || !b.Resolved() {
			return e, transform.SameTree, nil
		}
		lower, upper := b.Lower.Type(ctx), b.Upper.Type(ctx)
		number := function.AsNumber
		if types.IsNumber(b.Val.Type(ctx)) {
			number = function.AsExactNumber
		}
		switch {
		case types.IsTextOnly(lower) && types.IsNumber(upper):
			return expression.NewBetween(b.Val, number(ctx, b.Lower), b.Upper), transform.NewTree, nil
		case types.IsNumber(lower) && types.IsTextOnly(upper):
			return expression.NewBetween(b.Val, b.Lower, number(ctx, b.Upper)), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
}
