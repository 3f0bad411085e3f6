package read

import (
	"context"
	"io"
	"math/bits"
	"runtime"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/internal/ddb"
)

// source makes the source of the plan's rows.
func (j *job) source() source {
	if j.p.Complete {
		index, table := j.split()
		return &completed{index: index, table: table, source: index.operation(), batch: page.NewBatch(index.columns)}
	}
	return j.operation()
}

func (j *job) operation() source {
	switch j.p.Op {
	case access.GetItem:
		return &single{job: j}
	case access.BatchGetItem:
		return j.batches()
	case access.Query:
		return j.queries()
	case access.Scan:
		return j.segments()
	}
	return ended{}
}

// single reads one item.
type single struct {
	job  *job
	done bool
}

func (s *single) next(ctx context.Context, into *page.Batch) (int64, error) {
	if s.done {
		return 0, io.EOF
	}
	s.done = true
	err := s.job.getItem(ctx, s.job.newReply(), into)
	return int64(into.Rows()), err
}

func (*single) close() {}

// inOrder reports whether rows must come key by key.
func inOrder(p *access.Plan) bool { return p.Ordered || p.OrderPrefix > 0 }

// queries reads one Query a key. Without order a LIMIT is served by one key
// after another, since the first may be enough.
func (j *job) queries() source {
	query := func(i int) *pager { return j.newPager("Query", j.queryCaller(i)) }
	keys := len(j.p.Keys)
	switch {
	case keys == 0:
		return ended{}
	case keys == 1:
		return query(0)
	case j.p.Merge:
		return newMerge(j, query)
	}
	f := &fanOut{job: j, tasks: keys, workers: queryWorkers, ordered: inOrder(&j.p),
		make: func(i int) source { return query(i) }}
	if j.p.Limit > 0 {
		f.workers = 1
	}
	return f
}

// segments reads a Scan in parallel. With a LIMIT it starts with one segment
// and goes on with more as long as the rows do not suffice.
func (j *job) segments() source {
	n := segmentsOf(j.p.Table.Items, bytesOf(&j.p), j.p.Table.Sampled)
	call := func(i int) caller { return j.scanCaller(spread(i, n), int32(n)) }
	if c := j.chosen; c != nil {
		n = c.segments
		call = func(i int) caller { return j.scanCaller(c.segment(i), int32(c.of)) }
	}
	if n == 1 {
		return j.newPager("Scan", call(0))
	}
	requests, decoders := j.r.opts.Requests, runtime.GOMAXPROCS(0)
	slots := make(chan struct{}, requests)
	scan := func(i int) source {
		p := j.newPager("Scan", call(i))
		p.slots, p.ahead = slots, true
		return p
	}
	workers := max(8, 2*decoders)
	if j.p.Limit > 0 {
		workers = 1
	}
	return &fanOut{job: j, tasks: n, workers: min(workers, requests), most: requests + decoders,
		turns: j.p.Limit == 0 && j.p.PageLimit == 0 && !j.p.Walk, make: scan}
}

func bytesOf(p *access.Plan) int64 {
	if x, ok := p.Table.Index(p.Index); ok {
		return x.SizeBytes
	}
	return p.Table.SizeBytes
}

const (
	segmentBytes = 8 << 20
	maxSegments  = 256
)

// segmentsOf chooses how many segments a Scan has: a power of two, one for
// about each 8 MB. There are more than workers, so that workers can be added
// while pages are not throttled and none is left alone with a long segment. A
// table that is reported empty although items were seen is new, of any size.
func segmentsOf(items, bytes int64, sampled int) int {
	if bytes == 0 && items == 0 && sampled > 0 {
		return 4
	}
	n := (bytes + segmentBytes - 1) / segmentBytes
	if n <= 1 {
		return 1
	}
	return min(maxSegments, 1<<bits.Len64(uint64(n-1)))
}

// spread is the segment that is read as the i-th of n, a power of two: segments
// that are neighbours share a partition and its rate, so they are far apart in
// time.
func spread(i, n int) int32 {
	return int32(bits.Reverse32(uint32(i)) >> (32 - bits.Len32(uint32(n-1))))
}

// batchKeys is the number of keys that one BatchGetItem may have.
const batchKeys = 100

// batchWorkers bounds the memory: an answer may have 16 MB.
const batchWorkers = 4

// batches reads the items of the plan's full keys.
func (j *job) batches() source {
	keys := make([]ddb.Item, len(j.p.Keys))
	for i, k := range j.p.Keys {
		keys[i] = j.tableKey(k)
	}
	f := j.batchesOf(keys)
	f.ordered = inOrder(&j.p)
	if j.p.Limit > 0 {
		f.workers = 1
	}
	return f
}

func (j *job) batchesOf(keys []ddb.Item) *fanOut {
	return &fanOut{job: j, tasks: (len(keys) + batchKeys - 1) / batchKeys, workers: batchWorkers,
		make: func(i int) source {
			return newBatchGet(j, keys[i*batchKeys:min(len(keys), (i+1)*batchKeys)], j.p.Complete || inOrder(&j.p))
		}}
}
