package read

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/dynasql/dynasql/connector/codec/page"
)

// A Recording keeps the pages of each plan that is read to its end, and has them
// stand in for requests when the same plan is run again: for measuring what takes
// its time after reading and decoding. Nothing is charged then, and changes of the
// table are not seen. It is safe for concurrent use.
type Recording struct {
	mu    sync.Mutex
	plans map[string][]recorded // by the requests of the plan
}

type recorded struct {
	batch page.Batch
	count int64
}

// source gives the pages of a job as they are kept, or has them kept.
func (r *Recording) source(j *job) source {
	name := strings.Join(j.p.AWSCLI(), "\n")
	r.mu.Lock()
	defer r.mu.Unlock()
	if pages, ok := r.plans[name]; ok {
		return &replayed{pages: pages}
	}
	return &recorder{source: j.source(), of: r, name: name, columns: j.columns}
}

func (r *Recording) keep(name string, pages []recorded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plans == nil {
		r.plans = map[string][]recorded{}
	}
	r.plans[name] = pages
}

// recorder keeps what a source gives.
type recorder struct {
	source
	of      *Recording
	name    string
	columns []string
	pages   []recorded
}

func (s *recorder) next(ctx context.Context, into *page.Batch) (int64, error) {
	batch := page.NewBatch(s.columns) // its memory is not used again
	n, err := s.source.next(ctx, batch)
	switch err {
	case nil:
		s.pages = append(s.pages, recorded{*batch, n})
		*into = *batch
	case io.EOF:
		s.of.keep(s.name, slices.Clip(s.pages))
	}
	return n, err
}

// replayed gives pages that were kept.
type replayed struct{ pages []recorded }

func (s *replayed) next(_ context.Context, into *page.Batch) (int64, error) {
	if len(s.pages) == 0 {
		return 0, io.EOF
	}
	p := s.pages[0]
	s.pages = s.pages[1:]
	*into = p.batch
	return p.count, nil
}

func (*replayed) close() {}
