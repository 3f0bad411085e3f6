package engine

import (
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// The grammar has neither WITH ROLLUP nor WITHIN GROUP, and no OVER behind
// functions that it does not know. What it has not is written, before parsing, in
// the words that it has, and put right in what it parsed. No character changes
// its place, so that those of errors and of names stay true.

// rollupMark is a name at the end of GROUP BY that stands for WITH ROLLUP. With
// a comma it is as long as the two words.
const rollupMark = "ddb_rollup"

// An inverse is an aggregate by which STD(mark, ..) is meant.
type inverse struct {
	name string
	// within: the arguments are those of WITHIN GROUP, the value behind the
	// fraction.
	within bool
}

// inverses are by the names of parameters that no statement has otherwise.
var inverses = map[string]inverse{
	":m": {"median", false},
	":c": {"percentile_cont", true}, ":d": {"percentile_disc", true},
	":k": {"percentile_cont", false}, ":l": {"percentile_disc", false},
}

// descendingMark is a parameter too: an argument that says that the order of
// WITHIN GROUP descends.
const descendingMark = ":z"

var plainMarks = map[string]string{"MEDIAN": ":m", "PERCENTILE_CONT": ":k", "PERCENTILE_DISC": ":l"}
var withinMarks = map[string]string{"PERCENTILE_CONT": ":c", "PERCENTILE_DISC": ":d"}

// standardWords are in statements that may need to be rewritten.
var standardWords = []string{"ROLLUP", "WITHIN", "MEDIAN", "PERCENTILE_", "NULLS", "FIRST", "LAST"}

// standard rewrites the first statement of a text.
func standard(query string) (string, error) {
	upper := strings.ToUpper(query)
	needed := false
	for _, w := range standardWords {
		needed = needed || strings.Contains(upper, w)
	}
	if !needed {
		return query, nil
	}
	t := lexed(query)
	for i := range t.words {
		if t.words[i] == ";" {
			break
		}
		if err := t.rewrite(i); err != nil {
			return "", err
		}
	}
	return strings.Join(t.tokens, ""), nil
}

// tokenized is a statement in tokens, with the places of those that are neither
// spaces nor comments, and these in capitals.
type tokenized struct {
	tokens []string
	at     []int
	words  []string
}

func lexed(query string) *tokenized {
	t := &tokenized{tokens: lex(query)}
	for i, token := range t.tokens {
		if strings.TrimSpace(token) != "" && commentLength(token) == 0 {
			t.at = append(t.at, i)
			t.words = append(t.words, strings.ToUpper(token))
		}
	}
	return t
}

// word is the word at a place, or nothing outside of the statement.
func (t *tokenized) word(i int) string {
	if i < 0 || i >= len(t.words) {
		return ""
	}
	return t.words[i]
}

func (t *tokenized) follows(i int, words ...string) bool {
	for j, w := range words {
		if t.word(i+j) != w {
			return false
		}
	}
	return true
}

// put replaces a word by a text that is not longer.
func (t *tokenized) put(i int, text string) {
	was := t.tokens[t.at[i]]
	t.tokens[t.at[i]] = text + strings.Repeat(" ", len(was)-len(text))
}

func (t *tokenized) blank(i, words int) {
	for j := range words {
		t.put(i+j, "")
	}
}

func (t *tokenized) rewrite(i int) error {
	switch {
	case i > 0 && t.follows(i, "WITH", "ROLLUP") && t.word(i+2) != "AS" && t.word(i+2) != "(":
		t.mark(i, i+1)
	case t.word(i-1) == ")":
		return t.nulls(i)
	case plainMarks[t.word(i)] != "" && t.word(i+1) == "(" && t.word(i-1) != ".":
		t.inverse(i)
	}
	return nil
}

// nulls drops FROM FIRST and RESPECT NULLS between a function and OVER, which
// are what is done anyway, and refuses their contraries.
func (t *tokenized) nulls(i int) error {
	end := i
	if t.word(end) == "FROM" && (t.word(end+1) == "FIRST" || t.word(end+1) == "LAST") {
		end += 2
	}
	if t.word(end+1) == "NULLS" && (t.word(end) == "RESPECT" || t.word(end) == "IGNORE") {
		end += 2
	}
	if end == i || t.word(end) != "OVER" {
		return nil
	}
	for k := i; k < end; k++ {
		switch t.word(k) {
		case "LAST":
			return unsupported("FROM LAST", "order the window the other way round")
		case "IGNORE":
			return unsupported("IGNORE NULLS", "select the rows without NULL in a derived table first")
		}
	}
	t.blank(i, end-i)
	return nil
}

// mark puts rollupMark in place of two words and what is between them.
func (t *tokenized) mark(i, j int) {
	was := t.tokens[t.at[i] : t.at[j]+1]
	length := 0
	for k := range was {
		length += len(was[k])
		was[k] = ""
	}
	was[0] = "," + rollupMark + strings.Repeat(" ", length-len(rollupMark)-1)
}

// inverse rewrites a call of MEDIAN or of a percentile that has WITHIN GROUP or
// OVER behind it.
func (t *tokenized) inverse(i int) {
	end := t.closing(i + 1)
	if end < 0 {
		return
	}
	mark, after := plainMarks[t.word(i)], end+1
	if t.follows(after, "WITHIN", "GROUP", "(", "ORDER", "BY") && withinMarks[t.word(i)] != "" {
		last := t.closing(after + 2)
		if last < 0 {
			return
		}
		mark = withinMarks[t.word(i)]
		t.put(end, ",")
		t.blank(after, 5)
		switch t.word(last - 1) {
		case "ASC":
			t.blank(last-1, 1)
		case "DESC":
			t.put(last-1, ","+descendingMark)
		}
		after = last + 1
	} else if t.word(after) != "OVER" {
		return
	}
	call, name := "STD("+mark+",", t.tokens[t.at[i]]
	between := t.tokens[t.at[i]+1 : t.at[i+1]+1]
	for k := range between {
		between[k] = strings.Repeat(" ", len(between[k]))
	}
	if len(call) > len(name) { // it takes the place of the parenthesis too
		between[len(between)-1] = ""
	}
	t.tokens[t.at[i]] = call + strings.Repeat(" ", max(0, len(name)-len(call)))
}

// closing is the place of the parenthesis that closes the one at a place, or -1.
func (t *tokenized) closing(i int) int {
	depth := 0
	for ; i < len(t.words); i++ {
		switch t.words[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		case ";":
			return -1
		}
	}
	return -1
}

// restore puts right what standard has rewritten: the marked functions get
// their names, and columns the names that the statement gives them.
func restore(stmt sqlparser.Statement, w phrased) error {
	if w.text == w.before {
		return nil
	}
	return sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.AliasedExpr:
			if at := strings.Index(w.text, n.InputExpression); n.InputExpression != "" && at >= 0 && len(w.text) == len(w.before) {
				n.InputExpression = w.before[at : at+len(n.InputExpression)]
			}
		case *sqlparser.FuncExpr:
			meant, ok := inverses[parameter(n, 0)]
			if !ok || !n.Name.EqualString("std") {
				return true, nil
			}
			n.Name, n.Exprs = sqlparser.NewColIdent(meant.name), n.Exprs[1:]
			if meant.within {
				return true, restoreWithin(n)
			}
		}
		return true, nil
	}, stmt)
}

// restoreWithin gives a percentile the value that WITHIN GROUP orders by before
// the fraction, and whether the order descends behind it.
func restoreWithin(f *sqlparser.FuncExpr) error {
	last := len(f.Exprs) - 1
	descends := parameter(f, last) == descendingMark
	if descends {
		f.Exprs[last] = &sqlparser.AliasedExpr{Expr: integer(1)}
		last--
	}
	if last != 1 {
		return unsupported(strings.ToUpper(f.Name.String())+" with other than one argument and one ORDER BY expression",
			"PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)")
	}
	f.Exprs[0], f.Exprs[1] = f.Exprs[1], f.Exprs[0]
	return nil
}

// parameter is the name of the parameter that is an argument of a function, or
// nothing.
func parameter(f *sqlparser.FuncExpr, arg int) string {
	if arg < 0 || arg >= len(f.Exprs) {
		return ""
	}
	if a, ok := f.Exprs[arg].(*sqlparser.AliasedExpr); ok {
		if v, ok := a.Expr.(*sqlparser.SQLVal); ok && v.Type == sqlparser.ValArg {
			return string(v.Val)
		}
	}
	return ""
}
