package exact

import (
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A computed is arithmetic with a decimal result.
type computed struct {
	sql.Expression
	typ sql.Type
}

var _ sql.CollationCoercible = computed{}

// Type implements sql.Expression.
func (c computed) Type(*sql.Context) sql.Type { return c.typ }

// Eval implements sql.Expression.
func (c computed) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Expression.Eval(ctx, row)
	if d, ok := v.(*apd.Decimal); ok && err == nil {
		return Rounded(ctx, d), nil
	}
	return v, err
}

// WithChildren implements sql.Expression.
func (c computed) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := c.Expression.WithChildren(ctx, children...)
	return computed{e, c.typ}, err
}

// CollationCoercibility implements sql.CollationCoercible.
func (c computed) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// An ownScale is a term of a division. The digits behind the point of a
// quotient are those of the dividend and four more; the library takes the 30
// of its type for the dividend's.
type ownScale struct{ expression.UnaryExpressionStub }

var integral = types.MustCreateDecimalType(types.DecimalTypeMaxPrecision, 0)

// Type implements sql.Expression: a type that does not say more digits behind
// the point than a value has.
func (*ownScale) Type(*sql.Context) sql.Type { return integral }

// Eval implements sql.Expression.
func (o *ownScale) Eval(ctx *sql.Context, row sql.Row) (any, error) { return o.Child.Eval(ctx, row) }

func (o *ownScale) String() string { return o.Child.String() }

// WithChildren implements sql.Expression.
func (o *ownScale) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(o, len(children), 1)
	}
	return &ownScale{expression.UnaryExpressionStub{Child: children[0]}}, nil
}

// divides reports whether a tree of arithmetic has a division.
func divides(e sql.Expression) bool {
	if _, ok := e.(*expression.Div); ok {
		return true
	}
	a, ok := e.(expression.ArithmeticOp)
	return ok && (divides(a.Left()) || divides(a.Right()))
}

func isArithmetic(e sql.Expression) bool {
	_, ok := e.(expression.ArithmeticOp)
	return ok
}

// A remainder is a % b of exact numbers; the library's is wrong where the
// numbers are far apart.
type remainder struct{ *expression.Mod }

// Eval implements sql.Expression. The sign is that of the dividend.
func (r *remainder) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	a, err := term(ctx, r.LeftChild, row)
	if err != nil || a == nil {
		return nil, err
	}
	b, err := term(ctx, r.RightChild, row)
	if err != nil || b == nil {
		return nil, err
	}
	if b.IsZero() {
		ctx.Warn(warnDivision, "Division by 0")
		return nil, nil
	}
	at := min(a.Exponent, b.Exponent)
	out := new(apd.Decimal)
	out.Coeff.Rem(whole(a, at), whole(b, at))
	out.Exponent, out.Negative = at, a.Negative
	return Rounded(ctx, out), nil
}

func term(ctx *sql.Context, e sql.Expression, row sql.Row) (*apd.Decimal, error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return toDecimal(ctx, v)
}

// whole is the coefficient of a number at a smaller exponent.
func whole(d *apd.Decimal, exponent int32) *apd.BigInt {
	out := new(apd.BigInt).Set(&d.Coeff)
	ten := new(apd.BigInt).Exp(apd.NewBigInt(10), apd.NewBigInt(int64(d.Exponent-exponent)), nil)
	return out.Mul(out, ten)
}

// WithChildren implements sql.Expression.
func (r *remainder) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := r.Mod.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &remainder{e.(*expression.Mod)}, nil
}
