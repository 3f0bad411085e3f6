package exact

import (
	"fmt"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// An operation is + - * / % or DIV of integers and decimals. The library's lets an
// integer that does not fit its 64 bits wrap around, divides with digits of the
// column's type, and is wrong in % where the numbers are far apart.
//
// An integer result out of its type's range is an error, as in MySQL; DIV with a
// decimal on a side has a decimal result, so that it has none. A decimal one is
// exact, but for a quotient, and rounded once, at the end of the whole expression,
// to mostDigits significant digits.
type operation struct {
	expression.BinaryExpressionStub
	sign     string // as sqlparser writes it
	typ      sql.Type
	compared bool // a side of a comparison, or in what rounds it, which see all digits
}

var (
	_ expression.ArithmeticOp = (*operation)(nil)
	_ sql.CollationCoercible  = (*operation)(nil)
)

// newOperation puts ours in place of the library's arithmetic; nil where
// that is of something else, such as times or texts.
func newOperation(ctx *sql.Context, e expression.ArithmeticOp, typ sql.Type) *operation {
	if !numeric(typ) || !computes(ctx, e.Left()) || !computes(ctx, e.Right()) {
		return nil
	}
	if e.Operator() == sqlparser.IntDivStr && (types.IsDecimal(e.Left().Type(ctx)) || types.IsDecimal(e.Right().Type(ctx))) {
		typ = Type
	}
	return &operation{expression.BinaryExpressionStub{LeftChild: e.Left(), RightChild: e.Right()}, e.Operator(), typ, false}
}

// computes reports whether an expression gives integers or decimals.
func computes(ctx *sql.Context, e sql.Expression) bool {
	if _, interval := e.(*expression.Interval); interval {
		return false
	}
	t := e.Type(ctx)
	return t == types.Null || numeric(t) && !types.IsBit(t) && !types.IsYear(t)
}

// Type implements sql.Expression.
func (o *operation) Type(*sql.Context) sql.Type { return o.typ }

// IsNullable implements sql.Expression.
func (o *operation) IsNullable(ctx *sql.Context) bool {
	switch o.sign {
	case sqlparser.DivStr, sqlparser.ModStr, sqlparser.IntDivStr:
		return true
	}
	return o.BinaryExpressionStub.IsNullable(ctx)
}

// CollationCoercibility implements sql.CollationCoercible.
func (o *operation) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// Operator implements expression.ArithmeticOp.
func (o *operation) Operator() string { return o.sign }

// SetOpCount implements expression.ArithmeticOp: the library's operators count
// each other to find the last one, ours need not.
func (o *operation) SetOpCount(int32) {}

// Computed implements connector.Computed.
func (o *operation) Computed() {}

func (o *operation) String() string {
	return fmt.Sprintf("(%s %s %s)", o.LeftChild, o.sign, o.RightChild)
}

// WithChildren implements sql.Expression.
func (o *operation) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(o, len(children), 2)
	}
	out := *o
	out.LeftChild, out.RightChild = children[0], children[1]
	return &out, nil
}

// Eval implements sql.Expression.
func (o *operation) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if types.IsInteger(o.typ) {
		return o.integer(ctx, row)
	}
	t, err := o.term(ctx, row)
	if err != nil || t.value == nil {
		return nil, err
	}
	return t.result(ctx, o.compared), nil
}

// A term is a part of a decimal expression.
type term struct {
	value   *apd.Decimal // nil for NULL
	scale   int32        // digits behind the point that the part shows; a quotient has more
	divided bool         // has a quotient in it
}

// result is a term as the value of an expression.
func (t term) result(ctx *sql.Context, compared bool) *apd.Decimal {
	if compared {
		return t.value
	}
	if t.divided {
		if d, err := sql.DecimalRound(t.value, t.scale); err == nil {
			t.value = d
		}
	}
	return Rounded(ctx, t.value)
}

// termOf evaluates an operand.
func termOf(ctx *sql.Context, e sql.Expression, row sql.Row) (term, error) {
	switch x := e.(type) {
	case *operation:
		if !types.IsInteger(x.typ) {
			return x.term(ctx, row)
		}
	case *negation:
		if !types.IsInteger(x.typ) {
			return x.term(ctx, row)
		}
	}
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return term{}, err
	}
	d, err := toDecimal(ctx, v)
	if err != nil || d == nil {
		return term{}, err
	}
	return term{value: d, scale: max(0, -d.Exponent)}, nil
}

