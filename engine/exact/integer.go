package exact

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/key"
)

// integer evaluates an operation with an integer result.
func (o *operation) integer(ctx *sql.Context, row sql.Row) (any, error) {
	l, err := o.LeftChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	r, err := o.RightChild.Eval(ctx, row)
	if err != nil || l == nil || r == nil {
		return nil, err
	}
	a, small := key.Integer(l)
	b, too := key.Integer(r)
	if small && too && !types.IsUnsigned(o.typ) {
		if v, ok := checked(o.sign, a, b); ok {
			return v, nil
		}
	}
	x, err := toDecimal(ctx, l)
	if err != nil {
		return nil, err
	}
	y, err := toDecimal(ctx, r)
	if err != nil {
		return nil, err
	}
	out := new(apd.Decimal)
	switch o.sign {
	case sqlparser.PlusStr:
		_, err = sql.DecimalCtx.Add(out, x, y)
	case sqlparser.MinusStr:
		_, err = sql.DecimalCtx.Sub(out, x, y)
	case sqlparser.MultStr:
		_, err = sql.DecimalCtx.Mul(out, x, y)
	default:
		if y.IsZero() {
			ctx.Warn(warnDivision, "Division by 0")
			return nil, nil
		}
		out = quotient(x, y, 0, false)
	}
	if err != nil {
		return nil, err
	}
	return inRange(o, o.typ, out)
}

// checked computes with integers; false if the result does not fit.
func checked(sign string, a, b int64) (int64, bool) {
	switch sign {
	case sqlparser.PlusStr:
		sum := a + b
		return sum, (sum > a) == (b > 0)
	case sqlparser.MinusStr:
		difference := a - b
		return difference, (difference < a) == (b > 0)
	case sqlparser.IntDivStr:
		if b == 0 || b == -1 {
			return 0, false
		}
		return a / b, true
	}
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(low), true
	}
	return int64(low), true
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// inRange is a whole number as a value of an integer type, or MySQL's error.
func inRange(e sql.Expression, t sql.Type, d *apd.Decimal) (any, error) {
	if types.IsUnsigned(t) {
		if v, ok := new(apd.BigInt).SetString(d.Text('f'), 10); ok && v.IsUint64() {
			return v.Uint64(), nil
		}
		return nil, outOfRange("BIGINT UNSIGNED", e)
	}
	v, err := d.Int64()
	if err != nil {
		return nil, outOfRange("BIGINT", e)
	}
	return v, nil
}

// A RangeError is a result that its type cannot hold, error 1690 in MySQL.
type RangeError struct{ Type, Expression string }

func outOfRange(typ string, e sql.Expression) error { return &RangeError{typ, fmt.Sprint(e)} }

func (e *RangeError) Error() string {
	return e.Type + " value is out of range in '" + e.Expression + "'"
}

// Hint advises what to do.
func (e *RangeError) Hint() string {
	if e.Type == double {
		return "CAST the numbers AS DECIMAL(65,0), which has no such end"
	}
	return "CAST one of the numbers AS DECIMAL(65,0), and the result is exact"
}
