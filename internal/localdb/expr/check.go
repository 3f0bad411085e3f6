package expr

import (
	"slices"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// function describes one of DynamoDB's functions.
type function struct {
	operands int
	place    place       // where it may stand
	path     bool        // the first operand is a document path
	distinct bool        // the first operand is not among the others
	kinds    []attr.Kind // of the operands, all if nil
}

type place uint8

const (
	inCondition place = iota + 1 // as a condition
	inOperand                    // as an operand of a condition
	inUpdate                     // in an update expression
)

var functions = map[string]function{
	"attribute_exists":     {operands: 1, place: inCondition, path: true},
	"attribute_not_exists": {operands: 1, place: inCondition, path: true},
	"attribute_type":       {operands: 2, place: inCondition, path: true, distinct: true},
	"begins_with":          {operands: 2, place: inCondition, distinct: true, kinds: []attr.Kind{attr.S, attr.B}},
	"contains":             {operands: 2, place: inCondition, distinct: true},
	"size":                 {operands: 1, place: inOperand, kinds: []attr.Kind{attr.S, attr.B, attr.SS, attr.NS, attr.BS, attr.L, attr.M}},
	"if_not_exists":        {operands: 2, place: inUpdate, path: true, distinct: true},
	"list_append":          {operands: 2, place: inUpdate, kinds: []attr.Kind{attr.L}},
}

// checkPlaces is the first of two passes, over the whole expression: function
// names and where they stand, and reserved words.
func (p *parser) checkPlaces(n *node, where place) {
	below := inOperand
	switch n.kind {
	case pathNode:
		p.checkReserved(n.path)
	case callNode:
		p.checkPlace(n.op, where)
	case andNode, orNode, notNode:
		below = inCondition
	}
	if where == inUpdate {
		below = inUpdate
	}
	for _, arg := range n.args {
		p.checkPlaces(arg, below)
	}
}

func (p *parser) checkReserved(path Path) {
	for _, step := range path {
		if step.Name != "" && step.Name[0] != '#' && isReserved(step.Name) {
			p.refuse("Attribute name is a reserved keyword; reserved keyword: " + step.Name)
			return
		}
	}
}

func (p *parser) checkPlace(name string, where place) {
	f, known := functions[name]
	switch {
	case !known:
		p.refuse("Invalid function name; function: " + name)
	case f.place == where:
	case where == inUpdate:
		p.refuse("The function is not allowed in an update expression; function: " + name)
	case f.place == inUpdate:
		p.refuse("The function is not allowed in a condition expression; function: " + name)
	default:
		p.refuse("The function is not allowed to be used this way in an expression; function: " + name)
	}
}

// resolve replaces the placeholders under n.
func (p *parser) resolve(n *node) {
	switch n.kind {
	case literalNode:
		v, ok := p.env.value(n.op)
		if !ok {
			p.refuse("An expression attribute value used in expression is not defined; attribute value: " + n.op)
		}
		n.value = v
	case pathNode:
		p.resolvePath(n.path)
	}
	for _, arg := range n.args {
		p.resolve(arg)
	}
}

func (p *parser) resolvePath(path Path) {
	for i, step := range path {
		if step.Name == "" || step.Name[0] != '#' {
			continue
		}
		name, ok := p.env.name(step.Name)
		if !ok {
			p.refuse("An expression attribute name used in the document path is not defined; attribute name: " + step.Name)
			return
		}
		path[i].Name = name
	}
	if len(path) > maxPathSteps {
		p.refusef("The document path has too many nesting levels; nesting levels: %d", len(path))
	}
}

// checkCondition is the second pass: placeholders and operands, one comparison
// or function after the other in the order written.
func (p *parser) checkCondition(n *node) {
	switch n.kind {
	case andNode, orNode, notNode:
		for _, arg := range n.args {
			p.checkCondition(arg)
		}
	default:
		p.resolve(n)
		p.checkOperands(n)
	}
}

// checkOperands checks resolved operands, the innermost first.
func (p *parser) checkOperands(n *node) {
	for _, arg := range n.args {
		p.checkOperands(arg)
	}
	switch n.kind {
	case callNode:
		p.checkCall(n)
	case compareNode:
		p.checkDistinct(n)
		if n.op != "=" && n.op != "<>" {
			p.checkKinds(n, attr.S, attr.N, attr.B)
		}
	case betweenNode:
		p.checkDistinct(n)
		p.checkKinds(n, attr.S, attr.N, attr.B)
		p.checkBounds(n.args[1], n.args[2])
	case inNode:
		if count := len(n.args) - 1; count > maxInOperands {
			p.refusef("The IN operator is provided with too many operands; number of operands: %d", count)
		}
		p.checkDistinct(n)
	case arithmeticNode:
		p.checkKinds(n, attr.N)
	}
}

func (p *parser) checkCall(n *node) {
	f := functions[n.op]
	if len(n.args) != f.operands {
		p.refusef("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", n.op, len(n.args))
		return
	}
	if f.path && n.args[0].kind != pathNode {
		p.refuse("Operator or function requires a document path; operator or function: " + n.op)
		return
	}
	if f.distinct {
		p.checkDistinct(n)
	}
	if f.kinds != nil {
		p.checkKinds(n, f.kinds...)
	}
	if n.op == "attribute_type" {
		p.checkTypeName(n.args[1])
	}
}

// kindOf is the kind that an operand has on every item; Invalid if it depends
// on the item.
func kindOf(n *node) attr.Kind {
	switch {
	case n.kind == literalNode:
		return n.value.Kind()
	case n.kind == callNode && n.op == "size":
		return attr.N
	}
	return attr.Invalid
}

func (p *parser) checkKinds(n *node, allowed ...attr.Kind) {
	for _, arg := range n.args {
		if k := kindOf(arg); k != attr.Invalid && !slices.Contains(allowed, k) {
			p.refuseKind(n.op, k.String())
			return
		}
	}
}

func (p *parser) refuseKind(op, kind string) {
	p.refusef("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", op, kind)
}

// checkTypeName wants a literal that names a type.
func (p *parser) checkTypeName(n *node) {
	switch k := kindOf(n); {
	case k == attr.Invalid:
		p.refuseKind("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
	case k != attr.S:
		p.refuseKind("attribute_type", k.String())
	case attr.KindOf(n.value.Text()) == attr.Invalid:
		p.refusef("Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}", n.value.Text())
	}
}

// checkDistinct refuses a document path compared with itself.
func (p *parser) checkDistinct(n *node) {
	first := n.args[0]
	if first.kind != pathNode {
		return
	}
	for _, other := range n.args[1:] {
		if other.kind == pathNode && slices.Equal(first.path, other.path) {
			p.refusef("The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s",
				n.op, first.path)
			return
		}
	}
}

// checkBounds refuses literal bounds of BETWEEN that hold nothing.
func (p *parser) checkBounds(lower, upper *node) {
	if lower.kind != literalNode || upper.kind != literalNode {
		return
	}
	order, comparable := attr.Compare(lower.value, upper.value)
	problem := "upper bound to be greater than or equal to lower bound"
	switch {
	case !comparable:
		problem = "same data type for lower and upper bounds"
	case order <= 0:
		return
	}
	p.refusef("The BETWEEN operator requires %s; lower bound operand: %s, upper bound operand: %s",
		problem, describe(lower.value), describe(upper.value))
}

// describe shows a scalar as the service's messages do.
func describe(v attr.Value) string {
	if v.Kind() == attr.B {
		n := len(v.Text())
		return errorf("AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=%d cap=%d]}", n, n).Message
	}
	return "AttributeValue: {" + v.Kind().String() + ":" + v.Text() + "}"
}
