package format

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markdown writes a GitHub-flavoured table. What Markdown would read as markup
// is escaped, so the rendered table shows the values as they are.
type markdown struct {
	w       *bufio.Writer
	opt     Options
	columns []Column
}

func newMarkdown(w io.Writer, o Options) *markdown {
	o.Color = false
	return &markdown{w: bufio.NewWriterSize(w, 1<<16), opt: o}
}

func (m *markdown) Begin(columns []Column) error {
	m.columns = columns
	for _, c := range columns {
		m.w.WriteString("| " + escapeMarkdown(c.Name) + " ")
	}
	m.w.WriteString("|\n")
	for _, c := range columns {
		if c.Kind == Number {
			m.w.WriteString("| ---: ")
		} else {
			m.w.WriteString("| --- ")
		}
	}
	_, err := m.w.WriteString("|\n")
	return err
}

func (m *markdown) Row(cells []Cell) error {
	for i, c := range cells {
		m.w.WriteString("| ")
		m.w.WriteString(m.cell(c, m.columns[i].Kind))
		m.w.WriteByte(' ')
	}
	_, err := m.w.WriteString("|\n")
	return err
}

func (m *markdown) End() error { return m.w.Flush() }

func (m *markdown) cell(c Cell, k Kind) string {
	switch {
	case c.Null:
		return m.opt.Null
	case k == Binary:
		return hexText(c.Text)
	case k == Number:
		return c.Text
	case k == Text && strings.Trim(c.Text, "'") == m.opt.Null:
		return "'" + c.Text + "'"
	}
	return escapeMarkdown(c.Text)
}

// escapeMarkdown escapes markup. An underscore inside a word is none.
func escapeMarkdown(s string) string {
	var b strings.Builder
	prev := ' '
	for i, r := range s {
		edge := i == 0 || i+utf8.RuneLen(r) >= len(s)
		switch {
		case r == '\n':
			b.WriteString("<br>")
		case r == '\r':
			b.WriteString("&#13;")
		case r == '\t':
			b.WriteString("&#9;")
		case r == ' ' && (edge || prev == ' '):
			b.WriteString("&#32;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '_' && wordRune(prev) && wordAfter(s[i+1:]):
			b.WriteByte('_')
		case strings.ContainsRune("\\`*_{}[]<>|~$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		prev = r
	}
	return b.String()
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func wordAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && wordRune(r)
}
