package attr

import (
	"encoding/base64"
	"encoding/binary"
	"math/bits"
)

// AppendEncodedJSON appends the wire JSON of a stored item, such as
// {"a":{"S":"x"}}, without decoding it.
func AppendEncodedJSON(dst, enc []byte) []byte {
	r := attributesOf(enc)
	return r.appendAttributes(dst, 0)
}

func (r *reader) appendAttributes(dst []byte, left int) []byte {
	dst = append(dst, '{')
	for first := true; len(r.rest) > left; first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, r.text())
		dst = append(dst, ':')
		dst = r.appendValue(dst)
	}
	return append(dst, '}')
}

var openings = [...]string{`{"invalid":`, `{"S":`, `{"N":`, `{"B":`, `{"BOOL":`, `{"NULL":`, `{"M":`, `{"L":`, `{"SS":`, `{"NS":`, `{"BS":`}

// appendValue appends the wire JSON of a value, such as {"N":"1"}.
func (r *reader) appendValue(dst []byte) []byte {
	k := r.kind()
	dst = append(dst, openings[k]...)
	switch k {
	case S, N, B:
		dst = appendScalar(dst, k, r.text())
	case BOOL:
		if r.flag() {
			dst = append(dst, "true"...)
		} else {
			dst = append(dst, "false"...)
		}
	case NULL:
		dst = append(dst, "true"...)
	case M:
		dst = r.appendAttributes(dst, r.inside())
	default:
		dst = r.appendMembers(dst, k)
	}
	return append(dst, '}')
}

func (r *reader) appendMembers(dst []byte, k Kind) []byte {
	dst = append(dst, '[')
	left := r.inside()
	for first := true; len(r.rest) > left; first = false {
		if !first {
			dst = append(dst, ',')
		}
		if k == L {
			dst = r.appendValue(dst)
		} else {
			dst = appendScalar(dst, k, r.text())
		}
	}
	return append(dst, ']')
}

// appendScalar appends the JSON string of an S, N, B or a member of a set.
func appendScalar(dst []byte, k Kind, text string) []byte {
	switch k {
	case N, NS:
		dst = append(dst, '"')
		dst = append(dst, text...)
		return append(dst, '"')
	case B, BS:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, sharedBytes(text))
		return append(dst, '"')
	}
	return AppendString(dst, text)
}

// AppendString appends a JSON string; s must be valid UTF-8.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for {
		n := plainPrefix(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"')
		}
		switch c := s[n]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		s = s[n+1:]
	}
}

// plainPrefix is the length of the part of s before the first byte that JSON
// escapes: a quote, a backslash or a control character. It looks at eight
// bytes at a time: a byte of m is set where x has a byte below the one wanted.
func plainPrefix(s string) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(sharedBytes(s[i:]))
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		m := (x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash
		if m &= highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}
