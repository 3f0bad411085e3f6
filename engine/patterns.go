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
	tokens := lex(query)
	for i, t := range tokens {
		if t[0] == '\'' || t[0] == '"' {
			tokens[i] = doubleEscapes(t)
		}
	}
	return strings.Join(tokens, "")
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
