package exact

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/expression/function/json"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "github.com/dynasql/dynasql/engine/function"
	"github.com/dynasql/dynasql/engine/text"
)

// ArithmeticRule puts exact arithmetic in place of the library's. It has to run
// before the library's rules, of which one evaluates constants.
func ArithmeticRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return rewriter{replace: arithmetic}.node(ctx, n)
}

// Rule puts the other exact expressions in place of the library's. It has to run
// when nothing looks at the types of expressions any more.
func Rule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !sel(lastRule) {
		return n, transform.SameTree, nil
	}
	return rewriter{replace: replaced, planned: true}.node(ctx, n)
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

// A rewriter puts expressions of ours into a statement, its subqueries included.
type rewriter struct {
	// replace is what stands in place of an expression of a type, or nil.
	// compared says that the expression is a side of a comparison, or goes into
	// what rounds it, so that it is to have all its digits.
	replace func(ctx *sql.Context, e sql.Expression, typ sql.Type, compared bool) sql.Expression
	// planned says that the statement will be run as it is: hash joins are made
	// to find their rows by value, and subqueries to account for theirs.
	planned bool
}

func (w rewriter) node(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		e, ok := n.(sql.Expressioner)
		if !ok {
			return n, transform.SameTree, nil
		}
		list, changed, err := w.expressions(ctx, e.Expressions(), nil, false)
		if err != nil {
			return nil, transform.SameTree, err
		}
		if changed {
			if n, err = e.WithExpressions(ctx, list...); err != nil {
				return nil, transform.SameTree, err
			}
		}
		if lookup, ok := n.(*plan.HashLookup); ok && w.planned {
			return byValue(ctx, lookup), transform.NewTree, nil
		}
		return n, transform.TreeIdentity(!changed), nil
	})
}

// byValue makes a hash join find its rows by values and not by their texts.
func byValue(ctx *sql.Context, lookup *plan.HashLookup) sql.Node {
	left, right := flat(lookup.LeftProbeKey), flat(lookup.RightEntryKey)
	rows := isTuple(lookup.LeftProbeKey) && isTuple(lookup.RightEntryKey)
	out := *lookup
	switch {
	case types.IsDecimal(lookup.CompareType):
		out.CompareType = types.InternalDecimalType
	case types.IsJSON(lookup.CompareType), isBinary(ctx, lookup.LeftProbeKey), isBinary(ctx, lookup.RightEntryKey):
		as := CompareTypes(ctx, lookup.LeftProbeKey.Type(ctx), lookup.RightEntryKey.Type(ctx))
		out.LeftProbeKey = rowKey{[]sql.Expression{lookup.LeftProbeKey}, as}
		out.RightEntryKey = rowKey{[]sql.Expression{lookup.RightEntryKey}, as}
		out.CompareType = types.LongBlob
	case rows && len(left) == len(right):
		as := CompareTypes(ctx, left.Type(ctx), right.Type(ctx))
		out.LeftProbeKey, out.RightEntryKey = rowKey{left, as}, rowKey{right, as}
		out.CompareType = types.LongBlob
	}
	return &out
}

