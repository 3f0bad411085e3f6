// Package vector evaluates expressions over many items at a time, on the values
// that the page decoder left in a batch: no value is boxed and no row is made.
// What it does not know itself it leaves to the expression's own Eval, one row
// at a time, with the same results.
package vector

import "github.com/cockroachdb/apd/v3"

// Kind is how the values of a column are held.
type Kind uint8

const (
	// Number is exact: integers, decimals and booleans, which are 0 and 1.
	Number Kind = iota
	// Text is compared by its bytes.
	Text
	// Other values are as Eval gave them.
	Other
)

// Wide is the Scale of a number that is not digits / 10^scale with 18 digits at
// most.
const Wide = 0xff

// A Column has the values of an expression for the rows of a chunk. It is valid
// until the expression is evaluated again.
type Column struct {
	Kind  Kind
	Null  []bool
	Num   []int64 // Number: the digits
	Scale []uint8 // Number: how many of them are behind the point, or Wide
	Wide  []*apd.Decimal
	Text  [][]byte
	Other []any
}

// reset makes room for n values, none of which is NULL.
func (c *Column) reset(n int) {
	if cap(c.Null) < n {
		c.Null = make([]bool, n)
		switch c.Kind {
		case Number:
			c.Num, c.Scale, c.Wide = make([]int64, n), make([]uint8, n), nil
		case Text:
			c.Text = make([][]byte, n)
		case Other:
			c.Other = make([]any, n)
		}
	}
	c.Null = c.Null[:n]
	clear(c.Null)
	switch c.Kind {
	case Number:
		c.Num, c.Scale = c.Num[:n], c.Scale[:n]
	case Text:
		c.Text = c.Text[:n]
	case Other:
		c.Other = c.Other[:n]
	}
}

func (c *Column) setInt(i int, digits int64) { c.Num[i], c.Scale[i] = digits, 0 }

func (c *Column) setTruth(i int, b bool) {
	c.Num[i], c.Scale[i] = 0, 0
	if b {
		c.Num[i] = 1
	}
}

func (c *Column) setDecimal(i int, d *apd.Decimal) {
	if d.Form == apd.Finite && d.Coeff.IsInt64() && d.Exponent <= 0 && d.Exponent >= -18 {
		if n := d.Coeff.Int64(); n < 1e18 {
			if d.Negative {
				n = -n
			}
			c.Num[i], c.Scale[i] = n, uint8(-d.Exponent)
			return
		}
	}
	if c.Wide == nil {
		c.Wide = make([]*apd.Decimal, cap(c.Null))
	}
	c.Scale[i], c.Wide[i] = Wide, d
}

// decimal is a number as one of the library's.
func (c *Column) decimal(i int) *apd.Decimal {
	if c.Scale[i] == Wide {
		return c.Wide[i]
	}
	return apd.New(c.Num[i], -int32(c.Scale[i]))
}

// copyFrom takes the value of row j of another column of the same kind, which is
// not NULL.
func (c *Column) copyFrom(i int, from *Column, j int) {
	switch {
	case c.Kind == Text:
		c.Text[i] = from.Text[j]
	case c.Kind == Other:
		c.Other[i] = from.Other[j]
	case from.Scale[j] == Wide:
		c.setDecimal(i, from.Wide[j])
	default:
		c.Num[i], c.Scale[i] = from.Num[j], from.Scale[j]
	}
}
