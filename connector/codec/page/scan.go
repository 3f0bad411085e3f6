package page

// cursor walks a JSON text. Every method takes and returns an index and answers
// -1 for a text that cannot be read; b goes on for Spare bytes after n.
type cursor struct {
	b []byte
	n int
}

func (c *cursor) blanks(i int) int {
	for i < c.n && c.b[i] <= ' ' {
		i++
	}
	return i
}

// want skips blanks, expects x and returns the index after it.
func (c *cursor) want(i int, x byte) int {
	if c.b[i] != x {
		i = c.blanks(i)
		if c.b[i] != x {
			return -1
		}
	}
	if i >= c.n {
		return -1
	}
	return i + 1
}

// text expects a quoted text and returns its bounds and the index after it.
func (c *cursor) text(i int) (start, end, next int, escaped bool) {
	start = c.want(i, '"')
	if start < 0 {
		return 0, 0, -1, false
	}
	end, escaped = endOfText(c.b, start, c.n)
	if end < 0 {
		return 0, 0, -1, false
	}
	return start, end, end + 1, escaped
}

// each calls f at the start of every element of an array, or of every key of an
// object; f returns the index after the element.
func (c *cursor) each(i int, open, shut byte, f func(i int) int) int {
	if i = c.want(i, open); i < 0 {
		return -1
	}
	i = c.blanks(i)
	if i < c.n && c.b[i] == shut {
		return i + 1
	}
	for i < c.n {
		if i = f(c.blanks(i)); i < 0 {
			return -1
		}
		i = c.blanks(i)
		switch {
		case i >= c.n:
			return -1
		case c.b[i] == shut:
			return i + 1
		case c.b[i] != ',':
			return -1
		}
		i++
	}
	return -1
}

// skip returns the index after the value at i.
func (c *cursor) skip(i int) int {
	b, n := c.b, c.n
	depth := 0
	for i < n {
		switch x := b[i]; x {
		case '"':
			end, _ := endOfText(b, i+1, n)
			if end < 0 {
				return -1
			}
			i = end + 1
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return -1
			}
			i++
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
			continue
		default:
			end := i
			for end < n && literal[b[end]] {
				end++
			}
			if end == i {
				return -1
			}
			i = end
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// literal has the bytes of numbers, true, false and null.
var literal = func() (set [256]bool) {
	for _, x := range []byte("0123456789+-.Eabcdefghijklmnopqrstuvwxyz") {
		set[x] = true
	}
	return set
}()
