package engine

import (
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// expandRows puts comparisons of row constructors into comparisons of their
// terms: (a, b) = (1, 2) becomes a = 1 AND b = 2. The library takes a NULL among
// the terms for a value. IN with a list of constant rows is left to the engine,
// which knows how, since lists may be long.
func expandRows(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Where:
			if n != nil {
				n.Expr, _ = expandRowsIn(n.Expr)
			}
		case *sqlparser.JoinTableExpr:
			if n.Condition.On != nil {
				n.Condition.On, _ = expandRowsIn(n.Condition.On)
			}
		case *sqlparser.AliasedExpr:
			name := sqlparser.String(n.Expr)
			expanded, changed := expandRowsIn(n.Expr)
			if changed && n.As.IsEmpty() && n.InputExpression == "" {
				n.InputExpression = name // the column keeps it
			}
			n.Expr = expanded
		case *sqlparser.Order:
			n.Expr, _ = expandRowsIn(n.Expr)
		}
		return true, nil
	}, stmt)
}

func expandRowsIn(e sqlparser.Expr) (expanded sqlparser.Expr, changed bool) {
	var found []*sqlparser.ComparisonExpr
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Subquery:
			return false, nil // its clauses are visited on their own
		case *sqlparser.ComparisonExpr:
			found = append(found, n)
		}
		return true, nil
	}, e)
	for _, c := range found {
		if expanded := expandRow(c); expanded != nil {
			e, changed = sqlparser.ReplaceExpr(e, c, &sqlparser.ParenExpr{Expr: expanded}), true
		}
	}
	return e, changed
}

// expandRow returns what a comparison of rows means, or nil.
func expandRow(c *sqlparser.ComparisonExpr) sqlparser.Expr {
	left, ok := rowOf(c.Left)
	if !ok {
		return nil
	}
	if c.Operator == sqlparser.InStr || c.Operator == sqlparser.NotInStr {
		return expandIn(c, left)
	}
	right, ok := rowOf(c.Right)
	if !ok || len(left) != len(right) {
		return nil
	}
	return compareRows(c.Operator, left, right)
}

// rowOf returns the terms of a row constructor of two or more.
func rowOf(e sqlparser.Expr) (sqlparser.ValTuple, bool) {
	row, ok := e.(sqlparser.ValTuple)
	return row, ok && len(row) > 1
}

func compareRows(operator string, left, right sqlparser.ValTuple) sqlparser.Expr {
	switch operator {
	case sqlparser.EqualStr, sqlparser.NullSafeEqualStr:
		var all sqlparser.Expr
		for i := range left {
			all = both(all, &sqlparser.ComparisonExpr{Operator: operator, Left: left[i], Right: right[i]})
		}
		return all
	case sqlparser.NotEqualStr:
		return &sqlparser.NotExpr{Expr: &sqlparser.ParenExpr{Expr: compareRows(sqlparser.EqualStr, left, right)}}
	case sqlparser.LessThanStr, sqlparser.GreaterThanStr, sqlparser.LessEqualStr, sqlparser.GreaterEqualStr:
		return orderRows(operator, left, right)
	}
	return nil
}

// strict is the operator by which all terms but the last are compared.
var strict = map[string]string{
	sqlparser.LessThanStr: sqlparser.LessThanStr, sqlparser.LessEqualStr: sqlparser.LessThanStr,
	sqlparser.GreaterThanStr: sqlparser.GreaterThanStr, sqlparser.GreaterEqualStr: sqlparser.GreaterThanStr,
}

// orderRows compares by the first term that differs.
func orderRows(operator string, left, right sqlparser.ValTuple) sqlparser.Expr {
	if len(left) == 1 {
		return &sqlparser.ComparisonExpr{Operator: operator, Left: left[0], Right: right[0]}
	}
	less := &sqlparser.ComparisonExpr{Operator: strict[operator], Left: left[0], Right: right[0]}
	equal := &sqlparser.ComparisonExpr{Operator: sqlparser.EqualStr, Left: left[0], Right: right[0]}
	rest := &sqlparser.ParenExpr{Expr: orderRows(operator, left[1:], right[1:])}
	return &sqlparser.OrExpr{Left: less, Right: &sqlparser.ParenExpr{Expr: both(equal, rest)}}
}

// expandIn puts IN with a list of rows that are not all constant, or of different
// types, into an OR of equalities.
func expandIn(c *sqlparser.ComparisonExpr, left sqlparser.ValTuple) sqlparser.Expr {
	list, ok := c.Right.(sqlparser.ValTuple)
	if !ok {
		return nil
	}
	var any sqlparser.Expr
	constant := true
	for _, e := range list {
		row, ok := rowOf(e)
		if !ok || len(row) != len(left) {
			return nil
		}
		for _, term := range row {
			constant = constant && isLiteral(term)
		}
		equal := &sqlparser.ParenExpr{Expr: compareRows(sqlparser.EqualStr, left, row)}
		if any == nil {
			any = equal
		} else {
			any = &sqlparser.OrExpr{Left: any, Right: equal}
		}
	}
	switch {
	case constant && !mixedTerms(list, len(left)):
		return nil
	case c.Operator == sqlparser.NotInStr:
		return &sqlparser.NotExpr{Expr: &sqlparser.ParenExpr{Expr: any}}
	}
	return any
}

// mixedTerms reports whether texts and numbers stand in the same place of
// constant rows, each of which is then compared by its own type.
func mixedTerms(list sqlparser.ValTuple, terms int) bool {
	for i := range terms {
		texts, others := false, false
		for _, row := range list {
			switch e := row.(sqlparser.ValTuple)[i].(type) {
			case *sqlparser.NullVal:
			case *sqlparser.SQLVal:
				texts = texts || e.Type == sqlparser.StrVal
				others = others || e.Type != sqlparser.StrVal
			default:
				others = true
			}
		}
		if texts && others {
			return true
		}
	}
	return false
}

func isLiteral(e sqlparser.Expr) bool {
	switch x := e.(type) {
	case *sqlparser.SQLVal, *sqlparser.NullVal, sqlparser.BoolVal:
		return true
	case *sqlparser.UnaryExpr:
		return isLiteral(x.Expr)
	case *sqlparser.ParenExpr:
		return isLiteral(x.Expr)
	}
	return false
}

func both(a, b sqlparser.Expr) sqlparser.Expr {
	if a == nil {
		return b
	}
	return &sqlparser.AndExpr{Left: a, Right: b}
}
