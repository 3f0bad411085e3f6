package exact

import (
	"math"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// A Sum is SUM, a DECIMAL for exact numbers as in MySQL; the library makes it
// a DOUBLE.
type Sum struct{ *aggregation.Sum }

// An Average is AVG, with four digits more behind the point than the number
// with the most.
type Average struct{ *aggregation.Avg }

var (
	_ sql.Aggregation        = (*Sum)(nil)
	_ sql.Aggregation        = (*Average)(nil)
	_ sql.FunctionExpression = (*Sum)(nil)
	_ sql.FunctionExpression = (*Average)(nil)
)

func newSum(ctx *sql.Context, e sql.Expression) sql.Expression {
	return &Sum{aggregation.NewSum(distinctNumbers(ctx, e))}
}

func newAverage(ctx *sql.Context, e sql.Expression) sql.Expression {
	return &Average{aggregation.NewAvg(distinctNumbers(ctx, e))}
}

// distinctNumbers has texts told apart by the numbers that are added up: 'a' and
// 'b' are one 0.
func distinctNumbers(ctx *sql.Context, e sql.Expression) sql.Expression {
	d, ok := e.(*expression.DistinctExpression)
	if !ok || !types.IsText(d.Child.Type(ctx)) {
		return e
	}
	return expression.NewDistinctExpression(expression.NewConvert(d.Child, expression.ConvertToDouble))
}

func typeOfSum(ctx *sql.Context, e sql.Expression) sql.Type {
	if t := e.Type(ctx); numeric(t) || t == types.Null {
		return Type
	}
	return types.Float64
}

// Type implements sql.Expression.
func (s *Sum) Type(ctx *sql.Context) sql.Type { return typeOfSum(ctx, s.Child) }

// IsNullable implements sql.Expression.
func (s *Sum) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (s *Sum) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := s.Sum.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &Sum{e.(*aggregation.Sum)}, nil
}

// WithId implements sql.IdExpression.
func (s *Sum) WithId(id sql.ColumnId) sql.IdExpression {
	return &Sum{s.Sum.WithId(id).(*aggregation.Sum)}
}

// WithWindow implements sql.WindowAdaptableExpression.
func (s *Sum) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &Sum{s.Sum.WithWindow(ctx, w).(*aggregation.Sum)}
}

// NewBuffer implements sql.Aggregation.
func (s *Sum) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	return newTotal(ctx, s.Child, false)
}

// Type implements sql.Expression.
func (a *Average) Type(ctx *sql.Context) sql.Type { return typeOfSum(ctx, a.Child) }

// WithChildren implements sql.Expression.
func (a *Average) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := a.Avg.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &Average{e.(*aggregation.Avg)}, nil
}

// WithId implements sql.IdExpression.
func (a *Average) WithId(id sql.ColumnId) sql.IdExpression {
	return &Average{a.Avg.WithId(id).(*aggregation.Avg)}
}

// WithWindow implements sql.WindowAdaptableExpression.
func (a *Average) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &Average{a.Avg.WithWindow(ctx, w).(*aggregation.Avg)}
}

// NewBuffer implements sql.Aggregation.
func (a *Average) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	return newTotal(ctx, a.Child, true)
}

// A sum adds numbers up: exactly, or as floating-point numbers where they are
// such or texts.
type sum struct {
	double  bool
	exact   apd.Decimal
	float   float64
	count   int64
	average bool
}

func (s *sum) add(ctx *sql.Context, v any) error {
	if s.double {
		f, err := toFloat(ctx, v)
		s.float += f
		return err
	}
	d, err := toDecimal(ctx, v)
	if err != nil {
		return err
	}
	_, err = sql.DecimalCtx.Add(&s.exact, &s.exact, d)
	return err
}

func toFloat(ctx *sql.Context, v any) (float64, error) {
	f, _, err := types.Float64.Convert(ctx, v)
	if sql.ErrTruncatedIncorrect.Is(err) {
		ctx.Warn(warnTruncated, "%s", err.Error())
		err = nil
	}
	if f == nil || err != nil {
		return 0, err
	}
	return f.(float64), nil
}

// value is the result; NULL if nothing was added.
func (s *sum) value(ctx *sql.Context) (any, error) {
	switch {
	case s.count == 0:
		return nil, nil
	case s.double && math.IsInf(s.float, 0):
		return nil, &RangeError{double, "a sum"}
	case s.double && s.average:
		return s.float / float64(s.count), nil
	case s.double:
		return s.float, nil
	}
	out := new(apd.Decimal).Set(&s.exact)
	if s.average {
		return Mean(ctx, out, s.count), nil
	}
	return Rounded(ctx, out), nil
}

// Mean is the average of n numbers with a sum.
func Mean(ctx *sql.Context, sum *apd.Decimal, n int64) *apd.Decimal {
	return Rounded(ctx, quotient(sum, apd.New(n, 0), quotientScale(max(0, -sum.Exponent)), true))
}

// total is a sum as the buffer of an aggregation.
type total struct {
	sum
	of sql.Expression
}

func newTotal(ctx *sql.Context, e sql.Expression, average bool) (sql.AggregationBuffer, error) {
	of, err := transform.Clone(ctx, e)
	if err != nil {
		return nil, err
	}
	out := &total{sum: sum{double: typeOfSum(ctx, e) == types.Float64, average: average}, of: of}
	if hasQuotient(e) {
		return &totalOfQuotients{total: out}, nil
	}
	return out, nil
}

// Update implements sql.AggregationBuffer.
func (t *total) Update(ctx *sql.Context, row sql.Row) error {
	v, err := t.of.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	t.count++
	return t.add(ctx, v)
}

// Grown implements Grower.
func (t *total) Grown() int64 { return distinctGrown(t.of) }

// Eval implements sql.AggregationBuffer.
func (t *total) Eval(ctx *sql.Context) (any, error) { return t.value(ctx) }

// Dispose implements sql.Disposable.
func (t *total) Dispose(ctx *sql.Context) { expression.Dispose(ctx, t.of) }

// totalOfQuotients adds quotients with the digits that they have inside of an
// expression, and shows as many as the one that shows most.
type totalOfQuotients struct {
	*total
	scale int32
}

// hasQuotient reports whether an expression shows fewer digits than it has.
func hasQuotient(e sql.Expression) bool {
	switch x := e.(type) {
	case *operation:
		return x.sign == sqlparser.DivStr || !types.IsInteger(x.typ) && (hasQuotient(x.LeftChild) || hasQuotient(x.RightChild))
	case *negation:
		return hasQuotient(x.Child)
	}
	return false
}

// Update implements sql.AggregationBuffer.
func (t *totalOfQuotients) Update(ctx *sql.Context, row sql.Row) error {
	q, err := termOf(ctx, t.of, row)
	if err != nil || q.value == nil {
		return err
	}
	t.count++
	t.scale = max(t.scale, q.scale)
	return t.add(ctx, q.value)
}

// Eval implements sql.AggregationBuffer.
func (t *totalOfQuotients) Eval(ctx *sql.Context) (any, error) {
	switch {
	case t.count == 0:
		return nil, nil
	case t.average:
		return Rounded(ctx, quotient(&t.exact, apd.New(t.count, 0), quotientScale(t.scale), true)), nil
	}
	d, err := sql.DecimalRound(&t.exact, t.scale)
	if err != nil {
		return nil, err
	}
	return Rounded(ctx, d), nil
}
