package engine

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/function"
)

// mixedTypes makes the bounds of a BETWEEN and the elements of a list what MySQL
// compares them as; the library looks at the type of each by itself.
func mixedTypes(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		var x sql.Expression
		switch e := e.(type) {
		case *expression.Between:
			x = boundsAsNumbers(ctx, e)
		case *expression.InTuple:
			x = textsAsDocuments(ctx, e)
		}
		if x == nil {
			return e, transform.SameTree, nil
		}
		return x, transform.NewTree, nil
	})
}

// boundsAsNumbers makes both bounds of a BETWEEN numbers if one is a number and the
// other a text: MySQL then compares all three as numbers. It is nil for others.
func boundsAsNumbers(ctx *sql.Context, b *expression.Between) sql.Expression {
	if !b.Resolved() {
		return nil
	}
	number := function.AsNumber
	if types.IsNumber(b.Val.Type(ctx)) {
		number = function.AsExactNumber
	}
	switch lower, upper := b.Lower.Type(ctx), b.Upper.Type(ctx); {
	case types.IsTextOnly(lower) && types.IsNumber(upper):
		return expression.NewBetween(b.Val, number(ctx, b.Lower), b.Upper)
	case types.IsNumber(lower) && types.IsTextOnly(upper):
		return expression.NewBetween(b.Val, b.Lower, number(ctx, b.Upper))
	}
	return nil
}

// textsAsDocuments makes texts of a list documents where they are looked up for a
// document: the library reads them as JSON, which most texts are not. It is nil
// for other lists.
func textsAsDocuments(ctx *sql.Context, in *expression.InTuple) sql.Expression {
	list, ok := in.Right().(expression.Tuple)
	if !ok || !in.Resolved() {
		return nil
	}
	list = slices.Clone(list)
	changed := false
	for i := range list {
		changed = asDocument(ctx, in.Left(), &list[i]) || changed
	}
	if !changed {
		return nil
	}
	return expression.NewInTuple(in.Left(), list)
}

// asDocument makes an element of a list, or the terms of a row in it, documents
// where they are texts and compared with one. It reports whether any is.
func asDocument(ctx *sql.Context, left sql.Expression, e *sql.Expression) bool {
	switch x := (*e).(type) {
	case expression.Tuple:
		terms, ok := left.(expression.Tuple)
		if !ok || len(terms) != len(x) {
			return false
		}
		row, changed := slices.Clone(x), false
		for i := range row {
			changed = asDocument(ctx, terms[i], &row[i]) || changed
		}
		*e = row
		return changed
	case *expression.Literal:
		text, ok := x.Value().(string)
		if !ok || !types.IsJSON(left.Type(ctx)) {
			return false
		}
		*e = expression.NewLiteral(types.JSONDocument{Val: text}, types.JSON)
		return true
	}
	return false
}
