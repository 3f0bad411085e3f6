package exact

import (
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// longest is how many of a unit lead from every date out of those from the year 0
// to 9999.
var longest = map[string]float64{
	"YEAR": 1e4, "QUARTER": 4e4, "MONTH": 12e4, "WEEK": 53e4, "DAY": 366e4, "HOUR": 24 * 366e4, "MINUTE": 1440 * 366e4,
	"SECOND": 86_400 * 366e4, "MICROSECOND": 86_400e6 * 366e4,
}

// A farDate is DATE_ADD or DATE_SUB, which the library computes wrongly where
// the interval has more than 64 bits of microseconds: NULL, as for each date that
// MySQL does not have.
type farDate struct {
	sql.Expression
	amount sql.Expression // of the interval
	most   float64        // that may be a date
}

// withFarDates is a DATE_ADD or DATE_SUB of an interval of one unit; nil for all
// else.
func withFarDates(e sql.Expression) sql.Expression {
	f, ok := e.(sql.FunctionExpression)
	if !ok {
		return nil
	}
	switch strings.ToLower(f.FunctionName()) {
	case "date_add", "adddate", "date_sub", "subdate":
	default:
		return nil
	}
	for _, c := range e.Children() {
		if i, ok := c.(*expression.Interval); ok {
			if most := longest[strings.ToUpper(i.Unit)]; most > 0 {
				return farDate{e, i.Child, most}
			}
		}
	}
	return nil
}

// Eval implements sql.Expression.
func (d farDate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.amount.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if amount, err := toDecimal(ctx, v); err == nil && amount != nil {
		if f, err := amount.Float64(); err != nil || math.Abs(f) > d.most {
			return nil, nil
		}
	}
	return d.Expression.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (d farDate) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := d.Expression.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	if x := withFarDates(e); x != nil {
		return x, nil
	}
	return e, nil
}
