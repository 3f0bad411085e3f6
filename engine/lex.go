package engine

import "strings"

// lex cuts a statement into words, quoted texts, comments, spaces and single
// characters; together they are the statement.
func lex(query string) []string {
	var tokens []string
	for i := 0; i < len(query); {
		n := tokenLength(query[i:])
		tokens = append(tokens, query[i:i+n])
		i += n
	}
	return tokens
}

func tokenLength(s string) int {
	if n := commentLength(s); n > 0 {
		return n
	}
	switch c := s[0]; {
	case strings.HasPrefix(s, ":="):
		return 2
	case c == '\'' || c == '"' || c == '`':
		return quotedLength(s)
	case c == '@' && len(s) > 1 && strings.IndexByte("'\"`", s[1]) >= 0:
		return 1 + quotedLength(s[1:])
	case c == '@' || isWord(c):
		n := 1
		for n < len(s) && (isWord(s[n]) || c == '@' && (s[n] == '@' || s[n] == '.')) {
			n++
		}
		return n
	}
	return 1
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func quotedLength(s string) int {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}

// commentLength is the length of the comment at the beginning of a text, or 0.
// Those that hold hints or code for a version are none.
func commentLength(text string) int {
	switch {
	case strings.HasPrefix(text, "/*!"), strings.HasPrefix(text, "/*+"):
		return 0
	case strings.HasPrefix(text, "/*"):
		if i := strings.Index(text, "*/"); i >= 0 {
			return i + 2
		}
	case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "-- "), strings.HasPrefix(text, "--\n"), strings.HasPrefix(text, "--\t"):
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			return i + 1
		}
		return len(text)
	}
	return 0
}
