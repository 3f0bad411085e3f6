package exact

import (
	"fmt"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
)

const double = "DOUBLE"

// A finite is an expression with a floating-point result. One beyond DOUBLE is
// an error, as in MySQL; the library goes on with infinity.
type finite struct {
	sql.Expression
	typ sql.Type
}

var _ sql.CollationCoercible = finite{}

// newFinite wraps an expression that can leave the range of DOUBLE; nil for
// others.
func newFinite(e sql.Expression, typ sql.Type) sql.Expression {
	if !types.IsFloat(typ) {
		return nil
	}
	switch e.(type) {
	case expression.ArithmeticOp, *expression.Convert, *function.Power, *function.Exp:
		return finite{e, typ}
	}
	return nil
}

// Type implements sql.Expression.
func (f finite) Type(*sql.Context) sql.Type { return f.typ }

// Eval implements sql.Expression.
func (f finite) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := f.Expression.Eval(ctx, row)
	if n, ok := v.(float64); ok && err == nil && math.IsInf(n, 0) {
		return nil, outOfRange(double, f.Expression)
	}
	return v, err
}

// WithChildren implements sql.Expression.
func (f finite) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := f.Expression.WithChildren(ctx, children...)
	return finite{e, f.typ}, err
}

// CollationCoercibility implements sql.CollationCoercible.
func (f finite) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, f.Expression)
}

// Computed implements connector.Computed.
func (f finite) Computed() {}

func (f finite) String() string { return fmt.Sprint(f.Expression) }
