package engine

import (
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// keepNegated keeps NOT IN and NOT EXISTS over a derived table from being run as
// joins: inside of another the library then loses the places of the columns.
func keepNegated(stmt *sqlparser.Select, names map[string]bool) {
	if stmt.Where == nil || !hasDerived(stmt.From, names) {
		return
	}
	keepQueries(&stmt.Where.Expr, func(c sqlparser.Expr) bool {
		negated := false
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			switch n := node.(type) {
			case *sqlparser.NotExpr:
				negated = true
			case *sqlparser.ComparisonExpr:
				negated = negated || n.Operator == sqlparser.NotInStr
			case *sqlparser.Subquery:
				return false, nil
			}
			return !negated, nil
		}, c)
		return negated
	})
}

// keepQueries writes conditions that have a subquery as (condition) IS TRUE, which
// means the same in WHERE, ON and HAVING and is not made a join. It reports
// whether there are any.
func keepQueries(e *sqlparser.Expr, which func(sqlparser.Expr) bool) bool {
	if *e == nil {
		return false
	}
	changed := false
	var conditions []sqlparser.Expr
	for _, c := range split(*e, isAnd) {
		if hasQuery(c) && which(c) {
			c = &sqlparser.IsExpr{Operator: sqlparser.IsTrueStr, Expr: &sqlparser.ParenExpr{Expr: c}}
			changed = true
		}
		conditions = append(conditions, c)
	}
	*e = conjunction(conditions)
	return changed
}

// keepExists keeps some EXISTS from being run as a join: EXISTS (..) becomes
// EXISTS (..) IS TRUE. Over a derived table, or the name of a WITH, the library
// moves conditions on the outer row into the table and then does not give it that
// row, so that nothing or everything matches; inside one it takes conditions on
// the outer row out of an EXISTS that has a subquery; and where a condition is
// constant, it fails when it finds that there are no rows. EXISTS with LIMIT 0 is
// false. names are those of WITH; derived says that stmt is in a derived table.
func keepExists(stmt sqlparser.SQLNode, names map[string]bool, derived bool) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Select:
			if derived {
				keepNegated(n, names)
			}
		case *sqlparser.Where:
			if n != nil {
				n.Expr = keptExists(n.Expr, names, derived)
			}
		case *sqlparser.JoinTableExpr:
			if n.Condition.On != nil {
				n.Condition.On = keptExists(n.Condition.On, names, derived)
			}
		case *sqlparser.AliasedTableExpr:
			if q, ok := n.Expr.(*sqlparser.Subquery); ok && !derived {
				keepExists(q, names, true)
				return false, nil
			}
		}
		return true, nil
	}, stmt)
}

func keptExists(e sqlparser.Expr, names map[string]bool, derived bool) sqlparser.Expr {
	var found []*sqlparser.ExistsExpr
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if x, ok := node.(*sqlparser.ExistsExpr); ok {
			found = append(found, x)
			return false, nil // its clauses are visited on their own
		}
		return true, nil
	}, e)
	for _, x := range found {
		switch s := x.Subquery.Select.(type) {
		case *sqlparser.Select:
			if isZero(s.Limit) {
				e = sqlparser.ReplaceExpr(e, x, sqlparser.BoolVal(false))
			} else if hasDerived(s.From, names) || hasConstant(s.Where) || derived && s.Where != nil && hasQuery(s.Where.Expr) {
				e = sqlparser.ReplaceExpr(e, x, &sqlparser.IsExpr{Operator: sqlparser.IsTrueStr, Expr: x})
			}
		}
	}
	return e
}

func isZero(l *sqlparser.Limit) bool {
	if l == nil {
		return false
	}
	v, ok := l.Rowcount.(*sqlparser.SQLVal)
	return ok && v.Type == sqlparser.IntVal && strings.Trim(string(v.Val), "0") == ""
}

// hasConstant reports whether one of the conditions is the same for all rows, or
// compares with NULL.
func hasConstant(w *sqlparser.Where) bool {
	if w == nil {
		return false
	}
	return slices.ContainsFunc(split(w.Expr, isAnd), func(e sqlparser.Expr) bool {
		constant, null := true, false
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			switch node.(type) {
			case *sqlparser.ColName, *sqlparser.Subquery:
				constant = false
				return false, nil
			case *sqlparser.NullVal:
				null = true
			}
			return true, nil
		}, e)
		return constant || null
	})
}

func hasQuery(e sqlparser.Expr) bool {
	found := false
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		_, query := node.(*sqlparser.Subquery)
		found = found || query
		return !found, nil
	}, e)
	return found
}

// hasDerived reports whether a FROM has a derived table, or one of the names.
func hasDerived(from sqlparser.TableExprs, names map[string]bool) bool {
	found := false
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Subquery:
			found = true
		case sqlparser.TableName:
			found = found || n.DbQualifier.IsEmpty() && names[strings.ToLower(n.Name.String())]
		}
		return !found, nil
	}, from)
	return found
}

// namesOfWith are the names that the WITH clauses of a statement define, in
// lower case.
func namesOfWith(stmt sqlparser.Statement) map[string]bool {
	names := map[string]bool{}
	for _, part := range withParts(stmt) {
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			if with := withOf(node); with != nil {
				for _, e := range with.Ctes {
					names[strings.ToLower(e.As.String())] = true
				}
			}
			return true, nil
		}, part)
	}
	return names
}
