package exec

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// recursionDepth is MySQL's variable of how many rounds a recursive WITH may take.
const recursionDepth = "cte_max_recursion_depth"

// A recursion is WITH RECURSIVE: the rows of its first part, then round by round
// those that its second part makes of the rows of the round before. The library
// tells the rows of UNION apart by a hash alone, counts no memory, and has a
// bound of its own on the rounds.
type recursion struct {
	node    *plan.RecursiveCte
	library sql.NodeExecBuilder
	outer   sql.Row
	from    sql.RowIter // of this round
	types   []sql.Type
	seen    key.Table // with UNION
	scratch bytes.Buffer
	fresh   []sql.Row // of this round, for the next
	rounds  int64
	most    int64

	account *spill.Account
	keys    int64 // bytes of seen
	freshly int64 // of fresh
	steps   int
}

// recursionRows stands for a recursion without the order and the limit of its
// UNION.
type recursionRows struct{ *plan.RecursiveCte }

// BuildRowIter implements sql.ExecBuilderNode.
func (r recursionRows) BuildRowIter(ctx *sql.Context, b sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	it := &recursion{node: r.RecursiveCte, library: b, outer: row, account: memoryOf(ctx).Account()}
	for _, c := range r.Schema(ctx) {
		it.types = append(it.types, c.Type)
	}
	v, err := ctx.GetSessionVariable(ctx, recursionDepth)
	if err != nil {
		return nil, err
	}
	most, _, err := types.Int64.Convert(ctx, v)
	if err != nil {
		return nil, err
	}
	it.most = most.(int64)
	it.from, err = b.Build(ctx, r.Left(), row)
	return it, err
}

// WithChildren implements sql.Node.
func (r recursionRows) WithChildren(ctx *sql.Context, children ...sql.Node) (sql.Node, error) {
	n, err := r.RecursiveCte.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return recursionRows{n.(*plan.RecursiveCte)}, nil
}

// Next implements sql.RowIter.
func (it *recursion) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		if it.steps++; it.steps&cancelMask == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row, err := it.from.Next(ctx)
		if err == io.EOF {
			if err = it.again(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if row, err = it.typed(ctx, row); err != nil {
			return nil, err
		}
		isNew, err := it.isNew(ctx, row)
		if err != nil {
			return nil, err
		}
		if !isNew {
			continue
		}
		it.fresh = append(it.fresh, row)
		size := spill.SizeOf(row)
		it.freshly += size
		if !it.account.Grow(size) && it.account.Beyond() {
			return nil, it.account.Full(fmt.Sprintf("the recursive table '%s', of which the rows of one round are kept in memory,", it.node.Name()))
		}
		return row, nil
	}
}

// typed gives the values of a row the types that the first part has, as MySQL
// does (8.0 Reference Manual, "WITH (Common Table Expressions)"). Texts may be
// longer than those and decimals have more digits.
func (it *recursion) typed(ctx *sql.Context, row sql.Row) (sql.Row, error) {
	start := len(row) - len(it.types)
	row = slices.Clone(row)
	for i, t := range it.types {
		v := row[start+i]
		if v == nil || types.IsJSON(t) {
			continue
		}
		if t.Equals(types.Null) {
			return nil, &TypelessError{Table: it.node.Name(), Column: it.node.Schema(ctx)[i].Name}
		}
		if _, ok := v.(*apd.Decimal); ok && sql.IsDecimalType(t) {
			continue
		}
		converted, _, err := t.Convert(ctx, v)
		if err != nil {
			return nil, err
		}
		row[start+i] = converted
	}
	return row, nil
}

// A TypelessError reports a column of WITH RECURSIVE that begins with NULL and
// goes on with a value.
type TypelessError struct{ Table, Column string }

func (e *TypelessError) Error() string {
	return fmt.Sprintf("column '%s' of the recursive table '%s' begins with NULL, which has no type, and goes on with a value", e.Column, e.Table)
}

// Hint says what to do.
func (e *TypelessError) Hint() string {
	return "give it a type in the first SELECT: CAST(NULL AS SIGNED), CAST(NULL AS CHAR), CAST(NULL AS DATE)"
}

// isNew reports whether a row counts; with UNION one equal to a row before does
// not.
func (it *recursion) isNew(ctx *sql.Context, row sql.Row) (bool, error) {
	if !it.node.Union().Distinct {
		return true, nil
	}
	it.scratch.Reset()
	for i, v := range row[len(row)-len(it.types):] {
		if err := exact.AppendKey(ctx, &it.scratch, it.types[i], v); err != nil {
			return false, err
		}
	}
	_, isNew := it.seen.Number(it.scratch.Bytes())
	if isNew {
		size := int64(it.scratch.Len() + 48)
		it.keys += size
		it.account.Grow(size)
	}
	return isNew, nil
}

// again begins the next round, or ends the rows.
func (it *recursion) again(ctx *sql.Context) error {
	if len(it.fresh) == 0 {
		return io.EOF
	}
	if it.rounds++; it.rounds > it.most {
		return sql.ErrCteRecursionLimitExceeded.Wrap(fmt.Errorf("the recursive table '%s' was given up after %d rounds, the value of %s", it.node.Name(), it.most, recursionDepth))
	}
	if err := it.from.Close(ctx); err != nil {
		return err
	}
	it.node.Working.Buf = it.fresh
	it.account.Set(it.keys + it.freshly)
	it.fresh, it.freshly = nil, 0
	var err error
	it.from, err = it.library.Build(ctx, it.node.Right(), it.outer)
	return err
}

// Close implements sql.RowIter.
func (it *recursion) Close(ctx *sql.Context) error {
	it.account.Free()
	it.node.Working.Buf, it.fresh, it.seen = nil, nil, key.Table{}
	if it.from == nil {
		return nil
	}
	return it.from.Close(ctx)
}
