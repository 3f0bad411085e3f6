package exec

import (
	"bytes"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
)

// A joinKey is what one side of a join is found by.
type joinKey struct {
	terms   []sql.Expression
	as      []sql.Type
	full    sql.Row // if not nil, what the terms look at: the row stands at its end
	scratch bytes.Buffer
}

// key evaluates the terms over a row. With a NULL there is no key.
func (k *joinKey) key(ctx *sql.Context, row sql.Row) (b []byte, null bool, err error) {
	k.scratch.Reset()
	if k.full != nil {
		copy(k.full[len(k.full)-len(row):], row)
		row = k.full
	}
	for i, e := range k.terms {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, false, err
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, false, err
		}
		if v == nil {
			return nil, true, nil
		}
		if err := exact.AppendKey(ctx, &k.scratch, k.as[i], v); err != nil {
			return nil, false, err
		}
	}
	return k.scratch.Bytes(), false, nil
}

// keysOf takes the keys by which the library would find rows.
func (j *hashJoin) keysOf(ctx *sql.Context, lookup *plan.HashLookup) (ok bool) {
	var tuple bool
	if j.leftKey.terms, j.leftKey.as, tuple = exact.KeyTerms(lookup.LeftProbeKey); tuple {
		j.rightKey.terms, j.rightKey.as, ok = exact.KeyTerms(lookup.RightEntryKey)
		return ok
	}
	l, r := single(lookup.LeftProbeKey), single(lookup.RightEntryKey)
	as := exact.CompareTypes(ctx, l.Type(ctx), r.Type(ctx))
	j.leftKey = joinKey{terms: []sql.Expression{l}, as: as}
	j.rightKey = joinKey{terms: []sql.Expression{r}, as: as}
	return len(as) == 1
}

// single is the term of a row of one.
func single(e sql.Expression) sql.Expression {
	if t, ok := e.(expression.Tuple); ok && len(t) == 1 {
		return t[0]
	}
	return e
}

// keysDecide reports whether the condition is that the columns of the keys are
// equal, which numbers and texts compared by bytes with the same keys are.
func (j *hashJoin) keysDecide(ctx *sql.Context, leftLen int) bool {
	conjuncts := expression.SplitConjunction(ctx, j.node.Filter)
	if len(conjuncts) != len(j.leftKey.terms) {
		return false
	}
	for _, c := range conjuncts {
		eq, ok := c.(*expression.Equals)
		if !ok || !j.hasPair(ctx, eq.Left(), eq.Right(), leftLen) && !j.hasPair(ctx, eq.Right(), eq.Left(), leftLen) {
			return false
		}
	}
	return true
}

func (j *hashJoin) hasPair(ctx *sql.Context, left, right sql.Expression, leftLen int) bool {
	for i := range j.leftKey.terms {
		if j.rightKey.full != nil { // its terms have the places of the condition's
			leftLen = 0
		}
		if sameColumn(left, j.leftKey.terms[i], 0) && sameColumn(right, j.rightKey.terms[i], leftLen) && decides(left.Type(ctx), right.Type(ctx), j.leftKey.as[i]) {
			return true
		}
	}
	return false
}

// sameColumn reports whether a is the column that b is, which begins later.
func sameColumn(a, b sql.Expression, later int) bool {
	x, ok := a.(*expression.GetField)
	y, ok2 := b.(*expression.GetField)
	return ok && ok2 && x.Index() == y.Index()+later
}

// decides reports whether values of two types that are compared as a third are
// equal when their keys are.
func decides(left, right, as sql.Type) bool {
	if s, ok := as.(sql.StringType); ok {
		return s.Collation() == sql.Collation_utf8mb4_0900_bin || s.Collation() == sql.Collation_binary
	}
	exactly := func(t sql.Type) bool { return exact.IsDecimal(t) || types.IsInteger(t) }
	return exactly(as) && exactly(left) && exactly(right)
}
