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

// Match tells whether the condition holds for the item, of which it decodes only
// the attributes it needs; nil is an item without attributes. A missing attribute
// and a type mismatch make a comparison false, but <> true.
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
	first, ok := n.args[0].operandValue(item)
	switch n.kind {
	case compareNode:
		second, both := n.args[1].operandValue(item)
		return compare(n.op, first, second, ok && both)
	case betweenNode:
		return ok && n.between(item, first)
	case inNode:
		return ok && n.in(item, first)
	}
	return n.callHolds(item, first, ok)
}

func compare(op string, a, b attr.Value, both bool) bool {
	switch op {
	case "=":
		return both && attr.Equal(a, b)
	case "<>":
		return !both || !attr.Equal(a, b)
	}
	order, ok := attr.Compare(a, b)
	if !both || !ok {
		return false
	}
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func (n *node) between(item attr.Form, v attr.Value) bool {
	lower, ok := n.args[1].operandValue(item)
	if !compare("<=", lower, v, ok) {
		return false
	}
	upper, ok := n.args[2].operandValue(item)
	return compare("<=", v, upper, ok)
}

func (n *node) in(item attr.Form, v attr.Value) bool {
	for _, arg := range n.args[1:] {
		if choice, ok := arg.operandValue(item); ok && attr.Equal(v, choice) {
			return true
		}
	}
	return false
}

func (n *node) callHolds(item attr.Form, first attr.Value, ok bool) bool {
	switch n.op {
	case "attribute_exists":
		return ok
	case "attribute_not_exists":
		return !ok
	}
	second, both := n.args[1].operandValue(item)
	if !ok || !both {
		return false
	}
	switch n.op {
	case "attribute_type":
		return first.Kind.String() == second.Text
	case "begins_with":
		return first.Kind == second.Kind && (first.Kind == attr.S || first.Kind == attr.B) &&
			strings.HasPrefix(first.Text, second.Text)
	}
	return contains(first, second)
}

// contains tells whether a text or binary has the other within, or a set or
// list has it as a member.
func contains(v, part attr.Value) bool {
	switch v.Kind {
	case attr.S, attr.B:
		return part.Kind == v.Kind && strings.Contains(v.Text, part.Text)
	case attr.L:
		return slices.ContainsFunc(v.List, func(e attr.Value) bool { return attr.Equal(e, part) })
	}
	return v.Kind >= attr.SS && v.Kind.String() == part.Kind.String()+"S" && slices.Contains(v.Set, part.Text)
}

// operandValue is the value of a path, literal or size on an item; false if it
// has none.
func (n *node) operandValue(item attr.Form) (attr.Value, bool) {
	switch n.kind {
	case literalNode:
		return n.value, true
	case pathNode:
		return n.path.of(item)
	}
	v, ok := n.args[0].operandValue(item)
	if !ok {
		return attr.Value{}, false
	}
	size, ok := sizeOf(v)
	return attr.Value{Kind: attr.N, Text: strconv.Itoa(size)}, ok
}

// sizeOf is what the function size gives: UTF-16 units of an S, bytes of a B,
// members of a set, list or map; false for a kind without size.
func sizeOf(v attr.Value) (int, bool) {
	switch v.Kind {
	case attr.S:
		return utf16Length(v.Text), true
	case attr.B:
		return len(v.Text), true
	case attr.SS, attr.NS, attr.BS:
		return len(v.Set), true
	case attr.L:
		return len(v.List), true
	case attr.M:
		return len(v.Map), true
	}
	return 0, false
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
