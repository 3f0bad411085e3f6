package attr

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxJSONDepth bounds recursion on what is not an attribute value.
const maxJSONDepth = 100

// Scanner walks one JSON text. After a serialization error nothing is left to
// read; the first validation error is kept and reading goes on, since the
// service reports an error of serialization before one of validation.
type Scanner struct {
	text    string
	at      int
	broken  *Error
	invalid *Error
	scratch []byte // in which items are made
}

// NewScanner starts to read a text, which must not change any more.
func NewScanner(json []byte) Scanner { return Scanner{text: sharedString(json)} }

// Fail refuses the text with the message of a SerializationException, which is
// empty for what is not JSON.
func (s *Scanner) Fail(message string) {
	if s.broken == nil {
		s.broken = &Error{Serialization: true, Message: message}
	}
	s.at = len(s.text)
}

// Refuse keeps the first validation error.
func (s *Scanner) Refuse(err error) {
	if e, ok := err.(*Error); ok && s.invalid == nil {
		s.invalid = e
	}
}

// Invalid tells that there was a validation error.
func (s *Scanner) Invalid() bool { return s.invalid != nil }

// End wants the end of the text and gives its error, an *Error.
func (s *Scanner) End() error {
	s.Peek()
	if s.at < len(s.text) {
		s.Fail("")
	}
	switch {
	case s.broken != nil:
		return s.broken
	case s.invalid != nil:
		return s.invalid
	}
	return nil
}

// Peek gives the first byte of the next token, 0 at the end.
func (s *Scanner) Peek() byte {
	for s.at < len(s.text) {
		c := s.text[s.at]
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
		s.at++
	}
	return 0
}

func (s *Scanner) accept(c byte) bool {
	if s.Peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *Scanner) expect(c byte) {
	if !s.accept(c) {
		s.Fail("")
	}
}

// Literal passes over true, false or null if it is next.
func (s *Scanner) Literal(word string) bool {
	s.Peek()
	if !strings.HasPrefix(s.text[s.at:], word) {
		return false
	}
	s.at += len(word)
	return true
}

// Members reads an object, calling each with s at the member's value.
func (s *Scanner) Members(each func(name string)) {
	s.sequence('{', '}', func() {
		name := s.quoted()
		s.expect(':')
		if s.broken == nil {
			each(name)
		}
	})
}

// Elements reads an array, calling each with s at the element.
func (s *Scanner) Elements(each func()) { s.sequence('[', ']', each) }

func (s *Scanner) sequence(open, end byte, each func()) {
	s.expect(open)
	if s.accept(end) {
		return
	}
	for s.broken == nil {
		each()
		if !s.accept(',') {
			s.expect(end)
			return
		}
	}
}

// Skip passes over any value.
func (s *Scanner) Skip() { s.skip(0) }

func (s *Scanner) skip(depth int) {
	switch c := s.Peek(); {
	case depth > maxJSONDepth:
		s.Fail("")
	case c == '{':
		s.Members(func(string) { s.skip(depth + 1) })
	case c == '[':
		s.Elements(func() { s.skip(depth + 1) })
	case c == '"':
		s.quoted()
	case !json.Valid(sharedBytes(s.word())):
		s.Fail("")
	}
}

// word passes over a number or literal.
func (s *Scanner) word() string {
	s.Peek()
	start := s.at
	for s.at < len(s.text) && !strings.ContainsRune(" \t\r\n,:]}[{\"", rune(s.text[s.at])) {
		s.at++
	}
	return s.text[start:s.at]
}

// Texts of SerializationException, which the service takes from its parser.
const (
	msgUnexpectedField = "Unexpected field type"
	msgStructure       = "Start of structure or map found where not expected"
	msgCollection      = "Unrecognized collection type class"
)

// Shape wants an object or array next, as open says.
func (s *Scanner) Shape(open byte) bool {
	switch c := s.Peek(); c {
	case open:
		return true
	case '{':
		s.Fail(msgStructure)
	case '[':
		s.Fail(msgCollection)
	case 0:
		s.Fail("")
	default:
		s.Fail(msgUnexpectedField)
	}
	return false
}

// Text reads a string.
func (s *Scanner) Text() string {
	if s.Peek() == '"' {
		return s.quoted()
	}
	s.FailConversion("String")
	return ""
}

// Number reads a number where Java's type is wanted.
func (s *Scanner) Number(java string) float64 {
	if c := s.Peek(); c != '-' && (c < '0' || c > '9') {
		s.FailConversion(java)
		return 0
	}
	x, err := strconv.ParseFloat(s.word(), 64)
	if err != nil {
		s.Fail("NUMBER_VALUE cannot be converted to " + java)
	}
	return x
}

// FailConversion refuses what is next where Java's type is wanted.
func (s *Scanner) FailConversion(java string) {
	token := ""
	switch c := s.Peek(); {
	case c == '{':
		s.Fail(msgStructure)
	case c == '[':
		s.Fail(msgCollection + " java.lang." + java)
	case c == '"':
		token = "STRING"
	case s.Literal("true"):
		token = "TRUE"
	case s.Literal("false"):
		token = "FALSE"
	case c != '-' && (c < '0' || c > '9'):
	case strings.ContainsAny(s.word(), ".eE"):
		token = "DECIMAL"
	default:
		token = "NUMBER"
	}
	if token == "" {
		s.Fail("")
	}
	s.Fail(token + "_VALUE cannot be converted to " + java)
}

// quoted reads a JSON string. What is not Unicode becomes U+FFFD.
func (s *Scanner) quoted() string {
	if !s.accept('"') {
		s.Fail("")
		return ""
	}
	rest := s.text[s.at:]
	n := plainPrefix(rest)
	if n < len(rest) && rest[n] == '"' {
		s.at += n + 1
		return validText(rest[:n])
	}
	return s.escaped(n)
}

// escaped reads a string whose first n bytes are plain and are followed by a
// backslash, or by what no string has.
func (s *Scanner) escaped(n int) string {
	rest := s.text[s.at:]
	for n < len(rest) && rest[n] == '\\' {
		n = min(n+2, len(rest))
		n += plainPrefix(rest[n:])
	}
	var text string
	if n == len(rest) || json.Unmarshal(sharedBytes(s.text[s.at-1:s.at+n+1]), &text) != nil {
		s.Fail("")
		return ""
	}
	s.at += n + 1
	return text
}
