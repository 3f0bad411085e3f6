package expr

import (
	"cmp"
	"slices"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// Update is a compiled update expression; safe for concurrent use.
type Update struct {
	actions []action
	paths   []Path // of the actions
	tree    *tree  // of the paths
}

// action is one assignment, removal, addition or deletion.
type action struct {
	section tokenKind // SET, REMOVE, ADD or DELETE
	order   int       // of the section in the expression, from 0
	target  *node     // a path
	value   *node     // nil for REMOVE
}

// ParseUpdate compiles an update expression. Errors are *Error.
func ParseUpdate(src string, env *Env) (*Update, error) {
	p := newParser("UpdateExpression", src, env, "SET", "REMOVE", "ADD", "DELETE")
	actions, repeated := p.sections()
	if p.err != nil {
		return nil, p.err
	}
	for _, a := range actions {
		for _, n := range a.nodes() {
			p.checkPlaces(n, inUpdate)
		}
	}
	if repeated != "" {
		p.refusef("The \"%s\" section can only be used once in an update expression;", repeated)
	}
	u := &Update{actions: actions}
	p.checkUpdate(u)
	if p.err != nil {
		return nil, p.err
	}
	u.tree = newTree(u.paths)
	return u, nil
}

func (a action) nodes() []*node {
	if a.value == nil {
		return []*node{a.target}
	}
	return []*node{a.target, a.value}
}

// sections reads the whole expression and tells of a section written twice.
func (p *parser) sections() (actions []action, repeated tokenKind) {
	var seen []tokenKind
	for {
		section := p.tokens[p.at].kind
		var read func() action
		switch section {
		case "SET":
			read = p.assignment
		case "REMOVE":
			read = func() action { return action{target: p.pathOperand()} }
		case "ADD", "DELETE":
			read = p.change
		default:
			p.fail()
			return actions, repeated
		}
		p.next()
		if slices.Contains(seen, section) && repeated == "" {
			repeated = section
		}
		for more := true; more; more = p.accept(",") {
			a := read()
			a.section, a.order = section, len(seen)
			actions = append(actions, a)
		}
		seen = append(seen, section)
		if p.is(tokEnd) {
			return actions, repeated
		}
	}
}

// assignment reads path = value.
func (p *parser) assignment() action {
	target := p.pathOperand()
	p.expect("=")
	return action{target: target, value: p.assigned()}
}

// assigned reads an operand or the sum or difference of two, perhaps in
// parentheses.
func (p *parser) assigned() *node {
	var n *node
	if p.accept("(") {
		n = p.wrap(p.assigned())
	} else {
		n = p.operand()
	}
	if n.kind == arithmeticNode || !p.is("+") && !p.is("-") {
		return n
	}
	op := p.next().text
	p.operator()
	return &node{kind: arithmeticNode, op: op, args: []*node{n, p.operand()}}
}

// change reads path :value.
func (p *parser) change() action {
	target := p.pathOperand()
	return action{target: target, value: &node{kind: literalNode, op: p.expect(tokValue).text}}
}

// checkUpdate is the second pass: placeholders, overlapping targets, operands.
func (p *parser) checkUpdate(u *Update) {
	for _, a := range u.actions {
		for _, n := range a.nodes() {
			p.resolve(n)
		}
		u.paths = append(u.paths, a.target.path)
	}
	if p.err != nil {
		return
	}
	if err := checkOverlap(u.paths); err != nil {
		p.refuse(err.Message)
	}
	for _, a := range u.actions {
		p.checkChange(a)
	}
	for _, a := range u.actions {
		if a.section == "SET" {
			p.checkOperands(a.value)
		}
	}
}

// checkChange wants a number or set for ADD and a set for DELETE.
func (p *parser) checkChange(a action) {
	if a.section != "ADD" && a.section != "DELETE" {
		return
	}
	k := a.value.value.Kind()
	if k >= attr.SS || k == attr.N && a.section == "ADD" {
		return
	}
	p.refusef("Incorrect operand type for operator or function; operator: %s, operand type: %s, typeSet: ALLOWED_FOR_%s_OPERAND",
		a.section, cmp.Or(longNames[k], k.String()), a.section)
}

// longNames are the names of kinds in messages about ADD and DELETE, where they
// are not the tags.
var longNames = map[attr.Kind]string{attr.S: "STRING", attr.N: "NUMBER", attr.B: "BINARY", attr.BOOL: "BOOLEAN", attr.M: "MAP", attr.L: "LIST"}

// Paths gives the document paths that the update writes, in the order written.
func (u *Update) Paths() []Path { return u.paths }
