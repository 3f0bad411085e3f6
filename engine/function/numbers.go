package function

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
)

// Interval is the function that the parser puts in place of INTERVAL(number, ..).
const Interval = "ddb_interval"

// numbers are functions of numbers.
var numbers = map[string]definition{
	"exp":   {least: 1, most: 1, typ: double, eval: func(c *call) (any, error) { return c.finite(math.Exp(c.float(0))) }},
	"pow":   {least: 2, most: 2, typ: double, eval: power},
	"power": {least: 2, most: 2, typ: double, eval: power},
	"cot":   {least: 1, most: 1, typ: double, eval: func(c *call) (any, error) { return c.finite(1 / math.Tan(c.float(0))) }},
	// What BENCHMARK is for is the time that evaluating takes, which nobody
	// should take from others: it evaluates once.
	"benchmark": {least: 2, most: 2, typ: integer, eval: func(*call) (any, error) { return int64(0), nil }},
	round:       {least: 2, most: 2, typ: double, eval: roundFloat},
	Interval:    {least: 2, most: -1, typ: integer, eval: interval, takesNull: true},
}

// round is ROUND of a floating-point number, which goes to the nearest even one
// where two are as near.
const round = "ddb_round"

// Round is ROUND(number, digits) of a floating-point number or a text.
func Round(number, digits sql.Expression) sql.Expression { return wrapped(round, number, digits) }

func roundFloat(c *call) (any, error) {
	f, digits := c.float(0), c.integer(1)
	power := math.Pow(10, math.Abs(float64(digits)))
	out := math.RoundToEven(f/power) * power
	if digits >= 0 {
		out = math.RoundToEven(f*power) / power
	}
	if math.IsInf(out, 0) || math.IsNaN(out) { // more digits than there are
		return f, nil
	}
	return out, nil
}

func power(c *call) (any, error) { return c.finite(math.Pow(c.float(0), c.float(1))) }

// finite is the result of a function, which must be in the range of DOUBLE.
func (c *call) finite(f float64) (any, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, outOfRange(c.scalar)
	}
	return f, nil
}

// interval is how many of the numbers behind the first, which ascend, are not
// greater than it, NULL counting as one of those; it is -1 for NULL.
func interval(c *call) (any, error) {
	if !c.has(0) {
		return int64(-1), nil
	}
	n, count := c.decimal(0), int64(0)
	for i := 1; i < len(c.values) && (!c.has(i) || c.decimal(i).Cmp(n) <= 0); i++ {
		count++
	}
	return count, nil
}
