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

// textsAsDocuments makes texts of a list documents where they are looked up for a
// document: the library reads them as JSON, which most texts are not.
func textsAsDocuments(ctx *sql.Context, in *expression.InTuple) (sql.Expression, transform.TreeIdentity, error) {
	list, ok := in.Right().(expression.Tuple)
	if !ok {
		return in, transform.SameTree, nil
	}
	out, changed := make(expression.Tuple, len(list)), false
	for i, e := range list {
		out[i] = asDocuments(ctx, in.Left(), e)
		changed = changed || out[i] != nil
		if out[i] == nil {
			out[i] = e
		}
	}
	if !changed {
		return in, transform.SameTree, nil
	}
	return expression.NewInTuple(in.Left(), out), transform.NewTree, nil
}

// asDocuments is an element of a list, or of a row in it, as a document if it is
// a text and compared with one; nil if nothing of it is.
func asDocuments(ctx *sql.Context, left, e sql.Expression) sql.Expression {
	if row, ok := e.(expression.Tuple); ok {
		terms, ok := left.(expression.Tuple)
		if !ok || len(terms) != len(row) {
			return nil
		}
		out, changed := slices.Clone(row), false
		for i := range row {
			if x := asDocuments(ctx, terms[i], row[i]); x != nil {
				out[i], changed = x, true
			}
		}
		if !changed {
			return nil
		}
		return out
	}
	l, ok := e.(*expression.Literal)
	if !ok || !types.IsJSON(left.Type(ctx)) {
		return nil
	}
	text, ok := l.Value().(string)
	if !ok {
		return nil
	}
	return expression.NewLiteral(types.JSONDocument{Val: text}, types.JSON)
}

// mixedBounds makes both bounds of a BETWEEN numbers if one is a number and the
// other a text: MySQL then compares all three as numbers. The library takes
// BETWEEN apart into two comparisons, each by the types it has.
func mixedBounds(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if in, ok := e.(*expression.InTuple); ok && in.Resolved() {
			return textsAsDocuments(ctx, in)
		}
		b, ok := e.(*expression.Between)
		if !ok || !b.Resolved() {
			return e, transform.SameTree, nil
		}
		lower, upper := b.Lower.Type(ctx), b.Upper.Type(ctx)
		number := function.AsNumber
		if types.IsNumber(b.Val.Type(ctx)) {
			number = function.AsExactNumber
		}
		switch {
		case types.IsTextOnly(lower) && types.IsNumber(upper):
			return expression.NewBetween(b.Val, number(ctx, b.Lower), b.Upper), transform.NewTree, nil
		case types.IsNumber(lower) && types.IsTextOnly(upper):
			return expression.NewBetween(b.Val, b.Lower, number(ctx, b.Upper)), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
}
