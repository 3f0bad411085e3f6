package engine

import (
	"bytes"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// escapePatterns writes out the escape character of LIKE. Without one the
// library turns a constant pattern into a range of texts, for which it takes
// a\_b% to begin with a backslash.
func escapePatterns(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		c, ok := node.(*sqlparser.ComparisonExpr)
		if !ok || c.Escape != nil || c.Operator != sqlparser.LikeStr && c.Operator != sqlparser.NotLikeStr {
			return true, nil
		}
		if pattern, ok := c.Right.(*sqlparser.SQLVal); ok && pattern.Type == sqlparser.StrVal && !bytes.ContainsRune(pattern.Val, '\\') {
			return true, nil
		}
		c.Escape = sqlparser.NewStrVal([]byte(`\`))
		return true, nil
	}, stmt)
}

// keepPatternEscapes doubles the backslash of \% and \_ in the strings of a
// statement. In MySQL they stand for themselves, backslash and all, so that
// LIKE 'a\_b%' asks for an underscore; the grammar drops the backslash. Doing
// it again changes nothing.
func keepPatternEscapes(query string) string {
	if !strings.Contains(query, `\%`) && !strings.Contains(query, `\_`) {
		return query
	}
	var out strings.Builder
	for i := 0; i < len(query); {
		end := i + span(query[i:])
		part := query[i:end]
		if part[0] == '\'' || part[0] == '"' {
			part = doubleEscapes(part)
		}
		out.WriteString(part)
		i = end
	}
	return out.String()
}

// span is the length of the string, quoted name, comment or single byte at the
// beginning of a text.
func span(text string) int {
	until := func(end string) int {
		if at := strings.Index(text, end); at >= 0 {
			return at + len(end)
		}
		return len(text)
	}
	switch {
	case text[0] == '\'' || text[0] == '"':
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case text[0]:
				return i + 1
			}
		}
		return len(text)
	case text[0] == '`' && len(text) > 1:
		if at := strings.IndexByte(text[1:], '`'); at >= 0 {
			return at + 2
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		return until("*/")
	case text[0] == '#', strings.HasPrefix(text, "-- "):
		return until("\n")
	}
	return 1
}

func doubleEscapes(literal string) string {
	var out strings.Builder
	for i := 0; i < len(literal); i++ {
		out.WriteByte(literal[i])
		if literal[i] != '\\' || i+1 == len(literal) {
			continue
		}
		if next := literal[i+1]; next == '%' || next == '_' {
			out.WriteByte('\\')
		}
		i++
		out.WriteByte(literal[i])
	}
	return out.String()
}
