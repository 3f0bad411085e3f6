package format

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// jsonWriter writes one object a row. Numbers keep every digit, JSON documents
// are embedded, binary is base64, repeated column names get a suffix (id_2).
type jsonWriter struct {
	w                  *bufio.Writer
	open, between, end string
	columns            []Column
	keys               [][]byte // `"name":`
	line               []byte
	scratch            bytes.Buffer
	rows               int
}

func newJSON(w io.Writer, open, between, end string) *jsonWriter {
	return &jsonWriter{w: bufio.NewWriterSize(w, 1<<16), open: open, between: between, end: end}
}

func (j *jsonWriter) Begin(columns []Column) error {
	j.columns = columns
	for _, name := range uniqueNames(columns) {
		j.keys = append(j.keys, append(appendString(nil, name), ':'))
	}
	return nil
}

func (j *jsonWriter) Row(cells []Cell) error {
	if j.rows == 0 {
		j.w.WriteString(j.open)
	} else {
		j.w.WriteString(j.between)
	}
	j.rows++
	b := append(j.line[:0], '{')
	for i, c := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, j.keys[i]...)
		b = j.value(b, c, j.columns[i].Kind)
	}
	j.line = append(b, '}')
	_, err := j.w.Write(j.line)
	return err
}

func (j *jsonWriter) End() error {
	switch {
	case j.rows == 0 && j.open != "":
		j.w.WriteString("[]\n")
	case j.rows > 0:
		j.w.WriteString(j.end)
	}
	return j.w.Flush()
}

func (j *jsonWriter) value(b []byte, c Cell, k Kind) []byte {
	switch {
	case c.Null:
		return append(b, "null"...)
	case k == Number && validNumber(c.Text):
		return append(b, c.Text...)
	case k == JSON:
		j.scratch.Reset()
		if json.Compact(&j.scratch, []byte(c.Text)) == nil {
			return append(b, j.scratch.Bytes()...)
		}
	case k == Binary:
		b = append(b, '"')
		b = base64.StdEncoding.AppendEncode(b, []byte(c.Text))
		return append(b, '"')
	}
	return appendString(b, c.Text)
}

// validNumber reports whether s is a number in JSON's grammar; what is not
// (0007, NaN) is written as a string.
func validNumber(s string) bool {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	leading := i
	if !digits() || s[leading] == '0' && i > leading+1 {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. Characters beyond ASCII stay as they
// are; bytes that are not UTF-8 become U+FFFD, the best that JSON can do.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}
