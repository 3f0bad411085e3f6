package attr

import (
	"encoding/binary"
	"errors"
	"slices"
	"unsafe"
)

// The stored form of an item:
//
//	item  = size attributes
//	attributes = { length name value } to the end, names ascending
//	value = kind, then by kind:
//	  S N B     length bytes
//	  BOOL      0 or 1
//	  NULL      nothing
//	  M         skip attributes
//	  L         skip count { value }
//	  SS NS BS  skip count { length bytes }
//
// Counts and lengths are unsigned varints. size is Item.Size, skip the number of
// bytes that follow it; both in four bytes, little endian.

var errCorrupt = errors.New("attr: stored item is damaged")

// sharedString is b as a string without a copy: b must not change while the
// string lives.
func sharedString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// sharedBytes is s as bytes without a copy, for reading only.
func sharedBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Encode appends the stored form of an item. It depends only on the item's
// contents, so equal items (with sets in one order) have equal forms.
func Encode(dst []byte, it Item) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(it.Size()))
	return appendAttributes(dst, it)
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

func appendValue(dst []byte, v Value) []byte {
	dst = append(dst, byte(v.Kind))
	switch v.Kind {
	case S, N, B:
		return appendText(dst, v.Text)
	case BOOL:
		if v.Bool {
			return append(dst, 1)
		}
		return append(dst, 0)
	case NULL:
		return dst
	}
	dst = append(dst, 0, 0, 0, 0)
	start := len(dst)
	switch v.Kind {
	case M:
		dst = appendAttributes(dst, v.Map)
	case L:
		dst = binary.AppendUvarint(dst, uint64(len(v.List)))
		for _, e := range v.List {
			dst = appendValue(dst, e)
		}
	default:
		dst = binary.AppendUvarint(dst, uint64(len(v.Set)))
		for _, m := range v.Set {
			dst = appendText(dst, m)
		}
	}
	binary.LittleEndian.PutUint32(dst[start-4:], uint32(len(dst)-start))
	return dst
}

// reader walks a stored form. After damage it is empty and bad.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) fail() {
	r.rest, r.bad = nil, true
}

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

// count is a number of things of at least one byte each.
func (r *reader) count() int {
	n := r.number()
	if n > len(r.rest) {
		r.fail()
		return 0
	}
	return n
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

func (r *reader) kind() Kind {
	if len(r.rest) == 0 {
		r.fail()
		return Invalid
	}
	k := Kind(r.rest[0])
	r.rest = r.rest[1:]
	if k == Invalid || k > BS {
		r.fail()
		return Invalid
	}
	return k
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

// fixed reads a number of four bytes.
func (r *reader) fixed() int {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b))
}

func (r *reader) value(depth int) Value {
	v := Value{Kind: r.kind()}
	switch v.Kind {
	case S, N, B:
		v.Text = r.text()
	case BOOL:
		v.Bool = r.flag()
	case M:
		body := reader{rest: r.take(r.fixed())}
		v.Map = body.attributes(depth + 1)
		r.bad = r.bad || body.bad
	case L:
		r.fixed()
		v.List = r.list(depth + 1)
	case SS, NS, BS:
		r.fixed()
		v.Set = make([]string, r.count())
		for i := range v.Set {
			v.Set[i] = r.text()
		}
	}
	return v
}

func (r *reader) flag() bool {
	b := r.take(1)
	return len(b) == 1 && b[0] == 1
}

func (r *reader) list(depth int) []Value {
	if depth > MaxDepth {
		r.fail()
	}
	n := r.count()
	list := make([]Value, 0, min(n, 1024))
	for ; n > 0 && !r.bad; n-- {
		list = append(list, r.value(depth))
	}
	return list
}

func (r *reader) attributes(depth int) Item {
	if depth > MaxDepth {
		r.fail()
	}
	it := make(Item, r.remaining())
	for len(r.rest) > 0 {
		name := r.text()
		it[name] = r.value(depth)
	}
	return it
}

// remaining counts the attributes left.
func (r reader) remaining() int {
	n := 0
	for ; len(r.rest) > 0; n++ {
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
	it := r.attributes(1)
	if r.bad {
		return nil, errCorrupt
	}
	return it, nil
}

// EncodedSize is Item.Size of a stored item, in bytes, without decoding it.
func EncodedSize(enc []byte) int {
	r := reader{rest: enc}
	return r.fixed()
}

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
	size := 0
	r := attributesOf(enc)
	for len(r.rest) > 0 && len(names) > 0 {
		from := r.rest
		name := r.text()
		for len(names) > 0 && names[0] < name {
			names = names[1:]
		}
		if len(names) == 0 || names[0] != name {
			r.skip(r.kind())
			continue
		}
		v := r.value(1)
		if r.bad {
			break
		}
		size += len(name) + v.Size()
		dst = append(dst, from[:len(from)-len(r.rest)]...)
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(size))
	return dst
}

// AppendEncodedJSON appends the wire JSON of a stored item without decoding it.
func AppendEncodedJSON(dst, enc []byte) []byte {
	r := attributesOf(enc)
	return r.appendAttributesJSON(dst)
}

func (r *reader) appendAttributesJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for first := true; len(r.rest) > 0; first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = appendString(dst, r.text())
		dst = append(dst, ':')
		dst = r.appendValueJSON(dst)
	}
	return append(dst, '}')
}

func (r *reader) appendValueJSON(dst []byte) []byte {
	k := r.kind()
	dst = appendTag(dst, k)
	switch k {
	case S, N, B:
		dst = appendScalar(dst, k, r.text())
	case BOOL:
		dst = appendBool(dst, r.flag())
	case NULL:
		dst = append(dst, "true"...)
	case M:
		body := reader{rest: r.take(r.fixed())}
		dst = body.appendAttributesJSON(dst)
	default:
		r.fixed()
		dst = r.appendMembersJSON(dst, k)
	}
	return append(dst, '}')
}

func (r *reader) appendMembersJSON(dst []byte, k Kind) []byte {
	dst = append(dst, '[')
	for i, n := 0, r.count(); i < n && !r.bad; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		if k == L {
			dst = r.appendValueJSON(dst)
		} else {
			dst = appendScalar(dst, k, r.text())
		}
	}
	return append(dst, ']')
}
