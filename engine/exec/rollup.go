package exec

import (
	"bytes"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/key"
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
type rollup struct {
	node     *plan.GroupBy
	by       []sql.Expression
	child    sql.RowIter
	encoders []key.Encoder
	byKey    map[string]*group // of all levels: no key begins another of its level
	leaves   []*group
	out      []*group
	filled   bool
}

// A group has the first keys of its rows, as many as its level says, in common.
type group struct {
	key     []byte
	level   int
	above   *group
	buffers []sql.AggregationBuffer
}

func newRollup(ctx *sql.Context, n *plan.GroupBy, child sql.RowIter) (sql.RowIter, error) {
	it := &rollup{node: n, by: n.GroupByExprs[:len(n.GroupByExprs)-1], child: child, byKey: map[string]*group{}}
	for _, e := range it.by {
		it.encoders = append(it.encoders, key.For(e.Type(ctx)))
	}
	return it, nil
}

// Next implements sql.RowIter.
func (it *rollup) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
		it.arrange()
	}
	if len(it.out) == 0 {
		return nil, io.EOF
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
			return nil
		}
		if err != nil {
			return err
		}
		k = k[:0]
		for i, e := range it.by {
			v, err := e.Eval(ctx, row)
			if err != nil {
				return err
			}
			if k, err = it.append(ctx, k, i, v); err != nil {
				return err
			}
			ends[i] = len(k)
		}
		g, err := it.group(ctx, k, ends)
		if err != nil {
			return err
		}
		for ; g != nil; g = g.above {
			for _, b := range g.buffers {
				if err := b.Update(ctx, row); err != nil {
					return err
				}
			}
		}
	}
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
	for _, e := range it.node.SelectDeps {
		aggregate, ok := e.(sql.Aggregation)
		if !ok {
			aggregate = aggregation.NewFirst(e)
		}
		b, err := aggregate.NewBuffer(ctx)
		if err != nil {
			return nil, err
		}
		g.buffers = append(g.buffers, b)
	}
	it.byKey[string(k)] = g
	if g.level == len(it.by) {
		it.leaves = append(it.leaves, g)
	}
	return g, nil
}

// arrange puts all groups in the order in which they come out.
func (it *rollup) arrange() {
	slices.SortFunc(it.leaves, func(a, b *group) int { return bytes.Compare(a.key, b.key) })
	for i, g := range it.leaves {
		it.out = append(it.out, g)
		for up := g.above; up != nil; up = up.above {
			if i+1 < len(it.leaves) && it.leaves[i+1].within(up) {
				break
			}
			it.out = append(it.out, up)
		}
	}
	if len(it.leaves) == 0 {
		it.out = append(it.out, it.byKey[""])
	}
}

func (g *group) within(other *group) bool {
	for ; g != nil; g = g.above {
		if g == other {
			return true
		}
	}
	return false
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
	return row, nil
}

// Close implements sql.RowIter.
func (it *rollup) Close(ctx *sql.Context) error {
	for _, g := range it.byKey {
		for _, b := range g.buffers {
			b.Dispose(ctx)
		}
	}
	it.byKey, it.leaves, it.out, it.filled = nil, nil, nil, true
	return it.child.Close(ctx)
}
