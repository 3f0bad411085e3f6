package key

import "bytes"

// A Table numbers keys from 0 in the order in which they first come. The zero
// value is empty. It belongs to one goroutine, but for those that only find.
type Table struct {
	slots  []slot   // a power of two
	keys   []packed // by number
	hashes []uint64 // by number
	data   []byte   // of keys that are not short
	short  [mostShort]byte
}

// A slot has 1 + the number of a key, or 0 where it is free, and a part of the
// key's hash, by which most others are told apart without a look at them.
type slot struct{ number, hash uint32 }

// Len is the number of keys.
func (t *Table) Len() int { return len(t.keys) }

// Key is the key with a number. It is valid until the next call of Key or Number.
func (t *Table) Key(n int) []byte { return t.keys[n].bytes(t.data, &t.short) }

// Compare compares the bytes of two keys by their numbers.
func (t *Table) Compare(a, b int) int {
	var scratch [mostShort]byte
	return bytes.Compare(t.Key(a), t.keys[b].bytes(t.data, &scratch))
}

// Hash is the hash of the key with a number.
func (t *Table) Hash(n int) uint64 { return t.hashes[n] }

// Find returns the number of a key, or false if it has not been taken in.
func (t *Table) Find(k []byte) (uint32, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	p := pack(k)
	n, _ := t.find(p, p.hash(k), k)
	return n - 1, n > 0
}

// find returns 1 + the number of a key, or 0 and the free slot for it. The bytes of
// a key that is not short are in k.
func (t *Table) find(p packed, h uint64, k []byte) (n uint32, at uint64) {
	mask := uint64(len(t.slots) - 1)
	for at = h & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s.number == 0 || s.hash == uint32(h>>32) && t.keys[s.number-1].equal(p, t.data, k) {
			return s.number, at
		}
	}
}

// Number returns the number of a key, which it takes in if it is new.
func (t *Table) Number(k []byte) (n uint32, isNew bool) {
	p := pack(k)
	return t.number(p, p.hash(k), k)
}

// NumberOf is Number of a key of another table.
func (t *Table) NumberOf(other *Table, n int) uint32 {
	p := other.keys[n]
	number, _ := t.number(p, other.hashes[n], p.long(other.data))
	return number
}

func (t *Table) number(p packed, h uint64, k []byte) (n uint32, isNew bool) {
	if len(t.keys)*2 >= len(t.slots) {
		t.grow(2 * len(t.slots))
	}
	n, at := t.find(p, h, k)
	if n > 0 {
		return n - 1, false
	}
	if !p.isShort() {
		p.low = uint64(len(t.data))
		t.data = append(t.data, k...)
	}
	t.keys, t.hashes = append(t.keys, p), append(t.hashes, h)
	t.slots[at] = slot{uint32(len(t.keys)), uint32(h >> 32)}
	return uint32(len(t.keys) - 1), true
}

func (t *Table) grow(slots int) {
	t.slots = make([]slot, max(64, slots))
	mask := uint64(len(t.slots) - 1)
	for i, h := range t.hashes {
		at := h & mask
		for t.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = slot{uint32(i + 1), uint32(h >> 32)}
	}
}

// Bytes is the memory in use.
func (t *Table) Bytes() int64 {
	return int64(8*cap(t.slots) + 16*cap(t.keys) + 8*cap(t.hashes) + cap(t.data))
}

// None stands for the number of a key that has not been taken in.
const None = ^uint32(0)

// FindAll finds the numbers of the keys of a list, each None or that of a key that
// has been taken in. Any number of goroutines may do so at a time.
func (t *Table) FindAll(l *List, numbers []uint32) {
	if len(t.slots) == 0 {
		for i := range l.keys {
			numbers[i] = None
		}
		return
	}
	for _, i := range t.first(l, numbers) {
		p := l.keys[i]
		n, _ := t.find(p, l.hashes[i], p.long(l.data))
		numbers[i] = n - 1
	}
}

// NumberAll numbers the keys of a list, as Number does one after the other.
func (t *Table) NumberAll(l *List, numbers []uint32) {
	if len(t.slots) == 0 {
		t.grow(0)
	}
	for _, i := range t.first(l, numbers) {
		p := l.keys[i]
		numbers[i], _ = t.number(p, l.hashes[i], p.long(l.data))
	}
}

// first finds the keys that are in the first slot in which they may be, and
// returns the places of the others. It goes over all keys in steps, so that the
// processor waits for many places of memory at a time.
func (t *Table) first(l *List, numbers []uint32) (others []int32) {
	mask := uint64(len(t.slots) - 1)
	numbers = numbers[:len(l.hashes)]
	for i, h := range l.hashes {
		s := t.slots[h&mask]
		if numbers[i] = s.number; s.hash != uint32(h>>32) {
			numbers[i] = 0
		}
	}
	l.others = l.others[:0]
	keys := l.keys[:len(numbers)]
	for i, n := range numbers {
		if n > 0 && t.keys[n-1].equal(keys[i], t.data, keys[i].long(l.data)) {
			numbers[i] = n - 1
			continue
		}
		l.others = append(l.others, int32(i))
	}
	return l.others
}

// equal reports whether a key, of which t.data has the bytes if it is not short, is
// another one, of which k has.
func (p packed) equal(other packed, data, k []byte) bool {
	if p.isShort() {
		return p == other
	}
	return p.high == other.high && bytes.Equal(p.long(data), k)
}
