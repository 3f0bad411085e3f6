package exec

import (
	"io"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/vector"
)

// A writer gives the rows of a node as texts, without making them.
type writer interface {
	// NextValueRow returns the texts of the next row, which are valid until the next
	// call, or io.EOF.
	NextValueRow(*sql.Context) (sql.ValueRow, error)
	// stopAfter says that no more than so many rows will be asked for, so that
	// no expression has to be evaluated for others.
	stopAfter(rows int64)
	Close(*sql.Context) error
}

// Whole is the operator of a statement as a whole, if its rows can be had as texts:
// a sql.ValueRowIter whose values are as MySQL's text protocol has them; nil Val is
// NULL, and the Typ of texts in UTF-8 is TextType. Without such an operator it is
// nil.
func (b *Builder) Whole(ctx *sql.Context, n sql.Node) sql.RowIter {
	if w := writerOf(ctx, b.library, n); w != nil {
		return &written{writer: w, library: b.library, node: n}
	}
	return nil
}

// written is a writer that nothing of the library stands above, whose own
// operators take a ValueRow for something else.
type written struct {
	writer
	library sql.NodeExecBuilder
	node    sql.Node
	rows    sql.RowIter // if they are asked for as values
}

var _ sql.ValueRowIter = (*written)(nil)

// IsValueRowIter implements sql.ValueRowIter.
func (*written) IsValueRowIter(*sql.Context) bool { return true }

// Next implements sql.RowIter, for whoever does not look for texts.
func (w *written) Next(ctx *sql.Context) (sql.Row, error) {
	if w.rows == nil {
		var err error
		if w.rows, err = w.library.Build(ctx, w.node, nil); err != nil {
			return nil, err
		}
	}
	return w.rows.Next(ctx)
}

// Close implements sql.RowIter.
func (w *written) Close(ctx *sql.Context) error {
	err := w.writer.Close(ctx)
	if w.rows != nil {
		err = errOr(err, w.rows.Close(ctx))
	}
	return err
}

func writerOf(ctx *sql.Context, library sql.NodeExecBuilder, n sql.Node) writer {
	switch x := n.(type) {
	case *plan.Limit:
		limit, ok := connector.Count(ctx, x.Limit)
		if below := writerOf(ctx, library, x.Child); below != nil && ok && !x.CalcFoundRows {
			return newCut(below, 0, limit)
		}
		return nil
	case *plan.Offset:
		offset, ok := connector.Count(ctx, x.Offset)
		if below := writerOf(ctx, library, x.Child); below != nil && ok {
			return newCut(below, offset, math.MaxInt64)
		}
		return nil
	case *plan.SetOp:
		return unionOf(ctx, library, x)
	case *plan.Window:
		return ranksOf(ctx, library, x, nil)
	case *plan.Project:
		if w, ok := x.Child.(*plan.Window); ok {
			return ranksOf(ctx, library, w, x.Projections)
		}
		if o, ok := sortOf(ctx, x.Child); ok {
			return sortWriter(ctx, library, o, x.Projections, x.Schema(ctx))
		}
	case *plan.Sort, *plan.TopN:
		if o, ok := sortOf(ctx, x); ok {
			return sortWriter(ctx, library, o, nil, x.Schema(ctx))
		}
		return nil
	}
	if p, ok := pipelineOf(ctx, n); ok {
		return &typedRows{node: n, library: library, pipeline: p}
	}
	return nil
}

func sortOf(ctx *sql.Context, n sql.Node) (ordering, bool) {
	switch n.(type) {
	case *plan.Sort, *plan.TopN:
		return orderingOf(ctx, n)
	}
	return ordering{}, false
}

func sortWriter(ctx *sql.Context, library sql.NodeExecBuilder, o ordering, above []sql.Expression, schema sql.Schema) writer {
	p, ok := pipelineOf(ctx, o.child)
	if !ok {
		return nil
	}
	it := typedSort(ctx, library, p, o)
	if it == nil || above != nil && !it.project(ctx, above, schema) {
		return nil
	}
	return it
}

// cut is LIMIT and OFFSET.
type cut struct {
	writer
	skip, left int64
}

func newCut(of writer, skip, left int64) *cut {
	c := &cut{of, skip, math.MaxInt64}
	c.stopAfter(left)
	return c
}

func (c *cut) stopAfter(rows int64) {
	c.left = min(c.left, rows)
	if c.left <= math.MaxInt64-c.skip {
		c.writer.stopAfter(c.skip + c.left)
	}
}

// NextValueRow implements writer.
func (c *cut) NextValueRow(ctx *sql.Context) (sql.ValueRow, error) {
	for ; c.skip > 0; c.skip-- {
		if _, err := c.writer.NextValueRow(ctx); err != nil {
			return nil, err
		}
	}
	if c.left == 0 {
		return nil, io.EOF
	}
	c.left--
	return c.writer.NextValueRow(ctx)
}

// Project gives expressions over the rows of an operator.
func Project(rows sql.RowIter, columns []sql.Expression) sql.RowIter {
	return &projected{rows, columns}
}

type projected struct {
	sql.RowIter
	columns []sql.Expression
}

// Next implements sql.RowIter.
func (it *projected) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := it.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	out := make(sql.Row, len(it.columns))
	for i, e := range it.columns {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		out[i] = withoutSign(v)
	}
	return out, nil
}

// typedRows are the rows of a pipeline, as they come.
type typedRows struct {
	node     sql.Node
	library  sql.NodeExecBuilder
	pipeline *pipeline
	most     int64 // rows that will be asked for; 0 for all
	run      *running
	out      *output
	chunk    *vector.Chunk
	at       int         // of the chunk's rows
	byRow    sql.RowIter // in place of all that, if a join goes on row by row
}

func (it *typedRows) stopAfter(rows int64) { it.most = rows }

// next goes to the next item.
func (it *typedRows) next(ctx *sql.Context) (err error) {
	if it.run == nil {
		if it.run, it.byRow, err = it.pipeline.begin(ctx, it.library, it.node); err != nil {
			return err
		}
		w := it.run.worker()
		if len(it.run.sides) == 0 {
			w.scan.most = it.most
		}
		it.out = newOutput(w, it.pipeline.columns, it.node.Schema(ctx))
	}
	if it.at++; it.byRow == nil && (it.chunk == nil || it.at == len(it.chunk.Rows)) {
		it.at = 0
		it.chunk, err = it.out.worker.top.next()
	}
	return err
}

// NextValueRow implements writer.
func (it *typedRows) NextValueRow(ctx *sql.Context) (sql.ValueRow, error) {
	if err := it.next(ctx); err != nil {
		return nil, err
	}
	if it.byRow != nil {
		return it.out.texts.next(ctx, it.byRow)
	}
	return it.out.write(it.chunk, it.at)
}

// Close implements sql.RowIter.
func (it *typedRows) Close(ctx *sql.Context) error { return closeRun(ctx, it.run, it.byRow) }
