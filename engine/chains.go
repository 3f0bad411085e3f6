package engine

import "strings"

// joinChains puts brackets into comparisons of comparisons, which the grammar
// has only with them: a = b = c is (a = b) = c, a LIKE b = c is (a LIKE b) = c,
// a = b LIKE c is a = (b LIKE c). In MySQL, =, <, > and the like bind less than
// LIKE, REGEXP, IN and BETWEEN, and go from left to right.
func joinChains(text string) string {
	tokens := lex(text)
	if first := firstWordOf(tokens); first == "SET" { // whose = assigns
		return text
	}
	c := chains{out: append([]string(nil), tokens...), levels: []level{{}}}
	for i := 0; i < len(tokens); i++ {
		if !isBlank(tokens[i]) {
			i = c.at(tokens, i)
		}
	}
	c.finish(len(tokens))
	return strings.Join(c.out, "")
}

func firstWordOf(tokens []string) string {
	for _, t := range tokens {
		if !isBlank(t) {
			return strings.ToUpper(t)
		}
	}
	return ""
}

// A level is an expression between the same brackets.
type level struct {
	start     int  // where the comparison begins
	operand   int  // where its last operand does
	compared  bool // there has been a comparison
	predicate bool // the last operand has a LIKE or the like
	bounds    int  // ANDs of BETWEEN that are still to come
	fresh     bool // nothing has come since start
}

type chains struct {
	out    []string
	levels []level
	last   int // the last token that is not blank
}

// at looks at the token at a place and returns the place of its last part.
func (c *chains) at(tokens []string, i int) int {
	l := &c.levels[len(c.levels)-1]
	word := strings.ToUpper(tokens[i])
	end := i
	operator := operatorAt(tokens, i)
	switch {
	case word == "(" || word == "CASE":
		c.levels = append(c.levels, level{start: i + 1, operand: i + 1, fresh: true})
		c.last = i
		return i
	case (word == ")" || word == "END") && len(c.levels) > 1:
		c.finish(i)
		c.levels = c.levels[:len(c.levels)-1]
		c.levels[len(c.levels)-1].fresh = false
		c.last = i
		return i
	case operator != "":
		end = i + len(operator) - 1
		if operator == "<<" || operator == ">>" || operator == "!" { // binds more than comparisons
			break
		}
		if l.compared || l.predicate {
			c.close(l, i)
			c.wrap(l.start, i)
		}
		l.compared, l.predicate, l.operand = true, false, end+1
	case word == "LIKE" || word == "REGEXP" || word == "RLIKE" || word == "IN" || word == "BETWEEN":
		l.predicate = true
		if word == "BETWEEN" {
			l.bounds++
		}
	case word == "AND" && l.bounds > 0:
		l.bounds--
	case word == "IS":
		c.close(l, i)
		l.compared = true
	case word == "NOT" && !l.fresh: // NOT LIKE, IS NOT
	case c.ends(tokens, i):
		c.finish(i)
		*l = level{start: i + 1, operand: i + 1, fresh: true}
		c.last = i
		return i
	}
	l.fresh = false
	c.last = end
	return end
}

// operators are those that are written with =, <, > and !, each before those that
// it begins with.
var operators = []string{"<=>", "<<", ">>", "<=", ">=", "<>", "!=", "=", "<", ">", "!"}

// operatorAt is the operator at a place, or "".
func operatorAt(tokens []string, i int) string {
	text := strings.Join(tokens[i:min(i+3, len(tokens))], "")
	for _, o := range operators {
		if strings.HasPrefix(text, o) {
			return o
		}
	}
	return ""
}

// ends reports whether an expression is over at a token: at a word that binds
// less than comparisons, or at one of a clause.
func (c *chains) ends(tokens []string, i int) bool {
	word := strings.ToUpper(tokens[i])
	if doubled := word == "|" || word == "&"; doubled {
		return i > 0 && tokens[i-1] == tokens[i]
	}
	if (word == "LEFT" || word == "RIGHT") && i+1 < len(tokens) && firstWordOf(tokens[i+1:]) == "(" {
		return false // the function
	}
	return word == "," || word == ":=" || endsExpression[word] || endsComparison[word]
}

// endsComparison are the words at which a comparison is over, beside those at
// which any expression is.
var endsComparison = map[string]bool{
	"AND": true, "OR": true, "XOR": true, "NOT": true, "SELECT": true, "DISTINCT": true, "ON": true, "BY": true, "USING": true,
	"JOIN": true, "LEFT": true, "RIGHT": true, "INNER": true, "CROSS": true, "NATURAL": true, "FULL": true, "STRAIGHT_JOIN": true,
	"INTERSECT": true, "EXCEPT": true, "OFFSET": true, "SEPARATOR": true, "ROWS": true, "RANGE": true,
}

// close puts brackets around the last operand, if it has a LIKE or the like and
// is one of a comparison.
func (c *chains) close(l *level, end int) {
	if l.compared && l.predicate {
		c.wrap(l.operand, end)
	}
	l.predicate = false
}

func (c *chains) finish(end int) { c.close(&c.levels[len(c.levels)-1], end) }

// wrap puts brackets around the tokens from a place to another, leaving out the
// spaces before the latter.
func (c *chains) wrap(start, end int) {
	for start < end && strings.TrimSpace(c.out[start]) == "" {
		start++
	}
	for end > start && strings.TrimSpace(c.out[end-1]) == "" {
		end--
	}
	if start < end {
		c.out[start] = replacedText("", "(") + c.out[start]
		c.out[end-1] += replacedText("", ")")
	}
}
