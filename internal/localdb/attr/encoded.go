package attr

import (
	"encoding/binary"
	"errors"
	"slices"
	"unsafe"
)

// The stored form of an item, which all other forms are made into and from:
//
//	item  = size attributes
//	attributes = { length name value } to the end, names ascending
//	value = kind, then by kind:
//	  S N B     length bytes
//	  BOOL      0 or 1
//	  NULL      nothing
//	  M         skip attributes
//	  L         skip { value }
//	  SS NS BS  skip { length bytes }
//
// Lengths are unsigned varints. size is EncodedSize, skip the number of bytes
// that follow it; both in four bytes, little endian.

// Form is the stored form of an item.
type Form []byte

var errCorrupt = errors.New("attr: stored item is damaged")

// sharedString is b as a string without a copy: b must not change while the
// string lives.
func sharedString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// sharedBytes is s as bytes without a copy, for reading only.
func sharedBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Encode appends the stored form of an item. It depends only on the item's
// contents, so equal items (with sets in one order) have equal forms.
func Encode(dst []byte, it Item) []byte {
	start := len(dst)
	return seal(appendAttributes(append(dst, 0, 0, 0, 0), it), start)
}

// seal enters the size of the item that begins at start and ends dst.
func seal(dst []byte, start int) []byte {
	r, size := reader{rest: dst[start+4:]}, 0
	for len(r.rest) > 0 {
		size += len(r.text()) + r.size()
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(size))
	return dst
}

