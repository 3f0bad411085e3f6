package exec

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/engine/spill"
	"github.com/dynasql/dynasql/engine/vector"
)

// typedSorted sorts the items of a pipeline by typed keys. With a LIMIT it makes
// rows only of items that may be among the first; without one it copies what is
// wanted of the items and makes each row when its turn comes.
type typedSorted struct {
	ordering
	library  sql.NodeExecBuilder
	pipeline *pipeline
	terms    []sql.Expression // in terms of the pipeline's columns
	columns  []sql.Expression // of the rows, in terms of the pipeline's; nil for those of the read
	above    []sql.Expression // the same in terms of the rows that are sorted, or nil
	schema   sql.Schema       // of the rows
	// partitions is how many of the first terms are of PARTITION BY, and ranked says that
	// behind each row of texts stands how many bytes of its key are of them.
	partitions int
	ranked     bool
	key        []byte // of the last row of texts, where these stand behind the keys

	run     *running
	byRow   sql.RowIter // in place of all that follows, if a join goes on row by row
	worker  *worker
	output  *output
	sorter  *sorter
	wanted  []int32       // with a LIMIT, of a chunk's rows
	limited bool          // more rows than most may be dropped above
	packed  []byte        // of the last row, if rows are written at once
	kept    rowList       // with a LIMIT
	pages   []*page.Batch // copies, without
	items   []item
	rights  []int32 // of each item the rows of the right sides of joins
	one     vector.Chunk
	touched byte // what ahead read last, so that its reading is not left out
	out     rowSource
	limit   limited
}

// An item is a place in the pages.
type item struct{ page, row uint32 }

// typedSort returns nil where rows have to be made for the terms.
func typedSort(ctx *sql.Context, library sql.NodeExecBuilder, p *pipeline, o ordering) *typedSorted {
	it := &typedSorted{ordering: o, library: library, pipeline: p, columns: p.columns, schema: o.child.Schema(ctx)}
	for _, f := range o.fields {
		below, ok := p.below(ctx, f.Column)
		if !ok || !vector.Orders(ctx, below) {
			return nil
		}
		it.terms = append(it.terms, below)
	}
	return it
}

// pageBytes is how much of the items stands in one batch.
const pageBytes = 1 << 20

// makeRoom has copies go to another batch where the last one is full.
func (it *typedSorted) makeRoom() {
	n := len(it.pages)
	if n > 0 && it.pages[n-1].Bytes() < pageBytes {
		return
	}
	next := it.run.batches.NewBatch()
	if n > 0 {
		next.Reserve(it.pages[n-1])
	}
	it.pages = append(it.pages, next)
}

// project has rows be made of expressions over those that are sorted. It reports
// false where that has to be done row by row.
func (it *typedSorted) project(ctx *sql.Context, above []sql.Expression, schema sql.Schema) bool {
	columns := make([]sql.Expression, len(above))
	for i, e := range above {
		var ok bool
		if columns[i], ok = it.pipeline.below(ctx, e); !ok {
			return false
		}
	}
	it.columns, it.above, it.schema = columns, above, schema
	return true
}

// Next implements sql.RowIter.
func (it *typedSorted) Next(ctx *sql.Context) (sql.Row, error) {
	if it.run == nil {
		if err := it.fill(ctx, false); err != nil {
			return nil, err
		}
	}
	if it.byRow != nil {
		return it.byRow.Next(ctx)
	}
	return it.limit.next(&it.ordering, it.out)
}

// NextValueRow implements writer.
func (it *typedSorted) NextValueRow(ctx *sql.Context) (sql.ValueRow, error) {
	if it.run == nil {
		if err := it.fill(ctx, true); err != nil {
			return nil, err
		}
	}
	from, inPages := it.out.(*inMemory)
	switch {
	case it.byRow != nil || it.most > 0:
		return it.output.texts.next(ctx, it)
	case it.sorter.packed && !inPages:
		k, row, err := it.out.(*merge).next()
		if err != nil {
			return nil, err
		}
		it.key = k
		return it.output.texts.unpack(row[0].([]byte)), nil
	case !inPages:
		return it.output.texts.next(ctx, it)
	}
	e, err := from.next()
	if err != nil {
		return nil, err
	}
	if it.sorter.packed {
		it.key = it.sorter.key(e)
		return it.output.texts.unpack(it.sorter.packedRow(e)), nil
	}
	return it.output.write(it.item(int(e.at)), 0)
}

// stopAfter implements writer: all items have to be seen.
func (it *typedSorted) stopAfter(int64) { it.limited = true }

