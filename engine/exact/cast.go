package exact

import (
	"fmt"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// newCast makes CAST(e AS DECIMAL(digits, scale)). A number out of range
// becomes the nearest within, with a warning, as in MySQL; the library makes it
// zero, and does not round where the scale is zero.
func newCast(_ *sql.Context, e, digits, scale sql.Expression) sql.Expression {
	return &cast{expression.UnaryExpressionStub{Child: e}, literal(digits), literal(scale)}
}

func literal(e sql.Expression) int32 {
	if l, ok := e.(*expression.Literal); ok {
		if n, _, err := types.Int32.Convert(nil, l.Value()); err == nil && n != nil {
			return n.(int32)
		}
	}
	return 0
}

type cast struct {
	expression.UnaryExpressionStub
	digits, scale int32
}

var (
	_ sql.FunctionExpression = (*cast)(nil)
	_ sql.CollationCoercible = (*cast)(nil)
)

// FunctionName implements sql.FunctionExpression.
func (c *cast) FunctionName() string { return CastFunction }

// Description implements sql.FunctionExpression.
func (c *cast) Description() string { return "casts to DECIMAL" }

// Type implements sql.Expression.
func (c *cast) Type(*sql.Context) sql.Type { return Type }

// IsNullable implements sql.Expression.
func (c *cast) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (c *cast) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

func (c *cast) String() string {
	return fmt.Sprintf("CAST(%s AS DECIMAL(%d,%d))", c.Child, c.digits, c.scale)
}

// WithChildren implements sql.Expression.
func (c *cast) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	out := *c
	out.Child = children[0]
	return &out, nil
}

// Eval implements sql.Expression.
func (c *cast) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = types.ConvertHexBlobToDecimalForNumericContext(v, c.Child.Type(ctx)); err != nil {
		return nil, err
	}
	if w, ok := v.(sql.JSONWrapper); ok {
		if v, err = w.ToInterface(ctx); err != nil {
			return nil, err
		}
	}
	d, err := toDecimal(ctx, v)
	if err != nil || d == nil {
		ctx.Warn(warnTruncated, "Truncated incorrect DECIMAL value: '%v'", v)
		d = new(apd.Decimal)
	}
	return Fit(ctx, d, c.digits, c.scale)
}

// Fit rounds a number to the scale of DECIMAL(digits, scale); a number out of
// its range becomes the nearest within, with a warning.
func Fit(ctx *sql.Context, d *apd.Decimal, digits, scale int32) (*apd.Decimal, error) {
	out, err := sql.DecimalRound(d, scale)
	if err != nil {
		return nil, err
	}
	if out.NumDigits() > int64(digits) {
		ctx.Warn(warnOutOfRange, "Out of range value %s for DECIMAL(%d,%d)", d.Text('f'), digits, scale)
		most := new(apd.Decimal)
		if _, err := sql.DecimalCtx.Sub(most, apd.New(1, digits), apd.New(1, 0)); err != nil {
			return nil, err
		}
		most.Exponent, most.Negative = -scale, d.Negative
		return most, nil
	}
	if out.IsZero() {
		out.Negative = false
	}
	return out, nil
}

// literalType differs from the type of columns, so that the library looks at
// the values when it compares the two.
var literalType = types.CreateLiteralDecimalType(types.DecimalTypeMaxPrecision+1, types.DecimalTypeMaxScale)

// newNumber makes a number of its digits.
func newNumber(ctx *sql.Context, e sql.Expression) sql.Expression {
	if l, ok := e.(*expression.Literal); ok {
		if text, ok := l.Value().(string); ok {
			if d, _, err := apd.NewFromString(text); err == nil {
				return &number{expression.NewLiteral(d, literalType)}
			}
		}
	}
	return e
}

// A number is a literal that the library does not take for one of its own,
// which it would convert to the type of what it is compared with.
type number struct{ *expression.Literal }

// WithChildren implements sql.Expression.
func (n *number) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 0)
	}
	return n, nil
}

// FunctionName implements sql.FunctionExpression.
func (n *number) FunctionName() string { return NumberFunction }

// Description implements sql.FunctionExpression.
func (n *number) Description() string { return "a number with all its digits" }
