package exec

import (
	"io"
	"runtime"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/engine/vector"
)

// A pipeline is a run of nodes over one of our tables that is run on typed
// values: a read, conditions on its items, and expressions over them.
type pipeline struct {
	read       *connector.Read
	conditions []sql.Expression
	columns    []sql.Expression // in terms of the read's columns; nil for these themselves
}

// VarTyped is the session variable that has all operators go row by row if it is
// 0: for comparing answers.
const VarTyped = "ddb_typed"

// pipelineOf follows nodes down to a read. It reports false where one of them
// has to go row by row.
func pipelineOf(ctx *sql.Context, n sql.Node) (*pipeline, bool) {
	if v, err := ctx.GetSessionVariable(ctx, VarTyped); err == nil {
		if on, err := sql.ConvertToBool(ctx, v); err == nil && !on {
			return nil, false
		}
	}
	return pipelineTo(ctx, n)
}

func pipelineTo(ctx *sql.Context, n sql.Node) (*pipeline, bool) {
	switch x := n.(type) {
	case *connector.Read:
		return &pipeline{read: x}, x.Batched(ctx)
	case *plan.TableAlias:
		return pipelineTo(ctx, x.Child)
	case *plan.SubqueryAlias:
		if x.IsLateral || x.OuterScopeVisibility {
			return nil, false
		}
		return pipelineTo(ctx, x.Child)
	case *plan.Filter:
		p, ok := pipelineTo(ctx, x.Child)
		if !ok {
			return nil, false
		}
		for _, e := range expression.SplitConjunction(ctx, x.Expression) {
			below, ok := p.below(ctx, e)
			if !ok || !isCondition(ctx, below) {
				return nil, false
			}
			p.conditions = append(p.conditions, below)
		}
		return p, true
	case *plan.Project:
		p, ok := pipelineTo(ctx, x.Child)
		if !ok {
			return nil, false
		}
		columns := make([]sql.Expression, len(x.Projections))
		for i, e := range x.Projections {
			if columns[i], ok = p.below(ctx, e); !ok {
				return nil, false
			}
		}
		p.columns = columns
		return p, true
	}
	return nil, false
}

// below puts an expression over the rows of the pipeline in terms of the read's
// columns. It reports false for one that depends on more than its row.
func (p *pipeline) below(ctx *sql.Context, e sql.Expression) (sql.Expression, bool) {
	if !vector.Serves(ctx, e) {
		return nil, false
	}
	if p.columns == nil {
		return e, true
	}
	return p.substitute(ctx, e)
}

func (p *pipeline) substitute(ctx *sql.Context, e sql.Expression) (sql.Expression, bool) {
	if f, ok := e.(*expression.GetField); ok {
		if f.Index() >= len(p.columns) {
			return nil, false
		}
		e := p.columns[f.Index()]
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		return e, true
	}
	children := e.Children()
	if len(children) == 0 {
		return e, true
	}
	next := make([]sql.Expression, len(children))
	for i, child := range children {
		var ok bool
		if next[i], ok = p.substitute(ctx, child); !ok {
			return nil, false
		}
	}
	out, err := e.WithChildren(ctx, next...)
	return out, err == nil
}

func isCondition(ctx *sql.Context, e sql.Expression) bool {
	return types.IsBoolean(e.Type(ctx)) || types.IsNumber(e.Type(ctx)) && !types.IsFloat(e.Type(ctx))
}

// A worker goes through batches of the pipeline's read.
type worker struct {
	ctx     *sql.Context
	program *vector.Program
	filter  vector.Conditions
	batches *connector.Batches
	batch   *page.Batch
	chunk   vector.Chunk
}

func (p *pipeline) worker(ctx *sql.Context, batches *connector.Batches, slow *sync.Mutex) *worker {
	w := &worker{ctx: ctx, batches: batches, batch: batches.NewBatch(), program: vector.NewProgram(ctx, batches.Cells(), slow)}
	for _, e := range p.conditions {
		w.filter = append(w.filter, w.program.Compile(e))
	}
	return w
}

// each gives the items of the next batch that fulfil the conditions to take, in
// chunks. It returns io.EOF when there is no batch.
func (w *worker) each(take func(*vector.Chunk) error) error {
	n, err := w.batches.Next(w.batch)
	if err != nil {
		return err
	}
	for from := 0; from < int(n); from += vector.MaxRows {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		w.chunk.Set(w.batch, from, min(vector.MaxRows, int(n)-from))
		if err := w.filter.Filter(&w.chunk); err != nil {
			return err
		}
		if len(w.chunk.Rows) == 0 {
			continue
		}
		if err := take(&w.chunk); err != nil {
			return err
		}
	}
	return nil
}

// run has a number of workers go through all items, each with a taker of its
// own, and waits for them. The first error ends the read.
func (p *pipeline) run(ctx *sql.Context, taker func(w *worker) func(*vector.Chunk) error) error {
	batches, err := p.read.OpenBatches(ctx)
	if err != nil {
		return err
	}
	var (
		slow   sync.Mutex
		wg     sync.WaitGroup
		once   sync.Once
		first  error
		panics any
	)
	for range runtime.GOMAXPROCS(0) {
		w := p.worker(ctx, batches, &slow)
		take := taker(w)
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					once.Do(func() { panics = r; _ = batches.Close() })
				}
			}()
			if err := w.all(take); err != nil {
				once.Do(func() { first = err; _ = batches.Close() })
			}
		})
	}
	wg.Wait()
	if panics != nil {
		panic(panics) // where the statement's goroutine turns it into an error
	}
	if err := batches.Close(); first == nil {
		first = err
	}
	return first
}

func (w *worker) all(take func(*vector.Chunk) error) error {
	for {
		switch err := w.each(take); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// row makes the row of an item as the topmost node of the pipeline has it.
func (p *pipeline) row(ctx *sql.Context, cells *connector.Cells, b *page.Batch, item int) (sql.Row, error) {
	row, err := cells.Row(ctx, b, item)
	if err != nil || p.columns == nil {
		return row, err
	}
	out := make(sql.Row, len(p.columns))
	for i, e := range p.columns {
		if out[i], err = e.Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	return out, nil
}
