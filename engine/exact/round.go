package exact

import (
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "github.com/dynasql/dynasql/engine/function"
)

// newToInteger makes CEIL or FLOOR. The library's change the number that they
// are given, in the row it comes from, and end at 64 bits.
func newToInteger(name string, library func(*sql.Context, sql.Expression) sql.Expression) func(*sql.Context, sql.Expression) sql.Expression {
	step := sql.DecimalCtx.Ceil
	if name == "floor" {
		step = sql.DecimalCtx.Floor
	}
	return func(ctx *sql.Context, e sql.Expression) sql.Expression {
		if !types.IsDecimal(e.Type(ctx)) {
			return library(ctx, e)
		}
		return &scalar{Called: own.Called{Name: name, Args: []sql.Expression{e}}, typ: decimalType,
			eval: func(_ *sql.Context, v []*apd.Decimal) (*apd.Decimal, error) {
				out := new(apd.Decimal)
				_, err := step(out, v[0])
				return plain(out), err
			}}
	}
}

// plain writes a number of whole tens without an exponent: 1E+3 is 1000.
func plain(d *apd.Decimal) *apd.Decimal {
	if d.Exponent <= 0 {
		return d
	}
	out, err := sql.DecimalRound(d, 0)
	if err != nil {
		return d
	}
	return out
}

// newRound makes ROUND.
func newRound(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) == 1 {
		args = append(args, expression.NewLiteral(int8(0), types.Int8))
	}
	if len(args) != 2 {
		return function.NewRound(ctx, args...)
	}
	switch t := args[0].Type(ctx); {
	case types.IsFloat(t), types.IsTextOnly(t):
		return own.Round(args[0], args[1]), nil
	case !types.IsDecimal(t):
		return function.NewRound(ctx, args...)
	}
	args[1] = digitCount(ctx, args[1])
	return &scalar{Called: own.Called{Name: "round", Args: args}, typ: decimalType,
		eval: func(_ *sql.Context, v []*apd.Decimal) (*apd.Decimal, error) {
			return sqlRound(v[0], places(v[1]))
		}}, nil
}

// newTruncate makes TRUNCATE.
func newTruncate(ctx *sql.Context, e, digits sql.Expression) sql.Expression {
	if !types.IsDecimal(e.Type(ctx)) {
		return function.NewTruncate(ctx, e, digits)
	}
	return &scalar{Called: own.Called{Name: "truncate", Args: []sql.Expression{e, digitCount(ctx, digits)}}, typ: decimalType,
		eval: func(_ *sql.Context, v []*apd.Decimal) (*apd.Decimal, error) {
			at := places(v[1])
			if -at <= v[0].Exponent {
				return v[0], nil
			}
			return plain(types.DecimalTruncate(v[0], at)), nil
		}}
}

// digitCount makes an integer of a number of digits that is given as a text: MySQL
// cuts what a text has behind the point, where it rounds a number.
func digitCount(ctx *sql.Context, e sql.Expression) sql.Expression {
	if types.IsText(e.Type(ctx)) {
		return expression.NewConvert(e, expression.ConvertToSigned)
	}
	return e
}

// newHex makes HEX. The library's takes numbers for floating-point ones.
func newHex(ctx *sql.Context, e sql.Expression) sql.Expression {
	if types.IsDecimal(e.Type(ctx)) {
		e = &bitPattern{expression.UnaryExpressionStub{Child: e}}
	}
	return function.NewHex(ctx, e)
}

// A bitPattern is an exact number as the 64 bits of the nearest integer.
type bitPattern struct{ expression.UnaryExpressionStub }

// Type implements sql.Expression.
func (*bitPattern) Type(*sql.Context) sql.Type { return types.Uint64 }

// Eval implements sql.Expression.
func (b *bitPattern) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := b.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	d, err := types.InternalDecimalType.ConvertToDecimal(v)
	if err != nil {
		return nil, err
	}
	as := types.Uint64
	if d.Negative {
		as = types.Int64
	}
	n, _, err := as.Convert(ctx, d)
	if signed, ok := n.(int64); ok {
		return uint64(signed), err
	}
	return n, err
}

func (b *bitPattern) String() string { return b.Child.String() }

// WithChildren implements sql.Expression.
func (b *bitPattern) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(b, len(children), 1)
	}
	return &bitPattern{expression.UnaryExpressionStub{Child: children[0]}}, nil
}

// mostPlaces bounds how far from the point a number is rounded. MySQL's bound
// is 30, which would cut the smallest numbers of DynamoDB.
const mostPlaces = 200

func places(d *apd.Decimal) int32 {
	if d.NumDigits()+int64(d.Exponent) > 9 { // more than an integer of the library's has
		if d.Negative {
			return -mostPlaces
		}
		return mostPlaces
	}
	n := types.DecimalRoundedIntPart(d)
	return int32(min(max(n, -mostPlaces), mostPlaces))
}

// sqlRound rounds half away from zero. The result has no more than MySQL's 30
// digits behind the point, or as many as the number itself.
func sqlRound(d *apd.Decimal, at int32) (*apd.Decimal, error) {
	out, err := sql.DecimalRound(d, min(at, max(types.DecimalTypeMaxScale, -d.Exponent)))
	if err != nil {
		return nil, err
	}
	return plain(out), nil
}

// newExtreme makes GREATEST or LEAST; the library compares exact numbers as
// floating-point ones.
func newExtreme(name string, sign int, library func(*sql.Context, ...sql.Expression) (sql.Expression, error)) sql.CreateFuncNArgs {
	return func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		decimals := false
		for _, a := range args {
			t := a.Type(ctx)
			if !numeric(t) {
				return library(ctx, args...)
			}
			decimals = decimals || types.IsDecimal(t) || t == types.Uint64
		}
		if len(args) < 2 {
			return library(ctx, args...)
		}
		typ := func(*sql.Context, []sql.Expression) sql.Type {
			if decimals {
				return Type
			}
			return types.Int64
		}
		return &scalar{Called: own.Called{Name: name, Args: args}, typ: typ,
			eval: func(_ *sql.Context, v []*apd.Decimal) (*apd.Decimal, error) {
				best := v[0]
				for _, d := range v[1:] {
					if d.Cmp(best) == sign {
						best = d
					}
				}
				return best, nil
			}}, nil
	}
}
