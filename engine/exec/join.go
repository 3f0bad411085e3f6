package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector"
)

// join joins two inputs. The library runs the right input again for each row of
// the left one and tries every pair; here the right one is read once, with the
// first left row, and found by the equalities among the conditions.
type join struct {
	op    plan.JoinType
	node  *plan.JoinNode
	build func(sql.Row) (sql.RowIter, error) // of the right input
	left  sql.RowIter

	// full is what the condition looks at: the row around the join, a left row
	// from position mid on, a right row from position end on.
	full       sql.Row
	outer      int // how many columns of full's beginning are in a result
	mid, end   int
	right      *inner // nil before the first left row
	candidates candidates
	open       bool // a left row is being matched
	found      bool // a match of the left row
	unmatched  int  // the next right row to look at when the left rows are over; -1 before
	steps      int
}

// joins reports whether a join is run here: one whose right input does not look at
// the left row, and NOT IN outside of any enclosing query only.
func joins(n *plan.JoinNode, row sql.Row) bool {
	switch n.Op {
	case plan.JoinTypeHash, plan.JoinTypeLeftOuterHash, plan.JoinTypeSemiHash, plan.JoinTypeAntiHashIncludeNulls:
		return true
	case plan.JoinTypeCross, plan.JoinTypeInner, plan.JoinTypeSemi, plan.JoinTypeAnti, plan.JoinTypeAntiIncludeNulls,
		plan.JoinTypeLeftOuter, plan.JoinTypeLeftOuterExcludeNulls, plan.JoinTypeFullOuter:
		return connector.Independent(n.Right())
	case plan.JoinTypeLeftOuterHashExcludeNulls, plan.JoinTypeAntiHash:
		return len(row) == 0
	}
	return false
}

func newJoin(ctx *sql.Context, b sql.NodeExecBuilder, n *plan.JoinNode, row sql.Row) (sql.RowIter, error) {
	left, err := b.Build(ctx, n.Left(), row)
	if err != nil {
		return nil, err
	}
	mid := len(row)
	end := mid + len(n.Left().Schema(ctx))
	full := make(sql.Row, end+len(n.Right().Schema(ctx)))
	copy(full, row)
	return &join{
		op: n.Op, node: n, left: left, full: full, outer: n.ScopeLen, mid: mid, end: end, unmatched: -1,
		build: func(row sql.Row) (sql.RowIter, error) { return b.Build(ctx, withoutCache(n.Right()), row) },
	}, nil
}

// withoutCache takes what keeps the rows of a right side, for the library, off
// it: they are kept here, within bounds.
func withoutCache(right sql.Node) sql.Node {
	if lookup, ok := right.(*plan.HashLookup); ok {
		right = lookup.Child
	}
	if kept, ok := right.(*plan.CachedResults); ok {
		right = kept.Child
	}
	return right
}

// Next implements sql.RowIter.
func (j *join) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		if j.unmatched >= 0 {
			return j.nextUnmatched()
		}
		if !j.open {
			err := j.advance(ctx)
			if err == io.EOF && j.op.IsFullOuter() {
				if err = j.readRight(ctx); err == nil {
					clear(j.full[j.mid:j.end])
					j.unmatched = 0
					continue
				}
			}
			if err != nil {
				return nil, err
			}
		}
		row, err := j.match(ctx)
		if row != nil || err != nil {
			return row, err
		}
	}
}

// advance takes the next left row.
func (j *join) advance(ctx *sql.Context) error {
	if j.right != nil && len(j.right.rows) == 0 && (j.op.IsSemi() || j.op.IsInner()) {
		return io.EOF
	}
	row, err := j.left.Next(ctx)
	if err != nil {
		return err
	}
	copy(j.full[j.mid:j.end], row[len(row)-(j.end-j.mid):])
	if err := j.readRight(ctx); err != nil {
		return err
	}
	j.candidates, err = j.right.candidates(ctx, j.full, j.op.IsExcludeNulls())
	j.open, j.found = true, false
	return err
}

// readRight reads the right input, once.
func (j *join) readRight(ctx *sql.Context) error {
	if j.right != nil {
		return nil
	}
	rows, err := j.build(j.full[:j.end])
	if err != nil {
		return err
	}
	j.right, err = readInner(ctx, rows, equalities(ctx, j.node.Filter, j.mid, j.end), j.full, j.end)
	return err
}

// match goes on with the right rows for the left row. It returns no row when
// there are no more.
func (j *join) match(ctx *sql.Context) (sql.Row, error) {
	for {
		if j.steps++; j.steps&0x3ff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at, ok := j.candidates.next()
		if !ok {
			return j.finish(), nil
		}
		copy(j.full[j.end:], j.right.rows[at])
		fits, err := j.fits(ctx)
		switch {
		case err != nil:
			return nil, err
		case fits == nil && j.op.IsExcludeNulls():
			j.open = false
			return nil, nil
		case !sql.IsTrue(fits):
			continue
		}
		j.found = true
		switch {
		case j.op.IsAnti():
			j.open = false
			return nil, nil
		case j.op.IsSemi():
			j.open = false
			return j.result(j.end), nil
		case j.op.IsFullOuter():
			j.right.matched[at] = true
		}
		return j.result(len(j.full)), nil
	}
}

func (j *join) fits(ctx *sql.Context) (any, error) {
	if j.node.Filter == nil || j.op.IsCross() {
		return true, nil
	}
	return sql.EvaluateCondition(ctx, j.node.Filter, j.full)
}

// finish ends a left row: an outer join shows it if nothing matched.
func (j *join) finish() sql.Row {
	j.open = false
	switch {
	case j.op.IsAnti():
		return j.result(j.end)
	case j.found || !j.op.IsLeftOuter() && !j.op.IsFullOuter():
		return nil
	}
	clear(j.full[j.end:])
	return j.result(len(j.full))
}

// nextUnmatched goes through the right rows of a full outer join that matched
// no left row.
func (j *join) nextUnmatched() (sql.Row, error) {
	for ; j.unmatched < len(j.right.rows); j.unmatched++ {
		if !j.right.matched[j.unmatched] {
			copy(j.full[j.end:], j.right.rows[j.unmatched])
			j.unmatched++
			return j.result(len(j.full)), nil
		}
	}
	return nil, io.EOF
}

// result is a row of the join, with the columns of full up to a position.
func (j *join) result(to int) sql.Row {
	row := make(sql.Row, 0, j.outer+to-j.mid)
	return append(append(row, j.full[:j.outer]...), j.full[j.mid:to]...)
}

// Close implements sql.RowIter.
func (j *join) Close(ctx *sql.Context) error {
	if j.right != nil {
		j.right.account.Free()
		j.right = nil
	}
	return j.left.Close(ctx)
}
