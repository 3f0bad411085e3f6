package exec

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/engine/spill"
	"github.com/dynasql/dynasql/engine/vector"
)

// A running is a pipeline that is being run: its read, the right sides of its
// joins, and what its workers share.
type running struct {
	of      *pipeline
	ctx     *sql.Context
	library sql.NodeExecBuilder // of right sides
	batches *connector.Batches
	sides   []*vector.Side
	first   *worker        // has what was looked at before the right sides were read
	held    *spill.Account // of that
	over    atomic.Bool    // no row can come any more, whatever is read
	slow    sync.Mutex     // held by a worker around everything that is not typed
}

// start begins a run. Nothing is read yet. The run must be closed.
func (p *pipeline) start(ctx *sql.Context, library sql.NodeExecBuilder) (*running, error) {
	batches, err := p.read.OpenBatches(ctx)
	if err != nil {
		return nil, err
	}
	r := &running{of: p, ctx: ctx, library: library, batches: batches, held: memoryOf(ctx).Account()}
	for _, j := range p.joins {
		r.sides = append(r.sides, vector.NewSide(j.join.rightLen))
	}
	return r, nil
}

// close ends the read and frees the right sides. It may be called again, and of no
// run.
func (r *running) close() error {
	if r == nil {
		return nil
	}
	err := r.batches.Close()
	for _, j := range r.of.joins {
		j.join.drop()
	}
	r.held.Free()
	return err
}

// A stage gives chunks, each valid until the next call, and io.EOF after the last.
// It belongs to one goroutine.
type stage interface{ next() (*vector.Chunk, error) }

// A worker goes through items of a run. It belongs to one goroutine.
type worker struct {
	run     *running
	cells   *connector.Cells
	program *vector.Program
	scan    *scan
	inputs  []*heldBack // of the joins
	top     stage
	scratch sql.Row
}

// worker makes a worker. The first one has what prepare has looked at.
func (r *running) worker() *worker {
	if w := r.first; w != nil {
		r.first = nil
		return w
	}
	w := &worker{run: r, cells: r.batches.Cells()}
	w.program = vector.NewProgram(r.ctx, w.cells, r.sides, &r.slow)
	w.scan = &scan{run: r, batch: r.batches.NewBatch(), filter: w.conditions(r.of.conditions)}
	w.top = w.scan
	for i := range r.of.joins {
		input := &heldBack{worker: w, below: w.top}
		w.inputs = append(w.inputs, input)
		w.top = newProbe(w, i, input)
	}
	return w
}

func (w *worker) conditions(list []sql.Expression) (out vector.Conditions) {
	for _, e := range list {
		out = append(out, w.program.Compile(e))
	}
	return out
}

// A scan gives the items of a run that fulfil its conditions.
type scan struct {
	run    *running
	filter vector.Conditions
	batch  *page.Batch
	items  int   // of the batch
	at     int   // of these
	most   int64 // items that are wanted, so that conditions are evaluated on none behind them; 0 for all
	chunk  vector.Chunk
}

// next looks for a cancelled statement.
func (s *scan) next() (*vector.Chunk, error) {
	for {
		if err := s.run.ctx.Err(); err != nil {
			return nil, err
		}
		if s.run.over.Load() {
			return nil, io.EOF
		}
		if s.at == s.items {
			n, err := s.run.batches.Next(s.batch)
			if err != nil {
				return nil, err
			}
			s.items, s.at = int(n), 0
		}
		from := s.at
		s.at = min(s.items, from+s.step())
		s.chunk.Set(s.batch, from, s.at-from)
		if err := s.filter.Filter(&s.chunk); err != nil {
			return nil, err
		}
		if len(s.chunk.Rows) > 0 {
			s.most = max(0, s.most-int64(len(s.chunk.Rows)))
			return &s.chunk, nil
		}
	}
}

// step is how many items are looked at next.
func (s *scan) step() int {
	if s.most > 0 && s.most < vector.MaxRows {
		return int(s.most)
	}
	return vector.MaxRows
}

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
				if p := recover(); p != nil {
					once.Do(func() { panics = p; _ = r.batches.Close() })
				}
			}()
			if err := w.all(take); err != nil {
				once.Do(func() { first = err; _ = r.batches.Close() })
			}
		})
	}
	wg.Wait()
	if panics != nil {
		panic(panics) // where the statement's goroutine turns it into an error
	}
	if err := r.batches.Close(); first == nil {
		first = err
	}
	return first
}

// all gives all chunks to take.
func (w *worker) all(take func(*vector.Chunk) error) error {
	for {
		c, err := w.top.next()
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

// row makes the row of the i-th item of a chunk: columns in terms of those of the
// read and of the right sides, or those of the read if there are none.
func (w *worker) row(c *vector.Chunk, i int, columns []sql.Expression) (sql.Row, error) {
	if columns == nil {
		return w.cells.Row(w.run.ctx, c.Batch, int(c.Rows[i]))
	}
	if w.scratch == nil {
		w.scratch = make(sql.Row, w.run.of.width)
	}
	row := w.scratch[:w.cells.Width()]
	if err := w.cells.Into(w.run.ctx, c.Batch, int(c.Rows[i]), row); err != nil {
		return nil, err
	}
	for at, right := range c.Rights {
		number := int32(0) // of one that is still to be joined
		if len(right) > 0 {
			number = right[i]
		}
		row = w.run.sides[at].Append(row, number)
	}
	out := make(sql.Row, len(columns))
	for i, e := range columns {
		if f, ok := e.(*expression.GetField); ok {
			out[i] = row[f.Index()]
			continue
		}
		var err error
		if out[i], err = e.Eval(w.run.ctx, row); err != nil {
			return nil, err
		}
		out[i] = withoutSign(out[i])
	}
	return out, nil
}
