package function

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A call is the evaluation of a function for one row.
type call struct {
	ctx    *sql.Context
	scalar *scalar
	values []any
}

// has reports whether an argument was given and is not NULL.
func (c *call) has(i int) bool { return i < len(c.values) && c.values[i] != nil }

func (c *call) typeOf(i int) sql.Type { return c.scalar.Args[i].Type(c.ctx) }

// text is an argument as text.
func (c *call) text(i int) (string, error) {
	switch v := c.values[i].(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case time.Time:
		return momentAt(v, dateOnly(c.typeOf(i))).String(), nil
	case types.Timespan:
		return v.String(), nil
	}
	text, _, err := types.ConvertToCollatedString(c.ctx, c.values[i], c.typeOf(i))
	return text, err
}

func dateOnly(t sql.Type) bool { return types.Date.Equals(t) }

// integer is an argument as an integer: numbers are rounded, of a text the
// digits at its beginning count. What is out of range is the nearest that is
// not.
func (c *call) integer(i int) int64 {
	v := c.plainValue(i)
	if s, ok := textual(v); ok {
		return integerPrefix(s)
	}
	if f, ok := v.(float64); ok {
		return saturated(math.RoundToEven(f))
	}
	var d apd.Decimal
	_, _ = wide.RoundToIntegralValue(&d, c.decimal(i))
	if n, err := d.Int64(); err == nil {
		return n
	}
	if d.Negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// plainValue is an argument without the quotes that a string has in a document.
func (c *call) plainValue(i int) any {
	if d, ok := c.values[i].(sql.JSONWrapper); ok {
		if v, err := d.ToInterface(c.ctx); err == nil {
			return v
		}
	}
	return c.values[i]
}

func textual(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	}
	return "", false
}

func saturated(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	case f != f:
		return 0
	}
	return int64(f)
}

// wide computes with more digits than any number has, products of DynamoDB's
// largest among them, and rounds half away from zero.
var wide = apd.Context{Precision: 5000, MaxExponent: apd.MaxExponent, MinExponent: apd.MinExponent, Rounding: apd.RoundHalfUp}

// decimal is an argument as a number with all its digits; that of a text is the
// number at its beginning, or 0.
func (c *call) decimal(i int) *apd.Decimal {
	value := c.plainValue(i)
	switch v := value.(type) {
	case *apd.Decimal:
		return v
	case float64:
		d, err := new(apd.Decimal).SetFloat64(v)
		if err != nil {
			return new(apd.Decimal)
		}
		return d
	case time.Time:
		return momentAt(v, dateOnly(c.typeOf(i))).number()
	case types.Timespan:
		return clockOf(int64(v)).number()
	}
	s, ok := textual(value)
	if !ok {
		v, _, err := types.InternalDecimalType.Convert(c.ctx, value)
		if d, is := v.(*apd.Decimal); is && err == nil {
			return d
		}
		return new(apd.Decimal)
	}
	d, _, err := apd.NewFromString(NumberPrefix(s))
	if err != nil {
		return new(apd.Decimal)
	}
	return d
}

// float is an argument as a floating-point number.
func (c *call) float(i int) float64 {
	if f, ok := c.values[i].(float64); ok {
		return f
	}
	f, _ := strconv.ParseFloat(c.decimal(i).Text('g'), 64)
	return f
}

// NumberPrefix is the longest beginning of a text that is a number, or 0: what
// MySQL takes a text for among numbers.
func NumberPrefix(s string) string {
	s = strings.TrimLeft(s, " \t\r\n")
	end := signLength(s)
	digits := countDigits(s[end:])
	end += digits
	if end < len(s) && s[end] == '.' {
		if n := countDigits(s[end+1:]); n+digits > 0 {
			digits += n
			end += 1 + n
		}
	}
	if digits == 0 {
		return "0"
	}
	if end < len(s) && s[end]|0x20 == 'e' {
		at := end + 1
		at += signLength(s[at:])
		if n := countDigits(s[at:]); n > 0 && n < 6 {
			return s[:at+n]
		}
	}
	return s[:end]
}

func signLength(s string) int {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return 1
	}
	return 0
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func integerPrefix(s string) int64 {
	s = strings.TrimLeft(s, " \t\r\n")
	end := signLength(s)
	end += countDigits(s[end:])
	n, _ := strconv.ParseInt(s[:end], 10, 64) // the nearest one where it is out of range
	return n
}

// literal is the value of an argument that is written in the statement.
func literal(ctx *sql.Context, e sql.Expression) (any, bool) {
	if l, ok := e.(*expression.Literal); ok {
		v, err := l.Eval(ctx, nil)
		return v, err == nil && v != nil
	}
	return nil, false
}

// warn adds a warning of MySQL to the statement's.
func (c *call) warn(code int, format string, args ...any) { c.ctx.Warn(code, format, args...) }
