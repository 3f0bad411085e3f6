package engine

import (
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exact"
)

// tellApart makes aggregates differ whose texts are the same but for the case of
// a string, as SUM(s = 'a') and SUM(s = 'A'): the library takes them for one.
func tellApart(stmt sqlparser.Statement) {
	variants := map[string][]string{}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if !isAggregate(node) {
			return true, nil
		}
		text := unqualified(node)
		lower := strings.ToLower(text)
		number := slices.Index(variants[lower], text)
		if number < 0 {
			number = len(variants[lower])
			variants[lower] = append(variants[lower], text)
		}
		if number > 0 {
			markArgument(node, number)
		}
		return true, nil
	}, stmt)
}

func markArgument(aggregate sqlparser.SQLNode, number int) {
	var args sqlparser.SelectExprs
	switch x := aggregate.(type) {
	case *sqlparser.GroupConcatExpr:
		args = x.Exprs
	case *sqlparser.FuncExpr:
		args = x.Exprs
	}
	if len(args) == 0 {
		return
	}
	if a, ok := args[0].(*sqlparser.AliasedExpr); ok {
		marked := *a
		marked.Expr = call(exact.SameFunction, integer(number), a.Expr)
		args[0] = &marked
	}
}

// isAggregate reports whether a part of a statement is an aggregate of rows, and
// not over a window.
func isAggregate(e sqlparser.SQLNode) bool {
	switch x := e.(type) {
	case *sqlparser.GroupConcatExpr:
		return true
	case *sqlparser.FuncExpr:
		name := x.Name.Lowered()
		return x.Over == nil && (x.IsAggregate() || name == "any_value" || exact.IsAggregate(name))
	}
	return false
}
