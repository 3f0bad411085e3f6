package engine

import (
	"regexp"
	"strings"

	"github.com/dynasql/dynasql/engine/function"
)

// Names of calls that widen puts in for replaceParts to find.
const (
	allMark    = "ddb_all"    // x > ddb_all((SELECT ..)): x > ALL (SELECT ..)
	anyMark    = "ddb_any"    // x > ddb_any((SELECT ..)): x > ANY (SELECT ..)
	memberMark = "ddb_member" // x IN (ddb_member(doc)): x MEMBER OF (doc)
)

// widen puts expressions that MySQL has and the grammar lacks into ones that the
// grammar has. It works on the text of one statement, which the parser has
// refused; the statements behind it stay as they are. What it replaces stays in
// comments, by which narrow finds it again.
func widen(text string) string {
	w := widener{tokens: lex(text)}
	for w.end = 0; w.end < len(w.tokens) && w.tokens[w.end] != ";"; w.end++ {
	}
	w.out = append([]string(nil), w.tokens...)
	for i := range w.end {
		w.at(i)
	}
	return joinChains(strings.Join(w.out[:w.end], "")) + strings.Join(w.out[w.end:], "")
}

// replacedText is a piece of text in place of another.
func replacedText(old, by string) string { return "/*<*/" + by + "/*>" + old + "*/" }

// replacedPieces are those of replacedText. The text of an expression begins
// behind the comment before its first word.
var replacedPieces = regexp.MustCompile(`(?s)(?:^|/\*<\*/)(?:[^/]|/[^*])*?/\*>(.*?)\*/`)

// narrow gives back what stood in a text before widen.
func narrow(text string) string {
	if !strings.Contains(text, "/*>") {
		return text
	}
	return replacedPieces.ReplaceAllString(text, "$1")
}

type widener struct {
	tokens []string // as they were
	out    []string // as they become
	end    int      // of the statement
}

// next is the place of the next token that is no space or comment.
func (w *widener) next(i int) int {
	for i++; i < w.end && isBlank(w.tokens[i]); i++ {
	}
	return i
}

// before is the place of the token before, or -1.
func (w *widener) before(i int) int {
	for i--; i >= 0 && isBlank(w.tokens[i]); i-- {
	}
	return i
}

func isBlank(token string) bool {
	return strings.TrimSpace(token) == "" || commentLength(token) == len(token)
}

// word is the token at a place in upper case, or "".
func (w *widener) word(i int) string {
	if i < 0 || i >= w.end {
		return ""
	}
	return strings.ToUpper(w.tokens[i])
}

