package function

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// datetimeOfDigits is DATETIME with the digits behind the point that the second
// argument says.
func datetimeOfDigits(ctx *sql.Context, args []sql.Expression) sql.Type {
	v, _ := literal(ctx, args[1])
	n, _ := types.CoalesceInt(v)
	return datetime(max(0, min(n, 6)))
}

// toDatetime is a moment whose seconds are rounded to some digits.
func toDatetime(c *call) (any, error) {
	m, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	digits, err := c.digits(1)
	if err != nil {
		return nil, err
	}
	n := roundedMicros(int64(m.micros), digits)
	return m.moved(n - int64(m.micros)).time(), nil
}

// toTime is a time whose seconds are rounded to some digits.
func toTime(c *call) (any, error) {
	m, ok := c.clock(0)
	if !ok {
		return nil, nil
	}
	digits, err := c.digits(1)
	if err != nil {
		return nil, err
	}
	return c.timespan(roundedMicros(m.sinceMidnight(), digits)), nil
}

// roundedMicros rounds half away from zero.
func roundedMicros(n, digits int64) int64 {
	unit := pow10(6 - digits)
	if n < 0 {
		return -roundedMicros(-n, digits)
	}
	return (n + unit/2) / unit * unit
}
