package key

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// A packed key has the bytes of a short one, and where those of another are: low is
// their place then, and high their number beside isLong.
type packed struct{ low, high uint64 }

// mostShort is how many bytes a short key has at most. Its number of bytes is in the
// last of the sixteen.
const mostShort = 15

const isLong = 0xff << 56

var seed = maphash.MakeSeed()

var seeds = [3]uint64{maphash.String(seed, "low"), maphash.String(seed, "high"), maphash.String(seed, "both") | 1}

// pack packs a short key. Of another the place is 0.
func pack(k []byte) packed {
	n := len(k)
	switch {
	case n > mostShort:
		return packed{0, isLong | uint64(n)}
	case n >= 8:
		tail := binary.LittleEndian.Uint64(k[n-8:]) // of which some bytes are in low as well
		return packed{binary.LittleEndian.Uint64(k), tail>>(8*(16-n)) | uint64(n)<<56}
	case n >= 4:
		tail := uint64(binary.LittleEndian.Uint32(k[n-4:]))
		return packed{uint64(binary.LittleEndian.Uint32(k)) | tail<<(8*(n-4)), uint64(n) << 56}
	}
	var low uint64
	for i, b := range k {
		low |= uint64(b) << (8 * i)
	}
	return packed{low, uint64(n) << 56}
}

// masks has for each number of bytes those of a packed key.
var masks = func() (m [mostShort + 1]packed) {
	for n := range m {
		m[n] = packed{1<<(8*min(n, 8)) - 1, 1<<(8*max(n-8, 0)) - 1}
	}
	return m
}()

// packText packs a text with room for fifteen bytes at most. Where sixteen can be
// read, which goes for the texts of pages, it does so.
func packText(text []byte) packed {
	if cap(text) < 16 {
		return pack(text)
	}
	b, m := text[:16], &masks[len(text)]
	return packed{binary.LittleEndian.Uint64(b) & m.low, binary.LittleEndian.Uint64(b[8:])&m.high | uint64(len(text))<<56}
}

// behind is a short key with n bytes before it, with which it must not be too long.
func (p packed) behind(before, n uint64) packed {
	high := p.high&(1<<56-1)<<(8*n) | p.low>>(64-8*n)
	return packed{p.low<<(8*n) | before, high | (p.high>>56+n)<<56}
}

func (p packed) isShort() bool { return p.high < isLong }

// long are the bytes of a key that is not short; of one that is, nil.
func (p packed) long(data []byte) []byte {
	if p.isShort() {
		return nil
	}
	return data[p.low : p.low+p.high&^isLong]
}

// bytes are the bytes of a key. The scratch is for those of a short one.
func (p packed) bytes(data []byte, scratch *[mostShort]byte) []byte {
	if !p.isShort() {
		return p.long(data)
	}
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], p.low)
	binary.LittleEndian.PutUint64(b[8:], p.high)
	copy(scratch[:], b[:])
	return scratch[:p.high>>56]
}

// hash is the hash of a key, of which k has the bytes if it is not short.
func (p packed) hash(k []byte) uint64 {
	if !p.isShort() {
		return maphash.Bytes(seed, k)
	}
	return p.hashShort()
}

func (p packed) hashShort() uint64 {
	return folded(folded(p.low^seeds[0], p.high^seeds[1]), seeds[2])
}

func folded(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// Hash is a hash of a key, the same for the time of the process. Different keys may
// have the same.
func Hash(k []byte) uint64 { return pack(k).hash(k) }
