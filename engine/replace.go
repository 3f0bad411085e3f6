package engine

import (
	"reflect"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/function"
)

// replaceParts puts expressions that the library plans rightly in place of those
// that it does not: functions of ours, most of all. It is given a statement, and
// the same with its WITH clauses as parts of their own.
func replaceParts(stmt sqlparser.Statement, parts []sqlparser.Statement) error {
	found := false
	var refused error
	for _, part := range parts {
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			switch x := node.(type) {
			case *sqlparser.AliasedExpr:
				x.InputExpression = narrow(x.InputExpression)
			case *sqlparser.ConvertExpr:
				if isDecimal(x.Type) {
					refused = checkDecimal(x.Type)
				}
			}
			if e, ok := node.(sqlparser.Expr); ok && !found {
				found = replacement(e) != nil
			}
			return refused == nil, refused
		}, part)
		if refused != nil {
			return refused
		}
	}
	if found {
		replaceExpressions(reflect.ValueOf(stmt), replacement)
	}
	return nil
}

// replacement is what stands in place of an expression, or nil.
func replacement(e sqlparser.Expr) sqlparser.Expr {
	switch x := e.(type) {
	case *sqlparser.ComparisonExpr:
		return comparisonOf(x)
	case *sqlparser.ExtractFuncExpr:
		return call(function.Extract, sqlparser.NewStrVal([]byte(x.Unit)), x.Expr)
	case *sqlparser.TimestampFuncExpr:
		if x.Name == "timestampdiff" {
			return call(function.TimestampDiff, sqlparser.NewStrVal([]byte(x.Unit)), x.Expr1, x.Expr2)
		}
	case *sqlparser.IntervalExpr:
		return plainInterval(x)
	case *sqlparser.BinaryExpr:
		switch x.Operator {
		case sqlparser.PlusStr, sqlparser.MinusStr:
			return addedInterval(x)
		case sqlparser.BitAndStr, sqlparser.BitOrStr, sqlparser.BitXorStr, sqlparser.ShiftLeftStr, sqlparser.ShiftRightStr:
			return call(function.Bits, sqlparser.NewStrVal([]byte(x.Operator)), x.Left, x.Right)
		}
	case *sqlparser.UnaryExpr:
		if x.Operator == sqlparser.TildaStr {
			return call(function.Invert, x.Expr)
		}
	}
	return exactNumber(e)
}

func isText(e sqlparser.Expr) bool {
	v, ok := e.(*sqlparser.SQLVal)
	return ok && v.Type == sqlparser.StrVal
}

// comparisonOf is what stands in place of a comparison.
func comparisonOf(c *sqlparser.ComparisonExpr) sqlparser.Expr {
	switch c.Operator {
	case sqlparser.RegexpStr:
		return call(function.RegexpLike, c.Left, c.Right)
	case sqlparser.NotRegexpStr:
		return &sqlparser.NotExpr{Expr: call(function.RegexpLike, c.Left, c.Right)}
	case sqlparser.InStr, sqlparser.NotInStr:
		if doc, ok := oneArgument(c.Right, memberMark); ok {
			return negated(call(function.MemberOf, c.Left, doc), c.Operator == sqlparser.NotInStr)
		}
		return mixedIn(c)
	}
	for _, quantifier := range []string{allMark, anyMark} {
		if query, ok := oneArgument(c.Right, quantifier); ok {
			return quantified(c.Left, c.Operator, quantifier, query)
		}
	}
	return nil
}

func negated(e sqlparser.Expr, not bool) sqlparser.Expr {
	if not {
		return &sqlparser.NotExpr{Expr: e}
	}
	return e
}

