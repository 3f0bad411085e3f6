package expr

import (
	"strings"
	"unicode/utf8"
)

// tokenKind is a keyword in capitals, an operator or a bracket as written, or
// one of the kinds below.
type tokenKind string

const (
	tokEnd   tokenKind = "end"
	tokIdent tokenKind = "identifier"
	tokName  tokenKind = "name"  // #name
	tokValue tokenKind = "value" // :value
	tokInt   tokenKind = "integer"
	tokBad   tokenKind = "bad" // what no expression contains
)

type token struct {
	kind       tokenKind
	text       string
	start, end int
}

// lex splits an expression; the last token is always tokEnd. Keywords may be
// written in any case.
func lex(src string, keywords []string) []token {
	tokens := make([]token, 0, len(src)/3+2)
	for at := 0; ; {
		for at < len(src) && strings.IndexByte(" \t\r\n", src[at]) >= 0 {
			at++
		}
		if at == len(src) {
			return append(tokens, token{tokEnd, "<EOF>", at, at})
		}
		kind, n := next(src[at:])
		tok := token{kind, src[at : at+n], at, at + n}
		if kind == tokIdent {
			for _, word := range keywords {
				if strings.EqualFold(word, tok.text) {
					tok.kind = tokenKind(word)
				}
			}
		}
		tokens = append(tokens, tok)
		at += n
	}
}

func next(s string) (tokenKind, int) {
	switch c := s[0]; {
	case isLetter(c):
		return tokIdent, wordLength(s)
	case c == '#' || c == ':':
		n := 1 + wordLength(s[1:])
		if n == 1 {
			return tokBad, 1
		}
		if c == '#' {
			return tokName, n
		}
		return tokValue, n
	case isDigit(c):
		return tokInt, intLength(s)
	}
	for _, op := range []string{"<>", "<=", ">="} {
		if strings.HasPrefix(s, op) {
			return tokenKind(op), 2
		}
	}
	if strings.IndexByte("=<>()[],.+-", s[0]) >= 0 {
		return tokenKind(s[:1]), 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return tokBad, n
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// wordLength counts the leading letters, digits and underscores.
func wordLength(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '_') {
		n++
	}
	return n
}

// intLength counts the digits of an integer, which has no leading zeros.
func intLength(s string) int {
	n := 1
	for s[0] != '0' && n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
