package function

import (
	bytes "encoding/binary"
	"math"
	ones "math/bits"
	"strconv"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Names of functions that the parser puts in place of operators. The library
// computes with 63 bits only.
const (
	Bits   = "ddb_bits"   // (operator, number, number): &, |, ^, << and >>
	Invert = "ddb_invert" // (number): ~number
)

// bits are functions of numbers as 64 bits.
var bits = map[string]definition{
	Bits:        {least: 3, most: 3, typ: always(types.Uint64), eval: combine},
	"bit_count": {least: 1, most: 1, typ: integer, eval: func(c *call) (any, error) { return int64(ones.OnesCount64(c.bits(0))), nil }},
	Invert:      {least: 1, most: 1, typ: always(types.Uint64), eval: func(c *call) (any, error) { return ^c.bits(0), nil }},
}

func combine(c *call) (any, error) {
	operator, err := c.text(0)
	if err != nil {
		return nil, err
	}
	a, b := c.bits(1), c.bits(2)
	switch operator {
	case "&":
		return a & b, nil
	case "|":
		return a | b, nil
	case "^":
		return a ^ b, nil
	case "<<":
		return a << b, nil
	}
	return a >> b, nil
}

// bits is an argument as 64 bits: an integer, negative or not, and the nearest of
// what is out of range.
func (c *call) bits(i int) uint64 {
	if b, ok := c.values[i].([]byte); ok && len(b) <= 8 {
		if _, ok := literal(c.ctx, c.scalar.Args[i]); ok { // x'ff' is a number here
			var padded [8]byte
			copy(padded[8-len(b):], b)
			return bytes.BigEndian.Uint64(padded[:])
		}
	}
	if n := c.integer(i); n != math.MaxInt64 {
		return uint64(n)
	}
	d := new(apd.Decimal)
	if _, err := wide.RoundToIntegralValue(d, c.decimal(i)); err != nil {
		return math.MaxUint64
	}
	n, err := strconv.ParseUint(d.Text('f'), 10, 64)
	if err != nil {
		return math.MaxUint64
	}
	return n
}