// fill reads all items. Where rows are asked for as texts, and all of them, these
// are written at once, beside the keys.
func (it *typedSorted) fill(ctx *sql.Context, asTexts bool) (err error) {
	var rows sql.RowIter
	if it.run, rows, err = it.pipeline.begin(ctx, it.library, it.child); err != nil {
		return err
	}
	if rows != nil {
		it.byRow = &sortedRows{ordering: it.ordering, from: rows}
		if it.above != nil {
			it.byRow = Project(it.byRow, it.above)
		}
		it.output = &output{texts: newTexts(ctx, it.schema)}
		return nil
	}
	it.worker = it.run.worker()
	it.output = newOutput(it.worker, it.columns, it.schema)
	s := newSorter(ctx, it.fields, it.most, memoryOf(ctx))
	it.sorter, s.row, s.forget = s, it.kept.row, it.kept.forget
	if it.most == 0 {
		s.row, s.forget, s.ahead = it.row, it.forget, it.ahead
	}
	if s.packed = asTexts && it.most == 0 && !it.limited && onlyFields(it.columns); s.packed {
		s.forget, s.ahead = func([]int) {}, it.aheadPacked
	}
	keys := vector.NewOrderKeys(it.worker.program, it.terms, s.orders)
	if err := it.worker.all(func(c *vector.Chunk) error { return it.take(keys, c) }); err != nil {
		return err
	}
	it.out, err = s.finish()
	return err
}

// take adds the items of a chunk.
func (it *typedSorted) take(keys *vector.OrderKeys, c *vector.Chunk) (err error) {
	s := it.sorter
	if s.bar != nil {
		if it.wanted, err = keys.AtMost(c, prefixOf(s.bar), it.wanted[:0]); err != nil {
			return err
		}
		for _, i := range it.wanted {
			if err := it.add(keys, c, int(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := keys.Eval(c); err != nil {
		return err
	}
	if it.most == 0 && !s.packed {
		it.makeRoom()
	}
	for i := range c.Rows {
		if err := it.add(keys, c, i); err != nil {
			return err
		}
	}
	return nil
}

// add adds the i-th item of a chunk, if it is wanted.
func (it *typedSorted) add(keys *vector.OrderKeys, c *vector.Chunk, i int) (err error) {
	s := it.sorter
	if s.scratch, err = keys.Append(s.scratch[:0], i, 0, it.partitions); err != nil {
		return err
	}
	first := len(s.scratch)
	if s.scratch, err = keys.Append(s.scratch, i, it.partitions, len(it.terms)); err != nil {
		return err
	}
	switch {
	case !s.wanted(s.scratch):
		return nil
	case s.packed:
		if it.ranked {
			it.output.texts.hide(uint64(first))
		}
		if it.packed, err = it.output.pack(it.packed[:0], c, i); err != nil {
			return err
		}
		return s.addPacked(s.scratch, it.packed, nil, int64(len(it.packed)))
	case it.most > 0:
		made, err := it.output.row(c, i)
		if err != nil {
			return err
		}
		it.kept.rows = append(it.kept.rows, made)
		return s.add(s.scratch, nil, spill.SizeOf(made))
	}
	last := it.pages[len(it.pages)-1]
	before := last.Bytes()
	it.worker.cells.Copy(last, c.Batch, int(c.Rows[i]))
	it.items = append(doubled(it.items), item{uint32(len(it.pages) - 1), uint32(last.Rows() - 1)})
	for _, right := range c.Rights {
		it.rights = append(it.rights, right[i])
	}
	return s.add(s.scratch, nil, int64(8+4*len(c.Rights)+last.Bytes()-before))
}

func (it *typedSorted) row(at int) (sql.Row, error) { return it.output.row(it.item(at), 0) }

// item is the item that was added as the at-th, valid until the next call.
func (it *typedSorted) item(at int) *vector.Chunk {
	i, c := it.items[at], &it.one
	c.Set(it.pages[i.page], int(i.row), 1)
	if n := len(it.run.sides); n > 0 {
		c.Rights = c.Rights[:0]
		for side := range n {
			c.Rights = append(c.Rights, it.rights[at*n+side:at*n+side+1])
		}
	}
	return c
}

// ahead brings items into the processor's caches, which are all over the pages, many
// at a time.
func (it *typedSorted) ahead(next []sortEntry) {
	var items [aheadRows]item
	for i, e := range next {
		items[i] = it.items[e.at]
	}
	for _, i := range items[:len(next)] {
		it.touched += it.pages[i.page].Touch(int(i.row))
	}
}

// aheadPacked does that for rows that stand behind their keys.
func (it *typedSorted) aheadPacked(next []sortEntry) {
	for _, e := range next {
		it.touched += it.sorter.keys.behind(e.from, e.size)[0]
	}
}

// forget drops all items.
func (it *typedSorted) forget([]int) {
	last := it.pages[len(it.pages)-1]
	last.Clear()
	it.items, it.rights, it.pages = it.items[:0], it.rights[:0], append(it.pages[:0], last)
}

// Close implements sql.RowIter.
func (it *typedSorted) Close(ctx *sql.Context) error {
	if it.byRow != nil {
		return closeRun(ctx, it.run, it.byRow)
	}
	if it.sorter != nil {
		it.sorter.close()
	}
	it.kept.rows, it.items, it.rights, it.pages, it.out = nil, nil, nil, nil, nil
	return it.run.close()
}
