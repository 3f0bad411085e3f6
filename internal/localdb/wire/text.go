package wire

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a quoted string.
func (d *decoder) string() string {
	d.pos++
	start := d.pos
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; {
		case c == '"':
			text := string(d.text[start:d.pos])
			d.pos++
			return text
		case c == '\\':
			return d.escaped(start)
		case c < ' ':
			d.fail("")
			return ""
		}
		d.pos++
	}
	d.fail("")
	return ""
}

// escaped reads a string on from its first escape.
func (d *decoder) escaped(start int) string {
	out := append([]byte(nil), d.text[start:d.pos]...)
	for d.pos < len(d.text) && d.err == nil {
		c := d.text[d.pos]
		d.pos++
		switch {
		case c == '"':
			return string(out)
		case c == '\\':
			out = d.escape(out)
		case c < ' ':
			d.fail("")
		default:
			out = append(out, c)
		}
	}
	d.fail("")
	return ""
}

const plainEscapes = `"\/bfnrt`
const plainMeanings = "\"\\/\b\f\n\r\t"

func (d *decoder) escape(out []byte) []byte {
	if d.pos == len(d.text) {
		d.fail("")
		return out
	}
	c := d.text[d.pos]
	d.pos++
	if i := bytes.IndexByte([]byte(plainEscapes), c); i >= 0 {
		return append(out, plainMeanings[i])
	}
	if c != 'u' {
		d.fail("")
		return out
	}
	r := d.hex()
	if utf16.IsSurrogate(r) && bytes.HasPrefix(d.text[d.pos:], []byte(`\u`)) {
		back := d.pos
		d.pos += 2
		if both := utf16.DecodeRune(r, d.hex()); both != utf8.RuneError {
			return utf8.AppendRune(out, both)
		}
		d.pos = back
	}
	return utf8.AppendRune(out, r)
}

func (d *decoder) hex() rune {
	if d.pos+4 > len(d.text) {
		d.fail("")
		return 0
	}
	x, err := strconv.ParseUint(string(d.text[d.pos:d.pos+4]), 16, 16)
	if err != nil {
		d.fail("")
	}
	d.pos += 4
	return rune(x)
}

// skip passes over one value of any kind.
func (d *decoder) skip(depth int) {
	if depth > 2*maxDepth+8 {
		d.fail("")
		return
	}
	switch c := d.peek(); c {
	case '{':
		d.members(func(string) { d.skip(depth + 1) })
	case '[':
		d.pos++
		if d.accept(']') {
			return
		}
		for d.err == nil {
			d.skip(depth + 1)
			if !d.accept(',') {
				d.expect(']')
				return
			}
		}
	case '"':
		d.skipString()
	default:
		d.literal()
	}
}

// object passes over an object whose inside the caller checks, and gives its
// text. Anything else is passed over as skip does.
func (d *decoder) object() []byte {
	c := d.peek()
	start, open := d.pos, 0
	if c != '{' {
		d.skip(0)
		return d.text[start:d.pos]
	}
	for d.pos < len(d.text) && d.err == nil {
		switch d.text[d.pos] {
		case '"':
			d.skipString()
			continue
		case '{':
			open++
		case '}':
			open--
		}
		d.pos++
		if open == 0 {
			return d.text[start:d.pos]
		}
	}
	d.fail("")
	return nil
}

// skipString passes over a string without making it.
func (d *decoder) skipString() {
	for d.pos++; d.pos < len(d.text); d.pos++ {
		switch d.text[d.pos] {
		case '"':
			d.pos++
			return
		case '\\':
			d.pos++
		}
	}
	d.fail("")
}

func (d *decoder) literal() {
	switch w := d.word(); w {
	case "null", "true", "false":
	default:
		if _, err := strconv.ParseFloat(w, 64); err != nil {
			d.fail("")
		}
	}
}
