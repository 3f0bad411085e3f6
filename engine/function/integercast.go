package function

import (
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Functions that the parser puts in place of CAST(value AS SIGNED) and of
// CAST(value AS UNSIGNED).
const (
	ToSigned   = "ddb_signed"
	ToUnsigned = "ddb_unsigned"
)

// integerCasts are casts to integers. Whatever they change beyond rounding is
// counted in a warning.
var integerCasts = map[string]definition{
	ToSigned: {least: 1, most: 1, typ: integer, eval: func(c *call) (any, error) {
		n := c.castInteger()
		if n.positive && n.bits > math.MaxInt64 {
			c.warn(1105, "Cast to signed converted positive out-of-range integer to its negative complement")
		}
		return int64(n.bits), nil
	}},
	ToUnsigned: {least: 1, most: 1, typ: always(types.Uint64), eval: func(c *call) (any, error) {
		n := c.castInteger()
		if !n.positive && n.bits != 0 {
			c.warn(1105, "Cast to unsigned converted negative integer to its positive complement")
		}
		return n.bits, nil
	}},
}

// An integer64 is a number of -2^63 to 2^64-1 as its bits.
type integer64 struct {
	bits     uint64
	positive bool
}

func signed(n int64) integer64 { return integer64{uint64(n), n >= 0} }

// castInteger is the argument as an integer. A number is rounded to the nearest
// one that its type of the cast holds; of a text the digits at its beginning
// count, with the complement for what is negative or too large, as in MySQL.
func (c *call) castInteger() integer64 {
	v := c.plainValue(0)
	switch v := v.(type) {
	case int64:
		return signed(v)
	case uint64:
		return integer64{v, true}
	case []byte:
		if _, written := literal(c.ctx, c.scalar.Args[0]); written && len(v) <= 8 { // x'ff' is a number
			return integer64{c.bits(0), true}
		}
	}
	if s, ok := textual(v); ok {
		return c.integerOfText(s)
	}
	context := rounding(c, 0)
	var d apd.Decimal
	if _, err := context.RoundToIntegralValue(&d, c.decimal(0)); err == nil {
		if n, ok := c.nearestInteger(&d); ok {
			return n
		}
	}
	c.warn(1292, "Truncated incorrect DECIMAL value: '%s'", c.decimal(0).Text('f'))
	switch {
	case d.Negative:
		return signed(math.MinInt64)
	case c.scalar.Name == ToSigned:
		return signed(math.MaxInt64)
	}
	return integer64{math.MaxUint64, true}
}

// nearestInteger is a whole number; false if the cast's type does not hold it.
func (c *call) nearestInteger(d *apd.Decimal) (integer64, bool) {
	if n, err := d.Int64(); err == nil {
		return signed(n), true
	}
	if c.scalar.Name == ToSigned {
		return integer64{}, false
	}
	n, err := strconv.ParseUint(d.Text('f'), 10, 64)
	return integer64{n, true}, err == nil
}

func (c *call) integerOfText(s string) integer64 {
	digits := strings.TrimLeft(s, " \t") // a line break is no space here
	end := signLength(digits)
	end += countDigits(digits[end:])
	sign, number := "", digits[:end]
	if signLength(number) == 1 {
		sign, number = number[:1], number[1:]
	}
	n, err := strconv.ParseUint(number, 10, 64) // the nearest one where it is out of range
	out := integer64{n, true}
	if sign == "-" {
		out = signed(-int64(min(n, 1<<63)))
	}
	if err != nil || sign == "-" && n > 1<<63 || strings.TrimRight(digits[end:], " \t\r\n") != "" {
		c.warn(1292, "Truncated incorrect INTEGER value: '%s'", s)
	}
	return out
}
