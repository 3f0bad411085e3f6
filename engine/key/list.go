package key

// A List has some keys one after the other, and their hashes. The zero value is
// empty. It belongs to one goroutine.
type List struct {
	data    []byte
	ends    []int32
	hashes  []uint64
	numbers []uint32 // for Warm
	warmed  byte     // what Warm read last, so that its reading is not left out
}

// Reset drops all keys.
func (l *List) Reset() { l.data, l.ends, l.hashes = l.data[:0], l.ends[:0], l.hashes[:0] }

// Bytes are the keys, behind which the next may be written for Add.
func (l *List) Bytes() []byte { return l.data }

// Add takes Bytes with the next key behind them.
func (l *List) Add(data []byte) {
	start := len(l.data)
	l.data, l.ends, l.hashes = data, append(l.ends, int32(len(data))), append(l.hashes, Hash(data[start:]))
}

// Key is the i-th key.
func (l *List) Key(i int) []byte {
	start := int32(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.data[start:l.ends[i]]
}

// Hash is the hash of the i-th key.
func (l *List) Hash(i int) uint64 { return l.hashes[i] }

// warmSlots is from how many slots on a table is beyond the processor's nearest
// caches.
const warmSlots = 1 << 14

// Warm brings what Find and Number will look at for a list into the processor's
// caches. It looks up all keys at once, step by step, so that the processor waits
// for many places of memory at a time.
func (t *Table) Warm(l *List) {
	if len(t.slots) < warmSlots {
		return
	}
	l.numbers = l.numbers[:0]
	mask := uint64(len(t.slots) - 1)
	for _, h := range l.hashes {
		s, n := t.slots[h&mask], uint32(0)
		if s.hash == uint32(h>>32) {
			n = s.number
		}
		l.numbers = append(l.numbers, n)
	}
	for i, n := range l.numbers {
		if n > 0 {
			l.numbers[i] = uint32(t.ends[n-1])
		}
	}
	for _, end := range l.numbers {
		if end > 0 && int(end) <= len(t.data) {
			l.warmed += t.data[end-1]
		}
	}
}
