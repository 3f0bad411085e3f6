package exact

import (
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/function"
)

// A scalar is a function of exact numbers with an exact result.
type scalar struct {
	function.Called
	typ  func(*sql.Context, []sql.Expression) sql.Type
	eval func(*sql.Context, []*apd.Decimal) (*apd.Decimal, error)
}

var (
	_ sql.FunctionExpression = (*scalar)(nil)
	_ sql.CollationCoercible = (*scalar)(nil)
)

func decimalType(*sql.Context, []sql.Expression) sql.Type { return Type }

// Description implements sql.FunctionExpression.
func (s *scalar) Description() string { return s.Name + " of exact numbers" }

// Type implements sql.Expression.
func (s *scalar) Type(ctx *sql.Context) sql.Type { return s.typ(ctx, s.Args) }

// CollationCoercibility implements sql.CollationCoercible.
func (s *scalar) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (s *scalar) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	called, err := s.With(children)
	return &scalar{called, s.typ, s.eval}, err
}

// Eval implements sql.Expression. The result is NULL if an argument is.
func (s *scalar) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	values := make([]*apd.Decimal, len(s.Args))
	for i, a := range s.Args {
		v, err := a.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if values[i], err = toDecimal(ctx, v); err != nil || values[i] == nil {
			return nil, err
		}
	}
	d, err := s.eval(ctx, values)
	if err != nil || d == nil {
		return nil, err
	}
	d = Rounded(ctx, d)
	if t := s.Type(ctx); types.IsInteger(t) {
		v, _, err := t.Convert(ctx, d)
		return v, err
	}
	return d, nil
}
