package engine

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// allowCallsBesideGroups lets functions without arguments and variables stand
// beside aggregates and in grouped queries: SELECT CURDATE(), COUNT(*). The
// library's check for columns that are not grouped takes them for such, and names
// of the select list in ORDER BY where there is a HAVING.
func allowCallsBesideGroups(check analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if !analyzer.FlagIsSet(flags, sql.QFlagAggregation) {
			return n, transform.SameTree, nil // as the check does
		}
		checked, _, err := transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if namesNoColumn(e) {
				return expression.NewLiteral(called(e.String()), e.Type(ctx)), transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		if err == nil {
			checked, _, err = transform.NodeWithOpaque(ctx, checked, withoutAliasesInOrder)
		}
		if err != nil {
			return n, transform.SameTree, err
		}
		_, _, err = check(ctx, a, checked, scope, sel, flags)
		return n, transform.SameTree, err
	}
}

// withoutAliasesInOrder sorts by constants in place of names of the select list,
// where what they stand for is checked.
func withoutAliasesInOrder(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	sort, ok := n.(*plan.Sort)
	if !ok {
		return n, transform.SameTree, nil
	}
	fields, changed := slices.Clone(sort.SortFields), false
	for i, f := range fields {
		if column, ok := f.Column.(*expression.GetField); ok && column.Table() == "" {
			fields[i].Column, changed = expression.NewLiteral(called(column.String()), column.Type(ctx)), true
		}
	}
	if !changed {
		return n, transform.SameTree, nil
	}
	return plan.NewSort(fields, sort.Child), transform.NewTree, nil
}

// called is the text of a call, as the value of a literal that is shown as that
// text: the check compares texts.
type called string

// namesNoColumn reports whether an expression is a variable or a call without
// arguments.
func namesNoColumn(e sql.Expression) bool {
	switch e.(type) {
	case sql.Aggregation, sql.WindowAdaptableExpression:
		return false
	case *expression.SystemVar, *expression.UserVar:
		return true
	case sql.FunctionExpression:
		return len(e.Children()) == 0
	}
	return false
}
