package read

import (
	"context"
	"io"

	"github.com/dynasql/dynasql/connector/codec/page"
)

// Stream is a running plan. It belongs to one goroutine.
type Stream struct {
	// ctx is stored because the engine asks for rows through an iterator whose
	// methods have no context of their own, and because workers live longer
	// than a call of Next.
	ctx    context.Context
	job    *job
	cancel context.CancelFunc
	source source
	batch  *page.Batch
	left   int64 // rows until Plan.Limit
	err    error // the end, once it is reached
}

// Columns are the attributes that batches have a column for: what the plan
// projects, or every known attribute, and key attributes.
func (s *Stream) Columns() []string { return s.job.columns }

// NextBatch returns the next rows, at least one, or io.EOF after the last. The
// batch is valid until the next call and empty for a Count plan, for which only
// the number of rows matters. After an error every call returns that error.
func (s *Stream) NextBatch() (*page.Batch, int64, error) {
	if s.batch == nil {
		s.batch = page.NewBatch(s.job.columns)
	}
	count, err := s.NextInto(s.batch)
	if err != nil {
		return nil, 0, err
	}
	return s.batch, count, nil
}

// NextInto is NextBatch into a batch of the caller's, made by NewBatch.
func (s *Stream) NextInto(b *page.Batch) (int64, error) {
	for s.err == nil {
		if s.source == nil {
			s.start()
		}
		count, err := s.source.next(s.ctx, b)
		if err != nil {
			s.finish(err)
			break
		}
		if count = s.limited(b, count); count > 0 {
			s.job.st.returned(s.job.kind, count)
			return count, nil
		}
	}
	return 0, s.err
}

// NewBatch makes an empty batch for NextInto.
func (s *Stream) NewBatch() *page.Batch { return page.NewBatch(s.job.columns) }

// Close ends the stream and waits for its workers. It may be called again.
func (s *Stream) Close() error {
	if s.err == nil {
		s.finish(io.EOF)
	}
	return nil
}

func (s *Stream) start() {
	s.ctx, s.cancel, s.job.kind = s.job.st.begin(s.ctx, &s.job.p)
	s.left = s.job.p.Limit
	if r := s.job.r.opts.Recording; r != nil {
		s.source = r.source(s.job)
		return
	}
	s.source = s.job.source()
}

// limited cuts the page to what is left of Plan.Limit.
func (s *Stream) limited(b *page.Batch, count int64) int64 {
	if s.job.p.Limit == 0 {
		return count
	}
	count = min(count, s.left)
	b.Truncate(int(count))
	s.left -= count
	if s.left == 0 {
		s.stop()
		s.source = ended{}
	}
	return count
}

// finish makes err the stream's last word.
func (s *Stream) finish(err error) error {
	s.err = err
	if s.source != nil {
		s.stop()
		s.job.st.end(&s.job.p, s.job.units())
		s.source = nil
	}
	return err
}

func (s *Stream) stop() {
	s.cancel()
	s.source.close()
}

// source yields rows. It belongs to one goroutine.
type source interface {
	// next replaces the rows of the batch and returns their number, which may be
	// 0 before the end; a Count plan leaves the batch empty. At the end it
	// returns io.EOF.
	next(ctx context.Context, into *page.Batch) (int64, error)
	// close waits for the goroutines of the source, whose context has ended. It
	// may be called again.
	close()
}

// ended is a source without rows.
type ended struct{}

func (ended) next(context.Context, *page.Batch) (int64, error) { return 0, io.EOF }
func (ended) close()                                           {}
