package exec

import (
	"bytes"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/key"
)

// groups is GROUP BY with keys. Unlike the library's it compares keys and not
// only their hashes, tells NULL from the text '<nil>' and 1.50 from nothing
// but 1.5's equal, and ends when an expression fails or the statement is
// cancelled.
type groups struct {
	node   *plan.GroupBy
	child  sql.RowIter
	keys   []key.Encoder
	byKey  map[string]int
	groups []buffers
	next   int
	filled bool
}

type buffers []sql.AggregationBuffer

func newGroups(ctx *sql.Context, g *plan.GroupBy, child sql.RowIter) (*groups, error) {
	it := &groups{node: g, child: child, byKey: map[string]int{}}
	for _, e := range g.GroupByExprs {
		it.keys = append(it.keys, key.For(e.Type(ctx)))
	}
	return it, nil
}

// Next implements sql.RowIter. Groups come in the order of their first rows.
func (it *groups) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	if it.next == len(it.groups) {
		return nil, io.EOF
	}
	g := it.groups[it.next]
	it.next++
	return g.row(ctx)
}

func (it *groups) fill(ctx *sql.Context) error {
	var k bytes.Buffer
	for n := 0; ; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := it.child.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		k.Reset()
		if err := it.encode(ctx, &k, row); err != nil {
			return err
		}
		g, err := it.group(ctx, k.Bytes())
		if err != nil {
			return err
		}
		for _, b := range g {
			if err := b.Update(ctx, row); err != nil {
				return err
			}
		}
	}
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

func (it *groups) group(ctx *sql.Context, k []byte) (buffers, error) {
	if i, ok := it.byKey[string(k)]; ok {
		return it.groups[i], nil
	}
	g := make(buffers, len(it.node.SelectDeps))
	for i, e := range it.node.SelectDeps {
		aggregate, ok := e.(sql.Aggregation)
		if !ok {
			aggregate = aggregation.NewFirst(e)
		}
		b, err := aggregate.NewBuffer(ctx)
		if err != nil {
			return nil, err
		}
		g[i] = b
	}
	it.byKey[string(k)] = len(it.groups)
	it.groups = append(it.groups, g)
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

// Close implements sql.RowIter.
func (it *groups) Close(ctx *sql.Context) error {
	for _, g := range it.groups {
		for _, b := range g {
			b.Dispose(ctx)
		}
	}
	it.groups = nil
	return it.child.Close(ctx)
}
