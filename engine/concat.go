package engine

import "github.com/dolthub/vitess/go/vt/sqlparser"

// joinConcatenated makes GROUP_CONCAT(a, b) concatenate both, where the library
// takes the first alone.
func joinConcatenated(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if g, ok := node.(*sqlparser.GroupConcatExpr); ok && len(g.Exprs) > 1 {
			all := &sqlparser.FuncExpr{Name: sqlparser.NewColIdent("concat"), Exprs: g.Exprs}
			g.Exprs = sqlparser.SelectExprs{&sqlparser.AliasedExpr{Expr: all}}
		}
		return true, nil
	}, stmt)
}
