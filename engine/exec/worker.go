package exec

import (
	"io"
	"runtime"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/engine/vector"
)

// A running is a pipeline that is being run: its read and what its workers share.
type running struct {
	of      *pipeline
	ctx     *sql.Context
	batches *connector.Batches
	slow    sync.Mutex // held by a worker around everything that is not typed
}

// start begins a run. Nothing is read before a worker's first next. The run must
// be closed.
func (p *pipeline) start(ctx *sql.Context) (*running, error) {
	batches, err := p.read.OpenBatches(ctx)
	if err != nil {
		return nil, err
	}
	return &running{of: p, ctx: ctx, batches: batches}, nil
}

func (r *running) close() error { return r.batches.Close() }

// A worker goes through items of a run. It belongs to one goroutine.
type worker struct {
	run     *running
	cells   *connector.Cells
	program *vector.Program
	filter  vector.Conditions
	batch   *page.Batch
	kept    bool // the batch is in use elsewhere
	items   int  // of the batch
	next    int  // of these
	chunk   vector.Chunk
}

func (r *running) worker() *worker {
	w := &worker{run: r, cells: r.batches.Cells(), batch: r.batches.NewBatch()}
	w.program = vector.NewProgram(r.ctx, w.cells, &r.slow)
	for _, e := range r.of.conditions {
		w.filter = append(w.filter, w.program.Compile(e))
	}
	return w
}

// nextChunk gives the next items that fulfil the conditions, which are valid until
// the next call, or io.EOF. It looks for a cancelled statement.
func (w *worker) nextChunk() (*vector.Chunk, error) {
	for {
		if err := w.run.ctx.Err(); err != nil {
			return nil, err
		}
		if w.next == w.items {
			if w.kept {
				w.batch, w.kept = w.run.batches.NewBatch(), false
			}
			n, err := w.run.batches.Next(w.batch)
			if err != nil {
				return nil, err
			}
			w.items, w.next = int(n), 0
		}
		from := w.next
		w.next = min(w.items, from+vector.MaxRows)
		w.chunk.Set(w.batch, from, w.next-from)
		if err := w.filter.Filter(&w.chunk); err != nil {
			return nil, err
		}
		if len(w.chunk.Rows) > 0 {
			return &w.chunk, nil
		}
	}
}

// keepBatch has the batch of the last chunk stay as it is when others come.
func (w *worker) keepBatch() { w.kept = true }

// inParallel has a number of workers go through all items, each with a taker of
// its own, and waits for them. The first error ends the read.
func (r *running) inParallel(taker func(w *worker) func(*vector.Chunk) error) error {
	var (
		wg     sync.WaitGroup
		once   sync.Once
		first  error
		panics any
	)
	for range runtime.GOMAXPROCS(0) {
		w := r.worker()
		take := taker(w)
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					once.Do(func() { panics = r; _ = w.run.close() })
				}
			}()
			if err := w.all(take); err != nil {
				once.Do(func() { first = err; _ = r.close() })
			}
		})
	}
	wg.Wait()
	if panics != nil {
		panic(panics) // where the statement's goroutine turns it into an error
	}
	if err := r.close(); first == nil {
		first = err
	}
	return first
}

// all gives all chunks to take.
func (w *worker) all(take func(*vector.Chunk) error) error {
	for {
		c, err := w.nextChunk()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = take(c)
		}
		if err != nil {
			return err
		}
	}
}

// row makes the row of an item as the topmost node of the pipeline has it.
func (w *worker) row(b *page.Batch, item int) (sql.Row, error) {
	row, err := w.cells.Row(w.run.ctx, b, item)
	columns := w.run.of.columns
	if err != nil || columns == nil {
		return row, err
	}
	out := make(sql.Row, len(columns))
	for i, e := range columns {
		if out[i], err = e.Eval(w.run.ctx, row); err != nil {
			return nil, err
		}
	}
	return out, nil
}
