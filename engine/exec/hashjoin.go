package exec

import (
	"bytes"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/spill"
)

// hashJoin is an inner, left, semi or anti join by equality. The rows of the
// right side are kept by their keys; where they do not fit into memory both
// sides are spread over files by their keys, which are then joined pair by pair.
type hashJoin struct {
	node      *plan.JoinNode
	rightNode sql.Node
	leftKey   joinKey
	rightKey  joinKey
	condition sql.Expression // nil if equal keys are all that it asks for
	rightLen  int

	library sql.NodeExecBuilder
	left    input
	right   *rightRows
	memory  *spill.Memory
	waiting []pairOfParts
	loose   *spill.File     // left rows with a NULL in their key, once there are files
	steps   connector.Steps // the left rows, if they come in steps

	row    sql.Row // the left row
	at     int32   // 1 + the next right row with its key; 0 for none
	found  bool    // the left row has had a match
	opened bool    // the right side has been read
}

// A pairOfParts has the rows of both sides with keys of one partition.
type pairOfParts struct {
	left, right *spill.File
	level       int
}

// hashJoinOf returns the operator of a join, or nil where another runs it: one
// inside of an enclosing query or join, NOT IN with its NULLs, <=>, and joins
// without an equality.
func hashJoinOf(ctx *sql.Context, n *plan.JoinNode, row sql.Row) *hashJoin {
	if len(row) > 0 || n.ScopeLen > 0 || n.Filter == nil || matchesNull(ctx, n.Filter) {
		return nil
	}
	j := &hashJoin{node: n, condition: n.Filter, rightLen: len(n.Right().Schema(ctx))}
	leftLen := len(n.Left().Schema(ctx))
	switch n.Op {
	case plan.JoinTypeHash, plan.JoinTypeLeftOuterHash, plan.JoinTypeSemiHash, plan.JoinTypeAntiHashIncludeNulls:
		lookup, ok := n.Right().(*plan.HashLookup)
		if !ok || !j.keysOf(ctx, lookup) {
			return nil
		}
		j.rightNode = withoutCache(lookup)
	case plan.JoinTypeInner, plan.JoinTypeLeftOuter, plan.JoinTypeSemi, plan.JoinTypeAntiIncludeNulls:
		keys := equalities(ctx, n.Filter, 0, leftLen)
		if keys.Empty() || !connector.Independent(n.Right()) {
			return nil
		}
		j.rightNode = withoutCache(n.Right())
		j.leftKey, j.rightKey = joinKey{terms: keys.Left, as: keys.As}, joinKey{terms: keys.Right, as: keys.As}
		j.rightKey.full = make(sql.Row, leftLen+j.rightLen)
	default:
		return nil
	}
	if j.keysDecide(ctx, leftLen) {
		j.condition = nil
	}
	return j
}

func matchesNull(ctx *sql.Context, e sql.Expression) bool {
	found := false
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		_, is := e.(*expression.NullSafeEquals)
		found = found || is
		return !found
	})
	return found
}

func (j *hashJoin) open(ctx *sql.Context, library sql.NodeExecBuilder) (sql.RowIter, error) {
	left, err := library.Build(ctx, j.node.Left(), nil)
	if err != nil {
		return nil, err
	}
	j.library, j.left, j.memory = library, input{from: left, key: &j.leftKey}, memoryOf(ctx)
	if steps, ok := left.(connector.Steps); ok {
		steps.BeginSteps()
		j.steps = steps
	}
	return j, nil
}

// Next implements sql.RowIter.
func (j *hashJoin) Next(ctx *sql.Context) (sql.Row, error) {
	for n := 1; ; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if j.at == 0 {
			row, done, err := j.nextLeft(ctx)
			if err != nil || done {
				return row, err
			}
			continue
		}
		right := j.right.rows[j.at-1]
		j.at = j.right.next[j.at-1]
		matches, full, err := j.matches(ctx, right)
		if err != nil {
			return nil, err
		}
		if matches {
			j.found = true
			switch {
			case j.node.Op.IsSemi():
				j.at = 0
				return j.takeLeft(), nil
			case j.node.Op.IsAnti():
				j.at, j.row = 0, nil
				continue
			}
			if j.at == 0 {
				j.row = nil
			}
			return full, nil
		}
		if j.at == 0 && !j.found {
			if row := j.unmatched(); row != nil {
				return row, nil
			}
		}
	}
}