// oneArgument is the argument of a call that widen has put in.
func oneArgument(e sqlparser.Expr, name string) (sqlparser.Expr, bool) {
	if list, ok := e.(sqlparser.ValTuple); ok && len(list) == 1 {
		e = list[0]
	}
	f, ok := e.(*sqlparser.FuncExpr)
	if !ok || !f.Name.EqualString(name) || len(f.Exprs) != 1 {
		return nil, false
	}
	a, ok := f.Exprs[0].(*sqlparser.AliasedExpr)
	if !ok {
		return nil, false
	}
	e = a.Expr
	for {
		paren, ok := e.(*sqlparser.ParenExpr)
		if !ok {
			return e, true
		}
		e = paren.Expr
	}
}

// quantified is a comparison with ALL or ANY row of a subquery. Of rows of
// several terms MySQL has = ANY and <> ALL only, which are IN and NOT IN.
func quantified(left sqlparser.Expr, operator, quantifier string, query sqlparser.Expr) sqlparser.Expr {
	switch {
	case operator == sqlparser.EqualStr && quantifier == anyMark:
		return &sqlparser.ComparisonExpr{Operator: sqlparser.InStr, Left: left, Right: query}
	case operator == sqlparser.NotEqualStr && quantifier == allMark:
		return &sqlparser.ComparisonExpr{Operator: sqlparser.NotInStr, Left: left, Right: query}
	}
	name := function.CompareAny
	if quantifier == allMark {
		name = function.CompareAll
	}
	return call(name, sqlparser.NewStrVal([]byte(operator)), left, query)
}

// mixedIn takes apart a list of constants of which some are texts and some are
// numbers: MySQL compares with each as with a constant of its own type, the
// library with all as with the first.
func mixedIn(c *sqlparser.ComparisonExpr) sqlparser.Expr {
	list, ok := c.Right.(sqlparser.ValTuple)
	if !ok || len(list) < 2 {
		return nil
	}
	if _, row := rowOf(c.Left); row {
		return nil
	}
	var texts, others sqlparser.ValTuple
	for _, e := range list {
		switch {
		case isText(e):
			texts = append(texts, e)
		case isLiteral(e):
			others = append(others, e)
		default:
			return nil
		}
	}
	if len(texts) == 0 || len(others) == 0 || allNull(others) {
		return nil
	}
	in := func(list sqlparser.ValTuple) sqlparser.Expr {
		return &sqlparser.ComparisonExpr{Operator: sqlparser.InStr, Left: c.Left, Right: list}
	}
	return negated(&sqlparser.ParenExpr{Expr: &sqlparser.OrExpr{Left: in(texts), Right: in(others)}}, c.Operator == sqlparser.NotInStr)
}

func allNull(list sqlparser.ValTuple) bool {
	for _, e := range list {
		if _, ok := e.(*sqlparser.NullVal); !ok {
			return false
		}
	}
	return true
}

var expressionType = reflect.TypeFor[sqlparser.Expr]()

// replaceExpressions replaces expressions wherever a statement holds one, from
// the inside out.
func replaceExpressions(v reflect.Value, by func(sqlparser.Expr) sqlparser.Expr) {
	rewriteExpressions(v, nil, by)
}

// rewriteExpressions replaces expressions wherever a statement holds one: by
// what outer gives, whose inside stays as it is, else by what inner gives when
// all inside of it are replaced. Both give nil for what stays, and may be nil.
func rewriteExpressions(v reflect.Value, outer, inner func(sqlparser.Expr) sqlparser.Expr) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			rewriteExpressions(v.Elem(), outer, inner)
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		expression := v.Type() == expressionType && v.CanSet()
		if expression && replaceBy(v, outer) {
			return
		}
		rewriteExpressions(v.Elem(), outer, inner)
		if expression {
			replaceBy(v, inner)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				rewriteExpressions(v.Field(i), outer, inner)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			rewriteExpressions(v.Index(i), outer, inner)
		}
	}
}

func replaceBy(v reflect.Value, by func(sqlparser.Expr) sqlparser.Expr) bool {
	if by == nil {
		return false
	}
	e := by(v.Interface().(sqlparser.Expr))
	if e != nil {
		v.Set(reflect.ValueOf(e))
	}
	return e != nil
}
