package expr

import (
	"maps"
	"slices"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// The service's refusals of an update that its item does not allow.
const (
	msgOperandType = "An operand in the update expression has an incorrect data type"
	msgMissing     = "The provided expression refers to an attribute that does not exist in the item"
	msgTarget      = "The document path provided in the update expression is invalid for update"
)

// write is what an action does to its target: the value it gives it, "" to
// remove it.
type write struct {
	value   attr.Value
	keep    bool // changes nothing
	missing bool // reads an attribute that is not there
}

// Apply gives the item as the update leaves it, and the paths written. All values
// are worked out on the item as it was. The caller adds the key attributes of a
// new item before. Errors are *Error, or *attr.Error for a number out of range or
// a value nested too deep.
func (u *Update) Apply(item attr.Form) (attr.Form, []Path, error) {
	for _, a := range u.actions {
		if kind := a.parentKind(item); kind != attr.Invalid && !holds(kind, a.last()) {
			return "", nil, errorf(msgTarget)
		}
	}
	writes := make([]write, len(u.actions))
	for i, a := range u.actions {
		var err error
		if writes[i], err = a.evaluate(item); err != nil {
			return "", nil, err
		}
	}
	if err := u.checkTargets(item, writes); err != nil {
		return "", nil, err
	}
	return attr.Encode(u.tree.applyMap(maps.Collect(item.Attributes()), writes)), u.paths, nil
}

func (a action) last() Step { return a.target.path[len(a.target.path)-1] }

// parentKind is the kind of what holds the action's target, Invalid if it is missing.
func (a action) parentKind(item attr.Form) attr.Kind {
	path := a.target.path
	if len(path) == 1 {
		return attr.M // the item
	}
	return path[:len(path)-1].of(item).Kind()
}

// checkTargets refuses targets without a parent and assignments of what is
// missing, as the service does: from the last section to the first.
func (u *Update) checkTargets(item attr.Form, writes []write) error {
	for order := u.actions[len(u.actions)-1].order; order >= 0; order-- {
		missing := false
		for i, a := range u.actions {
			if a.order != order {
				continue
			}
			if a.parentKind(item) == attr.Invalid {
				return errorf(msgTarget)
			}
			missing = missing || writes[i].missing
		}
		if missing {
			return errorf(msgMissing)
		}
	}
	return nil
}

func (a action) evaluate(item attr.Form) (write, error) {
	switch a.section {
	case "SET":
		v, err := a.value.assignedValue(item)
		if err == nil {
			err = attr.CheckDepth(v, len(a.target.path))
		}
		return write{value: v, missing: v == ""}, err
	case "REMOVE":
		return write{}, nil
	}
	old, operand := a.target.path.of(item), a.value.value
	switch {
	case old == "":
		return write{value: operand, keep: a.section == "DELETE"}, nil
	case old.Kind() != operand.Kind():
		return write{}, errorf(msgOperandType)
	case a.section == "DELETE":
		left := without(old, operand) // the attribute goes with the last of them
		if len(left) == 0 {
			return write{}, nil
		}
		return write{value: attr.Collection(old.Kind(), left)}, nil
	case operand.Kind() == attr.N:
		sum, err := attr.AddNumbers(old.Text(), operand.Text())
		return write{value: attr.Scalar(attr.N, sum)}, err
	}
	return write{value: attr.Collection(old.Kind(), append(slices.Collect(old.Elements()), without(operand, old)...))}, nil
}

// without are the members of a set that another does not have.
func without(set, other attr.Value) []attr.Value {
	return slices.DeleteFunc(slices.Collect(set.Elements()), func(m attr.Value) bool { return contains(other, m) })
}

// assignedValue is the value of the right side of an assignment; "" if it
// reads an attribute that is missing. A wrong type is an error even then.
func (n *node) assignedValue(item attr.Form) (attr.Value, error) {
	switch {
	case n.kind == arithmeticNode:
		a, b, err := n.pair(item, attr.N)
		if err != nil || a == "" || b == "" {
			return "", err
		}
		combine := attr.AddNumbers
		if n.op == "-" {
			combine = attr.SubtractNumbers
		}
		text, err := combine(a.Text(), b.Text())
		return attr.Scalar(attr.N, text), err
	case n.kind == callNode && n.op == "list_append":
		a, b, err := n.pair(item, attr.L)
		if err != nil || a == "" || b == "" {
			return "", err
		}
		return attr.Collection(attr.L, slices.AppendSeq(slices.Collect(a.Elements()), b.Elements())), nil
	case n.kind == callNode: // if_not_exists
		if v := n.args[0].operandValue(item); v != "" {
			return v, nil
		}
		return n.args[1].assignedValue(item)
	}
	return n.operandValue(item), nil
}

// pair evaluates two operands that must be of one kind, if they are there.
func (n *node) pair(item attr.Form, kind attr.Kind) (a, b attr.Value, err error) {
	if a, err = n.args[0].assignedValue(item); err != nil {
		return a, b, err
	}
	if b, err = n.args[1].assignedValue(item); err != nil {
		return a, b, err
	}
	if a != "" && a.Kind() != kind || b != "" && b.Kind() != kind {
		return a, b, errorf(msgOperandType)
	}
	return a, b, nil
}

// apply gives v with the writes below t done.
func (t *tree) apply(v attr.Value, writes []write) attr.Value {
	if v.Kind() == attr.L {
		return attr.Collection(attr.L, t.applyList(slices.Collect(v.Elements()), writes))
	}
	return attr.Map(t.applyMap(maps.Collect(v.Attributes()), writes))
}

func (t *tree) applyMap(m map[string]attr.Value, writes []write) map[string]attr.Value {
	for _, k := range t.kids {
		if name, value := k.step.Name, k.written(m[k.step.Name], writes); value != "" {
			m[name] = value
		} else {
			delete(m, name)
		}
	}
	return m
}

// written is what comes of v at the place of t; "" if it is removed.
func (t *tree) written(v attr.Value, writes []write) attr.Value {
	switch {
	case t.leaf < 0:
		return t.apply(v, writes)
	case writes[t.leaf].keep:
		return v
	}
	return writes[t.leaf].value
}

// applyList counts positions as they were: removals take effect at the end,
// and what is set beyond the end is appended in order of its index.
func (t *tree) applyList(list []attr.Value, writes []write) []attr.Value {
	was := len(list)
	for _, k := range t.byIndex() {
		if i := k.step.Index; i < was {
			list[i] = k.written(list[i], writes)
		} else {
			list = append(list, k.written("", writes))
		}
	}
	return slices.DeleteFunc(list, func(v attr.Value) bool { return v == "" })
}