// nextLeft goes on to the next left row. It returns a row that is to be given at
// once, and done.
func (j *hashJoin) nextLeft(ctx *sql.Context) (out sql.Row, done bool, err error) {
	r, err := j.left.next(ctx)
	if err == io.EOF {
		more, err := j.nextParts(ctx)
		if err == nil && !more {
			more, err = j.nextStep(ctx)
		}
		if err != nil || !more {
			return nil, true, errOr(err, io.EOF)
		}
		return nil, false, nil
	}
	if err != nil {
		return nil, true, err
	}
	if !j.opened { // the right side may be read by keys of the left one, so not before
		j.opened = true
		r.key = bytes.Clone(r.key)
		j.left.back = &r
		spread, err := j.readRight(ctx, r.row)
		if err == nil && spread != nil {
			err = j.spreadLeft(ctx, spread)
		} else if err == nil && j.steps == nil && len(j.right.rows) == 0 && j.needsMatch() {
			err = io.EOF
		}
		return nil, err != nil, err
	}
	j.row, j.found, j.at = r.row, false, 0
	if !r.null {
		j.at = j.right.find(r.key)
	}
	if j.at == 0 {
		out = j.unmatched()
	}
	return out, out != nil, nil
}

// matches reports whether the condition is true for the left row and a right
// one, and makes their joined row.
func (j *hashJoin) matches(ctx *sql.Context, right sql.Row) (bool, sql.Row, error) {
	full := make(sql.Row, len(j.row)+j.rightLen)
	copy(full, j.row)
	copy(full[len(j.row):], right[len(right)-j.rightLen:])
	if j.condition == nil {
		return true, full, nil
	}
	ok, err := sql.EvaluateCondition(ctx, j.condition, full)
	return sql.IsTrue(ok), full, err
}

func (j *hashJoin) takeLeft() sql.Row {
	row := j.row
	j.row = nil
	return row
}

// unmatched is what the join gives for a left row without a match, or nil.
func (j *hashJoin) unmatched() sql.Row {
	row := j.takeLeft()
	switch {
	case row == nil || j.node.Op.IsAnti():
		return row
	case j.node.Op.IsLeftOuter():
		return append(append(make(sql.Row, 0, len(row)+j.rightLen), row...), make(sql.Row, j.rightLen)...)
	}
	return nil
}

// readRight keeps the rows of the right side, or has them in files, as gather
// does. The expressions of a join in there count their columns from a left row on.
func (j *hashJoin) readRight(ctx *sql.Context, left sql.Row) (*partitions, error) {
	right, err := j.library.Build(ctx, j.rightNode, left)
	if err != nil {
		return nil, err
	}
	spread, err := j.gather(ctx, 0, &input{from: right, key: &j.rightKey})
	if err != nil {
		_ = right.Close(ctx) // the first error counts
		return nil, err
	}
	if err := right.Close(ctx); err != nil {
		spread.close()
		return nil, err
	}
	return spread, nil
}

// gather keeps the rows of the right side by their keys. Once there is no room
// it spreads all of them over files, which it returns; the left side has to be
// spread like them.
func (j *hashJoin) gather(ctx *sql.Context, level int, right *input) (*partitions, error) {
	j.freeRight()
	j.right = &rightRows{account: j.memory.Account()}
	var spread *partitions
	for n := 1; ; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			spread.close()
			return nil, ctx.Err()
		}
		r, err := right.next(ctx)
		if err == io.EOF {
			return spread, nil
		}
		switch {
		case err != nil || r.null:
		case spread != nil:
			err = spread.write(r.key, r.row)
		case j.right.add(r.key, r.row):
		case level < mostLevels && j.right.keys.Len() > 1:
			spread = &partitions{memory: j.memory, level: level}
			err = j.spill(spread)
		case j.right.account.Beyond():
			err = j.right.account.Full("a join whose right side has so many rows with the same key")
		}
		if err != nil {
			spread.close()
			return nil, err
		}
	}
}

// needsMatch reports whether left rows without a match give nothing.
func (j *hashJoin) needsMatch() bool { return !j.node.Op.IsLeftOuter() && !j.node.Op.IsAnti() }

// drop frees all that the join holds.
func (j *hashJoin) drop() {
	j.freeRight()
	j.left.close()
	for _, p := range j.waiting {
		_ = p.left.Close()
		_ = p.right.Close()
	}
	_ = j.loose.Close()
	j.waiting, j.loose, j.row = nil, nil, nil
}

// Close implements sql.RowIter.
func (j *hashJoin) Close(ctx *sql.Context) error {
	j.drop()
	return j.left.from.Close(ctx)
}
