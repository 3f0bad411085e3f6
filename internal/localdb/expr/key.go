package expr

import "github.com/dynasql/dynasql/internal/localdb/attr"

// KeyOp is the operator of a key condition.
type KeyOp uint8

// The operators that a key condition may use; all but KeyEqual on the sort key only.
const (
	KeyEqual KeyOp = iota + 1
	KeyLess
	KeyLessEqual
	KeyGreater
	KeyGreaterEqual
	KeyBetween
	KeyBeginsWith
)

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
	found := k.term(hash.Name)
	if found == nil {
		return KeyTerm{}, nil, missed(hash)
	}
	if err := found.check(hash); err != nil {
		return KeyTerm{}, nil, err
	}
	if found.Op != KeyEqual {
		return KeyTerm{}, nil, errorf("Query key condition not supported")
	}
	if len(k.Terms) == 1 {
		return *found, nil, nil
	}
	sortTerm = k.term(sort.Name)
	if sortTerm == nil {
		return KeyTerm{}, nil, missed(sort)
	}
	if err := sortTerm.check(sort); err != nil {
		return KeyTerm{}, nil, err
	}
	return *found, sortTerm, nil
}

func missed(a KeyAttribute) error {
	return errorf("Query condition missed key schema element: %s", a.Name)
}

func (k KeyCondition) term(name string) *KeyTerm {
	for i := range k.Terms {
		if k.Terms[i].Name == name {
			return &k.Terms[i]
		}
	}
	return nil
}

func (t *KeyTerm) check(a KeyAttribute) error {
	for _, v := range t.Args {
		switch {
		case v.Kind != a.Kind:
			return errorf("One or more parameter values were invalid: Condition parameter type does not match schema type")
		case v.Text == "" && v.Kind == attr.S:
			return emptyKey(a.Name, "string")
		case v.Text == "" && v.Kind == attr.B:
			return emptyKey(a.Name, "binary")
		}
	}
	return nil
}

func emptyKey(name, kind string) error {
	return errorf("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", kind, name)
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
	op := keyOp(n)
	if op == 0 {
		k.refusef("Invalid operator used in KeyConditionExpression: %s", n.op)
		return
	}
	if (op == KeyBetween || op == KeyBeginsWith) && n.args[0].kind != pathNode {
		k.refusef("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", n.op)
		return
	}
	k.add(n, op)
}

func keyOp(n *node) KeyOp {
	switch n.op {
	case "=":
		return KeyEqual
	case "<":
		return KeyLess
	case "<=":
		return KeyLessEqual
	case ">":
		return KeyGreater
	case ">=":
		return KeyGreaterEqual
	case "BETWEEN":
		return KeyBetween
	case "begins_with":
		return KeyBeginsWith
	}
	return 0
}

// flipped is the operator with its operands exchanged.
func (op KeyOp) flipped() KeyOp {
	switch op {
	case KeyLess:
		return KeyGreater
	case KeyLessEqual:
		return KeyGreaterEqual
	case KeyGreater:
		return KeyLess
	case KeyGreaterEqual:
		return KeyLessEqual
	}
	return op
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
				t.Op = op.flipped()
			}
		}
	}
	switch {
	case t.Name == "":
		k.refusef("Invalid condition in KeyConditionExpression: No key attribute specified")
	case k.term(t.Name) != nil:
		k.refusef("Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key")
	}
	k.Terms = append(k.Terms, t)
}
