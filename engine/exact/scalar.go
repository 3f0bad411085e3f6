package exact

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A scalar is a function of exact numbers with an exact result.
type scalar struct {
	name string
	args []sql.Expression
	typ  func(*sql.Context, []sql.Expression) sql.Type
	eval func(*sql.Context, []*apd.Decimal) (*apd.Decimal, error)
}

var (
	_ sql.FunctionExpression = (*scalar)(nil)
	_ sql.CollationCoercible = (*scalar)(nil)
)

func decimalType(*sql.Context, []sql.Expression) sql.Type { return Type }

// FunctionName implements sql.FunctionExpression.
func (s *scalar) FunctionName() string { return s.name }

// Description implements sql.FunctionExpression.
func (s *scalar) Description() string { return s.name + " of exact numbers" }

// Type implements sql.Expression.
func (s *scalar) Type(ctx *sql.Context) sql.Type { return s.typ(ctx, s.args) }

// IsNullable implements sql.Expression.
func (s *scalar) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (s *scalar) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// Resolved implements sql.Expression.
func (s *scalar) Resolved() bool {
	for _, a := range s.args {
		if !a.Resolved() {
			return false
		}
	}
	return true
}

// Children implements sql.Expression.
func (s *scalar) Children() []sql.Expression { return s.args }

func (s *scalar) String() string {
	texts := make([]string, len(s.args))
	for i, a := range s.args {
		texts[i] = a.String()
	}
	return fmt.Sprintf("%s(%s)", s.name, strings.Join(texts, ","))
}

// WithChildren implements sql.Expression.
func (s *scalar) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(s.args) {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), len(s.args))
	}
	out := *s
	out.args = children
	return &out, nil
}

// Eval implements sql.Expression. The result is NULL if an argument is.
func (s *scalar) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	values := make([]*apd.Decimal, len(s.args))
	for i, a := range s.args {
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
