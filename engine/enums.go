package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// enumsAsText makes functions that choose one of their arguments see the text
// of an ENUM. The library hands out its number, so that
// IF(x, 'TABLE', table_type) in the schema's tables would give 1.
func enumsAsText(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e.(type) {
		case *function.If, *function.IfNull, *function.NullIf, *function.Coalesce, *function.Greatest, *function.Least:
		default:
			return e, transform.SameTree, nil
		}
		children, changed := e.Children(), false
		replaced := make([]sql.Expression, len(children))
		for i, c := range children {
			replaced[i] = c
			if c.Resolved() && (types.IsEnum(c.Type(ctx)) || types.IsSet(c.Type(ctx))) {
				replaced[i], changed = expression.NewConvert(c, expression.ConvertToChar), true
			}
		}
		if !changed {
			return e, transform.SameTree, nil
		}
		out, err := e.WithChildren(ctx, replaced...)
		return out, transform.NewTree, err
	})
}
