package exact

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// percentile is MEDIAN, PERCENTILE_CONT or PERCENTILE_DISC, whose meaning is
// that of standard SQL and MariaDB; MySQL has none of them. NULL does not
// count; without rows the result is NULL.
type percentile struct {
	of         sql.Expression
	typ        sql.Type
	at         *apd.Decimal
	descending bool
	between    bool // PERCENTILE_CONT: a number between two values
	values     []any
}

func newMedian(ctx *sql.Context, args []sql.Expression) (sql.AggregationBuffer, error) {
	p := &percentile{of: args[0], typ: args[0].Type(ctx), at: apd.New(5, -1), between: true}
	return p, p.needNumbers("MEDIAN")
}

func newBetween(ctx *sql.Context, args []sql.Expression) (sql.AggregationBuffer, error) {
	p, err := newPercentile(ctx, "PERCENTILE_CONT", args)
	if err != nil {
		return nil, err
	}
	p.between = true
	return p, p.needNumbers("PERCENTILE_CONT")
}

func newAmong(ctx *sql.Context, args []sql.Expression) (sql.AggregationBuffer, error) {
	p, err := newPercentile(ctx, "PERCENTILE_DISC", args)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// newPercentile takes a value, where in the order of the values, from 0 to 1,
// the result is, and whether that order descends.
func newPercentile(ctx *sql.Context, name string, args []sql.Expression) (*percentile, error) {
	p := &percentile{of: args[0], typ: args[0].Type(ctx)}
	if isConstant(ctx, args[1]) {
		v, err := args[1].Eval(ctx, nil)
		if err != nil {
			return nil, err
		}
		if p.at, err = toDecimal(ctx, v); err != nil {
			return nil, err
		}
	}
	if p.at == nil || p.at.Negative && !p.at.IsZero() || p.at.Cmp(apd.New(1, 0)) > 0 {
		return nil, &PercentileError{fmt.Sprintf("%s: the fraction has to be a constant from 0 to 1, and is %s", name, args[1]),
			name + "(0.9) WITHIN GROUP (ORDER BY x), or " + name + "(x, 0.9)"}
	}
	if len(args) == 3 {
		if !isConstant(ctx, args[2]) {
			return nil, &PercentileError{name + " takes a value and a fraction", name + "(x, 0.9)"}
		}
		v, err := args[2].Eval(ctx, nil)
		if err != nil {
			return nil, err
		}
		p.descending = v != nil && fmt.Sprint(v) != "0" && v != false
	}
	return p, nil
}

func isConstant(ctx *sql.Context, e sql.Expression) bool {
	constant := true
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		if _, field := e.(*expression.GetField); field {
			constant = false
		}
		return constant
	})
	return constant
}

// needNumbers refuses values that nothing lies between.
func (p *percentile) needNumbers(name string) error {
	if types.IsNumber(p.typ) || p.typ == types.Null {
		return nil
	}
	return &PercentileError{fmt.Sprintf("%s needs numbers: %s is of type %s", name, p.of, strings.ToUpper(p.typ.String())),
		"CAST(.. AS DECIMAL(65,30)), or PERCENTILE_DISC, which takes values of all types"}
}

// A PercentileError is an argument that MEDIAN, PERCENTILE_CONT or
// PERCENTILE_DISC cannot take.
type PercentileError struct{ message, hint string }

func (e *PercentileError) Error() string { return e.message }

// Hint says what to write instead.
func (e *PercentileError) Hint() string { return e.hint }

// Update implements sql.AggregationBuffer.
func (p *percentile) Update(ctx *sql.Context, row sql.Row) error {
	v, err := p.of.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	p.values = append(p.values, v)
	return nil
}

// Eval implements sql.AggregationBuffer.
func (p *percentile) Eval(ctx *sql.Context) (any, error) {
	if len(p.values) == 0 {
		return nil, nil
	}
	var failed error
	slices.SortStableFunc(p.values, func(a, b any) int {
		c, err := p.typ.Compare(ctx, a, b)
		if err != nil {
			failed = err
		}
		if p.descending {
			return -c
		}
		return c
	})
	if failed != nil {
		return nil, failed
	}
	if p.between {
		return p.interpolate(ctx)
	}
	return p.values[max(0, ceiling(p.times(int64(len(p.values))))-1)], nil
}

// times is the fraction of a count.
func (p *percentile) times(n int64) *apd.Decimal {
	out := new(apd.Decimal)
	_, _ = halfUp.Mul(out, p.at, apd.New(n, 0))
	return out
}

func ceiling(d *apd.Decimal) int {
	whole, rest := parts(d)
	if !rest.IsZero() {
		whole++
	}
	return whole
}

// parts splits a number that is not negative at the point.
func parts(d *apd.Decimal) (whole int, rest *apd.Decimal) {
	integer, fraction := new(apd.Decimal), new(apd.Decimal)
	d.Modf(integer, fraction)
	n, _ := integer.Int64()
	return int(n), fraction
}

// interpolate is the number at a place between two values.
func (p *percentile) interpolate(ctx *sql.Context) (any, error) {
	at, rest := parts(p.times(int64(len(p.values) - 1)))
	low, high := p.values[at], p.values[min(at+1, len(p.values)-1)]
	if types.IsFloat(p.typ) {
		a, err := toFloat(ctx, low)
		if err != nil {
			return nil, err
		}
		b, err := toFloat(ctx, high)
		if err != nil {
			return nil, err
		}
		f, err := rest.Float64()
		return a + (b-a)*f, err
	}
	a, err := toDecimal(ctx, low)
	if err != nil {
		return nil, err
	}
	if rest.IsZero() {
		return a, nil
	}
	b, err := toDecimal(ctx, high)
	if err != nil {
		return nil, err
	}
	out := new(apd.Decimal)
	if _, err := halfUp.Sub(out, b, a); err != nil {
		return nil, err
	}
	if _, err := halfUp.Mul(out, out, rest); err != nil {
		return nil, err
	}
	if _, err := halfUp.Add(out, out, a); err != nil {
		return nil, err
	}
	return Rounded(ctx, out), nil
}

// Dispose implements sql.Disposable.
func (p *percentile) Dispose(ctx *sql.Context) {
	p.values = nil
	expression.Dispose(ctx, p.of)
}
