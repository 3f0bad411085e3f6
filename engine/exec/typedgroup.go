package exec

import (
	"io"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/vector"
)

// typedGroups is GROUP BY, or aggregation without keys, over a pipeline: each
// worker groups the items that it gets, and the groups are put together at the
// end.
type typedGroups struct {
	pipeline *pipeline
	keys     []sql.Expression
	columns  []sql.Expression

	groups *vector.Groups
	next   int
}

// typedGroupBy returns the operator of a GROUP BY, or nil where rows have to be
// made for the library's expressions.
func typedGroupBy(ctx *sql.Context, n *plan.GroupBy) *typedGroups {
	p, ok := pipelineOf(ctx, n.Child)
	if !ok {
		return nil
	}
	g := &typedGroups{pipeline: p}
	for _, e := range n.GroupByExprs {
		below, ok := p.below(ctx, e)
		if !ok {
			return nil
		}
		g.keys = append(g.keys, below)
	}
	for _, e := range n.SelectDeps {
		below, ok := p.below(ctx, e)
		if !ok || !vector.Aggregates(ctx, below) {
			return nil
		}
		g.columns = append(g.columns, below)
	}
	return g
}

// Next implements sql.RowIter.
func (it *typedGroups) Next(ctx *sql.Context) (sql.Row, error) {
	if it.groups == nil {
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	if it.next == it.groups.Len() {
		return nil, io.EOF
	}
	it.next++
	return it.groups.Row(it.next - 1)
}

func (it *typedGroups) fill(ctx *sql.Context) error {
	var (
		mu    sync.Mutex
		parts []*vector.Groups
	)
	err := it.pipeline.run(ctx, func(w *worker) func(*vector.Chunk) error {
		g := vector.NewGroups(w.program, it.keys, it.columns)
		mu.Lock()
		defer mu.Unlock()
		parts = append(parts, g)
		return g.Add
	})
	if err != nil {
		return err
	}
	for _, part := range parts[1:] {
		if err := parts[0].Merge(part); err != nil {
			return err
		}
	}
	it.groups = parts[0]
	return nil
}

// Close implements sql.RowIter.
func (it *typedGroups) Close(*sql.Context) error {
	it.groups = nil
	return nil
}
