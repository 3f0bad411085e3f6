package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/vector"
)

// A joinStep joins what a pipeline has so far, the left side, with the rows of a
// right side, by equality.
type joinStep struct {
	join       *hashJoin
	keys       func() *connector.KeyCollector // nil if the right side is not read by them
	left       []sql.Expression               // the columns of a left row
	terms      []sql.Expression               // by which a left row finds right rows
	on         []sql.Expression               // what else the join asks for
	conditions []sql.Expression               // on the joined rows
}

// joinedPipeline goes on over a join. It reports false for one that hashJoin does
// not run, or whose left side goes row by row.
func joinedPipeline(ctx *sql.Context, n *plan.JoinNode) (*pipeline, bool) {
	j := hashJoinOf(ctx, n, nil)
	if j == nil {
		return nil, false
	}
	step, left := &joinStep{join: j}, n.Left()
	if child, keys, ok := connector.CollectsKeys(left); ok {
		left, step.keys = child, keys
	}
	p, ok := pipelineTo(ctx, left)
	if !ok {
		return nil, false
	}
	if p.columns == nil {
		p.columns = fieldsOf(left.Schema(ctx), 0)
	}
	step.left = p.columns
	for i, e := range j.leftKey.terms {
		term, ok := p.below(ctx, e)
		if !ok || !vector.Joins(ctx, term, j.leftKey.as[i]) {
			return nil, false
		}
		step.terms = append(step.terms, term)
	}
	p.columns = append(p.columns[:len(p.columns):len(p.columns)], fieldsOf(n.Right().Schema(ctx), p.width)...)
	if j.condition != nil {
		if step.on, ok = p.allBelow(ctx, j.condition); !ok {
			return nil, false
		}
	}
	if n.Op.IsSemi() || n.Op.IsAnti() {
		p.columns = step.left
	}
	p.joins, p.width = append(p.joins, step), p.width+j.rightLen
	return p, true
}

// prepare reads the right sides of the joins, each once there is a left row. It
// returns a join whose right side does not fit into memory, which is to be gone
// on with row by row, or nil.
func (r *running) prepare() (*hashJoin, error) {
	if len(r.of.joins) == 0 {
		return nil, nil
	}
	w := r.worker()
	r.first = w
	for i, step := range r.of.joins {
		input := w.inputs[i]
		if err := input.fill(step); err != nil || len(input.waiting) == 0 {
			return nil, err
		}
		left, err := w.row(input.waiting[0], 0, step.left)
		if err != nil {
			return nil, err
		}
		j := step.join
		j.library, j.memory, j.opened = r.library, memoryOf(r.ctx), true
		spread, err := j.readRight(r.ctx, left)
		if err != nil {
			return nil, err
		}
		if spread != nil {
			j.left = input.rows(step)
			return j, j.spreadLeft(r.ctx, spread)
		}
		r.sides[i].Fill(j.right.rows, func(bytes int64) { j.right.account.Grow(bytes) })
		if len(j.right.rows) == 0 && j.needsMatch() {
			r.over.Store(true)
		}
	}
	return nil, nil
}

// begin prepares the run of a pipeline below a node. If a join of it has to go on
// row by row it returns the operator of the node that does so.
func (p *pipeline) begin(ctx *sql.Context, library sql.NodeExecBuilder, n sql.Node) (*running, sql.RowIter, error) {
	r, err := p.start(ctx, library)
	if err != nil {
		return nil, nil, err
	}
	late, err := r.prepare()
	if err != nil || late == nil {
		return r, nil, err
	}
	rows, err := r.byRows(n, late)
	return r, rows, err
}

func (r *running) byRows(n sql.Node, j *hashJoin) (sql.RowIter, error) {
	n, _, err := transform.NodeWithOpaque(r.ctx, n, func(_ *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		if n == j.node {
			return continued{j.node, j}, transform.NewTree, nil
		}
		return n, transform.SameTree, nil
	})
	if err != nil {
		return nil, err
	}
	return r.library.Build(r.ctx, n, nil)
}

// continued is a join that is being run already.
type continued struct {
	*plan.JoinNode
	rows *hashJoin
}

var _ sql.ExecBuilderNode = continued{}

