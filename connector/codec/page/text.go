package page

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// marks has the high bit of each byte of w set that is a quote or a backslash.
// A byte above the lowest hit may be marked wrongly.
func marks(w uint64) uint64 {
	quote, slash := w^0x2222222222222222, w^0x5c5c5c5c5c5c5c5c
	return ((quote-ones)&^quote | (slash-ones)&^slash) & highs
}

// endOfText returns the index of the quote that closes the text beginning at i,
// or -1, and whether there is an escape in it. Spare bytes follow n.
func endOfText(b []byte, i, n int) (end int, escaped bool) {
	for stop := i + 24; i < n && i < stop; i += 8 {
		if m := marks(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			if i < n && b[i] == '"' {
				return i, false
			}
			return endOfEscaped(b, i, n)
		}
	}
	if i >= n {
		return -1, false
	}
	q := bytes.IndexByte(b[i:n], '"')
	if q < 0 {
		return -1, false
	}
	if s := bytes.IndexByte(b[i:i+q], '\\'); s >= 0 {
		return endOfEscaped(b, i+s, n)
	}
	return i + q, false
}

// endOfEscaped goes on from the first backslash.
func endOfEscaped(b []byte, i, n int) (int, bool) {
	for i < n {
		m := marks(binary.LittleEndian.Uint64(b[i:]))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if i >= n {
			break
		}
		if b[i] == '"' {
			return i, true
		}
		i += 2
	}
	return -1, true
}

// unescaped returns the text itself if nothing in it is escaped.
func unescaped(text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '\\') < 0 {
		return text, true
	}
	return appendUnescaped(nil, text)
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// appendUnescaped writes a JSON text without its escapes, half of a surrogate
// pair as U+FFFD, and reports false on an escape that JSON does not have.
func appendUnescaped(dst, text []byte) ([]byte, bool) {
	for len(text) > 0 {
		k := bytes.IndexByte(text, '\\')
		if k < 0 {
			return append(dst, text...), true
		}
		dst = append(dst, text[:k]...)
		text = text[k+1:]
		if len(text) == 0 {
			return dst, false
		}
		if text[0] == 'u' {
			r, size := unicodeEscape(text)
			if size == 0 {
				return dst, false
			}
			dst, text = utf8.AppendRune(dst, r), text[size:]
			continue
		}
		c := escapes[text[0]]
		if c == 0 {
			return dst, false
		}
		dst, text = append(dst, c), text[1:]
	}
	return dst, true
}

// unicodeEscape reads a u with its four hexadecimal digits, or the two of a surrogate pair, and returns the
// number of bytes read, 0 on an error.
func unicodeEscape(text []byte) (rune, int) {
	r := hex4(text[1:])
	if r < 0 {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 5
	}
	if len(text) >= 11 && text[5] == '\\' && text[6] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(text[7:])); pair != utf8.RuneError {
			return pair, 11
		}
	}
	return utf8.RuneError, 5
}

func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}
