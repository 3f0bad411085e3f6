package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errMalformed reports a message that ends too early or contradicts itself.
var errMalformed = errors.New("malformed packet")

func appendUint16(b []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(b, v) }
func appendUint32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }
func appendUint64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// appendLength appends a length-encoded integer.
func appendLength(b []byte, n uint64) []byte {
	switch {
	case n < 251:
		return append(b, byte(n))
	case n < 1<<16:
		return appendUint16(append(b, 0xfc), uint16(n))
	case n < 1<<24:
		return append(b, 0xfd, byte(n), byte(n>>8), byte(n>>16))
	}
	return appendUint64(append(b, 0xfe), n)
}

// AppendString appends a length-encoded string: a value of a row in text form.
func AppendString[T string | []byte](b []byte, s T) []byte {
	return append(appendLength(b, uint64(len(s))), s...)
}

// A reader takes a payload apart. After the first read beyond the end, bad is
// set and all reads give zeros.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.rest) {
		r.bad = true
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uint8() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) length() int {
	n := uint64(0)
	switch first := r.uint8(); first {
	case 0xfc:
		n = uint64(r.uint16())
	case 0xfd:
		if b := r.take(3); b != nil {
			n = uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16
		}
	case 0xfe:
		n = r.uint64()
	case 0xfb, 0xff:
		r.bad = true
	default:
		n = uint64(first)
	}
	if n > uint64(len(r.rest)) {
		r.bad = true
		return 0
	}
	return int(n)
}

// bytes is a length-encoded string.
func (r *reader) bytes() []byte { return r.take(r.length()) }

// zero is a string ended by a zero byte.
func (r *reader) zero() string {
	i := bytes.IndexByte(r.rest, 0)
	if i < 0 {
		r.bad = true
		return ""
	}
	s := string(r.take(i))
	r.take(1)
	return s
}

// zeroOrEnd is a string ended by a zero byte or by the end of the payload, as
// some clients send the last field.
func (r *reader) zeroOrEnd() string {
	if bytes.IndexByte(r.rest, 0) < 0 {
		return string(r.take(len(r.rest)))
	}
	return r.zero()
}

func (r *reader) err() error {
	if r.bad {
		return errMalformed
	}
	return nil
}
