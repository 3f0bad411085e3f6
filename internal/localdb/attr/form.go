package attr

import (
	"encoding/binary"
	"iter"
)

// An item is kept as one text, which all other forms are made into and from:
//
//	form       = size attributes
//	attributes = { length name value } to the end, names ascending
//	value      = kind, then by kind:
//	  S N B       length bytes; N in canonical form
//	  BOOL        0 or 1
//	  NULL        nothing
//	  M           skip attributes
//	  L SS NS BS  skip { value }
//
// Lengths are unsigned varints. size is what Size gives, skip the number of bytes
// that follow it; both in four bytes, little endian.

// Form is an item as it is kept. It depends only on the item's contents, so that
// equal items, with sets in one order, have equal forms. "" is no item, unlike an
// item without attributes.
type Form string

// Value is one attribute value as it stands in a Form. "" is no value.
type Value string

// reader is what is left to read of a form.
type reader string

func (r *reader) take(n int) string {
	s := (*r)[:n]
	*r = (*r)[n:]
	return string(s)
}

func (r *reader) number() int {
	n := 0
	for shift := 0; ; shift += 7 {
		c := (*r)[0]
		*r = (*r)[1:]
		n |= int(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
}

func (r *reader) text() string { return r.take(r.number()) }

// fixed reads a number of four bytes.
func (r *reader) fixed() int { return int(binary.LittleEndian.Uint32(sharedBytes(r.take(4)))) }

func (r *reader) value() Value {
	all := *r
	switch Kind(r.take(1)[0]) {
	case S, N, B:
		r.text()
	case BOOL:
		r.take(1)
	case NULL:
	default:
		r.take(r.fixed())
	}
	return Value(all[:len(all)-len(*r)])
}

func (r reader) attributes() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for rest := r; rest != "" && yield(rest.text(), rest.value()); {
		}
	}
}

func (r reader) attribute(name string) Value {
	for r != "" {
		if r.text() == name {
			return r.value()
		}
		r.value()
	}
	return ""
}

func (r reader) count() int {
	n := 0
	for range r.attributes() {
		n++
	}
	return n
}

func (f Form) attributes() reader {
	if f == "" {
		return ""
	}
	return reader(f[4:])
}

// Size is what DynamoDB's limits and capacity units count of an item, in bytes:
// UTF-8 bytes of the names plus the values; 0 for no item.
func (f Form) Size() int {
	if f == "" {
		return 0
	}
	r := reader(f)
	return r.fixed()
}

// Len is the number of attributes.
func (f Form) Len() int { return f.attributes().count() }

// Attributes are the attributes in order of their names.
func (f Form) Attributes() iter.Seq2[string, Value] { return f.attributes().attributes() }

// Attribute is the attribute of a name, "" if there is none.
func (f Form) Attribute(name string) Value { return f.attributes().attribute(name) }

// Select appends the form of the item reduced to the named attributes, as a
// secondary index projects it. names must ascend.
func (f Form) Select(dst []byte, names []string) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for r := f.attributes(); r != "" && len(names) > 0; {
		from := r
		name := r.text()
		for len(names) > 0 && names[0] < name {
			names = names[1:]
		}
		r.value()
		if len(names) > 0 && names[0] == name {
			dst = append(dst, from[:len(from)-len(r)]...)
		}
	}
	return seal(dst, start)
}

// Kind is the type of the value, Invalid for none.
func (v Value) Kind() Kind {
	if v == "" {
		return Invalid
	}
	return Kind(v[0])
}

// Text is the contents of an S, an N in canonical form, or the raw bytes of a
// B; "" for any other kind.
func (v Value) Text() string {
	switch v.Kind() {
	case S, N, B:
		r := reader(v[1:])
		return r.text()
	}
	return ""
}

// inside is what a map, list or set holds.
func (v Value) inside() reader { return reader(v[5:]) }

func (v Value) attributes() reader {
	if v.Kind() != M {
		return ""
	}
	return v.inside()
}

// Attributes are those of an M in order of their names; none for any other kind.
func (v Value) Attributes() iter.Seq2[string, Value] { return v.attributes().attributes() }

// Attribute is the attribute of an M, "" if there is none.
func (v Value) Attribute(name string) Value { return v.attributes().attribute(name) }

// Elements are those of a list, or the members of a set;
// none for any other kind.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() < L {
			return
		}
		for rest := v.inside(); rest != "" && yield(rest.value()); {
		}
	}
}

// Len is the number of attributes, elements or members.
func (v Value) Len() int {
	n := v.attributes().count()
	for range v.Elements() {
		n++
	}
	return n
}

// depth is the number of nesting levels of the value, 1 for a scalar.
func (v Value) depth() int {
	below := 0
	for e := range v.Elements() {
		below = max(below, e.depth())
	}
	for _, e := range v.Attributes() {
		below = max(below, e.depth())
	}
	return below + 1
}

// size is what a value counts in the size of an item, in bytes, without the
// attribute name: UTF-8 bytes of S, bytes of B, about half the digits of N, one
// for BOOL and NULL, three for a map or list plus one for each member.
func (v Value) size() int {
	switch v.Kind() {
	case S, B:
		return len(v.Text())
	case N:
		return numberSize(v.Text())
	case BOOL, NULL:
		return 1
	}
	size, each := 0, 0
	if v.Kind() <= L {
		size, each = 3, 1
	}
	for name, e := range v.Attributes() {
		size += each + len(name) + e.size()
	}
	for e := range v.Elements() {
		size += each + e.size()
	}
	return size
}
