package exact

import (
	"bytes"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A rowKey is the key by which a hash join finds rows with equal terms.
type rowKey struct {
	terms []sql.Expression
	as    []sql.Type
}

// KeyTerms returns the terms of a key by which a hash join finds rows, and the
// types as which they are compared. It reports false for any other expression.
func KeyTerms(e sql.Expression) ([]sql.Expression, []sql.Type, bool) {
	k, ok := e.(rowKey)
	return k.terms, k.as, ok
}

// Type implements sql.Expression.
func (rowKey) Type(*sql.Context) sql.Type { return types.LongBlob }

// Eval implements sql.Expression. Whether two rows match is decided by the
// join's condition; a NULL here may be found and is refused there.
func (k rowKey) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var b bytes.Buffer
	for i, e := range k.terms {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		if err := AppendKey(ctx, &b, k.as[i], v); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Resolved implements sql.Expression.
func (k rowKey) Resolved() bool { return true }

// IsNullable implements sql.Expression.
func (k rowKey) IsNullable(*sql.Context) bool { return false }

// Children implements sql.Expression.
func (k rowKey) Children() []sql.Expression { return k.terms }

func (k rowKey) String() string { return expression.Tuple(k.terms).String() }

// WithChildren implements sql.Expression.
func (k rowKey) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(k.terms) {
		return nil, sql.ErrInvalidChildrenNumber.New(k, len(children), len(k.terms))
	}
	return rowKey{children, k.as}, nil
}
