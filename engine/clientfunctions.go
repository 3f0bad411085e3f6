package engine

import (
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// clientFunctions are functions of MySQL that clients call and the library
// lacks.
func clientFunctions() []sql.Function {
	return []sql.Function{
		sql.Function2{Name: assignFunction, Fn: newAssign},
		sql.Function2{Name: "benchmark", Fn: binary("benchmark", types.Int32, benchmark)},
		sql.Function2{Name: "makedate", Fn: binary("makedate", types.Date, makeDate)},
	}
}

// benchmark evaluates its argument once, since what it is for is the time that
// evaluating takes, and nobody should take that from others.
func benchmark(*sql.Context, any, any) (any, error) { return int32(0), nil }

// makeDate is the day of a year with a number, from 1 on. Years of two digits
// are those from 1970 to 2069.
func makeDate(ctx *sql.Context, year, day any) (any, error) {
	y, _, err := types.Int64.Convert(ctx, year)
	if err != nil {
		return nil, err
	}
	d, _, err := types.Int64.Convert(ctx, day)
	if err != nil {
		return nil, err
	}
	yy, dd := y.(int64), d.(int64)
	switch {
	case yy < 0 || yy > 9999 || dd <= 0 || dd > 4_000_000:
		return nil, nil
	case yy < 70:
		yy += 2000
	case yy < 100:
		yy += 1900
	}
	date := time.Date(int(yy), 1, int(dd), 0, 0, 0, 0, time.UTC)
	if date.Year() > 9999 {
		return nil, nil
	}
	return date, nil
}

// binaryFunction is a function of two arguments, of which neither may be NULL.
type binaryFunction struct {
	expression.BinaryExpressionStub
	name string
	of   sql.Type
	eval func(ctx *sql.Context, a, b any) (any, error)
}

var _ sql.FunctionExpression = (*binaryFunction)(nil)

func binary(name string, of sql.Type, eval func(*sql.Context, any, any) (any, error)) sql.CreateFunc2Args {
	return func(_ *sql.Context, a, b sql.Expression) sql.Expression {
		return &binaryFunction{expression.BinaryExpressionStub{LeftChild: a, RightChild: b}, name, of, eval}
	}
}

// FunctionName implements sql.FunctionExpression.
func (f *binaryFunction) FunctionName() string { return f.name }

// Description implements sql.FunctionExpression.
func (f *binaryFunction) Description() string { return "MySQL's " + f.name }

// Type implements sql.Expression.
func (f *binaryFunction) Type(*sql.Context) sql.Type { return f.of }

// IsNullable implements sql.Expression.
func (f *binaryFunction) IsNullable(*sql.Context) bool { return true }

// String implements sql.Expression.
func (f *binaryFunction) String() string {
	return fmt.Sprintf("%s(%s, %s)", f.name, f.LeftChild, f.RightChild)
}

// Eval implements sql.Expression.
func (f *binaryFunction) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	a, err := f.LeftChild.Eval(ctx, row)
	if err != nil || a == nil {
		return nil, err
	}
	b, err := f.RightChild.Eval(ctx, row)
	if err != nil || b == nil {
		return nil, err
	}
	return f.eval(ctx, a, b)
}

// WithChildren implements sql.Expression.
func (f *binaryFunction) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), 2)
	}
	out := *f
	out.LeftChild, out.RightChild = children[0], children[1]
	return &out, nil
}
