package exact

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/expression/function/json"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/text"
)

// Rule puts exact expressions in place of the library's in a planned statement.
// It has to run when nothing looks at the types of expressions any more.
func Rule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !sel(lastRule) {
		return n, transform.SameTree, nil
	}
	return nodes(ctx, n)
}

// lastRule is left out where the library analyzes a part of a statement, a
// subquery or a side of a UNION, and goes on with the whole.
var lastRule = idOf("assignExecIndexes")

func idOf(name string) analyzer.RuleId {
	for id := range analyzer.TrackProcessId {
		if id.String() == name {
			return id
		}
	}
	return analyzer.TrackProcessId
}

func nodes(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		e, ok := n.(sql.Expressioner)
		if !ok {
			return n, transform.SameTree, nil
		}
		list, changed, err := expressions(ctx, e.Expressions(), position{})
		if err != nil {
			return nil, transform.SameTree, err
		}
		if changed {
			if n, err = e.WithExpressions(ctx, list...); err != nil {
				return nil, transform.SameTree, err
			}
		}
		if lookup, ok := n.(*plan.HashLookup); ok {
			return byValue(ctx, lookup), transform.NewTree, nil
		}
		return n, transform.TreeIdentity(!changed), nil
	})
}

// byValue makes a hash join find its rows by values and not by their texts.
func byValue(ctx *sql.Context, lookup *plan.HashLookup) sql.Node {
	left, tuple := tupleOf(lookup.LeftProbeKey)
	right, both := tupleOf(lookup.RightEntryKey)
	out := *lookup
	switch {
	case types.IsDecimal(lookup.CompareType):
		out.CompareType = types.InternalDecimalType
	case types.IsJSON(lookup.CompareType), isBinary(ctx, lookup.LeftProbeKey), isBinary(ctx, lookup.RightEntryKey):
		as := CompareTypes(ctx, lookup.LeftProbeKey.Type(ctx), lookup.RightEntryKey.Type(ctx))
		out.LeftProbeKey = rowKey{[]sql.Expression{lookup.LeftProbeKey}, as}
		out.RightEntryKey = rowKey{[]sql.Expression{lookup.RightEntryKey}, as}
		out.CompareType = types.LongBlob
	case tuple && both && len(left) == len(right):
		as := CompareTypes(ctx, left.Type(ctx), right.Type(ctx))
		out.LeftProbeKey, out.RightEntryKey = rowKey{left, as}, rowKey{right, as}
		out.CompareType = types.LongBlob
	}
	return &out
}

// tupleOf is the row that a key is; a row alone in another is that row.
func tupleOf(key sql.Expression) (expression.Tuple, bool) {
	row, ok := key.(expression.Tuple)
	if ok && len(row) == 1 {
		if inner, ok := row[0].(expression.Tuple); ok {
			return inner, true
		}
	}
	return row, ok
}

// termsEqual is the equality of two rows, term by term: the library takes a NULL
// among them for a value. It is nil for what is no row of so many terms.
func termsEqual(left expression.Tuple, other sql.Expression) sql.Expression {
	right, ok := tupleOf(other)
	if !ok || len(left) < 2 || len(left) != len(right) {
		return nil
	}
	all := make([]sql.Expression, len(left))
	for i := range left {
		all[i] = expression.NewEquals(left[i], right[i])
	}
	return expression.JoinAnd(all...)
}

func isBinary(ctx *sql.Context, e sql.Expression) bool { return types.IsBinaryType(e.Type(ctx)) }

// A position says what is around an expression.
type position struct {
	arithmetic bool // a term of arithmetic
	division   bool // of arithmetic with a division
	compared   bool // a side of a comparison, which rounds nothing
}

func expressions(ctx *sql.Context, list []sql.Expression, at position) ([]sql.Expression, bool, error) {
	out := make([]sql.Expression, len(list))
	changed := false
	for i, e := range list {
		x, same, err := rewrite(ctx, e, at)
		if err != nil {
			return nil, false, err
		}
		out[i], changed = x, changed || !same
	}
	return out, changed, nil
}