// nest appends what write appends, with its length before it.
func nest(dst []byte, write func(dst []byte) []byte) []byte {
	start := len(dst) + 4
	dst = write(append(dst, 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(dst[start-4:], uint32(len(dst)-start))
	return dst
}

func appendAttributes(dst []byte, it Item) []byte {
	var few [16]string
	for _, name := range sortedNames(few[:0], it) {
		dst = appendText(dst, name)
		dst = appendValue(dst, it[name])
	}
	return dst
}

func sortedNames[V any](names []string, m map[string]V) []string {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendFlag(dst []byte, b bool) []byte {
	if b {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendValue(dst []byte, v Value) []byte {
	dst = append(dst, byte(v.Kind))
	switch v.Kind {
	case S, N, B:
		return appendText(dst, v.Text)
	case BOOL:
		return appendFlag(dst, v.Bool)
	case NULL:
		return dst
	case M:
		return nest(dst, func(dst []byte) []byte { return appendAttributes(dst, v.Map) })
	}
	return nest(dst, func(dst []byte) []byte {
		for _, e := range v.List {
			dst = appendValue(dst, e)
		}
		for _, m := range v.Set {
			dst = appendText(dst, m)
		}
		return dst
	})
}

// reader walks a stored form. After damage it is empty and bad.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) fail() { r.rest, r.bad = nil, true }

func (r *reader) number() int {
	if len(r.rest) > 0 && r.rest[0] < 0x80 {
		n := int(r.rest[0])
		r.rest = r.rest[1:]
		return n
	}
	return r.longNumber()
}

func (r *reader) longNumber() int {
	n, used := binary.Uvarint(r.rest)
	if used <= 0 || n > 1<<31 {
		r.fail()
		return 0
	}
	r.rest = r.rest[used:]
	return int(n)
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) text() string { return sharedString(r.take(r.number())) }

func (r *reader) flag() bool {
	b := r.take(1)
	return len(b) == 1 && b[0] == 1
}

func (r *reader) kind() Kind {
	if len(r.rest) == 0 || r.rest[0] == 0 || Kind(r.rest[0]) > BS {
		r.fail()
		return Invalid
	}
	k := Kind(r.rest[0])
	r.rest = r.rest[1:]
	return k
}

// fixed reads a number of four bytes.
func (r *reader) fixed() int {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b))
}

// inside enters a map, list or set: its contents last until no more than left
// bytes remain.
func (r *reader) inside() (left int) {
	n := r.fixed()
	if n > len(r.rest) {
		r.fail()
		return 0
	}
	return len(r.rest) - n
}

// skip passes over the contents of a value of the kind.
func (r *reader) skip(k Kind) {
	switch k {
	case S, N, B:
		r.take(r.number())
	case BOOL:
		r.take(1)
	case NULL, Invalid:
	default:
		r.take(r.fixed())
	}
}

// size passes over a value and gives what it counts in the size of an item, in
// bytes, without the attribute name: UTF-8 bytes of S, bytes of B, about half
// the digits of N, one for BOOL and NULL, three for a map or list plus one for
// each member.
func (r *reader) size() int {
	size, k := 0, r.kind()
	switch k {
	case S, B:
		return len(r.text())
	case N:
		return numberSize(r.text())
	case BOOL, NULL:
		r.skip(k)
		return 1
	case M, L:
		size = 3
	}
	for left := r.inside(); len(r.rest) > left; {
		switch k {
		case M:
			size += 1 + len(r.text()) + r.size()
		case L:
			size += 1 + r.size()
		case NS:
			size += numberSize(r.text())
		default:
			size += len(r.text())
		}
	}
	return size
}

func (r *reader) value(depth int) Value {
	if depth > MaxDepth {
		r.fail()
	}
	v := Value{Kind: r.kind()}
	switch v.Kind {
	case S, N, B:
		v.Text = r.text()
	case BOOL:
		v.Bool = r.flag()
	case M:
		v.Map = r.attributes(r.inside(), depth+1)
	case L:
		v.List = []Value{}
		for left := r.inside(); len(r.rest) > left; {
			v.List = append(v.List, r.value(depth+1))
		}
	case SS, NS, BS:
		v.Set = r.texts()
	}
	return v
}

// texts reads the members of a set.
func (r *reader) texts() []string {
	members := []string{}
	for left := r.inside(); len(r.rest) > left; {
		members = append(members, r.text())
	}
	return members
}

func (r *reader) attributes(left, depth int) Item {
	it := make(Item, r.count(left))
	for len(r.rest) > left {
		name := r.text()
		it[name] = r.value(depth)
	}
	return it
}

// count is the number of attributes until left bytes remain.
func (r reader) count(left int) int {
	n := 0
	for ; len(r.rest) > left; n++ {
		r.take(r.number())
		r.skip(r.kind())
	}
	return n
}

// attributesOf gives the attributes of a stored item to read.
func attributesOf(enc []byte) reader {
	r := reader{rest: enc}
	r.fixed()
	return r
}

// Decode reads a stored form. The item shares enc's memory, so enc must never
// change afterwards.
func Decode(enc []byte) (Item, error) {
	r := attributesOf(enc)
	it := r.attributes(0, 1)
	if r.bad {
		return nil, errCorrupt
	}
	return it, nil
}

// EncodedSize is the size of a stored item that DynamoDB's limits and capacity
// units count, in bytes: UTF-8 bytes of the names plus the values; 0 for nil.
func EncodedSize(enc []byte) int {
	r := reader{rest: enc}
	return r.fixed()
}

// Len is the number of attributes of a stored item.
func Len(enc []byte) int { return attributesOf(enc).count(0) }

// Lookup gives one top-level attribute of a stored item. The value shares
// enc's memory, so enc must never change afterwards.
func Lookup(enc []byte, name string) (Value, bool) {
	r := attributesOf(enc)
	for len(r.rest) > 0 {
		if r.text() == name {
			v := r.value(1)
			return v, !r.bad
		}
		r.skip(r.kind())
	}
	return Value{}, false
}

// Select appends the stored form of the item reduced to the named top-level
// attributes, as a secondary index projects it. names must ascend.
func Select(dst, enc []byte, names []string) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	r := attributesOf(enc)
	for len(r.rest) > 0 && len(names) > 0 {
		from := r.rest
		name := r.text()
		for len(names) > 0 && names[0] < name {
			names = names[1:]
		}
		r.skip(r.kind())
		if len(names) > 0 && names[0] == name && !r.bad {
			dst = append(dst, from[:len(from)-len(r.rest)]...)
		}
	}
	return seal(dst, start)
}