func (o *operation) term(ctx *sql.Context, row sql.Row) (term, error) {
	l, err := termOf(ctx, o.LeftChild, row)
	if err != nil {
		return term{}, err
	}
	r, err := termOf(ctx, o.RightChild, row)
	if err != nil || l.value == nil || r.value == nil {
		return term{}, err
	}
	out := term{value: new(apd.Decimal), scale: max(l.scale, r.scale), divided: l.divided || r.divided}
	switch o.sign {
	case sqlparser.PlusStr:
		_, err = sql.DecimalCtx.Add(out.value, l.value, r.value)
	case sqlparser.MinusStr:
		_, err = sql.DecimalCtx.Sub(out.value, l.value, r.value)
	case sqlparser.MultStr:
		out.scale = shownScale(l.scale+r.scale, out.scale)
		_, err = sql.DecimalCtx.Mul(out.value, l.value, r.value)
	default:
		if r.value.IsZero() {
			ctx.Warn(warnDivision, "Division by 0")
			return term{}, nil
		}
		switch o.sign {
		case sqlparser.ModStr:
			out.value = remainder(l.value, r.value)
			return out, nil
		case sqlparser.IntDivStr:
			return term{value: plain(quotient(l.value, r.value, 0, false))}, nil
		}
		out.scale, out.divided = quotientScale(l.scale), true
		out.value = quotient(l.value, r.value, workingScale(-l.value.Exponent, -r.value.Exponent), false)
	}
	return out, err
}

// moreDigits is what div_precision_increment is in MySQL by default: a quotient
// has that many digits behind the point more than its dividend.
const moreDigits = 4

func quotientScale(dividend int32) int32 { return shownScale(dividend+moreDigits, dividend) }

// shownScale bounds the digits behind the point of a result as MySQL does,
// unless an operand has more itself.
func shownScale(scale, operand int32) int32 {
	if operand <= types.DecimalTypeMaxScale {
		return min(scale, types.DecimalTypeMaxScale)
	}
	return scale
}

// workingScale is the number of digits behind the point with which a quotient
// goes into further arithmetic and into comparisons. MySQL computes with groups
// of nine digits and cuts the quotient there.
func workingScale(dividend, divisor int32) int32 {
	const group = 9
	groups := func(n int32) int32 { return (max(n, 0) + group - 1) / group }
	n := groups(dividend + divisor + moreDigits)
	if dividend != 0 && divisor != 0 {
		n = max(n, groups(dividend)+groups(divisor))
	}
	return max(n, groups(dividend+moreDigits)) * group
}

// remainder has the sign of the dividend.
func remainder(a, b *apd.Decimal) *apd.Decimal {
	at := min(a.Exponent, b.Exponent)
	out := new(apd.Decimal)
	out.Coeff.Rem(whole(a, at), whole(b, at))
	out.Exponent, out.Negative = at, a.Negative
	return out
}

// quotient divides to a number of digits behind the point, of which the last
// is cut or rounded half away from zero.
func quotient(a, b *apd.Decimal, scale int32, round bool) *apd.Decimal {
	at := min(a.Exponent+scale, b.Exponent)
	divisor := whole(b, at)
	out, rest := new(apd.Decimal), new(apd.BigInt)
	out.Coeff.QuoRem(whole(&apd.Decimal{Coeff: a.Coeff, Exponent: a.Exponent + scale}, at), divisor, rest)
	if round && rest.Add(rest, rest).CmpAbs(divisor) >= 0 {
		out.Coeff.Add(&out.Coeff, apd.NewBigInt(1))
	}
	out.Exponent, out.Negative = -scale, a.Negative != b.Negative
	return out
}

// whole is the coefficient of a number at a smaller exponent.
func whole(d *apd.Decimal, exponent int32) *apd.BigInt {
	out := new(apd.BigInt).Set(&d.Coeff)
	ten := new(apd.BigInt).Exp(apd.NewBigInt(10), apd.NewBigInt(int64(d.Exponent-exponent)), nil)
	return out.Mul(out, ten)
}
