package function

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Names of functions that the parser puts in place of a comparison with the rows
// of a subquery: (operator, value, subquery).
const (
	CompareAll = "ddb_compare_all" // value > ALL (SELECT ..)
	CompareAny = "ddb_compare_any" // value > ANY (SELECT ..)
)

// comparisons make the comparison of an operator.
var comparisons = map[string]func(left, right sql.Expression) sql.Expression{
	"=":  func(l, r sql.Expression) sql.Expression { return expression.NewEquals(l, r) },
	"<>": func(l, r sql.Expression) sql.Expression { return expression.NewNot(expression.NewEquals(l, r)) },
	"!=": func(l, r sql.Expression) sql.Expression { return expression.NewNot(expression.NewEquals(l, r)) },
	"<":  func(l, r sql.Expression) sql.Expression { return expression.NewLessThan(l, r) },
	"<=": func(l, r sql.Expression) sql.Expression { return expression.NewLessThanOrEqual(l, r) },
	">":  func(l, r sql.Expression) sql.Expression { return expression.NewGreaterThan(l, r) },
	">=": func(l, r sql.Expression) sql.Expression { return expression.NewGreaterThanOrEqual(l, r) },
}

// A quantified is a comparison of a value with all rows of a subquery, or with
// any ("MySQL 8.0 Reference Manual", 15.2.15.3 and 15.2.15.4).
type quantified struct {
	all         bool
	operator    string
	left, query sql.Expression
}

var (
	_ sql.Expression         = (*quantified)(nil)
	_ sql.CollationCoercible = (*quantified)(nil)
)

func newQuantified(all bool) func(*sql.Context, ...sql.Expression) (sql.Expression, error) {
	return func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 3 {
			return nil, sql.ErrInvalidArgumentNumber.New("ALL", 3, len(args))
		}
		operator, _ := literal(ctx, args[0])
		q := &quantified{all: all, operator: fmt.Sprint(operator), left: args[1], query: args[2]}
		if comparisons[q.operator] == nil {
			return nil, sql.ErrSyntaxError.New(q.operator + " " + q.quantifier())
		}
		return q, nil
	}
}

func (q *quantified) quantifier() string {
	if q.all {
		return "ALL"
	}
	return "ANY"
}

// Type implements sql.Expression.
func (q *quantified) Type(*sql.Context) sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (q *quantified) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (q *quantified) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// Resolved implements sql.Expression.
func (q *quantified) Resolved() bool { return q.left.Resolved() && q.query.Resolved() }

// Children implements sql.Expression.
func (q *quantified) Children() []sql.Expression { return []sql.Expression{q.left, q.query} }

func (q *quantified) String() string {
	return fmt.Sprintf("(%s %s %s %s)", q.left, q.operator, q.quantifier(), q.query)
}

// WithChildren implements sql.Expression.
func (q *quantified) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(q, len(children), 2)
	}
	out := *q
	out.left, out.query = children[0], children[1]
	return &out, nil
}

// IsQuantified reports whether an expression is a comparison with ALL or ANY.
func IsQuantified(e sql.Expression) bool {
	_, is := e.(*quantified)
	return is
}

// Eval implements sql.Expression. Without rows, ALL is true and ANY is false;
// else the first row that decides does, and if there is none, one with NULL
// leaves the answer open.
func (q *quantified) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	query, ok := q.query.(*plan.Subquery)
	if !ok || types.NumColumns(query.Type(ctx)) != 1 || types.NumColumns(q.left.Type(ctx)) != 1 {
		return nil, sql.ErrInvalidOperandColumns.New(1, max(types.NumColumns(q.left.Type(ctx)), types.NumColumns(q.query.Type(ctx))))
	}
	left, err := q.left.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	rows, err := query.EvalMultiple(ctx, row)
	if err != nil {
		return nil, err
	}
	compare := comparisons[q.operator](
		expression.NewGetField(0, q.left.Type(ctx), "", true),
		expression.NewGetField(1, query.Type(ctx), "", true))
	var result any = q.all
	for _, right := range rows {
		v, err := compare.Eval(ctx, sql.Row{left, right})
		switch {
		case err != nil:
			return nil, err
		case v == nil:
			result = nil
		case v.(bool) != q.all:
			return !q.all, nil
		}
		if left == nil { // as with any other row
			return nil, nil
		}
	}
	return result, nil
}
