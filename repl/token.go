package repl

import "strings"

// A token is a piece of SQL as the shell needs it: for colouring, completion and
// parameters. It is not a parser's token.
type token struct {
	kind       tokenKind
	start, end int // bytes
}

type tokenKind uint8

const (
	tokSpace  tokenKind = iota
	tokWord             // keyword, name, @variable
	tokName             // in back quotes
	tokString           // in ' or "
	tokNumber
	tokParam   // :name
	tokComment // to the end of its line, or of the block
	tokSymbol
)

// tokens cuts a text into tokens that cover it without gaps. A quote that is
// not closed reaches to the end.
func tokens(text string) []token {
	var list []token
	for i := 0; i < len(text); {
		kind, n := tokenAt(text, i)
		list = append(list, token{kind, i, i + n})
		i += n
	}
	return list
}

func tokenAt(text string, i int) (tokenKind, int) {
	rest := text[i:]
	switch state, _ := opening(rest); state {
	case singleQuoted, doubleQuoted:
		return tokString, quotedLen(rest, true)
	case backQuoted:
		return tokName, quotedLen(rest, false)
	case lineComment:
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return tokComment, n
		}
		return tokComment, len(rest)
	case blockComment:
		if n := strings.Index(rest[2:], "*/"); n >= 0 {
			return tokComment, n + 4
		}
		return tokComment, len(rest)
	}
	c := rest[0]
	switch {
	case c <= ' ':
		return tokSpace, run(rest, func(c byte) bool { return c <= ' ' })
	case c >= '0' && c <= '9':
		return tokNumber, run(rest, func(c byte) bool { return isWord(c) || c == '.' })
	case c == ':' && len(rest) > 1 && isNameStart(rest[1]) && (i == 0 || !isWord(text[i-1])):
		return tokParam, 1 + run(rest[1:], isWord)
	case isWord(c) || c == '@':
		return tokWord, run(rest, func(c byte) bool { return isWord(c) || c == '@' })
	}
	return tokSymbol, 1
}

// isNameStart reports whether c may begin the name of a parameter.
func isNameStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func run(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

// quotedLen is the length of the quoted text at the start of s, its quotes
// included. A doubled quote stands for itself.
func quotedLen(s string, escapes bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] == s[0] && i+1 < len(s) && s[i+1] == s[0]:
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}
