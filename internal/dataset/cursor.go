package dataset

import (
	"encoding/json"
	"fmt"
)

// cursor reads JSON and keeps its place for errors. After an error it reads
// nothing more.
type cursor struct {
	text []byte
	pos  int
	last int // where the string read last started
	err  error
	at   int // where the error is
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err, c.at = fmt.Errorf(format, args...), c.pos
	}
}

// failBack fails at the string read last.
func (c *cursor) failBack(format string, args ...any) {
	if c.err == nil {
		c.fail(format, args...)
		c.at = c.last
	}
}

// peek is the next character behind white space, or 0 at the end.
func (c *cursor) peek() byte {
	for c.err == nil && c.pos < len(c.text) {
		switch b := c.text[c.pos]; b {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return b
		}
	}
	return 0
}

func (c *cursor) expect(b byte, in string) {
	if got := c.peek(); got != b {
		c.unexpected(fmt.Sprintf("%q in %s", b, in))
		return
	}
	c.pos++
}

// unexpected fails with what is there instead of what must be.
func (c *cursor) unexpected(want string) {
	switch got := c.peek(); {
	case got == 0:
		c.fail("the file ends where %s must be", want)
	default:
		c.fail("found %q where %s must be", got, want)
	}
}

// object reads an object and calls each to read the value of every member.
func (c *cursor) object(each func(name string)) {
	c.expect('{', "an object")
	if c.peek() == '}' {
		c.pos++
		return
	}
	for c.err == nil {
		name := c.string()
		c.expect(':', "an object")
		if c.err != nil {
			return
		}
		each(name)
		if c.peek() != ',' {
			c.expect('}', "an object")
			return
		}
		c.pos++
	}
}

// array reads an array and calls each to read every element.
func (c *cursor) array(each func()) {
	c.expect('[', "an array")
	if c.peek() == ']' {
		c.pos++
		return
	}
	for c.err == nil {
		each()
		if c.peek() != ',' {
			c.expect(']', "an array")
			return
		}
		c.pos++
	}
}

func (c *cursor) string() string {
	if c.peek() != '"' {
		c.unexpected("a string")
		return ""
	}
	start := c.pos
	c.last = start
	escaped := false
	for i := start + 1; i < len(c.text); i++ {
		switch c.text[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			c.pos = i + 1
			if !escaped {
				return string(c.text[start+1 : i])
			}
			return c.unquote(c.text[start : i+1])
		}
	}
	c.fail("a string has no end")
	return ""
}

func (c *cursor) unquote(quoted []byte) string {
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		c.failBack("a string has a wrong escape")
	}
	return s
}

func (c *cursor) bool() bool {
	c.peek()
	for word, value := range map[string]bool{"true": true, "false": false} {
		if end := c.pos + len(word); end <= len(c.text) && string(c.text[c.pos:end]) == word {
			c.pos = end
			return value
		}
	}
	c.unexpected("true or false")
	return false
}

func (c *cursor) end() {
	c.peek()
	if c.err == nil && c.pos < len(c.text) {
		c.fail("there is more text behind the end")
	}
}
