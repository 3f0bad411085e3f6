package exact

import (
	"fmt"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A negation is -e of an integer or a decimal.
type negation struct {
	expression.UnaryExpressionStub
	typ      sql.Type
	compared bool
}

var _ sql.CollationCoercible = (*negation)(nil)

// newNegation puts ours in place of the library's minus, which wraps around
// where an unsigned integer has no negative one; nil for something else.
func newNegation(ctx *sql.Context, e *expression.UnaryMinus, typ sql.Type) *negation {
	if !numeric(typ) || !computes(ctx, e.Child) {
		return nil
	}
	if types.IsInteger(typ) {
		typ = types.Int64
	}
	return &negation{expression.UnaryExpressionStub{Child: e.Child}, typ, false}
}

// Type implements sql.Expression.
func (n *negation) Type(*sql.Context) sql.Type { return n.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (n *negation) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// Computed implements connector.Computed.
func (n *negation) Computed() {}

func (n *negation) String() string { return fmt.Sprintf("-%s", n.Child) }

// WithChildren implements sql.Expression.
func (n *negation) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	out := *n
	out.Child = children[0]
	return &out, nil
}

// Eval implements sql.Expression.
func (n *negation) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	t, err := n.term(ctx, row)
	if err != nil || t.value == nil {
		return nil, err
	}
	if types.IsInteger(n.typ) {
		return inRange(n, n.typ, t.value)
	}
	return t.result(ctx, n.compared), nil
}

func (n *negation) term(ctx *sql.Context, row sql.Row) (term, error) {
	t, err := termOf(ctx, n.Child, row)
	if err == nil && t.value != nil {
		t.value = new(apd.Decimal).Neg(t.value)
	}
	return t, err
}
