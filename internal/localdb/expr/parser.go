package expr

import (
	"slices"
	"strconv"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

type nodeKind uint8

const (
	pathNode nodeKind = iota
	literalNode
	callNode
	compareNode
	betweenNode
	inNode
	andNode
	orNode
	notNode
	arithmeticNode
)

// node is one part of a parsed expression.
type node struct {
	kind nodeKind
	// op is the operator as messages write it, the function, or the
	// placeholder of a literal.
	op      string
	args    []*node
	path    Path // names still as written until resolved
	value   attr.Value
	wrapped bool // stands in parentheses of its own
}

func (n *node) isOperand() bool { return n.kind <= callNode || n.kind == arithmeticNode }

func (n *node) isCondition() bool { return n.kind >= callNode && n.kind != arithmeticNode }

// parser reads and checks one expression. Only the first error is kept; after
// it no token is left, so that reading comes to an end.
type parser struct {
	label     string // of the request's parameter, first in every message
	src       string
	env       *Env
	tokens    []token
	at        int
	operators int
	err       *Error
}

func newParser(label, src string, env *Env, keywords ...string) *parser {
	p := &parser{label: label, src: src, env: env}
	switch {
	case src == "":
		p.refuse("The expression can not be empty;")
	case len(src) > maxBytes:
		p.refuse("Expression size has exceeded the maximum allowed size; expression size: " + strconv.Itoa(len(src)))
	}
	if p.err != nil {
		src = ""
	}
	p.tokens = lex(src, keywords)
	return p
}

// refuse keeps the first problem.
func (p *parser) refuse(problem string) {
	if p.err == nil {
		p.err = errorf("Invalid %s: %s", p.label, problem)
	}
	p.at = max(len(p.tokens)-1, 0)
}

func (p *parser) refusef(format string, args ...any) {
	p.refuse(errorf(format, args...).Message)
}

// fail refuses the next token.
func (p *parser) fail() {
	tok := p.tokens[p.at]
	from, to := p.tokens[max(p.at-1, 0)].start, p.tokens[min(p.at+1, len(p.tokens)-1)].end
	p.refusef("Syntax error; token: \"%s\", near: \"%s\"", tok.text, p.src[from:to])
}

func (p *parser) is(kind tokenKind) bool { return p.tokens[p.at].kind == kind }

func (p *parser) next() token {
	tok := p.tokens[p.at]
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	return tok
}

func (p *parser) accept(kind tokenKind) bool {
	if !p.is(kind) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(kind tokenKind) token {
	if !p.is(kind) {
		p.fail()
	}
	return p.next()
}

func (p *parser) operator() {
	if p.operators++; p.operators > maxOperators {
		p.refusef("The expression contains too many operators; operator count: %d", p.operators)
	}
}

// wrap closes parentheses around n.
func (p *parser) wrap(n *node) *node {
	p.expect(")")
	if n.wrapped {
		p.refuse("The expression has redundant parentheses;")
	}
	n.wrapped = true
	return n
}

// operand reads a value, a document path, a function call, or one of them in
// parentheses.
func (p *parser) operand() *node {
	switch p.tokens[p.at].kind {
	case "(":
		p.next()
		return p.wrap(p.operand())
	case tokValue:
		return &node{kind: literalNode, op: p.next().text}
	case tokIdent:
		if p.tokens[p.at+1].kind == "(" {
			return p.call()
		}
	}
	return p.pathOperand()
}

func (p *parser) call() *node {
	n := &node{kind: callNode, op: p.next().text}
	p.operator()
	p.expect("(")
	n.args = p.operands()
	p.expect(")")
	return n
}

// operands reads a comma-separated list of at least one.
func (p *parser) operands() []*node {
	list := []*node{p.operand()}
	for p.accept(",") {
		list = append(list, p.operand())
	}
	return list
}

func (p *parser) pathOperand() *node {
	n := &node{kind: pathNode, path: Path{{Name: p.nameStep()}}}
	for {
		switch {
		case p.accept("."):
			n.path = append(n.path, Step{Name: p.nameStep()})
		case p.accept("["):
			n.path = append(n.path, Step{Index: p.index()})
			p.expect("]")
		default:
			return n
		}
	}
}

func (p *parser) nameStep() string {
	if !p.is(tokIdent) && !p.is(tokName) {
		p.fail()
	}
	return p.next().text
}

func (p *parser) index() int {
	tok := p.expect(tokInt)
	i, err := strconv.ParseInt(tok.text, 10, 32)
	if err != nil && p.err == nil {
		p.refusef("List index is not within the allowable range; index: [%s]", tok.text)
	}
	return int(i)
}

// paths reads a comma-separated list of document paths.
func (p *parser) paths() []*node {
	list := []*node{p.pathOperand()}
	for p.accept(",") {
		list = append(list, p.pathOperand())
	}
	return list
}

// end wants nothing more.
func (p *parser) end() {
	if !p.is(tokEnd) {
		p.fail()
	}
}

// collectPaths gives the document paths under n, each once.
func collectPaths(into []Path, nodes ...*node) []Path {
	for _, n := range nodes {
		if n.kind == pathNode && !slices.ContainsFunc(into, func(p Path) bool { return slices.Equal(p, n.path) }) {
			into = append(into, n.path)
		}
		into = collectPaths(into, n.args...)
	}
	return into
}
