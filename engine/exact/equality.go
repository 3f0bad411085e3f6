package exact

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Equalities are the conditions left = right of a join, as keys: rows whose
// sides are equal have the same key.
type Equalities struct {
	left, right []sql.Expression
	as          []sql.Type
}

// Add takes an equality. It reports false, and takes nothing, where the types of
// the sides are compared in a way that keys do not follow: as two kinds, or
// under two collations.
func (q *Equalities) Add(ctx *sql.Context, left, right sql.Expression) bool {
	l, r := left.Type(ctx), right.Type(ctx)
	if !alike(l, r) {
		return false
	}
	as := CompareTypes(ctx, l, r)
	if len(as) != 1 {
		return false
	}
	q.left, q.right, q.as = append(q.left, left), append(q.right, right), append(q.as, as[0])
	return true
}

// alike reports whether both types are numbers, texts of one collation, or times.
func alike(l, r sql.Type) bool {
	switch {
	case types.IsNumber(l) && types.IsNumber(r):
		return true
	case types.IsTextOnly(l) && types.IsTextOnly(r):
		return l.(sql.StringType).Collation() == r.(sql.StringType).Collation()
	}
	return types.IsTime(l) && types.IsTime(r)
}

// Empty reports whether there are no equalities.
func (q *Equalities) Empty() bool { return len(q.as) == 0 }

// LeftKey is the key of a row of the left side, and whether a NULL is in it.
func (q *Equalities) LeftKey(ctx *sql.Context, row sql.Row) (key []byte, null bool, err error) {
	return q.keyOf(ctx, q.left, row)
}

// RightKey is the key of a row of the right side, and whether a NULL is in it.
func (q *Equalities) RightKey(ctx *sql.Context, row sql.Row) (key []byte, null bool, err error) {
	return q.keyOf(ctx, q.right, row)
}

func (q *Equalities) keyOf(ctx *sql.Context, terms []sql.Expression, row sql.Row) ([]byte, bool, error) {
	values, err := expression.Tuple(terms).Eval(ctx, row)
	if err != nil {
		return nil, false, err
	}
	list, ok := values.([]any)
	if !ok { // a tuple of one is its value
		list = []any{values}
	}
	return keyOf(ctx, q.as, list)
}

// Terms are both sides of the equalities, and the types as which each pair is
// compared.
func (q *Equalities) Terms() (left, right []sql.Expression, as []sql.Type) {
	return q.left, q.right, q.as
}