// rewrite rewrites an expression from the inside out and says whether it is
// still the same.
func rewrite(ctx *sql.Context, e sql.Expression, at position) (sql.Expression, bool, error) {
	if e == nil || !e.Resolved() {
		return e, true, nil
	}
	if sub, ok := e.(*plan.Subquery); ok {
		query, same, err := nodes(ctx, sub.Query)
		if err != nil || same == transform.SameTree {
			return e, true, err
		}
		return sub.WithQuery(query), false, nil
	}
	typ := e.Type(ctx)
	children, changed, err := expressions(ctx, e.Children(), within(ctx, e, at))
	if err != nil {
		return nil, false, err
	}
	if changed {
		if e, err = e.WithChildren(ctx, children...); err != nil {
			return nil, false, err
		}
	}
	if x := replaced(ctx, e, typ, at); x != nil {
		return x, false, nil
	}
	return e, !changed, nil
}

// within is the position of the children of an expression.
func within(ctx *sql.Context, e sql.Expression, at position) position {
	switch {
	case isArithmetic(e) && types.IsDecimal(e.Type(ctx)):
		return position{arithmetic: true, division: at.division || divides(e)}
	case isComparison(e):
		return position{compared: true}
	case isTuple(e):
		return at
	}
	return position{}
}

func isRemainder(e sql.Expression) bool {
	_, ok := e.(*remainder)
	return ok
}

func isTuple(e sql.Expression) bool {
	_, ok := e.(expression.Tuple)
	return ok
}

func isComparison(e sql.Expression) bool {
	switch e.(type) {
	case expression.Comparer, *expression.Between:
		return true
	}
	return false
}

// replaced is what stands in place of an expression of a type, or nil.
func replaced(ctx *sql.Context, e sql.Expression, typ sql.Type, at position) sql.Expression {
	switch x := e.(type) {
	case *aggregation.CountDistinct:
		return &CountDistinct{x}
	case *aggregation.GroupConcat:
		return newConcat(x)
	case *json.JSONUnquote:
		return text.Unquoted(x)
	case *expression.DistinctExpression:
		return newDistinct(x.Child)
	case *plan.InSubquery:
		return &in{InSubquery: x}
	case *expression.InTuple:
		return rowsIn(ctx, x)
	case *expression.HashInTuple:
		if replacesHashIn(ctx, x) {
			return &inList{HashInTuple: x}
		}
		return nil
	case *expression.Equals:
		if left, ok := tupleOf(x.Left()); ok {
			return termsEqual(left, x.Right())
		}
	case *expression.Literal:
		return nil
	}
	if x := withDocuments(ctx, e); x != nil {
		return x
	}
	if x := withTemporals(ctx, e); x != nil {
		return x
	}
	if !types.IsDecimal(typ) {
		return nil
	}
	if m, ok := e.(*expression.Mod); ok {
		e = &remainder{m}
	}
	_, negated := e.(*expression.UnaryMinus)
	switch {
	case isRemainder(e) && at.arithmetic:
		return e
	case isArithmetic(e) && at.arithmetic:
		return nil
	case isArithmetic(e) || negated:
		if at.compared {
			return nil
		}
		e = computed{e, typ}
	case isChoice(e):
		e = choice{e}
	case !at.division:
		return nil
	}
	if at.division {
		e = &ownScale{expression.UnaryExpressionStub{Child: e}}
	}
	return e
}

// Unwrap returns the library's expression inside of one of ours that means the
// same where numbers have few digits: arithmetic, choices, and IN with a list of
// constants. It returns nil for others.
func Unwrap(e sql.Expression) sql.Expression {
	switch x := e.(type) {
	case computed:
		return x.Expression
	case choice:
		return x.Expression
	case *inList:
		return x.HashInTuple
	}
	return nil
}
