package exact

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Equalities are the conditions left = right of a join, as keys: rows whose
// sides are equal have the same key.
type Equalities struct {
	Left, Right []sql.Expression
	As          []sql.Type // as which each pair is compared
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
	q.Left, q.Right, q.As = append(q.Left, left), append(q.Right, right), append(q.As, as[0])
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
func (q *Equalities) Empty() bool { return len(q.As) == 0 }
