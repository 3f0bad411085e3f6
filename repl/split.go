package repl

import (
	"strings"
)

// Splitter cuts text into statements and backslash commands. It is fed line by
// line and never looks at a byte twice. Strings in ' and " (with backslash
// escapes), names in back quotes and the comments of MySQL (#, -- and /* */)
// may contain anything, terminators and backslash commands too.
//
// A statement ends with the delimiter, or with \g, \G or \gx. A line that
// begins with a backslash is a command, also within a statement that is not
// finished. A line DELIMITER x changes the delimiter, ; at first.
type Splitter struct {
	delimiter string
	buf       []byte // the statement being read
	state     scanState
	started   bool // buf holds more than space and comments
	line      int  // lines fed so far
	first     int  // line on which the statement in buf begins
	ready     []Item
}

// Item is one statement or command.
type Item struct {
	Text     string // without terminator; a command begins with its backslash
	Command  bool
	Vertical bool // ended with \G
	Line     int  // of its first word, counted from 1
}

type scanState uint8

const (
	plain scanState = iota
	singleQuoted
	doubleQuoted
	backQuoted
	lineComment
	blockComment
)

// NewSplitter returns a Splitter at the start of a text.
func NewSplitter() *Splitter { return &Splitter{delimiter: ";"} }

// Next returns the next complete item of the lines fed so far.
func (s *Splitter) Next() (Item, bool) {
	if len(s.ready) == 0 {
		return Item{}, false
	}
	it := s.ready[0]
	s.ready = s.ready[1:]
	return it, true
}

// Feed takes one line, with or without its newline. Carriage returns at its end
// are a part of the newline, however many there are.
func (s *Splitter) Feed(line string) {
	line = strings.TrimSuffix(line, "\n")
	s.line++
	if s.state == plain && s.lineCommand(line) {
		return
	}
	s.scan(strings.TrimRight(line, "\r") + "\n")
}

// Finish ends the text: an unfinished statement becomes an item, as if the
// delimiter had followed. It reports what is left open: a quote or a comment,
// or "" when all is well.
func (s *Splitter) Finish() (open string) {
	open = s.Open()
	if s.state == lineComment {
		open = ""
	}
	s.cut(len(s.buf), false)
	s.Reset()
	return open
}

// Reset forgets the statement being read, not the delimiter.
func (s *Splitter) Reset() {
	s.buf, s.state, s.started = s.buf[:0], plain, false
}

// Pending is the unfinished statement.
func (s *Splitter) Pending() string { return string(s.buf) }

// Started reports whether a statement has begun: more than space and comments.
func (s *Splitter) Started() bool { return s.started || s.state == blockComment }

// Open names what the last line left open: a quote character, "/*" or "".
func (s *Splitter) Open() string {
	return [...]string{plain: "", singleQuoted: "'", doubleQuoted: `"`, backQuoted: "`", lineComment: "", blockComment: "/*"}[s.state]
}

// lineCommand takes a line that is a command as a whole.
func (s *Splitter) lineCommand(line string) bool {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, `\`) && !isTerminator(trimmed) {
		s.ready = append(s.ready, Item{Text: trimmed, Command: true, Line: s.line})
		return true
	}
	if s.started {
		return false
	}
	word, rest, _ := strings.Cut(trimmed, " ")
	if !strings.EqualFold(word, "delimiter") {
		return false
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		s.delimiter = rest
		s.buf = s.buf[:0]
	}
	return rest != ""
}

// isTerminator reports whether text begins with \g, \G or \gx as a word.
func isTerminator(text string) bool {
	_, _, n := terminator(text, ";")
	return n > 0
}

// terminator measures the terminator that text begins with: n is 0 if there is
// none.
func terminator(text, delimiter string) (vertical, ok bool, n int) {
	if len(text) >= 2 && text[0] == '\\' && (text[1] == 'g' || text[1] == 'G') {
		n = 2
		if text[1] == 'g' && len(text) > 2 && text[2] == 'x' {
			n = 3
		}
		if len(text) > n && isWord(text[n]) {
			return false, false, 0
		}
		return text[1] == 'G' || n == 3, true, n
	}
	if len(text) >= len(delimiter) && strings.EqualFold(text[:len(delimiter)], delimiter) {
		return false, true, len(delimiter)
	}
	return false, false, 0
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// scan reads one line, which ends with a newline.
func (s *Splitter) scan(line string) {
	for i := 0; i < len(line); {
		if s.state != plain {
			i += s.inside(line[i:])
			continue
		}
		i += s.outside(line[i:])
	}
}

// inside takes bytes of a string, a quoted name or a comment.
func (s *Splitter) inside(text string) int {
	if n := strings.IndexAny(text, ends[s.state]); n != 0 {
		if n < 0 {
			n = len(text)
		}
		s.buf = append(s.buf, text[:n]...)
		return n
	}
	n, c := 1, text[0]
	switch {
	case s.state == lineComment && c == '\n':
		s.state = plain
	case s.state == blockComment && strings.HasPrefix(text, "*/"):
		n, s.state = 2, plain
	case (s.state == singleQuoted || s.state == doubleQuoted) && c == '\\':
		n = 2
	case s.state < lineComment && c == closing[s.state]:
		s.state = plain
	}
	n = min(n, len(text))
	s.buf = append(s.buf, text[:n]...)
	return n
}

// ends are the bytes at which something may end.
var ends = [...]string{singleQuoted: `'\`, doubleQuoted: `"\`, backQuoted: "`", lineComment: "\n", blockComment: "*"}

var closing = [...]byte{singleQuoted: '\'', doubleQuoted: '"', backQuoted: '`'}

// outside takes bytes of a statement outside quotes and comments.
func (s *Splitter) outside(text string) int {
	if vertical, ok, n := terminator(text, s.delimiter); ok {
		s.cut(len(s.buf), vertical)
		return n
	}
	next, n := opening(text)
	if next == plain && strings.HasPrefix(text, `\c`) && strings.TrimSpace(text[2:]) == "" {
		s.Reset()
		return len(text)
	}
	if space := strings.IndexByte(" \t\r\n\v\f", text[0]) >= 0; !s.started && !space && !isComment(next) {
		s.started = true
		s.first = s.line
	}
	if next == plain {
		n = s.ordinary(text)
	}
	s.state = next
	s.buf = append(s.buf, text[:n]...)
	return n
}

// ordinary is the length of the text that neither opens nor ends anything: at
// least its first byte.
func (s *Splitter) ordinary(text string) int {
	n := 1
	if !isWord(text[0]) {
		return n
	}
	for n < len(text) && isWord(text[n]) && text[n]|0x20 != s.delimiter[0]|0x20 {
		n++
	}
	return n
}

func isComment(s scanState) bool { return s == lineComment || s == blockComment }

// opening says what the bytes at the start of text open, and how many they are.
func opening(text string) (scanState, int) {
	switch text[0] {
	case '\'':
		return singleQuoted, 1
	case '"':
		return doubleQuoted, 1
	case '`':
		return backQuoted, 1
	case '#':
		return lineComment, 1
	}
	if strings.HasPrefix(text, "--") && (len(text) == 2 || text[2] <= ' ') {
		return lineComment, 2
	}
	if strings.HasPrefix(text, "/*") {
		return blockComment, 2
	}
	return plain, 1
}

// cut makes an item of the statement in the buffer, if there is one.
func (s *Splitter) cut(n int, vertical bool) {
	if text := strings.TrimSpace(string(s.buf[:n])); s.started && text != "" {
		s.ready = append(s.ready, Item{Text: text, Vertical: vertical, Line: s.first})
	}
	s.Reset()
}
