package exact

import (
	"context"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
)

// Type is the DECIMAL of expressions: each value has its own scale.
var Type = types.MustCreateDecimalType(types.DecimalTypeMaxPrecision, types.DecimalTypeMaxScale)

// IsNumber reports whether a type is one of numbers. The library does not know
// the type in which Prepare makes it compare decimals.
func IsNumber(t sql.Type) bool { return IsDecimal(t) || types.IsNumber(t) }

// IsDecimal reports whether a type is one of decimals, that of comparisons among
// them.
func IsDecimal(t sql.Type) bool {
	_, decimal := t.(anyDecimal)
	return decimal || types.IsDecimal(t)
}

// Prepare makes the library's comparisons of decimals exact. It changes a
// global of the library and must be called once, before the first engine.
func Prepare() { types.InternalDecimalType = anyDecimal{Type} }

// anyDecimal is the type in which the library compares decimals with values of
// other types, and by which it hashes them. The library's own rounds to 30
// digits behind the point and refuses 1E+35.
type anyDecimal struct{ sql.DecimalType }

var _ sql.ValueType = anyDecimal{}

// Convert implements sql.Type without rounding.
func (t anyDecimal) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if doc, ok := v.(sql.JSONWrapper); ok {
		var err error
		if v, err = doc.ToInterface(ctx); err != nil {
			return nil, sql.InRange, err
		}
	}
	d, err := t.ConvertToDecimal(v)
	if err != nil && !sql.ErrTruncatedIncorrect.Is(err) || d == nil {
		return nil, sql.InRange, err
	}
	return d, sql.InRange, err
}

// BoundsCheck implements sql.DecimalType: every number is within.
func (t anyDecimal) BoundsCheck(v *apd.Decimal) (*apd.Decimal, sql.ConvertInRange, error) {
	return v, sql.InRange, nil
}

// Promote implements sql.Type.
func (t anyDecimal) Promote() sql.Type { return t }

// Equals implements sql.Type.
func (t anyDecimal) Equals(other sql.Type) bool {
	_, same := other.(anyDecimal)
	return same
}

// CompareValue implements sql.ValueType.
func (t anyDecimal) CompareValue(ctx *sql.Context, a, b sql.Value) (int, error) {
	return t.DecimalType.(sql.ValueType).CompareValue(ctx, a, b)
}

// SQLValue implements sql.ValueType.
func (t anyDecimal) SQLValue(ctx *sql.Context, v sql.Value, dest []byte) (sqltypes.Value, error) {
	return t.DecimalType.(sql.ValueType).SQLValue(ctx, v, dest)
}

// numeric reports whether values of a type are exact numbers: decimals,
// integers and booleans.
func numeric(t sql.Type) bool {
	return types.IsNumber(t) && !types.IsFloat(t)
}

// toDecimal converts a value without rounding; NULL gives nil.
func toDecimal(ctx *sql.Context, v any) (*apd.Decimal, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil || v == nil {
		return nil, err
	}
	if doc, ok := v.(sql.JSONWrapper); ok {
		if v, err = doc.ToInterface(ctx); err != nil || v == nil {
			return nil, err
		}
	}
	if d, ok := v.(*apd.Decimal); ok {
		return d, nil
	}
	d, err := Type.ConvertToDecimal(v)
	if sql.ErrTruncatedIncorrect.Is(err) {
		ctx.Warn(warnTruncated, "%s", err.Error())
		err = nil
	}
	return d, err
}

// Codes of warnings, as MySQL numbers them.
const (
	warnTruncated  = 1292
	warnOutOfRange = 1264
	warnDivision   = 1365
)

// mostDigits is how many significant digits a computed number has at most:
// those of MySQL's DECIMAL.
const mostDigits = types.DecimalTypeMaxPrecision

// Rounded keeps a computed number within mostDigits significant digits, and
// turns -0 into 0. It gives a warning if digits are lost.
func Rounded(ctx *sql.Context, d *apd.Decimal) *apd.Decimal {
	if d.IsZero() && d.Negative {
		return new(apd.Decimal).Abs(d)
	}
	if d.NumDigits() <= mostDigits {
		return d
	}
	out := new(apd.Decimal)
	condition, err := sql.DecimalCtx.WithPrecision(mostDigits).Round(out, d)
	if err != nil {
		return d
	}
	if condition.Inexact() {
		ctx.Warn(warnOutOfRange, "a computed number was rounded to %d significant digits", mostDigits)
	}
	return out
}

// An exactly is a number of any type as an exact one.
type exactly struct{ expression.UnaryExpressionStub }

// AsNumber is a number of any type as a DECIMAL that has its own scale.
func AsNumber(e sql.Expression) sql.Expression {
	return &exactly{expression.UnaryExpressionStub{Child: e}}
}

// Type implements sql.Expression.
func (*exactly) Type(*sql.Context) sql.Type { return Type }

// Eval implements sql.Expression.
func (n *exactly) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	v, _, err = types.InternalDecimalType.Convert(ctx, v)
	return v, err
}

func (n *exactly) String() string { return n.Child.String() }

// WithChildren implements sql.Expression.
func (n *exactly) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return AsNumber(children[0]), nil
}
