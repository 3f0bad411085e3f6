package engine

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/function"
)

// numbersAsTimes makes a comparison of a time with a number what it is in MySQL
// (8.0 Reference Manual, "Type Conversion in Expression Evaluation"): a constant
// is read as the digits of a date, 20260901 and 20260901120000; with any other
// number the time is compared as the number of its digits. The library finds such
// comparisons false. A text of a row is read as a time too; the library fails at
// the first that is none.
func numbersAsTimes(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e.(type) {
		case expression.Comparer, *expression.Between, *expression.InTuple, *expression.HashInTuple, *plan.InSubquery:
		default:
			return e, transform.SameTree, nil
		}
		children := e.Children()
		if !e.Resolved() || len(children) == 0 {
			return e, transform.SameTree, nil
		}
		replaced, changed := make([]sql.Expression, len(children)), false
		for i, c := range children {
			other := children[0]
			if i == 0 && len(children) > 1 {
				other = children[1]
			}
			one := false
			if replaced[i], one = asTimeLike(ctx, c, other); !one && len(children) == 2 && types.IsTime(c.Type(ctx)) && isNumber(ctx, other) && !isConstant(ctx, other) {
				replaced[i], one = function.AsNumber(ctx, c), true
			}
			changed = changed || one
		}
		if !changed {
			return e, transform.SameTree, nil
		}
		out, err := e.WithChildren(ctx, replaced...)
		return out, transform.NewTree, err
	})
}

// asTimeLike reads an expression, or each of a list, as a time if it is a number
// and the other side is a time, and says whether it did.
func asTimeLike(ctx *sql.Context, e, other sql.Expression) (sql.Expression, bool) {
	if list, ok := e.(expression.Tuple); ok {
		out, changed := make(expression.Tuple, len(list)), false
		for i := range list {
			one := false
			out[i], one = asTimeLike(ctx, list[i], other)
			changed = changed || one
		}
		return out, changed
	}
	if !isTime(ctx, other) {
		return e, false
	}
	if isNumber(ctx, e) && isConstant(ctx, e) {
		return newAsTime(e, timeOfNumber), true
	}
	if types.IsTextOnly(e.Type(ctx)) && !isConstant(ctx, e) {
		return newAsTime(e, timeOfText), true
	}
	return e, false
}

// isTime reports whether an expression is a time, or a list of times.
func isTime(ctx *sql.Context, e sql.Expression) bool {
	list, ok := e.(expression.Tuple)
	if !ok {
		return types.IsTime(e.Type(ctx))
	}
	return !slices.ContainsFunc(list, func(e sql.Expression) bool { return !isTime(ctx, e) })
}

func isNumber(ctx *sql.Context, e sql.Expression) bool {
	if _, list := e.(expression.Tuple); list {
		return false
	}
	t := e.Type(ctx)
	return types.IsNumber(t) && !types.IsYear(t) && !types.IsBit(t)
}

// isConstant reports whether an expression looks at no row.
func isConstant(ctx *sql.Context, e sql.Expression) bool {
	constant := true
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch e.(type) {
		case *expression.GetField, *plan.Subquery, connector.Reference:
			constant = false
		}
		return constant
	})
	return constant
}

// An asTime is the time that a value says.
type asTime struct {
	expression.UnaryExpressionStub
	of func(ctx *sql.Context, v any) (any, error)
}

func newAsTime(e sql.Expression, of func(*sql.Context, any) (any, error)) *asTime {
	return &asTime{expression.UnaryExpressionStub{Child: e}, of}
}

var (
	_ connector.Computed     = (*asTime)(nil)
	_ sql.CollationCoercible = (*asTime)(nil)
)

// Computed implements connector.Computed.
func (*asTime) Computed() {}

// Type implements sql.Expression.
func (*asTime) Type(*sql.Context) sql.Type { return types.DatetimeMaxPrecision }

// CollationCoercibility implements sql.CollationCoercible.
func (*asTime) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

func (e *asTime) String() string { return e.Child.String() }

// WithChildren implements sql.Expression.
func (e *asTime) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(e, len(children), 1)
	}
	return newAsTime(children[0], e.of), nil
}

// Eval implements sql.Expression.
func (e *asTime) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return e.of(ctx, v)
}

// timeOfNumber is the time that the digits of a number say. A number that is no
// time is an error, as a constant is in MySQL: it is mostly one of seconds.
func timeOfNumber(ctx *sql.Context, v any) (any, error) {
	converted, _, err := types.InternalDecimalType.Convert(ctx, v)
	if err != nil {
		return nil, err
	}
	d, ok := converted.(*apd.Decimal)
	if !ok {
		return nil, nil
	}
	t, err := timeOfDigits(d)
	if err != nil {
		return nil, &Error{
			Number: erWrongValue, State: "HY000", Offset: -1, Err: err,
			Message: fmt.Sprintf("Incorrect DATETIME value: '%s'", d.Text('f')),
			Advice:  "FROM_UNIXTIME(seconds) makes a time of seconds since 1970; a time is written '2026-09-01 12:00:00'",
		}
	}
	return t, nil
}

// timeOfText is the time that a text of a row says. One that says none is the time
// zero, before all others, and a warning, as in MariaDB.
func timeOfText(ctx *sql.Context, v any) (any, error) {
	t, _, err := types.DatetimeMaxPrecision.Convert(ctx, v)
	if err == nil {
		return t, nil
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	ctx.Warn(1292, "Incorrect datetime value: '%v'", v)
	return types.ZeroTime, nil
}

var errNoTime = errors.New("the digits are no time")

// timeOfDigits reads YYYYMMDDhhmmss, YYMMDDhhmmss, YYYYMMDD or YYMMDD, and a
// fraction of a second (MySQL 8.0 Reference Manual, "The DATE, DATETIME, and
// TIMESTAMP Types"). Two digits of a year mean 1970 to 2069.
func timeOfDigits(d *apd.Decimal) (time.Time, error) {
	if d.IsZero() {
		return types.ZeroTime, nil
	}
	whole, fraction := new(apd.Decimal), new(apd.Decimal)
	d.Modf(whole, fraction)
	n, err := whole.Int64()
	if err != nil || n < 0 {
		return time.Time{}, errNoTime
	}
	const day = 1000000
	date, clock := n, int64(0)
	if n > 99991231 {
		date, clock = n/day, n%day
	}
	switch {
	case date < 101:
		return time.Time{}, errNoTime
	case date < 700101:
		date += 20000000
	case date < day:
		date += 19000000
	}
	micros := new(apd.Decimal)
	if _, err := sql.DecimalCtx.Mul(micros, fraction, apd.New(1, 6)); err != nil {
		return time.Time{}, err
	}
	rounded, err := sql.DecimalRound(micros, 0)
	if err != nil {
		return time.Time{}, err
	}
	us, err := rounded.Int64()
	if err != nil {
		return time.Time{}, err
	}
	year, month, dayOfMonth := int(date/10000), int(date/100%100), int(date%100)
	hour, minute, second := int(clock/10000), int(clock/100%100), int(clock%100)
	t := time.Date(year, time.Month(month), dayOfMonth, hour, minute, second, 0, time.UTC)
	if t.Year() != year || int(t.Month()) != month || t.Day() != dayOfMonth || hour > 23 || minute > 59 || second > 59 || year < 1000 {
		return time.Time{}, errNoTime
	}
	return t.Add(time.Duration(us) * time.Microsecond), nil
}
