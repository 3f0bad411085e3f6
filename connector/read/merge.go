package read

import (
	"container/heap"
	"context"
	"io"

	"github.com/dynasql/dynasql/connector/codec/page"
)

// merge reads all keys of a plan at a time and gives their rows in the order of
// the sort key; rows of equal sort keys come in the order of Plan.Keys.
type merge struct {
	job     *job
	pages   *fanOut // one lane and one worker for each key
	column  int     // of the sort key
	streams streams // not at their end, the next row first
	begun   bool
}

// How many rows of all keys together may be held, so that memory stays bounded
// for thousands of keys; and how many of one at least.
const (
	mergedRows = 64 << 10
	leastRows  = 16
)

func newMerge(j *job, query func(i int) *pager) *merge {
	keys := len(j.p.Keys)
	most := int64(max(leastRows, mergedRows/keys))
	slots := make(chan struct{}, min(j.r.opts.Requests, queryWorkers))
	m := &merge{job: j}
	m.pages = &fanOut{job: j, tasks: keys, workers: keys, ordered: true, make: func(i int) source {
		p := query(i)
		p.slots, p.most = slots, most
		return p
	}}
	return m
}

func (m *merge) close() { m.pages.close() }

// stream is the page of one key that is being emptied.
type stream struct {
	lane  int
	batch *page.Batch
	row   int
}

// mergedPage is the number of rows in a page of merged rows.
const mergedPage = 1024

func (m *merge) next(ctx context.Context, into *page.Batch) (int64, error) {
	if m.job.p.Count {
		return m.pages.next(ctx, into) // counts have no order
	}
	if !m.begun {
		m.begun = true
		if err := m.begin(ctx); err != nil {
			return 0, err
		}
	}
	into.Clear()
	for len(m.streams.of) > 0 && into.Rows() < mergedPage {
		s := m.streams.of[0]
		into.AppendRow(s.batch, s.row)
		if err := m.advance(ctx, s); err != nil {
			return 0, err
		}
	}
	if into.Rows() == 0 {
		return 0, io.EOF
	}
	return int64(into.Rows()), nil
}

// begin waits for the first page of every key.
func (m *merge) begin(ctx context.Context) error {
	m.pages.start(ctx)
	m.streams.reverse = m.job.p.Reverse
	for lane := range m.pages.tasks {
		s := &stream{lane: lane, batch: page.NewBatch(m.job.columns)}
		switch _, err := m.pages.receive(ctx, lane, s.batch); err {
		case nil:
			m.streams.column = s.batch.Column(m.job.p.Key().Sort.Name)
			m.streams.of = append(m.streams.of, s)
		case io.EOF:
		default:
			return err
		}
	}
	heap.Init(&m.streams)
	return nil
}

// advance moves the first stream to its next row.
func (m *merge) advance(ctx context.Context, s *stream) error {
	if s.row++; s.row < s.batch.Rows() {
		heap.Fix(&m.streams, 0)
		return nil
	}
	s.row = 0
	switch _, err := m.pages.receive(ctx, s.lane, s.batch); err {
	case nil:
		heap.Fix(&m.streams, 0)
	case io.EOF:
		heap.Pop(&m.streams)
	default:
		return err
	}
	return nil
}

// streams is a heap of streams by their next row.
type streams struct {
	of      []*stream
	column  int
	reverse bool
}

func (h *streams) Len() int { return len(h.of) }
func (h *streams) Less(i, k int) bool {
	a, b := h.of[i], h.of[k]
	c := page.Compare(a.batch, a.batch.Value(a.row, h.column), b.batch, b.batch.Value(b.row, h.column))
	if h.reverse {
		c = -c
	}
	if c == 0 {
		return a.lane < b.lane
	}
	return c < 0
}
func (h *streams) Swap(i, k int) { h.of[i], h.of[k] = h.of[k], h.of[i] }
func (h *streams) Push(any)      {}
func (h *streams) Pop() any {
	last := len(h.of) - 1
	s := h.of[last]
	h.of = h.of[:last]
	return s
}
