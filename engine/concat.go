package engine

import (
	"fmt"
	"strconv"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// orderConcatenated puts the argument that a number in the ORDER BY of
// GROUP_CONCAT stands for in its place: the library takes it for the number of
// a column of the table.
func orderConcatenated(stmt sqlparser.Statement) error {
	return sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		g, ok := node.(*sqlparser.GroupConcatExpr)
		if !ok {
			return true, nil
		}
		for _, o := range g.OrderBy {
			v, ok := o.Expr.(*sqlparser.SQLVal)
			if !ok || v.Type != sqlparser.IntVal {
				continue
			}
			n, err := strconv.Atoi(string(v.Val))
			if err != nil || n < 1 || n > len(g.Exprs) {
				return false, &Error{Number: erBadField, State: "42S22", Offset: -1,
					Message: fmt.Sprintf("ORDER BY %s in GROUP_CONCAT, which has %d arguments", v.Val, len(g.Exprs))}
			}
			if a, ok := g.Exprs[n-1].(*sqlparser.AliasedExpr); ok {
				o.Expr = copied(a.Expr)
			}
		}
		return true, nil
	}, stmt)
}

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
