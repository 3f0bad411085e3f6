package engine

import (
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// spreadAverages has AVG(x) inside of arithmetic and functions computed with more
// digits than it shows, as in MySQL: there it becomes SUM(x) / COUNT(x), which
// does. Alone, or compared, it stays. So it does over quotients, since a sum of
// quotients has the digits that they show.
func spreadAverages(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch x := node.(type) {
		case *sqlparser.BinaryExpr:
			x.Left, x.Right = spreadAverage(x.Left), spreadAverage(x.Right)
		case *sqlparser.UnaryExpr:
			x.Expr = spreadAverage(x.Expr)
		case *sqlparser.ConvertExpr:
			x.Expr = spreadAverage(x.Expr)
		case *sqlparser.FuncExpr:
			if x.Over != nil || isAggregate(x) {
				break
			}
			for _, arg := range x.Exprs {
				if a, ok := arg.(*sqlparser.AliasedExpr); ok {
					a.Expr = spreadAverage(a.Expr)
				}
			}
		}
		return true, nil
	}, stmt)
}

func spreadAverage(e sqlparser.Expr) sqlparser.Expr {
	f, ok := inside(e).(*sqlparser.FuncExpr)
	if !ok || f.Name.Lowered() != "avg" || len(f.Exprs) != 1 || divides(f.Exprs) {
		return e
	}
	sum, count := copied(f).(*sqlparser.FuncExpr), copied(f).(*sqlparser.FuncExpr)
	sum.Name, count.Name = sqlparser.NewColIdent("sum"), sqlparser.NewColIdent("count")
	if a, ok := count.Exprs[0].(*sqlparser.AliasedExpr); ok && f.Distinct { // as SUM tells texts apart, by their numbers
		a.Expr = &sqlparser.BinaryExpr{Operator: sqlparser.PlusStr, Left: a.Expr, Right: integer(0)}
	}
	return &sqlparser.ParenExpr{Expr: &sqlparser.BinaryExpr{Operator: sqlparser.DivStr, Left: sum, Right: count}}
}

func divides(list sqlparser.SelectExprs) bool {
	found := false
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		b, ok := node.(*sqlparser.BinaryExpr)
		found = found || ok && b.Operator == sqlparser.DivStr
		return !found, nil
	}, list)
	return found
}
