package expr

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// Condition is a compiled filter or condition expression; safe for concurrent use.
type Condition struct{ root *node }

// ParseCondition compiles a filter or condition expression. label names the
// request's parameter, such as "FilterExpression", and stands in every message.
// Errors are *Error.
func ParseCondition(label, src string, env *Env) (*Condition, error) {
	root, err := parseCondition(label, src, env)
	if err != nil {
		return nil, err
	}
	return &Condition{root: root}, nil
}

// Match tells whether the condition holds for the item; "" is an item without
// attributes. A missing attribute and a type mismatch make a comparison false, but <> true.
func (c *Condition) Match(item attr.Form) bool { return c.root.match(item) }

// Paths gives the document paths in the condition, each once.
func (c *Condition) Paths() []Path { return collectPaths(nil, c.root) }

func parseCondition(label, src string, env *Env) (*node, error) {
	p := newParser(label, src, env, "AND", "OR", "NOT", "BETWEEN", "IN")
	root := p.or()
	p.wantCondition(root)
	p.end()
	if p.err == nil {
		p.checkPlaces(root, inCondition)
	}
	if p.err == nil {
		p.checkCondition(root)
	}
	if p.err != nil {
		return nil, p.err
	}
	return root, nil
}

// wantCondition refuses what comes after a lone operand.
func (p *parser) wantCondition(n *node) {
	if !n.isCondition() {
		p.fail()
	}
}

// or reads conditions joined by OR. Between parentheses it may also turn out
// to be a lone operand, which the caller has to check.
func (p *parser) or() *node { return p.joined("OR", orNode, p.and) }

func (p *parser) and() *node { return p.joined("AND", andNode, p.not) }

func (p *parser) joined(word tokenKind, kind nodeKind, part func() *node) *node {
	n := part()
	if !p.is(word) {
		return n
	}
	p.wantCondition(n)
	n = &node{kind: kind, op: string(word), args: []*node{n}}
	for p.accept(word) {
		p.operator()
		arg := part()
		p.wantCondition(arg)
		n.args = append(n.args, arg)
	}
	return n
}

func (p *parser) not() *node {
	if !p.accept("NOT") {
		return p.comparison()
	}
	p.operator()
	n := p.not()
	p.wantCondition(n)
	return &node{kind: notNode, op: "NOT", args: []*node{n}}
}

func (p *parser) comparison() *node {
	n := p.primary()
	switch p.tokens[p.at].kind {
	case "=", "<>", "<", "<=", ">", ">=":
		return p.compared(n, compareNode, func() []*node { return []*node{p.operand()} })
	case "BETWEEN":
		return p.compared(n, betweenNode, p.bounds)
	case "IN":
		return p.compared(n, inNode, p.choices)
	}
	return n
}

// primary reads an operand, or a condition in parentheses.
func (p *parser) primary() *node {
	if p.accept("(") {
		return p.wrap(p.or())
	}
	return p.operand()
}

func (p *parser) compared(first *node, kind nodeKind, rest func() []*node) *node {
	if !first.isOperand() {
		p.fail()
	}
	op := string(p.next().kind)
	p.operator()
	return &node{kind: kind, op: op, args: append([]*node{first}, rest()...)}
}

func (p *parser) bounds() []*node {
	lower := p.operand()
	p.expect("AND")
	return []*node{lower, p.operand()}
}

func (p *parser) choices() []*node {
	p.expect("(")
	list := p.operands()
	p.expect(")")
	return list
}

func (n *node) match(item attr.Form) bool {
	switch n.kind {
	case andNode:
		return !slices.ContainsFunc(n.args, func(arg *node) bool { return !arg.match(item) })
	case orNode:
		return slices.ContainsFunc(n.args, func(arg *node) bool { return arg.match(item) })
	case notNode:
		return !n.args[0].match(item)
	}
	first := n.args[0].operandValue(item)
	switch n.kind {
	case compareNode:
		return compare(n.op, first, n.args[1].operandValue(item))
	case betweenNode:
		return compare("<=", n.args[1].operandValue(item), first) && compare("<=", first, n.args[2].operandValue(item))
	case inNode:
		return slices.ContainsFunc(n.args[1:], func(arg *node) bool { return compare("=", first, arg.operandValue(item)) })
	}
	return n.callHolds(item, first)
}

// compare compares two values, either of which may be none.
func compare(op string, a, b attr.Value) bool {
	equal := a != "" && attr.Equal(a, b)
	switch op {
	case "=":
		return equal
	case "<>":
		return !equal
	}
	order, ok := attr.Compare(a, b)
	switch op {
	case "<":
		return ok && order < 0
	case "<=":
		return ok && order <= 0
	case ">":
		return ok && order > 0
	}
	return ok && order >= 0
}

func (n *node) callHolds(item attr.Form, first attr.Value) bool {
	switch n.op {
	case "attribute_exists":
		return first != ""
	case "attribute_not_exists":
		return first == ""
	}
	second := n.args[1].operandValue(item)
	if first == "" || second == "" {
		return false
	}
	kind := first.Kind()
	switch n.op {
	case "attribute_type":
		return kind.String() == second.Text()
	case "begins_with":
		return kind == second.Kind() && (kind == attr.S || kind == attr.B) && strings.HasPrefix(first.Text(), second.Text())
	}
	return contains(first, second)
}

// contains tells whether a text or binary has the other within, or a set or
// list has it as a member.
func contains(v, part attr.Value) bool {
	switch v.Kind() {
	case attr.S, attr.B:
		return part.Kind() == v.Kind() && strings.Contains(v.Text(), part.Text())
	}
	for e := range v.Elements() {
		if attr.Equal(e, part) {
			return true
		}
	}
	return false
}

// operandValue is the value of a path, literal or size on an item; "" if it has none.
func (n *node) operandValue(item attr.Form) attr.Value {
	switch n.kind {
	case literalNode:
		return n.value
	case pathNode:
		return n.path.of(item)
	}
	return sizeOf(n.args[0].operandValue(item))
}

// sizeOf is what the function size gives: UTF-16 units of an S, bytes of a B,
// members of a set, list or map; "" for a kind without size.
func sizeOf(v attr.Value) attr.Value {
	size := 0
	switch v.Kind() {
	case attr.S:
		size = utf16Length(v.Text())
	case attr.B:
		size = len(v.Text())
	case attr.M, attr.L, attr.SS, attr.NS, attr.BS:
		size = v.Len()
	default:
		return ""
	}
	return attr.Scalar(attr.N, strconv.Itoa(size))
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
