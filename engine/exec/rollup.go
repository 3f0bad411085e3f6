package exec

import (
	"bytes"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// RollupFunction stands at the end of a list of GROUP BY that goes on WITH
// ROLLUP.
const RollupFunction = "ddb_rollup"

// A mark is a call of RollupFunction, which has no meaning of its own.
type mark struct{ *expression.Literal }

func newMark(*sql.Context) sql.Expression { return mark{expression.NewLiteral(int8(0), types.Int8)} }

func (mark) String() string { return "WITH ROLLUP" }

// WithChildren implements sql.Expression.
func (m mark) WithChildren(*sql.Context, ...sql.Expression) (sql.Expression, error) { return m, nil }

func rollsUp(g *plan.GroupBy) bool {
	n := len(g.GroupByExprs)
	if n == 0 {
		return false
	}
	_, ok := g.GroupByExprs[n-1].(mark)
	return ok
}

// rollup is GROUP BY WITH ROLLUP: the groups, those that the groups with the
// same first keys are together, and all rows. Each row is read once and goes
// into the groups of all levels. They come in the order of their keys, each
// after those that it sums up.
//
// When the groups are too many for memory, the rows that follow are sorted by
// their keys, which can go to files, and join the groups when their turn comes.
type rollup struct {
	node     *plan.GroupBy
	by       []sql.Expression
	child    sql.RowIter
	encoders []key.Encoder
	byKey    map[string]*group // of all levels: no key begins another of its level
	leaves   []*group          // in memory, and to be given
	out      []*group          // complete, in order
	given    *group            // the last leaf that is complete, and not in out yet
	filled   bool
	grows    bool // an aggregation keeps the values of all rows
	account  *spill.Account

	late     *sorter // of the rows that had no room; nil if all had
	lateKept rowList
	lateRows rowSource
	next     *lateRow // of lateRows; nil at their end
}

// A group has the first keys of its rows, as many as its level says, in common.
type group struct {
	key     []byte
	level   int
	above   *group
	buffers buffers
}

func newRollup(ctx *sql.Context, n *plan.GroupBy, child sql.RowIter) (sql.RowIter, error) {
	it := &rollup{node: n, by: n.GroupByExprs[:len(n.GroupByExprs)-1], child: child, byKey: map[string]*group{}, account: memoryOf(ctx).Account()}
	for _, e := range it.by {
		it.encoders = append(it.encoders, key.For(e.Type(ctx)))
	}
	it.grows = anyKeepsRows(ctx, n.SelectDeps)
	return it, nil
}

// Next implements sql.RowIter.
func (it *rollup) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	for len(it.out) == 0 {
		if err := it.advance(ctx); err != nil {
			return nil, err
		}
	}
	g := it.out[0]
	it.out = it.out[1:]
	return it.row(ctx, g)
}

func (it *rollup) fill(ctx *sql.Context) error {
	// without rows there is the row for all of them still, as in MySQL 8
	if _, err := it.group(ctx, nil, nil); err != nil {
		return err
	}
	var k []byte
	ends := make([]int, len(it.by))
	for n := 0; ; n++ {
		if n&cancelMask == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := it.child.Next(ctx)
		if err == io.EOF {
			return it.arrange()
		}
		if err != nil {
			return err
		}
		if k, err = it.keyOf(ctx, k[:0], ends, row); err != nil {
			return err
		}
		if it.late != nil {
			it.lateKept.rows = append(it.lateKept.rows, row)
			err = it.late.add(k, nil, spill.SizeOf(row))
		} else {
			err = it.take(ctx, k, ends, row)
		}
		if err != nil {
			return err
		}
	}
}

// keyOf writes the keys of a row, and where each ends.
func (it *rollup) keyOf(ctx *sql.Context, k []byte, ends []int, row sql.Row) ([]byte, error) {
	for i, e := range it.by {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if k, err = it.append(ctx, k, i, v); err != nil {
			return nil, err
		}
		ends[i] = len(k)
	}
	return k, nil
}

// take takes a row into its groups. When there is no room for more groups, the
// rows that follow have to wait.
func (it *rollup) take(ctx *sql.Context, k []byte, ends []int, row sql.Row) error {
	before := len(it.byKey)
	g, err := it.group(ctx, k, ends)
	if err != nil {
		return err
	}
	if n := len(it.byKey) - before; n > 0 {
		it.leaves = append(it.leaves, g)
		if !it.account.Grow(int64(n) * int64(len(k)+96+160*len(g.buffers))) {
			it.late = newSorter(ctx, nil, 0, memoryOf(ctx))
			it.late.row, it.late.forget = it.lateKept.row, it.lateKept.forget
		}
	}
	return it.update(ctx, g, row)
}

// update takes a row into a group and those above.
func (it *rollup) update(ctx *sql.Context, g *group, row sql.Row) error {
	taken := int64(0)
	if it.grows {
		taken = spill.SizeOf(row) + 64*int64(g.level)
	}
	for ; g != nil; g = g.above {
		more, err := g.buffers.update(ctx, row)
		if err != nil {
			return err
		}
		taken += more
	}
	if taken > 0 && !it.account.Grow(taken) && it.account.Beyond() {
		return it.account.Full(keepingValues)
	}
	return nil
}

// append writes a key, where it can be with its order.
func (it *rollup) append(ctx *sql.Context, k []byte, i int, v any) ([]byte, error) {
	if o := key.NewOrder(it.by[i].Type(ctx), false); o.Bytes() {
		return o.AppendValue(ctx, k, v)
	}
	b := bytes.NewBuffer(k)
	err := it.encoders[i].Append(ctx, b, v)
	return b.Bytes(), err
}

// group returns the group of keys, of which ends says where each ends.
func (it *rollup) group(ctx *sql.Context, k []byte, ends []int) (*group, error) {
	if g := it.byKey[string(k)]; g != nil {
		return g, nil
	}
	g := &group{key: slices.Clone(k), level: len(ends)}
	if g.level > 0 {
		last, end := g.level-1, 0
		if last > 0 {
			end = ends[last-1]
		}
		var err error
		if g.above, err = it.group(ctx, k[:end], ends[:last]); err != nil {
			return nil, err
		}
	}
	var err error
	if g.buffers, err = newBuffers(ctx, it.node.SelectDeps); err != nil {
		return nil, err
	}
	it.byKey[string(k)] = g
	return g, nil
}

// row is the row of a group: keys that it sums up are NULL.
func (it *rollup) row(ctx *sql.Context, g *group) (sql.Row, error) {
	row := make(sql.Row, len(g.buffers))
	for i, b := range g.buffers {
		e := it.node.SelectDeps[i]
		if exact.IsGroupLevel(e) {
			row[i] = int64(g.level)
			continue
		}
		if place, ok := exact.GroupKey(e); ok && place >= g.level {
			continue
		}
		v, err := b.Eval(ctx)
		if err != nil {
			return nil, err
		}
		row[i] = v
	}
	g.buffers.dispose(ctx)
	return row, nil
}

// Close implements sql.RowIter.
func (it *rollup) Close(ctx *sql.Context) error {
	for _, g := range it.byKey {
		g.buffers.dispose(ctx)
	}
	for _, g := range it.out {
		g.buffers.dispose(ctx)
	}
	it.account.Free()
	if it.late != nil {
		it.late.close()
	}
	it.byKey, it.leaves, it.out, it.given, it.next, it.lateKept.rows, it.filled = nil, nil, nil, nil, nil, nil, true
	return it.child.Close(ctx)
}
