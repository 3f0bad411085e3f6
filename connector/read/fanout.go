package read

import (
	"context"
	"io"
	"sync"

	"github.com/dynasql/dynasql/connector/codec/page"
)

// fanOut runs many sources at a time, each on a goroutine of its own until it
// ends, and owns those goroutines. Pages come as they arrive or, in order, all
// of one source before those of the next.
type fanOut struct {
	job     *job
	make    func(task int) source
	tasks   int
	workers int  // most at a time
	ordered bool // else pages of all tasks share one lane
	grows   bool // workers may be added up to what the reader allows

	ctx    context.Context // of the workers; ends when the fanOut is closed or a worker fails
	cancel context.CancelFunc
	wg     sync.WaitGroup
	lanes  []chan filled
	lane   int // the one that is being emptied
	free   chan *page.Batch

	mu      sync.Mutex
	begun   int // tasks given out; guarded by mu
	running int // workers; guarded by mu
}

type filled struct {
	batch *page.Batch
	count int64
	err   error
}

// start begins the work. The context ends it.
func (f *fanOut) start(ctx context.Context) {
	f.ctx, f.cancel = context.WithCancel(ctx)
	f.workers = min(f.workers, f.tasks)
	lanes, depth := min(1, f.tasks), 2 // without a task nobody would close a lane
	if f.ordered {
		lanes, depth = f.tasks, 1
	}
	f.lanes = make([]chan filled, lanes)
	for i := range f.lanes {
		f.lanes[i] = make(chan filled, depth)
	}
	f.free = make(chan *page.Batch, f.workers+depth)
	f.running = f.workers // before any of them can end
	for range f.workers {
		f.wg.Go(f.work)
	}
}

func (f *fanOut) work() {
	batch := page.NewBatch(f.job.columns)
	for {
		task, ok := f.take()
		if !ok {
			return
		}
		src := f.make(task)
		for {
			count, err := src.next(f.ctx, batch)
			if err == nil && count == 0 && batch.Rows() == 0 {
				continue
			}
			if err == io.EOF {
				break
			}
			if batch = f.put(task, filled{batch, count, err}); batch == nil {
				return
			}
			f.widen()
		}
		if f.ordered {
			close(f.lanes[task])
		}
	}
}

// take gives out the next task. The last worker to find none closes the lane.
func (f *fanOut) take() (int, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.begun < f.tasks {
		f.begun++
		return f.begun - 1, true
	}
	f.running--
	if f.running == 0 && !f.ordered {
		close(f.lanes[0])
	}
	return 0, false
}

// put hands a page over and returns an empty batch, or nil when the work ends.
func (f *fanOut) put(task int, p filled) *page.Batch {
	lane := f.lanes[0]
	if f.ordered {
		lane = f.lanes[task]
	}
	select {
	case lane <- p:
	case <-f.ctx.Done():
		return nil
	}
	if p.err != nil {
		return nil
	}
	select {
	case b := <-f.free:
		return b
	default:
		return page.NewBatch(f.job.columns)
	}
}

// widen adds a worker while pages are neither throttled nor waiting.
func (f *fanOut) widen() {
	if !f.grows || len(f.lanes[0]) == cap(f.lanes[0]) || !f.job.pace.quiet() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.begun < f.tasks && f.running < f.job.r.opts.Workers {
		f.running++
		f.wg.Go(f.work)
	}
}

func (f *fanOut) next(ctx context.Context, into *page.Batch) (int64, error) {
	if f.ctx == nil {
		f.start(ctx)
	}
	for ; f.lane < len(f.lanes); f.lane++ {
		count, err := f.receive(ctx, f.lane, into)
		if err != io.EOF {
			return count, err
		}
	}
	return 0, io.EOF
}

// receive waits for the next page of a lane, which io.EOF ends.
func (f *fanOut) receive(ctx context.Context, lane int, into *page.Batch) (int64, error) {
	select {
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	case p, ok := <-f.lanes[lane]:
		if !ok {
			return 0, io.EOF
		}
		if p.err != nil {
			f.close()
			return 0, p.err
		}
		*into, *p.batch = *p.batch, *into
		select {
		case f.free <- p.batch:
		default:
		}
		return p.count, nil
	}
}

func (f *fanOut) close() {
	if f.cancel != nil {
		f.cancel()
		f.wg.Wait()
	}
}
