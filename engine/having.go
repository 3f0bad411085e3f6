package engine

import (
	"fmt"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// nameHavingAggregates works round a fault of the library: in HAVING, it does
// not find the columns inside an aggregate of an expression, as in
// HAVING SUM(l.n * l.price) > 10. Such an aggregate gets a name in the select
// list, HAVING uses the name, and an outer SELECT drops the column again:
//
//	SELECT a FROM (SELECT a, SUM(l.n * l.price) AS `having 0` FROM .. GROUP BY a HAVING `having 0` > 10) q
func nameHavingAggregates(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if s, ok := node.(*sqlparser.Select); ok {
			nameAggregates(s)
		}
		return true, nil
	}, stmt)
}

func nameAggregates(s *sqlparser.Select) {
	if s.Having == nil || s.Into != nil || s.QueryOpts.SQLCalcFoundRows || len(s.SelectExprs) == 0 {
		return
	}
	inner := *s
	outer, ok := renamed(&inner)
	if !ok {
		return
	}
	names := map[string]sqlparser.SelectExpr{}
	having := *s.Having
	having.Expr = replaceAggregates(having.Expr, func(f *sqlparser.FuncExpr) sqlparser.Expr {
		text := sqlparser.String(f)
		item, ok := names[text]
		if !ok {
			item = &sqlparser.AliasedExpr{Expr: f, As: sqlparser.NewColIdent(fmt.Sprintf("having %d", len(names)))}
			names[text] = item
			inner.SelectExprs = append(inner.SelectExprs, item)
		}
		return &sqlparser.ColName{Name: item.(*sqlparser.AliasedExpr).As}
	})
	if len(names) == 0 {
		return
	}
	inner.Having, inner.With = &having, nil
	*s = sqlparser.Select{
		With:        s.With,
		SelectExprs: outer,
		From: sqlparser.TableExprs{&sqlparser.AliasedTableExpr{
			Expr: &sqlparser.Subquery{Select: &inner},
			As:   sqlparser.NewTableIdent("having"),
			Auth: sqlparser.AuthInformation{AuthType: sqlparser.AuthType_IGNORE},
		}},
	}
}

// renamed gives every item of the inner select list a name of its own, and
// returns the outer list that shows the items under their usual names. It
// reports false for a list with a star.
func renamed(inner *sqlparser.Select) (sqlparser.SelectExprs, bool) {
	var outer sqlparser.SelectExprs
	items := make(sqlparser.SelectExprs, len(inner.SelectExprs))
	taken := map[string]bool{}
	for i, e := range inner.SelectExprs {
		a, ok := e.(*sqlparser.AliasedExpr)
		if !ok {
			return nil, false
		}
		item := *a
		name := resultName(a)
		if item.As.IsEmpty() || taken[strings.ToLower(name)] {
			item.As = sqlparser.NewColIdent(fmt.Sprintf("item %d", i))
		}
		taken[strings.ToLower(name)] = true
		items[i] = &item
		outer = append(outer, &sqlparser.AliasedExpr{Expr: &sqlparser.ColName{Name: item.As}, As: sqlparser.NewColIdent(name)})
	}
	inner.SelectExprs = items
	return outer, true
}

func resultName(a *sqlparser.AliasedExpr) string {
	if !a.As.IsEmpty() {
		return a.As.String()
	}
	if c, ok := a.Expr.(*sqlparser.ColName); ok {
		return c.Name.String()
	}
	if a.InputExpression != "" {
		return a.InputExpression
	}
	return sqlparser.String(a.Expr)
}

// replaceAggregates rewrites the aggregates that the library would not resolve.
func replaceAggregates(having sqlparser.Expr, with func(*sqlparser.FuncExpr) sqlparser.Expr) sqlparser.Expr {
	var found []*sqlparser.FuncExpr
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch f := node.(type) {
		case *sqlparser.Subquery:
			return false, nil
		case *sqlparser.FuncExpr:
			if f.IsAggregate() {
				if ofExpression(f) {
					found = append(found, f)
				}
				return false, nil
			}
		}
		return true, nil
	}, having)
	for _, f := range found {
		having = sqlparser.ReplaceExpr(having, f, with(f))
	}
	return having
}

// ofExpression reports whether an aggregate's argument is more than a column
// and has a column that names its table.
func ofExpression(f *sqlparser.FuncExpr) bool {
	qualified := false
	for _, arg := range f.Exprs {
		if a, ok := arg.(*sqlparser.AliasedExpr); ok {
			if _, plain := a.Expr.(*sqlparser.ColName); plain {
				continue
			}
		}
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			c, ok := node.(*sqlparser.ColName)
			qualified = qualified || ok && !c.Qualifier.IsEmpty()
			return true, nil
		}, arg)
	}
	return qualified
}
