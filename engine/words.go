package engine

import (
	"regexp"
	"strconv"
	"strings"
)

// freeWords are names in MySQL as well as words (8.0 Reference Manual, "Keywords
// and Reserved Words"), and words alone in the grammar.
var freeWords = map[string]bool{
	"account": true, "attribute": true, "comment": true, "escape": true, "execute": true, "file": true, "first": true,
	"format": true, "full": true, "identified": true, "next": true, "none": true, "off": true, "password": true,
	"process": true, "reload": true, "returning": true, "shutdown": true, "super": true, "view": true,
}

// maxNames is how many names of a statement are put in quotes.
const maxNames = 100

// reword parses a text that the parser has refused with err in other words: what
// the grammar lacks, and words that are names put in quotes. It returns the text
// that was parsed.
func reword(text string, err error, parse func(text string) (parsed, error)) (parsed, string, bool) {
	wide := widen(text)
	if wide != text {
		var out parsed
		if out, err = parse(wide); err == nil {
			return out, wide, true
		}
	}
	for range maxNames {
		quoted, ok := quoteWord(wide, err)
		if !ok {
			return parsed{}, "", false
		}
		wide = quoted
		var out parsed
		if out, err = parse(wide); err == nil {
			return out, wide, true
		}
	}
	return parsed{}, "", false
}

// wordPlace has the place to which the parser has come, and the last word before
// it.
var wordPlace = regexp.MustCompile(`at position (\d+) near '((?s:.*))'`)

// quoteWord puts the word at which the parser has failed in quotes, or the one
// before it, if that may be a name.
func quoteWord(text string, err error) (string, bool) {
	m := wordPlace.FindStringSubmatch(err.Error())
	if m == nil {
		return "", false
	}
	end, err := strconv.Atoi(m[1])
	if err != nil {
		return "", false
	}
	at := strings.LastIndex(text[:min(end, len(text))], m[2])
	if at < 0 {
		return "", false
	}
	w := widener{tokens: lex(text[:at])}
	w.end = len(w.tokens)
	w.tokens = append(w.tokens, m[2])
	for _, i := range []int{w.end, w.before(w.end)} {
		if i >= 0 && freeWords[strings.ToLower(w.tokens[i])] {
			before := strings.Join(w.tokens[:i], "")
			word := w.tokens[i]
			return before + replacedText(word, "`"+word+"`") + text[len(before)+len(word):], true
		}
	}
	return "", false
}