// BuildRowIter implements sql.ExecBuilderNode.
func (c continued) BuildRowIter(*sql.Context, sql.NodeExecBuilder, sql.Row) (sql.RowIter, error) {
	return c.rows, nil
}

// heldBack is the left side of a join, of which some may have been looked at
// before the right side was read.
type heldBack struct {
	worker  *worker
	below   stage
	waiting []*vector.Chunk
}

func (h *heldBack) next() (*vector.Chunk, error) {
	if len(h.waiting) == 0 {
		return h.below.next()
	}
	c := h.waiting[0]
	h.waiting = h.waiting[1:]
	return c, nil
}

// fill looks at the first left row, and if the right side is read by their keys at
// as many as that takes. With no row nothing waits after it.
func (h *heldBack) fill(step *joinStep) error {
	if step.keys != nil {
		if err := h.collect(step, step.keys()); err != nil || len(h.waiting) > 0 {
			return err
		}
	}
	c, err := h.below.next()
	if err == nil {
		h.waiting = append(h.waiting, c)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

func (h *heldBack) collect(step *joinStep, keys *connector.KeyCollector) error {
	run := h.worker.run
	for room := true; room && keys.Wants(); {
		c, err := h.below.next()
		if err == io.EOF {
			keys.End()
			return nil
		}
		if err != nil {
			return err
		}
		c = c.Copy(run.batches.NewBatch())
		h.waiting = append(h.waiting, c)
		room = run.held.Grow(int64(c.Batch.Bytes()))
		for i := 0; i < len(c.Rows) && keys.Wants(); i++ {
			row, err := h.worker.row(c, i, step.left)
			if err != nil {
				return err
			}
			if ok, err := keys.Add(run.ctx, row); err != nil || !ok {
				return err
			}
		}
	}
	return nil
}

// rows are the rows of the left side for a join that goes on row by row.
func (h *heldBack) rows(step *joinStep) input {
	return input{from: &stageRows{worker: h.worker, from: h, columns: step.left}, key: &step.join.leftKey}
}

// stageRows are the rows of the chunks of a stage.
type stageRows struct {
	worker  *worker
	from    stage
	columns []sql.Expression
	chunk   *vector.Chunk
	at      int // of the chunk's rows
}

// Next implements sql.RowIter.
func (it *stageRows) Next(*sql.Context) (sql.Row, error) {
	if it.at++; it.chunk == nil || it.at == len(it.chunk.Rows) {
		var err error
		if it.chunk, err = it.from.next(); err != nil {
			it.chunk = nil
			return nil, err
		}
		it.at = 0
	}
	return it.worker.row(it.chunk, it.at, it.columns)
}

// Close implements sql.RowIter.
func (it *stageRows) Close(*sql.Context) error { return it.worker.run.close() }

// typedJoin gives the rows of a pipeline that ends in a join.
type typedJoin struct {
	node     *plan.JoinNode
	library  sql.NodeExecBuilder
	pipeline *pipeline
	run      *running
	rows     sql.RowIter
}

// typedJoinOf returns the operator of a join, or nil where its left side goes row
// by row.
func typedJoinOf(ctx *sql.Context, library sql.NodeExecBuilder, n *plan.JoinNode) sql.RowIter {
	p, ok := pipelineOf(ctx, n)
	if !ok {
		return nil
	}
	return &typedJoin{node: n, library: library, pipeline: p}
}

// Next implements sql.RowIter.
func (it *typedJoin) Next(ctx *sql.Context) (sql.Row, error) {
	if it.rows == nil {
		var err error
		if it.run, it.rows, err = it.pipeline.begin(ctx, it.library, it.node); err != nil {
			return nil, err
		}
		if it.rows == nil {
			w := it.run.worker()
			it.rows = &stageRows{worker: w, from: w.top, columns: it.pipeline.columns}
		}
	}
	return it.rows.Next(ctx)
}

// Close implements sql.RowIter.
func (it *typedJoin) Close(ctx *sql.Context) error { return closeRun(ctx, it.run, it.rows) }

// closeRun ends a run, and the operator that goes on with it row by row if there
// is one.
func closeRun(ctx *sql.Context, r *running, rows sql.RowIter) error {
	if rows != nil {
		if err := rows.Close(ctx); err != nil {
			_ = r.close() // the first error counts
			return err
		}
	}
	return r.close()
}
