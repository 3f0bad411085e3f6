package attr

import (
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// AppendJSON appends the wire JSON of an item, such as {"a":{"S":"x"}}.
func (f Form) AppendJSON(dst []byte) []byte { return f.attributes().appendJSON(dst) }

func (r reader) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for first := true; r != ""; first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, r.text())
		dst = r.value().appendJSON(append(dst, ':'))
	}
	return append(dst, '}')
}

var openings = [...]string{`{"invalid":`, `{"S":`, `{"N":`, `{"B":`, `{"BOOL":`, `{"NULL":`, `{"M":`, `{"L":`, `{"SS":`, `{"NS":`, `{"BS":`}

// appendJSON appends the wire JSON of a value, such as {"N":"1"}.
func (v Value) appendJSON(dst []byte) []byte {
	k := v.Kind()
	dst = append(dst, openings[k]...)
	switch k {
	case S, N, B:
		dst = v.appendText(dst)
	case BOOL:
		dst = strconv.AppendBool(dst, v[1] == 1)
	case NULL:
		dst = append(dst, "true"...)
	case M:
		dst = v.inside().appendJSON(dst)
	default:
		dst = v.appendElements(dst)
	}
	return append(dst, '}')
}

func (v Value) appendElements(dst []byte) []byte {
	dst = append(dst, '[')
	first := true
	for e := range v.Elements() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if v.Kind() == L {
			dst = e.appendJSON(dst)
		} else {
			dst = e.appendText(dst)
		}
	}
	return append(dst, ']')
}

// appendText appends the JSON string of an S, N or B.
func (v Value) appendText(dst []byte) []byte {
	text := v.Text()
	switch v.Kind() {
	case N:
		dst = append(dst, '"')
		dst = append(dst, text...)
		return append(dst, '"')
	case B:
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