// flat is an expression's terms, those of rows inside rows too: with the keys of
// (a, b) IN (SELECT ..) and c = d the first term is a row.
func flat(e sql.Expression) expression.Tuple {
	t, ok := e.(expression.Tuple)
	if !ok {
		return expression.Tuple{e}
	}
	var out expression.Tuple
	for _, e := range t {
		out = append(out, flat(e)...)
	}
	return out
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

func (w rewriter) expressions(ctx *sql.Context, list []sql.Expression, parent sql.Expression, compared bool) ([]sql.Expression, bool, error) {
	out := make([]sql.Expression, len(list))
	changed := false
	for i, e := range list {
		x, same, err := w.expression(ctx, e, parent, compared)
		if err != nil {
			return nil, false, err
		}
		out[i], changed = x, changed || !same
	}
	return out, changed, nil
}

// expression rewrites an expression from the inside out and says whether it is
// still the same.
func (w rewriter) expression(ctx *sql.Context, e, parent sql.Expression, compared bool) (sql.Expression, bool, error) {
	if e == nil || !e.Resolved() {
		return e, true, nil
	}
	if sub, ok := e.(*plan.Subquery); ok {
		query, same, err := w.node(ctx, sub.Query)
		if err != nil {
			return nil, false, err
		}
		if same == transform.NewTree {
			sub = sub.WithQuery(query)
		}
		if _, exists := parent.(*plan.ExistsSubquery); w.planned && !exists {
			sub = holding(sub, !takesList(parent))
		}
		return sub, sub == e, nil
	}
	typ := e.Type(ctx)
	children, changed, err := w.expressions(ctx, e.Children(), e, isComparison(e) || isTuple(e) && compared || rounds(e, typ))
	if err != nil {
		return nil, false, err
	}
	if changed {
		if e, err = e.WithChildren(ctx, children...); err != nil {
			return nil, false, err
		}
	}
	if x := w.replace(ctx, e, typ, compared); x != nil {
		return x, false, nil
	}
	return e, !changed, nil
}

// takesList reports whether an expression takes a subquery for a list of values.
func takesList(e sql.Expression) bool {
	_, is := e.(*plan.InSubquery)
	return is || own.IsQuantified(e)
}

func isArithmetic(e sql.Expression) bool {
	_, ok := e.(expression.ArithmeticOp)
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

// rounding are functions whose result has digits of its own, whatever its argument
// shows: ROUND(1 / 3, 6) is 0.333333, though 1 / 3 shows 0.3333.
var rounding = map[string]bool{
	"round": true, "truncate": true, "floor": true, "ceil": true, "ceiling": true, "sign": true, "format": true,
	CastFunction: true, own.ToSigned: true, own.ToUnsigned: true,
	"sqrt": true, "pow": true, "power": true, "exp": true, "ln": true, "log": true, "log2": true, "log10": true,
	"std": true, "stddev": true, "stddev_pop": true, "stddev_samp": true, "variance": true, "var_pop": true, "var_samp": true,
}

// rounds reports whether an expression of a type takes numbers with all digits
// and gives one with others.
func rounds(e sql.Expression, typ sql.Type) bool {
	switch x := e.(type) {
	case *expression.Convert, expression.ArithmeticOp:
		return types.IsFloat(typ)
	case sql.FunctionExpression:
		return rounding[strings.ToLower(x.FunctionName())]
	}
	return false
}

// arithmetic is the expression of ours for arithmetic of the library.
func arithmetic(ctx *sql.Context, e sql.Expression, typ sql.Type, compared bool) sql.Expression {
	if x := withTemporals(ctx, e); x != nil && isArithmetic(e) {
		if y := arithmetic(ctx, x, x.Type(ctx), compared); y != nil {
			return y
		}
		return x
	}
	switch x := e.(type) {
	case *operation, *negation, finite:
		return nil
	case expression.ArithmeticOp:
		if o := newOperation(ctx, x, typ); o != nil {
			o.compared = compared
			return o
		}
	case *expression.UnaryMinus:
		if n := newNegation(ctx, x, typ); n != nil {
			n.compared = compared
			return n
		}
	}
	return newFinite(e, typ)
}

// replaced is what stands in place of any other expression.
func replaced(ctx *sql.Context, e sql.Expression, typ sql.Type, _ bool) sql.Expression {
	switch x := e.(type) {
	case *aggregation.CountDistinct:
		return &CountDistinct{x}
	case *aggregation.GroupConcat:
		return newConcat(x)
	case *aggregation.Min:
		if y := withoutDistinct(ctx, x); y != nil {
			return y
		}
	case *aggregation.Max:
		if y := withoutDistinct(ctx, x); y != nil {
			return y
		}
	case *json.JSONUnquote:
		return text.Unquoted(x)
	case *expression.DistinctExpression:
		return newDistinct(x.Child)
	case *plan.InSubquery:
		return &in{InSubquery: x}
	case *plan.ExistsSubquery:
		return &exists{ExistsSubquery: x}
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
	if x := withTextsAsNumbers(ctx, e); x != nil {
		return x
	}
	if x := withFarDates(e); x != nil {
		return x
	}
	if x := withTemporals(ctx, e); x != nil && isConcat(x) {
		return joined{x}
	} else if x != nil {
		return x
	}
	if isConcat(e) {
		return joined{e}
	}
	if types.IsDecimal(typ) && isChoice(e) {
		return choice{e}
	}
	return nil
}

// Unwrap returns the library's expression inside of one of ours that means the
// same: choices, and IN with a list of constants. It returns nil for others.
func Unwrap(e sql.Expression) sql.Expression {
	switch x := e.(type) {
	case choice:
		return x.Expression
	case *inList:
		return x.HashInTuple
	}
	return nil
}
