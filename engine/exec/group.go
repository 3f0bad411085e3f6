package exec

import (
	"bytes"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// groups is GROUP BY with keys. Unlike the library's it compares keys and not
// only their hashes, tells NULL from the text '<nil>' and 1.50 from nothing
// but 1.5's equal, and ends when an expression fails or the statement is
// cancelled.
type groups struct {
	overflow
	node   *plan.GroupBy
	child  sql.RowIter
	keys   []key.Encoder
	byKey  key.Table
	groups []buffers
	grows  bool // an aggregation keeps the values of all rows
	grow   bool // groups take more memory after their first row
	next   int
	filled bool
}

type buffers []sql.AggregationBuffer

func newGroups(ctx *sql.Context, g *plan.GroupBy, child sql.RowIter) (*groups, error) {
	it := &groups{node: g, child: child}
	for _, e := range g.GroupByExprs {
		it.keys = append(it.keys, key.For(e.Type(ctx)))
	}
	it.grows, it.grow = anyKeepsRows(ctx, g.SelectDeps), anyGrows(ctx, g.SelectDeps)
	it.overflow = newOverflow(ctx, &groupKeys{of: it})
	return it, nil
}

// anyGrows reports whether an aggregation takes memory that is accounted for.
func anyGrows(ctx *sql.Context, list []sql.Expression) bool {
	return anyKeepsRows(ctx, list) || slices.ContainsFunc(list, exact.Grows)
}

func anyKeepsRows(ctx *sql.Context, list []sql.Expression) bool {
	return slices.ContainsFunc(list, func(e sql.Expression) bool { return keepsRows(ctx, e) })
}

// keepsRows reports whether an aggregation takes memory for every row.
func keepsRows(ctx *sql.Context, e sql.Expression) bool {
	switch a := e.(type) {
	case *aggregation.AnyValue, *aggregation.First, *aggregation.Last, *exact.CountDistinct:
		return false
	case sql.Aggregation:
		if _, isKey := exact.GroupKey(e); isKey || exact.IsGroupLevel(e) {
			return false
		}
		_, _, folds := exact.FoldOf(ctx, a)
		return !folds
	}
	return false
}

// groupKeys are the rows to be grouped, with the keys of their groups.
type groupKeys struct {
	of      *groups
	last    sql.Row
	scratch bytes.Buffer
	read    int
}

func (g *groupKeys) next(ctx *sql.Context) (k []byte, err error) {
	if g.read++; g.read&0x3ff == 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if g.last, err = g.of.child.Next(ctx); err != nil {
		return nil, err
	}
	g.scratch.Reset()
	err = g.of.encode(ctx, &g.scratch, g.last)
	return g.scratch.Bytes(), err
}

func (g *groupKeys) row(*sql.Context) (sql.Row, error) { return g.last, nil }

// Next implements sql.RowIter. Groups come in the order of their first rows.
func (it *groups) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if len(it.node.GroupByExprs) == 0 { // there is one group, of no rows too
			if _, err := it.group(ctx, nil); err != nil {
				return nil, err
			}
		}
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	for it.next == len(it.groups) {
		it.forget(ctx)
		if more, err := it.again(); err != nil || !more {
			return nil, errOr(err, io.EOF)
		}
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	g := it.groups[it.next]
	it.next++
	return g.row(ctx)
}

// took counts memory. Groups that grow get half of it when there can be no more
// of them.
func (it *groups) took(bytes int64) {
	it.overflow.took(bytes)
	it.full = it.full || it.grow && !it.memory.HalfFree()
}

// fill takes in all rows of the input.
func (it *groups) fill(ctx *sql.Context) error {
	for {
		k, err := it.input.next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		row, err := it.input.row(ctx)
		if err != nil {
			return err
		}
		g, err := it.group(ctx, k)
		if err != nil {
			return err
		}
		if g == nil {
			if err := it.wait("GROUP BY", k, row); err != nil {
				return err
			}
			continue
		}
		taken, err := g.update(ctx, row)
		if err != nil {
			return err
		}
		if it.grows {
			taken += spill.SizeOf(row)
		}
		if taken > 0 {
			it.took(taken)
			if it.account.Beyond() {
				return it.account.Full(keepingValues)
			}
		}
	}
}

// keepingValues is what ends with an error when it finds no room.
const keepingValues = "an aggregation that keeps the values of all rows, or the distinct ones,"

// update takes a row in, and returns the memory that distinct values took.
func (g buffers) update(ctx *sql.Context, row sql.Row) (taken int64, err error) {
	for _, b := range g {
		if err := b.Update(ctx, row); err != nil {
			return 0, err
		}
		if grower, ok := b.(exact.Grower); ok {
			taken += grower.Grown()
		}
	}
	return taken, nil
}

func (it *groups) encode(ctx *sql.Context, k *bytes.Buffer, row sql.Row) error {
	for i, e := range it.node.GroupByExprs {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return err
		}
		if err := it.keys[i].Append(ctx, k, v); err != nil {
			return err
		}
	}
	return nil
}

// group finds the group of a key, or makes it; nil means that the row has to
// wait.
func (it *groups) group(ctx *sql.Context, k []byte) (buffers, error) {
	if i, ok := it.byKey.Find(k); ok {
		return it.groups[i], nil
	}
	if it.full {
		return nil, nil
	}
	g, err := newBuffers(ctx, it.node.SelectDeps)
	if err != nil {
		return nil, err
	}
	it.byKey.Number(k)
	it.groups = append(it.groups, g)
	it.took(int64(len(k) + 48 + 160*len(g)))
	return g, nil
}

// newBuffers are those of a group: an expression that is no aggregation has the
// value of the group's first row.
func newBuffers(ctx *sql.Context, list []sql.Expression) (buffers, error) {
	g := make(buffers, len(list))
	for i, e := range list {
		aggregate, ok := e.(sql.Aggregation)
		if !ok {
			aggregate = aggregation.NewFirst(e)
		}
		var err error
		if g[i], err = aggregate.NewBuffer(ctx); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g buffers) row(ctx *sql.Context) (sql.Row, error) {
	row := make(sql.Row, len(g))
	for i, b := range g {
		v, err := b.Eval(ctx)
		if err != nil {
			return nil, err
		}
		row[i] = v
	}
	return row, nil
}

func (g buffers) dispose(ctx *sql.Context) {
	for _, b := range g {
		b.Dispose(ctx)
	}
}

// forget drops the groups.
func (it *groups) forget(ctx *sql.Context) {
	for _, g := range it.groups {
		g.dispose(ctx)
	}
	it.groups, it.byKey, it.next = nil, key.Table{}, 0
}

// Close implements sql.RowIter.
func (it *groups) Close(ctx *sql.Context) error {
	it.forget(ctx)
	it.close()
	return it.child.Close(ctx)
}
