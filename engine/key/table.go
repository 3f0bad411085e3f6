package key

import (
	"bytes"
	"hash/maphash"
)

// A Table numbers keys from 0 in the order in which they first come. The zero
// value is empty. It belongs to one goroutine.
type Table struct {
	slots  []slot   // a power of two
	hashes []uint64 // of the keys
	ends   []int    // of the keys in data
	data   []byte
}

// A slot has 1 + the number of a key, or 0 where it is free, and a part of the
// key's hash, by which most others are told apart without a look at them.
type slot struct{ number, hash uint32 }

var seed = maphash.MakeSeed()

// Hash is a hash of a key, the same for the time of the process.
func Hash(k []byte) uint64 { return maphash.Bytes(seed, k) }

// Len is the number of keys.
func (t *Table) Len() int { return len(t.ends) }

// Key is the key with a number. It is valid until the next key is taken in.
func (t *Table) Key(n int) []byte {
	start := 0
	if n > 0 {
		start = t.ends[n-1]
	}
	return t.data[start:t.ends[n]]
}

// Hash is the hash of the key with a number.
func (t *Table) Hash(n int) uint64 { return t.hashes[n] }

// Find returns the number of a key, or false if it has not been taken in.
func (t *Table) Find(k []byte) (uint32, bool) { return t.FindHash(k, Hash(k)) }

// FindHash is Find with the key's hash.
func (t *Table) FindHash(k []byte, h uint64) (uint32, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	n, _ := t.find(k, h)
	return n - 1, n > 0
}

// find returns 1 + the number of a key, or 0 and the free slot for it.
func (t *Table) find(k []byte, h uint64) (n uint32, at uint64) {
	mask := uint64(len(t.slots) - 1)
	for at = h & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s.number == 0 || s.hash == uint32(h>>32) && bytes.Equal(t.Key(int(s.number-1)), k) {
			return s.number, at
		}
	}
}

// Number returns the number of a key, which it takes in if it is new.
func (t *Table) Number(k []byte) (n uint32, isNew bool) { return t.NumberHash(k, Hash(k)) }

// NumberHash is Number with the key's hash.
func (t *Table) NumberHash(k []byte, h uint64) (n uint32, isNew bool) {
	if len(t.ends)*2 >= len(t.slots) {
		t.grow()
	}
	n, at := t.find(k, h)
	if n > 0 {
		return n - 1, false
	}
	t.data = append(t.data, k...)
	t.ends, t.hashes = append(t.ends, len(t.data)), append(t.hashes, h)
	t.slots[at] = slot{uint32(len(t.ends)), uint32(h >> 32)}
	return uint32(len(t.ends) - 1), true
}

func (t *Table) grow() {
	t.slots = make([]slot, max(64, 2*len(t.slots)))
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
func (t *Table) Bytes() int64 { return int64(8*cap(t.slots) + 16*cap(t.ends) + cap(t.data)) }
