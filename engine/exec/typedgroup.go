package exec

import (
	"io"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/spill"
	"github.com/dynasql/dynasql/engine/vector"
)

// typedGroups is GROUP BY, or aggregation without keys, over a pipeline: each
// worker groups the items that it gets, and the groups are put together at the
// end. Once memory is full, items go to files by their keys, and each file is
// put together with the groups that it belongs to.
type typedGroups struct {
	node     *plan.GroupBy
	library  sql.NodeExecBuilder
	pipeline *pipeline
	keys     []sql.Expression
	columns  []sql.Expression

	memory   *spill.Memory
	full     atomic.Bool
	run      *running
	byRow    sql.RowIter // in place of all that follows, if a join goes on row by row
	program  *vector.Program
	parts    []*groupPart // one of each worker; the first has the groups of all at the end
	files    int          // the next to be put together
	groups   *vector.Groups
	account  *spill.Account
	next     int
	gathered bool
}

// A groupPart is what one worker has gathered.
type groupPart struct {
	groups  *vector.Groups
	account *spill.Account
	spread  *partitions
}

// typedGroupBy returns the operator of a GROUP BY, or nil where rows have to be
// made for the library's expressions.
func typedGroupBy(ctx *sql.Context, library sql.NodeExecBuilder, n *plan.GroupBy) *typedGroups {
	p, ok := pipelineOf(ctx, n.Child)
	if !ok {
		return nil
	}
	g := &typedGroups{node: n, library: library, pipeline: p}
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
	if !it.gathered {
		it.gathered = true
		if err := it.gather(ctx); err != nil {
			return nil, err
		}
	}
	if it.byRow != nil {
		return it.byRow.Next(ctx)
	}
	for it.next == it.groups.Len() {
		if more, err := it.nextFiles(ctx); err != nil || !more {
			return nil, errOr(err, io.EOF)
		}
	}
	it.next++
	return it.groups.Row(it.next - 1)
}

// gather reads all items.
func (it *typedGroups) gather(ctx *sql.Context) (err error) {
	it.memory = memoryOf(ctx)
	if it.run, it.byRow, err = it.pipeline.begin(ctx, it.library, it.node); err != nil || it.byRow != nil {
		return err
	}
	err = it.run.inParallel(func(w *worker) func(*vector.Chunk) error {
		part := &groupPart{groups: vector.NewGroups(w.program, it.keys, it.columns), account: it.memory.Account()}
		it.parts, it.program = append(it.parts, part), w.program
		return func(c *vector.Chunk) error { return it.take(part, c) }
	})
	if err != nil {
		return err
	}
	first := it.parts[0]
	for _, part := range it.parts[1:] {
		if err := first.groups.Merge(part.groups, func(uint64) bool { return true }); err != nil {
			return err
		}
		part.groups = nil
		part.account.Free()
	}
	first.account.Set(first.groups.Bytes())
	it.groups = first.groups
	if it.full.Load() {
		it.groups = vector.NewGroups(it.program, it.keys, nil) // those of the first files come instead
	}
	return nil
}

// take groups the items of a chunk, or puts them into files.
func (it *typedGroups) take(p *groupPart, c *vector.Chunk) error {
	if it.full.Load() {
		return it.spread(p, c)
	}
	if err := p.groups.Add(c); err != nil {
		return err
	}
	held := p.groups.Bytes()
	if !p.account.Check(held) {
		return nil
	}
	within := p.account.Set(held)
	switch {
	case p.groups.Keyed() && !(within && it.memory.HalfFree()): // the other half is for the groups of one file
		it.full.Store(true)
	case !p.groups.Keyed() && p.account.Beyond():
		return p.account.Full("an aggregation")
	}
	return nil
}

func (it *typedGroups) spread(p *groupPart, c *vector.Chunk) error {
	if p.spread == nil {
		p.spread = &partitions{memory: it.memory}
	}
	return p.groups.Hashes(c, func(i int, hash uint64) error {
		row := sql.Row{c.Batch.Span(c.Batch.Item(int(c.Rows[i])))}
		for _, right := range c.Rights {
			row = append(row, right[i])
		}
		return p.spread.writeTo(partOf(hash, 0), nil, row)
	})
}

// nextFiles makes the groups of the next files of all workers those that are
// given. It reports false when there are none.
func (it *typedGroups) nextFiles(ctx *sql.Context) (bool, error) {
	if !it.full.Load() || it.files == fanout {
		return false, nil
	}
	at := it.files
	it.files++
	it.groups, it.next = vector.NewGroups(it.program, it.keys, it.columns), 0
	err := it.groups.Merge(it.parts[0].groups, func(hash uint64) bool { return partOf(hash, 0) == at })
	if err != nil {
		return false, err
	}
	if it.account == nil {
		it.account = it.memory.Account()
	}
	it.account.Free()
	for _, p := range it.parts {
		if p.spread == nil || p.spread.files[at] == nil {
			continue
		}
		if err := it.addFile(ctx, p.spread.files[at]); err != nil {
			return false, err
		}
	}
	return true, nil
}

// addFile groups the items of a file.
func (it *typedGroups) addFile(ctx *sql.Context, f *spill.File) error {
	from, err := f.Read()
	if err != nil {
		return err
	}
	rows := fileRows{from: from}
	batch, chunk := it.run.batches.NewBatch(), vector.Chunk{}
	rights := make([][]int32, len(it.run.sides))
	for {
		var texts [][]byte
		for i := range rights {
			rights[i] = rights[i][:0]
		}
		for len(texts) < vector.MaxRows && err == nil {
			if _, err = rows.next(ctx); err == nil {
				texts = append(texts, rows.last[0].([]byte))
				for i, row := range rows.last[1:] {
					rights[i] = append(rights[i], row.(int32))
				}
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		if len(texts) > 0 {
			if err := it.run.batches.Again(texts, batch); err != nil {
				return err
			}
			chunk.Rights = nil
			chunk.Set(batch, 0, len(texts))
			chunk.Rights = rights
			if err := it.groups.Add(&chunk); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return f.Close()
		}
		if it.account.Set(it.groups.Bytes()); it.account.Beyond() {
			return it.account.Full("GROUP BY")
		}
	}
}

// Close implements sql.RowIter.
func (it *typedGroups) Close(ctx *sql.Context) error {
	for _, p := range it.parts {
		p.account.Free()
		p.spread.close()
	}
	if it.account != nil {
		it.account.Free()
	}
	it.parts, it.groups = nil, nil
	return closeRun(ctx, it.run, it.byRow)
}
