package page

import "github.com/dynasql/dynasql/connector/schema"

// value reads the attribute value `{"S":"x"}` at i.
func (d *Decoder) value(i int, v *Value) int {
	start := i
	if i = d.want(i, '{'); i < 0 {
		return -1
	}
	if i = d.want(i, '"'); i < 0 {
		return -1
	}
	return d.typed(i, start, v)
}

// typed reads the attribute value whose `{"` ends at i and begins at start.
func (d *Decoder) typed(i, start int, v *Value) int {
	b := d.b
	if b[i+1] == '"' {
		switch b[i] {
		case 'S':
			return d.string(i+2, v)
		case 'N':
			return d.number(i+2, v)
		}
	}
	end, escaped := endOfText(b, i, d.n)
	if end < 0 || escaped {
		return -1
	}
	kind, ok := schema.KindOf(string(b[i:end]))
	if !ok {
		return -1
	}
	if i = d.want(end+1, ':'); i < 0 {
		return -1
	}
	i = d.blanks(i)
	switch kind {
	case schema.Bool, schema.Null:
		return d.word(i, kind, v)
	case schema.B:
		return d.binary(i, v)
	}
	return d.document(i, kind, v)
}

func (d *Decoder) string(i int, v *Value) int {
	if i = d.want(i, ':'); i < 0 {
		return -1
	}
	if i = d.want(i, '"'); i < 0 {
		return -1
	}
	end, escaped := endOfText(d.b, i, d.n)
	if end < 0 {
		return -1
	}
	*v = Value{at: uint64(i), size: uint32(end - i), Kind: schema.S}
	if escaped && !d.unescape(v) {
		return -1
	}
	return d.want(end+1, '}')
}

// unescape puts the text of v without its escapes behind the body, which stays
// as it is, since spans of whole items run over it.
func (d *Decoder) unescape(v *Value) bool {
	b := d.batch
	from := len(b.buf)
	b.buf = grown(b.buf, int(v.size))
	d.b = b.buf // may have moved
	out, ok := appendUnescaped(b.buf, b.buf[v.at:v.at+uint64(v.size)])
	if !ok {
		return false
	}
	b.buf, d.b = out, out
	v.at, v.size = uint64(from), uint32(len(out)-from)
	return true
}

// grown makes room for size more bytes and Spare.
func grown(buf []byte, size int) []byte {
	if cap(buf)-len(buf) >= size+Spare {
		return buf
	}
	bigger := make([]byte, len(buf), len(buf)+len(buf)/4+2*size+64)
	copy(bigger, buf)
	return bigger
}

func (d *Decoder) word(i int, kind schema.Kind, v *Value) int {
	end := d.skip(i)
	if end < 0 {
		return -1
	}
	*v = Value{Kind: kind}
	switch string(d.b[i:end]) {
	case "true":
		v.at = 1
	case "false":
	default:
		return -1
	}
	return d.want(end, '}')
}

func (d *Decoder) binary(i int, v *Value) int {
	start, end, i, _ := d.text(i)
	if i < 0 {
		return -1
	}
	*v = Value{at: uint64(start), size: uint32(end - start), Kind: schema.B}
	return d.want(i, '}')
}

func (d *Decoder) document(i int, kind schema.Kind, v *Value) int {
	open := byte('[')
	if kind == schema.M {
		open = '{'
	}
	if d.b[i] != open {
		return -1
	}
	end := d.skip(i)
	if end < 0 {
		return -1
	}
	*v = Value{at: uint64(i), size: uint32(end - i), Kind: kind}
	return d.want(end, '}')
}

// number reads a number: exactly as digits and scale up to 18 digits, else as a
// span of its text.
func (d *Decoder) number(i int, v *Value) int {
	if i = d.want(i, ':'); i < 0 {
		return -1
	}
	if i = d.want(i, '"'); i < 0 {
		return -1
	}
	if end, ok := small(d.b, i, v); ok {
		return d.want(end+1, '}')
	}
	end, escaped := endOfText(d.b, i, d.n)
	if end < 0 || escaped {
		return -1
	}
	*v = Value{at: uint64(i), size: uint32(end - i), Kind: schema.N, scale: wide}
	return d.want(end+1, '}')
}

// small reads the digits at i up to the closing quote, whose index it returns.
// It reports false for everything whose text could not be written again from
// digits and scale: more than 18 digits, exponents, superfluous zeros.
func small(b []byte, i int, v *Value) (int, bool) {
	negative := b[i] == '-'
	if negative {
		i++
	}
	var digits uint64
	first, point := i, -1
	for ; ; i++ {
		c := b[i] - '0'
		if c <= 9 {
			digits = digits*10 + uint64(c)
			continue
		}
		if b[i] == '.' && point < 0 {
			point = i
			continue
		}
		break
	}
	count, scale := i-first, 0
	if point >= 0 {
		count--
		scale = i - point - 1
	}
	if b[i] != '"' || count == 0 || count > 18 || point == first || point == i-1 || negative && digits == 0 ||
		b[first] == '0' && count > 1 && point != first+1 {
		return 0, false
	}
	x := int64(digits)
	if negative {
		x = -x
	}
	*v = Value{at: uint64(x), Kind: schema.N, scale: uint8(scale)}
	return i, true
}
