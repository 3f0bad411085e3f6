package expr

import (
	"slices"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// KeyOp is the operator of a key condition, as in the expression.
type KeyOp string

// The operators that a key condition may use; all but KeyEqual on the sort key only.
const (
	KeyEqual        KeyOp = "="
	KeyLess         KeyOp = "<"
	KeyLessEqual    KeyOp = "<="
	KeyGreater      KeyOp = ">"
	KeyGreaterEqual KeyOp = ">="
	KeyBetween      KeyOp = "BETWEEN"
	KeyBeginsWith   KeyOp = "begins_with"
)

// flipped has for each operator the one for exchanged operands.
var flipped = map[KeyOp]KeyOp{
	KeyEqual: KeyEqual, KeyLess: KeyGreater, KeyLessEqual: KeyGreaterEqual, KeyGreater: KeyLess, KeyGreaterEqual: KeyLessEqual,
	KeyBetween: KeyBetween, KeyBeginsWith: KeyBeginsWith,
}

// KeyTerm is one condition on one key attribute.
type KeyTerm struct {
	Name string
	Op   KeyOp
	Args []attr.Value // one; lower and upper bound for KeyBetween
}

// KeyAttribute is a key attribute's name and type: attr.S, attr.N or attr.B.
type KeyAttribute struct {
	Name string
	Kind attr.Kind
}

// KeyCondition is a compiled key condition: its terms in the order written.
type KeyCondition struct {
	Terms   []KeyTerm
	refused *Error
}

// ParseKeyCondition compiles a key condition expression. Errors are *Error;
// those that only concern key conditions come from Check.
func ParseKeyCondition(src string, env *Env) (KeyCondition, error) {
	var k KeyCondition
	root, err := parseCondition("KeyConditionExpression", src, env)
	if err != nil {
		return k, err
	}
	k.collect(root)
	return k, nil
}

// Check refuses what a key condition cannot say on any table. The service does
// so after all expressions are parsed and before it looks for the table.
func (k KeyCondition) Check() error {
	if k.refused != nil {
		return k.refused
	}
	return nil
}

// Resolve finds the terms on the hash and the sort key of a table or index;
// sort.Name is empty when the key has one part, and sortTerm is nil without a
// condition on the sort key. Errors are *Error, Check's first.
func (k KeyCondition) Resolve(hash, sort KeyAttribute) (hashTerm KeyTerm, sortTerm *KeyTerm, err error) {
	if err := k.Check(); err != nil {
		return KeyTerm{}, nil, err
	}
	parts := 1
	if sort.Name != "" {
		parts = 2
	}
	if n := len(k.Terms); n > parts {
		return KeyTerm{}, nil, errorf("The number of query conditions (%d) exceeds the number of key attributes defined in the schema (%d)", n, parts)
	}
	found, err := k.term(hash)
	if err != nil {
		return KeyTerm{}, nil, err
	}
	if found.Op != KeyEqual {
		return KeyTerm{}, nil, errorf("Query key condition not supported")
	}
	if len(k.Terms) == 1 {
		return *found, nil, nil
	}
	sortTerm, err = k.term(sort)
	return *found, sortTerm, err
}

// term is the term on a key attribute, whose type its values must have.
func (k KeyCondition) term(a KeyAttribute) (*KeyTerm, error) {
	i := k.position(a.Name)
	if i < 0 {
		return nil, errorf("Query condition missed key schema element: %s", a.Name)
	}
	for _, v := range k.Terms[i].Args {
		if v.Kind() != a.Kind {
			return nil, errorf("One or more parameter values were invalid: Condition parameter type does not match schema type")
		}
		if err := a.CheckEmpty(v); err != nil {
			return nil, err
		}
	}
	return &k.Terms[i], nil
}

func (k KeyCondition) position(name string) int {
	return slices.IndexFunc(k.Terms, func(t KeyTerm) bool { return t.Name == name })
}

// CheckEmpty refuses a text or binary without contents, which no key may have.
// Errors are *Error.
func (a KeyAttribute) CheckEmpty(v attr.Value) error {
	word := "string"
	switch {
	case v.Text() != "" || v.Kind() == attr.N:
		return nil
	case v.Kind() == attr.B:
		word = "binary"
	}
	return errorf("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", word, a.Name)
}

func (k *KeyCondition) refusef(format string, args ...any) {
	if k.refused == nil {
		k.refused = errorf(format, args...)
	}
}

// collect gathers the terms under n, in the order written.
func (k *KeyCondition) collect(n *node) {
	if n.kind == andNode {
		for _, arg := range n.args {
			k.collect(arg)
		}
		return
	}
	op := KeyOp(n.op)
	if flipped[op] == "" {
		k.refusef("Invalid operator used in KeyConditionExpression: %s", n.op)
		return
	}
	if (op == KeyBetween || op == KeyBeginsWith) && n.args[0].kind != pathNode {
		k.refusef("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", n.op)
		return
	}
	k.add(n, op)
}

func (k *KeyCondition) add(n *node, op KeyOp) {
	t := KeyTerm{Op: op}
	for i, arg := range n.args {
		switch {
		case arg.kind == callNode:
			k.refusef("KeyConditionExpressions cannot contain nested operations")
		case arg.kind == literalNode:
			t.Args = append(t.Args, arg.value)
		case t.Name != "":
			k.refusef("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
		case len(arg.path) > 1:
			k.refusef("KeyConditionExpressions cannot have conditions on nested attributes")
		default:
			t.Name = arg.path[0].Name
			if i > 0 {
				t.Op = flipped[op]
			}
		}
	}
	switch {
	case t.Name == "":
		k.refusef("Invalid condition in KeyConditionExpression: No key attribute specified")
	case k.position(t.Name) >= 0:
		k.refusef("Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key")
	}
	k.Terms = append(k.Terms, t)
}
