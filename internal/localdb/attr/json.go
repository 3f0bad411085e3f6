package attr

import (
	"encoding/base64"
	"encoding/binary"
	"math/bits"
)

// AppendItemJSON appends the wire JSON of an item, such as {"a":{"S":"x"}},
// attributes in no certain order.
func AppendItemJSON(dst []byte, it Item) []byte {
	dst = append(dst, '{')
	first := true
	for name, v := range it {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendString(dst, name)
		dst = append(dst, ':')
		dst = AppendValueJSON(dst, v)
	}
	return append(dst, '}')
}

// AppendValueJSON appends the wire JSON of a value, such as {"N":"1"}.
func AppendValueJSON(dst []byte, v Value) []byte {
	dst = appendTag(dst, v.Kind)
	switch v.Kind {
	case BOOL:
		dst = appendBool(dst, v.Bool)
	case NULL:
		dst = append(dst, "true"...)
	case M:
		dst = AppendItemJSON(dst, v.Map)
	case L:
		dst = append(dst, '[')
		for i, e := range v.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendValueJSON(dst, e)
		}
		dst = append(dst, ']')
	case SS, NS, BS:
		dst = append(dst, '[')
		for i, m := range v.Set {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendScalar(dst, v.Kind, m)
		}
		dst = append(dst, ']')
	default:
		dst = appendScalar(dst, v.Kind, v.Text)
	}
	return append(dst, '}')
}

var openings = [...]string{`{"invalid":`, `{"S":`, `{"N":`, `{"B":`, `{"BOOL":`, `{"NULL":`, `{"M":`, `{"L":`, `{"SS":`, `{"NS":`, `{"BS":`}

func appendTag(dst []byte, k Kind) []byte {
	return append(dst, openings[min(k, BS)]...)
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
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
	return appendString(dst, text)
}

// appendString appends a JSON string; s must be valid UTF-8.
func appendString(dst []byte, s string) []byte {
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
