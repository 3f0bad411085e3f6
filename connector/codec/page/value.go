package page

import (
	"encoding/base64"
	"strconv"

	"github.com/dynasql/dynasql/connector/schema"
)

// Value is one attribute of one item of a Batch. It holds no pointer, so the
// collector never looks inside a batch; what it refers to is the batch's.
type Value struct {
	at    uint64 // start of the span; the digits of a small number; 1 for true
	size  uint32 // length of the span
	Kind  schema.Kind
	scale uint8 // N: digits after the point of a small number, or wide
}

// wide marks a number that is kept as text: more than 18 digits, an exponent, or
// not in DynamoDB's canonical form.
const wide = 0xff

// Small returns a number of at most 18 digits as digits / 10^scale; scale keeps
// zeros at the end. It reports false for other numbers and other kinds.
func (v Value) Small() (digits int64, scale uint8, ok bool) {
	if v.Kind != schema.N || v.scale == wide {
		return 0, 0, false
	}
	return int64(v.at), v.scale, true
}

// True is the value of a BOOL.
func (v Value) True() bool { return v.Kind == schema.Bool && v.at == 1 }

// Null reports whether SQL sees NULL: the attribute is missing or NULL-typed.
func (v Value) Null() bool { return v.Kind == schema.Missing || v.Kind == schema.Null }

// Span is the text of an S, the base64 text of a B as it came, the digits of a
// number that is not Small, or the JSON of a document or set: `{"a":{"N":"1"}}`,
// `[{"S":"x"}]`, `["x","y"]`. It is valid as long as the batch, and must not be
// changed.
func (b *Batch) Span(v Value) []byte { return b.buf[v.at : v.at+uint64(v.size)] }

// AppendNumber writes the text of an N as DynamoDB sent it.
func (b *Batch) AppendNumber(dst []byte, v Value) []byte {
	digits, scale, ok := v.Small()
	if !ok {
		return append(dst, b.Span(v)...)
	}
	if scale == 0 {
		return strconv.AppendInt(dst, digits, 10)
	}
	if digits < 0 {
		dst, digits = append(dst, '-'), -digits
	}
	var scratch [24]byte
	s := strconv.AppendInt(scratch[:0], digits, 10)
	point := len(s) - int(scale)
	if point <= 0 {
		dst = append(dst, '0', '.')
		for ; point < 0; point++ {
			dst = append(dst, '0')
		}
		return append(dst, s...)
	}
	dst = append(dst, s[:point]...)
	dst = append(dst, '.')
	return append(dst, s[point:]...)
}

// AppendBinary writes the bytes of a B, and reports false if its text is not
// base64.
func (b *Batch) AppendBinary(dst []byte, v Value) ([]byte, bool) {
	return appendBinary(dst, b.Span(v))
}

func appendBinary(dst, span []byte) ([]byte, bool) {
	text, ok := unescaped(span)
	if !ok {
		return dst, false
	}
	out, err := base64.StdEncoding.AppendDecode(dst, text)
	return out, err == nil
}

// Size is the length of the value's span; 0 for a value that has none.
func (v Value) Size() int { return int(v.size) }
