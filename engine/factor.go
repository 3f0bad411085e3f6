package engine

import (
	"slices"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// factorConditions takes what all sides of an OR have in common out of it, in
// WHERE and ON:
//
//	(a = b AND x = 1) OR (a = b AND y = 2)  ->  a = b AND (x = 1 OR y = 2)
//
// which is true, false and unknown for the same rows. The library finds keys,
// and the columns of a join, among conditions joined by AND alone.
func factorConditions(stmt sqlparser.SQLNode) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Where:
			if n != nil && n.Type == sqlparser.WhereStr {
				n.Expr = factored(n.Expr)
			}
		case *sqlparser.JoinTableExpr:
			if n.Condition.On != nil {
				n.Condition.On = factored(n.Condition.On)
			}
		}
		return true, nil
	}, stmt)
}

func factored(e sqlparser.Expr) sqlparser.Expr {
	switch x := e.(type) {
	case *sqlparser.ParenExpr:
		return &sqlparser.ParenExpr{Expr: factored(x.Expr)}
	case *sqlparser.AndExpr:
		return &sqlparser.AndExpr{Left: factored(x.Left), Right: factored(x.Right)}
	case *sqlparser.OrExpr:
		return factoredOr(x)
	}
	return e
}

// factoredOr takes the common conditions out of an OR, or returns it as it is.
func factoredOr(or *sqlparser.OrExpr) sqlparser.Expr {
	var sides [][]sqlparser.Expr
	for _, side := range split(or, isOr) {
		sides = append(sides, split(side, isAnd))
	}
	var common []sqlparser.Expr
	for _, e := range sides[0] {
		if repeatable(e) && inAll(sides, e) {
			common = append(common, e)
		}
	}
	if len(common) == 0 {
		return or
	}
	var rest sqlparser.Expr
	for _, side := range sides {
		left := without(side, common)
		if left == nil { // k OR (k AND a) is k
			return conjunction(common)
		}
		if rest == nil {
			rest = left
		} else {
			rest = &sqlparser.OrExpr{Left: rest, Right: left}
		}
	}
	return &sqlparser.AndExpr{Left: conjunction(common), Right: &sqlparser.ParenExpr{Expr: rest}}
}

// repeatable reports whether an expression has no subquery and no function, so that
// it is the same wherever and however often it stands.
func repeatable(e sqlparser.Expr) bool {
	same := true
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch node.(type) {
		case *sqlparser.Subquery, *sqlparser.FuncExpr, *sqlparser.AssignmentExpr:
			same = false
		}
		return same, nil
	}, e)
	return same
}

func inAll(sides [][]sqlparser.Expr, e sqlparser.Expr) bool {
	for _, side := range sides {
		if !holdsExpression(side, e) {
			return false
		}
	}
	return true
}

func holdsExpression(list []sqlparser.Expr, e sqlparser.Expr) bool {
	text := sqlparser.String(e)
	return slices.ContainsFunc(list, func(other sqlparser.Expr) bool { return sqlparser.String(other) == text })
}

// without joins by AND what is in a list and not among others; nil if nothing is.
func without(list, others []sqlparser.Expr) sqlparser.Expr {
	return conjunction(slices.DeleteFunc(slices.Clone(list), func(e sqlparser.Expr) bool { return holdsExpression(others, e) }))
}

func conjunction(list []sqlparser.Expr) sqlparser.Expr {
	var out sqlparser.Expr
	for _, e := range list {
		if out == nil {
			out = e
		} else {
			out = &sqlparser.AndExpr{Left: out, Right: e}
		}
	}
	return out
}

func isOr(e sqlparser.Expr) (left, right sqlparser.Expr, ok bool) {
	if x, ok := e.(*sqlparser.OrExpr); ok {
		return x.Left, x.Right, true
	}
	return nil, nil, false
}

func isAnd(e sqlparser.Expr) (left, right sqlparser.Expr, ok bool) {
	if x, ok := e.(*sqlparser.AndExpr); ok {
		return x.Left, x.Right, true
	}
	return nil, nil, false
}

// split takes apart what an operator joins, through parentheses.
func split(e sqlparser.Expr, by func(sqlparser.Expr) (left, right sqlparser.Expr, ok bool)) []sqlparser.Expr {
	if left, right, ok := by(inside(e)); ok {
		return append(split(left, by), split(right, by)...)
	}
	return []sqlparser.Expr{e}
}

// inside is an expression without the parentheses around it.
func inside(e sqlparser.Expr) sqlparser.Expr {
	for {
		p, ok := e.(*sqlparser.ParenExpr)
		if !ok {
			return e
		}
		e = p.Expr
	}
}
