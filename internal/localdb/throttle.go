package localdb

import (
	"math/bits"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// What one partition serves, in units a second, and its size in bytes, as the
// service documents them.
const (
	partitionReadUnits  = 3000
	partitionWriteUnits = 1000
	partitionBytes      = 10 << 30
	// A new on-demand table serves 12,000 reads and 4,000 writes.
	onDemandPartitions = 4
)

// bucket is a token bucket. A request passes while tokens are left and may
// take more than there are, since the cost of a read is known only after it.
type bucket struct {
	tokens float64
	filled time.Time
}

// fill adds what has come in since the last time, at most burst seconds of it.
func (b *bucket) fill(rate float64, burst time.Duration, now time.Time) {
	if b.filled.IsZero() {
		b.tokens = rate // a new bucket has one second
	} else {
		b.tokens += rate * now.Sub(b.filled).Seconds()
	}
	b.tokens = min(b.tokens, rate*max(burst.Seconds(), 1))
	b.filled = now
}

// meter holds the buckets of the reads or the writes of a table or a global
// index: one for all of it and one for each of its partitions.
type meter struct {
	mu         sync.Mutex // guards the buckets
	all        bucket
	partitions map[int]*bucket
}

// rates are the limits a meter enforces, in units a second; all is 0 on demand.
type rates struct {
	all, partition float64
	burst          time.Duration
}

// pass tells whether a request on a partition may go on.
func (m *meter) pass(r rates, partition int, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	part := m.partition(partition)
	part.fill(r.partition, r.burst, now)
	if r.all == 0 {
		return part.tokens > 0
	}
	m.all.fill(r.all, r.burst, now)
	return part.tokens > 0 && m.all.tokens > 0
}

// take charges units to a partition.
func (m *meter) take(units float64, partition int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all.tokens -= units
	m.partition(partition).tokens -= units
}

func (m *meter) partition(i int) *bucket {
	if m.partitions[i] == nil {
		if m.partitions == nil {
			m.partitions = map[int]*bucket{}
		}
		m.partitions[i] = &bucket{}
	}
	return m.partitions[i]
}

// partitionCount estimates how many partitions hold a table or an index.
func partitionCount(p *types.ProvisionedThroughputDescription, onDemand bool, bytes int64) int {
	n := int(bytes/partitionBytes) + 1
	if onDemand {
		return max(n, onDemandPartitions)
	}
	byUnits := float64(*p.ReadCapacityUnits)/partitionReadUnits + float64(*p.WriteCapacityUnits)/partitionWriteUnits
	return max(n, int(byUnits+0.999))
}

// partitionOf is the partition of n that holds a hash.
func partitionOf(hash uint64, n int) int {
	part, _ := bits.Mul64(hash, uint64(n))
	return int(part)
}

// countPartitions is partitions for a caller that does not hold the lock.
func (t *table) countPartitions() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.partitions()
}

// partitions counts the partitions of a table; the caller holds the lock.
func (t *table) partitions() int {
	return partitionCount(t.about.ProvisionedThroughput, t.onDemand(), t.items.bytes)
}

func (t *table) partition(hash uint64) int { return partitionOf(hash, t.partitions()) }

// passRead refuses a read of a table, or of a global index, whose throughput
// is used up. The caller holds the lock.
func (s *Store) passRead(t *table, x *index, hash uint64) error {
	if !s.opts.Throttle {
		return nil
	}
	m, p, partition := t.metered(x, hash)
	r := rates{all: float64(*p.ReadCapacityUnits), partition: partitionReadUnits, burst: s.opts.Burst}
	if !m.pass(r, partition, s.now()) {
		return t.throttled(x)
	}
	return nil
}

func (s *Store) takeRead(t *table, x *index, hash uint64, units float64) {
	if s.opts.Throttle {
		m, _, partition := t.metered(x, hash)
		m.take(units, partition)
	}
}

// metered is what counts the reads of the table or of a global index, its
// throughput, and the partition of a hash there.
func (t *table) metered(x *index, hash uint64) (*meter, *types.ProvisionedThroughputDescription, int) {
	if x == nil || !x.global {
		return &t.reads, t.about.ProvisionedThroughput, t.partition(hash)
	}
	p := x.about.ProvisionedThroughput
	return &x.reads, p, partitionOf(hash, partitionCount(p, t.onDemand(), x.entries.bytes))
}

// passWrite refuses a write to a table that, or one of whose global indexes,
// has its throughput used up. The caller holds the lock.
func (s *Store) passWrite(t *table, hash uint64) error {
	if !s.opts.Throttle {
		return nil
	}
	now := s.now()
	r := rates{all: float64(*t.about.ProvisionedThroughput.WriteCapacityUnits), partition: partitionWriteUnits, burst: s.opts.Burst}
	if !t.writes.pass(r, t.partition(hash), now) {
		return t.throttled(nil)
	}
	for _, x := range t.indexes {
		r.all = float64(*x.about.ProvisionedThroughput.WriteCapacityUnits)
		if x.global && !x.writes.pass(r, 0, now) {
			return t.throttled(x)
		}
	}
	return nil
}

func (s *Store) takeWrite(t *table, hash uint64, cost charge) {
	if !s.opts.Throttle {
		return
	}
	units := cost.table
	for _, x := range t.indexes {
		if !x.global {
			units += cost.indexes[x]
		} else if cost.indexes[x] > 0 {
			x.writes.take(cost.indexes[x], 0)
		}
	}
	t.writes.take(units, t.partition(hash))
}

// throttled is the refusal for a table or its local indexes, or for a global index.
func (t *table) throttled(x *index) error {
	switch {
	case t.onDemand():
		return fail(throttling, "Throughput exceeds the current capacity of your table or index. "+
			"DynamoDB is automatically scaling your table or index so please try again shortly. "+
			"If exceptions persist, check if you have a hot key")
	case x != nil && x.global:
		return fail(throughputExceeded, "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. "+
			"Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API")
	}
	return fail(throughputExceeded, "The level of configured provisioned throughput for the table was exceeded. "+
		"Consider increasing your provisioning level with the UpdateTable API.")
}
