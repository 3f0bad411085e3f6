package attr

import (
	"encoding/binary"
	"maps"
	"slices"
	"unsafe"
)

// sharedString is b as a string without a copy: b must not change while the
// string lives.
func sharedString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// sharedBytes is s as bytes without a copy, for reading only.
func sharedBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Encode is the form of an item with the attributes.
func Encode(attributes map[string]Value) Form {
	return Form(seal(appendAttributes(make([]byte, 4), attributes), 0))
}

// Map is an M of the attributes.
func Map(attributes map[string]Value) Value {
	return Value(nest([]byte{byte(M)}, func(dst []byte) []byte { return appendAttributes(dst, attributes) }))
}

// Scalar is an S, a B of raw bytes, or an N of a number in canonical form.
func Scalar(k Kind, text string) Value { return Value(appendText([]byte{byte(k)}, text)) }

// Collection is a list of the elements, or a set of them, which must differ.
func Collection(k Kind, elements []Value) Value {
	return Value(nest([]byte{byte(k)}, func(dst []byte) []byte {
		for _, e := range elements {
			dst = append(dst, e...)
		}
		return dst
	}))
}

// seal enters the size of the item that begins at start and ends dst.
func seal(dst []byte, start int) []byte {
	size := 0
	for r := reader(sharedString(dst[start+4:])); r != ""; {
		size += len(r.text()) + r.value().size()
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

func appendAttributes(dst []byte, attributes map[string]Value) []byte {
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		dst = append(appendText(dst, name), attributes[name]...)
	}
	return dst
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

// appendSet appends the members of a set, and refuses an empty set and a
// repeated member.
func appendSet(dst []byte, k Kind, members []string) ([]byte, error) {
	dst = nest(dst, func(dst []byte) []byte {
		for _, m := range members {
			dst = appendText(append(dst, byte(k-SS+S)), m)
		}
		return dst
	})
	return dst, checkSet(k, members)
}