// closing is the place of the bracket that closes the one at a place, or end.
func (w *widener) closing(i int) int {
	depth := 0
	for ; i < w.end; i++ {
		switch w.tokens[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return w.end
}

// inside are the places between two brackets that are in no further brackets.
func (w *widener) inside(open, end int) []int {
	var places []int
	for i := open + 1; i < end; i++ {
		if w.tokens[i] == "(" {
			i = w.closing(i)
			continue
		}
		if !isBlank(w.tokens[i]) {
			places = append(places, i)
		}
	}
	return places
}

func (w *widener) replace(i int, by string) { w.out[i] = replacedText(w.tokens[i], by) }

// insertBehind puts text behind a token, which may have been replaced.
func (w *widener) insertBehind(i int, text string) { w.out[i] += replacedText("", text) }

// compositeUnits are the units of intervals that the grammar knows as words, but
// not behind INTERVAL.
var compositeUnits = map[string]bool{
	"YEAR_MONTH": true, "DAY_HOUR": true, "DAY_MINUTE": true, "DAY_SECOND": true, "DAY_MICROSECOND": true,
	"HOUR_MINUTE": true, "HOUR_SECOND": true, "HOUR_MICROSECOND": true,
	"MINUTE_SECOND": true, "MINUTE_MICROSECOND": true, "SECOND_MICROSECOND": true,
}

// at looks at one token.
func (w *widener) at(i int) {
	next := w.next(i)
	opens := w.word(next) == "("
	switch word := w.word(i); word {
	case "ALL", "ANY", "SOME":
		query := w.word(w.next(next))
		if end := w.closing(next); opens && end < w.end && strings.ContainsAny(w.word(w.before(i)), "=<>") && (query == "SELECT" || query == "WITH" || query == "(") {
			mark := anyMark
			if word == "ALL" {
				mark = allMark
			}
			w.replace(i, mark+"(")
			w.insertBehind(end, ")")
		}
	case "MEMBER":
		if open := w.next(next); w.word(next) == "OF" && w.word(open) == "(" && w.closing(open) < w.end {
			w.replace(i, "IN (")
			w.replace(next, memberMark)
			w.insertBehind(w.closing(open), ")")
		}
	case "INTERVAL":
		if end := w.closing(next); opens && end < w.end && w.has(next, end, ",") >= 0 {
			w.replace(i, function.Interval)
		}
	case "UNKNOWN":
		if p := w.word(w.before(i)); p == "IS" || p == "NOT" {
			w.replace(i, "NULL")
		}
	case "SUBSTR", "SUBSTRING", "MID":
		if end := w.closing(next); opens && end < w.end {
			w.substring(next, end)
		}
	case "BOTH", "LEADING", "TRAILING":
		if w.word(next) == "FROM" {
			w.insertBehind(i, " ' '")
		}
	case "USE", "FORCE", "IGNORE":
		w.hint(next)
	case "JSON_VALUE":
		if end := w.closing(next); opens && end < w.end {
			w.jsonValue(i, next, end)
		}
	default:
		if unit, ok := strings.CutPrefix(word, "SQL_TSI_"); ok {
			w.replace(i, unit)
		} else if compositeUnits[word] && w.word(w.before(i)) != "(" {
			w.replace(i, "`"+word+"`")
		}
	}
}

// has finds a word between brackets and in no further ones, or gives -1.
func (w *widener) has(open, end int, word string) int {
	for _, i := range w.inside(open, end) {
		if w.word(i) == word {
			return i
		}
	}
	return -1
}

// substring is SUBSTRING(text FROM place); the grammar has the one with FOR.
func (w *widener) substring(open, end int) {
	if from := w.has(open, end, "FROM"); from >= 0 {
		w.replace(from, ",")
		if length := w.has(open, end, "FOR"); length >= 0 {
			w.replace(length, ",")
		}
	}
}

// hint is an index hint: PRIMARY is a word of the grammar, and KEY is not one
// here.
func (w *widener) hint(i int) {
	if w.word(i) != "INDEX" && w.word(i) != "KEY" {
		return
	}
	open := w.next(i)
	end := w.closing(open)
	if w.word(open) != "(" || end == w.end {
		return
	}
	if w.word(i) == "KEY" {
		w.replace(i, "INDEX")
	}
	for _, name := range w.inside(open, end) {
		if w.word(name) == "PRIMARY" {
			w.replace(name, "`PRIMARY`")
		}
	}
}

// jsonValue is JSON_VALUE with a type to return, or with what to give where
// there is no value or none that fits.
func (w *widener) jsonValue(name, open, end int) {
	places := w.inside(open, end)
	first := -1 // of what follows the path
	for k, i := range places {
		if word := w.word(i); k > 2 && (word == "RETURNING" || word == "NULL" || word == "ERROR" || word == "DEFAULT") {
			first = i
			break
		}
	}
	if first < 0 {
		return
	}
	kind := ""
	how := map[string]string{"EMPTY": function.OnNull, "ERROR": function.OnNull}
	instead := map[string]string{"EMPTY": "NULL", "ERROR": "NULL"}
	for i := first; i < end; {
		if w.word(i) == "RETURNING" {
			stop := w.clauseEnd(w.next(i), end, places)
			kind, i = strings.Join(w.tokens[i+1:stop], ""), stop
			continue
		}
		on := i
		for on < end && w.word(on) != "ON" {
			on = w.next(on)
		}
		event := w.word(w.next(on))
		if how[event] == "" {
			return // no JSON_VALUE
		}
		how[event] = w.word(i)
		if how[event] == function.OnDefault {
			instead[event] = strings.Join(w.tokens[i+1:on], "")
		}
		i = w.next(w.next(on))
	}
	old := strings.Join(w.tokens[first:end], "")
	w.replace(name, function.JSONValue)
	for i := first; i < end; i++ {
		w.out[i] = ""
	}
	w.out[first] = replacedText(old, ", '"+strings.ReplaceAll(kind, "'", "''")+"', '"+
		how["EMPTY"]+"', "+instead["EMPTY"]+", '"+how["ERROR"]+"', "+instead["ERROR"])
}

// clauseEnd is where a clause of JSON_VALUE ends: before the next one, or at the
// closing bracket.
func (w *widener) clauseEnd(i, end int, places []int) int {
	for _, p := range places {
		if word := w.word(p); p >= i && (word == "NULL" || word == "ERROR" || word == "DEFAULT") {
			return p
		}
	}
	return end
}
