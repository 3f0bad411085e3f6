package format

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	dim   = "\x1b[2m"
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

// hexText is the form of binary values wherever a person reads them; SQL takes
// it back as a literal. Empty bytes are 0x.
func hexText(s string) string {
	return "0x" + strings.ToUpper(hex.EncodeToString([]byte(s)))
}

// display is the text of a cell on one line of a terminal. What could move the
// cursor or reorder the line is written as an escape, and the text NULL is
// quoted, so that it is told from NULL.
func (o Options) display(c Cell, k Kind) string {
	switch {
	case c.Null && o.Color:
		return dim + o.Null + reset
	case c.Null:
		return o.Null
	case k == Binary:
		return hexText(c.Text)
	case k == Text && strings.Trim(c.Text, "'") == o.Null:
		return "'" + c.Text + "'"
	}
	return Visible(c.Text)
}

// Visible returns s with control characters, bytes that are not UTF-8 and
// direction overrides as escapes (\n, \t, \x1B, \u202E).
func Visible(s string) string {
	if !needsEscape(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strings.ToUpper(hex.EncodeToString([]byte{s[i]})))
		case hidden(r):
			b.WriteString(escapeRune(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

func needsEscape(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return true
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || hidden(r) {
			return true
		}
		i += n
	}
	return false
}

// hidden reports whether a terminal would act on r instead of showing it.
func hidden(r rune) bool {
	return unicode.Is(unicode.Cc, r) || r == '\u2028' || r == '\u2029' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

func escapeRune(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	}
	if r < 0x100 {
		return `\x` + strings.ToUpper(hex.EncodeToString([]byte{byte(r)}))
	}
	return `\u` + strings.ToUpper(strconv.FormatInt(int64(r), 16))
}

// uniqueNames returns the column names with a deterministic suffix (id, id_2)
// on repeated ones: an object with the same name twice would lose a value.
func uniqueNames(columns []Column) []string {
	taken := make(map[string]bool, len(columns))
	for _, c := range columns {
		taken[c.Name] = true
	}
	used := make(map[string]bool, len(columns))
	names := make([]string, len(columns))
	for i, c := range columns {
		name := c.Name
		for n := 2; used[name]; n++ {
			if next := c.Name + "_" + strconv.Itoa(n); !taken[next] {
				name = next
			}
		}
		used[name] = true
		names[i] = name
	}
	return names
}
