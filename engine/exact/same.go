package exact

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// SameFunction gives its second argument. Its first is a number by which the
// library tells expressions apart whose texts differ in nothing but case.
const SameFunction = "ddb_same"

type same struct {
	expression.UnaryExpressionStub
	number string
}

var _ sql.CollationCoercible = (*same)(nil)

func newSame(_ *sql.Context, number, e sql.Expression) sql.Expression {
	return &same{expression.UnaryExpressionStub{Child: e}, number.String()}
}

// Type implements sql.Expression.
func (s *same) Type(ctx *sql.Context) sql.Type { return s.Child.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (s *same) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, s.Child)
}

// Eval implements sql.Expression.
func (s *same) Eval(ctx *sql.Context, row sql.Row) (any, error) { return s.Child.Eval(ctx, row) }

func (s *same) String() string { return fmt.Sprintf("%s #%s", s.Child, s.number) }

// WithChildren implements sql.Expression.
func (s *same) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &same{expression.UnaryExpressionStub{Child: children[0]}, s.number}, nil
}
