package engine

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Identifiers of our rules, outside the library's range.
const (
	ruleNothing analyzer.RuleId = 10001 + iota
	ruleBegin
	ruleSelectLimit
	ruleEnumsAsText
	ruleTypesInSets
	ruleRecursiveDates
	ruleMixedTypes
	ruleArithmetic
	ruleNumbersAsTimes
	ruleKeepLateralRows
	ruleKeepPolling
	ruleReuse
	ruleShowOuterRows
	ruleRead
	ruleExact
)

func nothing(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return n, transform.SameTree, nil
}

// whole makes a rule wait for the whole statement: it is left out where the
// library analyzes a subquery or a side of a UNION by itself, before expressions
// know their places in the rows.
func whole(apply analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if !sel(placesRule) {
			return n, transform.SameTree, nil
		}
		return apply(ctx, a, n, scope, sel, flags)
	}
}

// placesRule is the library's rule that gives expressions their places. It is
// the last of those that the analysis of a part leaves out.
var placesRule = ruleNamed("assignExecIndexes")

func ruleNamed(name string) analyzer.RuleId {
	for id := range analyzer.TrackProcessId {
		if id.String() == name {
			return id
		}
	}
	return analyzer.TrackProcessId
}

// replaceRule puts a rule of ours in the place of one of the library's, which it
// gets.
func replaceRule(a *analyzer.Analyzer, name string, with func(analyzer.RuleFunc) analyzer.RuleFunc) {
	for _, b := range a.Batches {
		b.Rules = slices.Clone(b.Rules) // which are the library's, of all engines
		for i := range b.Rules {
			if b.Rules[i].Id.String() == name {
				b.Rules[i].Apply = with(b.Rules[i].Apply)
			}
		}
	}
}

// keepPolling undoes the library's shortcut for statements of at most one row,
// on which a leaving client is not noticed.
func keepPolling(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if flags != nil {
		flags.Unset(sql.QFlagMax1Row)
	}
	return n, transform.SameTree, nil
}

// selectLimit obeys sql_select_limit where the library does not: it forgets
// every SELECT whose topmost node is not a projection, a sort or a grouping,
// such as SELECT * FROM t. Tools set the variable for a preview, which must not
// read a whole table.
func selectLimit(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !scope.IsEmpty() || scope.RecursionDepth() > 0 {
		return n, transform.SameTree, nil
	}
	usual, v := sql.HasDefaultValue(ctx, ctx.Session, "sql_select_limit")
	if usual {
		return n, transform.SameTree, nil
	}
	switch n.(type) {
	case *plan.ResolvedTable, *plan.TableAlias, *plan.Filter, *plan.JoinNode, *plan.Distinct, *plan.Having, *plan.Offset:
	default:
		return n, transform.SameTree, nil
	}
	limit, _, err := types.Int64.Convert(ctx, v)
	if err != nil {
		return n, transform.SameTree, nil // larger than any result
	}
	return plan.NewLimit(expression.NewLiteral(limit, types.Int64), n), transform.NewTree, nil
}
