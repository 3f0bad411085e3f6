package read

import (
	"context"
	"io"
	"sync"

	"github.com/dynasql/dynasql/connector/codec/page"
)

// fanOut runs many sources at a time on goroutines that it owns. In order, all
// pages of one source come before those of the next, and a goroutine stays with
// its source. Without order pages come as they arrive, and sources may take
// turns: each gives way to the one that has waited longest, so that all are read
// equally far and none is left for the end, when others have nothing to do.
type fanOut struct {
	job     *job
	make    func(task int) source
	tasks   int
	workers int  // most at a time
	ordered bool // else pages of all tasks share one lane
	turns   bool // sources take turns; not when ordered
	most    int  // workers that there may be in the end, while pages are not throttled; 0 adds none

	ctx    context.Context // of the workers; ends when the fanOut is closed or a worker fails
	cancel context.CancelFunc
	wg     sync.WaitGroup
	lanes  []chan filled
	lane   int // the one that is being emptied
	free   chan *page.Batch

	mu      sync.Mutex
	begun   int       // tasks given out; guarded by mu
	resting []started // until it is their turn; guarded by mu
	running int       // workers; guarded by mu
}

// started is a task with its source.
type started struct {
	task   int
	source source
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
	var at started
	for {
		if at.source == nil {
			var ok bool
			if at, ok = f.take(); !ok {
				return
			}
		}
		count, err := at.source.next(f.ctx, batch)
		if err == io.EOF {
			if f.ordered {
				close(f.lanes[at.task])
			}
			at.source = nil
			continue
		}
		if err != nil || count > 0 || batch.Rows() > 0 {
			if batch = f.put(at.task, filled{batch, count, err}); batch == nil {
				return
			}
			f.widen()
		}
		if f.turns {
			f.rest(at)
			at.source = nil
		}
	}
}

// take gives out the next task, or who has rested longest. The last worker to
// find none closes the lane.
func (f *fanOut) take() (started, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.begun < f.tasks {
		f.begun++
		return started{f.begun - 1, f.make(f.begun - 1)}, true
	}
	if len(f.resting) > 0 {
		first := f.resting[0]
		f.resting = f.resting[1:]
		return first, true
	}
	f.running--
	if f.running == 0 && !f.ordered {
		close(f.lanes[0])
	}
	return started{}, false
}

func (f *fanOut) rest(t started) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resting = append(f.resting, t)
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
	if f.most == 0 || len(f.lanes[0]) == cap(f.lanes[0]) || !f.job.pace.quiet() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if (f.begun < f.tasks || len(f.resting) > 0) && f.running < f.most {
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
