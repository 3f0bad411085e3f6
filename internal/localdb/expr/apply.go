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

// write is what an action does to its target.
type write struct {
	value   attr.Value
	remove  bool
	keep    bool // changes nothing
	missing bool // reads an attribute that is not there
}

// Apply gives the stored form of the item as the update leaves it, and the paths written. All
// values are worked out on the item as it was. The caller adds the key
// attributes of a new item before. Errors are *Error, or
// *attr.Error for a number out of range or a value nested too deep.
func (u *Update) Apply(item attr.Form) (attr.Form, []Path, error) {
	for _, a := range u.actions {
		if parent, ok := a.parent(item); ok && !holds(parent.Kind, a.last()) {
			return nil, nil, errorf(msgTarget)
		}
	}
	writes := make([]write, len(u.actions))
	for i, a := range u.actions {
		var err error
		if writes[i], err = a.evaluate(item); err != nil {
			return nil, nil, err
		}
	}
	if err := u.checkTargets(item, writes); err != nil {
		return nil, nil, err
	}
	old, err := attr.Decode(item)
	if err != nil {
		return nil, nil, err
	}
	changed := u.tree.apply(attr.Value{Kind: attr.M, Map: old}, writes)
	return attr.Encode(nil, changed.Map), u.paths, nil
}

func (a action) last() Step { return a.target.path[len(a.target.path)-1] }

// parent is the map or list that holds the action's target; of an item it has the kind alone.
func (a action) parent(item attr.Form) (attr.Value, bool) {
	path := a.target.path
	if len(path) == 1 {
		return attr.Value{Kind: attr.M}, true
	}
	return path[:len(path)-1].of(item)
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
			if _, ok := a.parent(item); !ok {
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
		v, ok, err := a.value.assignedValue(item)
		if err == nil && ok {
			err = attr.CheckDepth(v, len(a.target.path))
		}
		return write{value: v, missing: !ok}, err
	case "REMOVE":
		return write{remove: true}, nil
	}
	old, ok := a.target.path.of(item)
	operand := a.value.value
	switch {
	case ok && old.Kind != operand.Kind:
		return write{}, errorf(msgOperandType)
	case a.section == "DELETE":
		return without(old, operand, ok), nil
	case !ok:
		return write{value: operand}, nil
	case operand.Kind == attr.N:
		sum, err := attr.AddNumbers(old.Text, operand.Text)
		return write{value: attr.Value{Kind: attr.N, Text: sum}}, err
	}
	return write{value: union(old, operand)}, nil
}

func union(set, more attr.Value) attr.Value {
	members := slices.Clone(set.Set)
	for _, m := range more.Set {
		if !slices.Contains(set.Set, m) {
			members = append(members, m)
		}
	}
	return attr.Value{Kind: set.Kind, Set: members}
}

// without takes members from a set; the attribute goes with the last of them.
func without(set, less attr.Value, exists bool) write {
	if !exists {
		return write{keep: true}
	}
	members := slices.DeleteFunc(slices.Clone(set.Set), func(m string) bool { return slices.Contains(less.Set, m) })
	return write{value: attr.Value{Kind: set.Kind, Set: members}, remove: len(members) == 0}
}

// assignedValue is the value of the right side of an assignment; false if it
// reads an attribute that is missing. A wrong type is an error even then.
func (n *node) assignedValue(item attr.Form) (attr.Value, bool, error) {
	switch {
	case n.kind == arithmeticNode:
		a, b, ok, err := n.pair(item, attr.N)
		if err != nil || !ok {
			return attr.Value{}, false, err
		}
		combine := attr.AddNumbers
		if n.op == "-" {
			combine = attr.SubtractNumbers
		}
		text, err := combine(a.Text, b.Text)
		return attr.Value{Kind: attr.N, Text: text}, true, err
	case n.kind == callNode && n.op == "list_append":
		a, b, ok, err := n.pair(item, attr.L)
		return attr.Value{Kind: attr.L, List: slices.Concat(a.List, b.List)}, ok, err
	case n.kind == callNode: // if_not_exists
		if v, ok := n.args[0].operandValue(item); ok {
			return v, true, nil
		}
		return n.args[1].assignedValue(item)
	}
	v, ok := n.operandValue(item)
	return v, ok, nil
}

// pair evaluates two operands that must be of one kind.
func (n *node) pair(item attr.Form, kind attr.Kind) (a, b attr.Value, ok bool, err error) {
	a, okA, err := n.args[0].assignedValue(item)
	if err != nil {
		return a, b, false, err
	}
	b, okB, err := n.args[1].assignedValue(item)
	if err != nil {
		return a, b, false, err
	}
	if okA && a.Kind != kind || okB && b.Kind != kind {
		return a, b, false, errorf(msgOperandType)
	}
	return a, b, okA && okB, nil
}

// apply gives v with the writes below t done; v itself stays as it is.
func (t *tree) apply(v attr.Value, writes []write) attr.Value {
	if v.Kind == attr.L {
		return attr.Value{Kind: attr.L, List: t.applyList(v.List, writes)}
	}
	m := maps.Clone(v.Map)
	if m == nil {
		m = attr.Item{}
	}
	for _, k := range t.kids {
		name := k.step.Name
		switch {
		case k.leaf < 0:
			m[name] = k.apply(m[name], writes)
		case writes[k.leaf].keep:
		case writes[k.leaf].remove:
			delete(m, name)
		default:
			m[name] = writes[k.leaf].value
		}
	}
	return attr.Value{Kind: attr.M, Map: m}
}

// applyList counts positions as they were: removals take effect at the end,
// and what is set beyond the end is appended in order of its index.
func (t *tree) applyList(list []attr.Value, writes []write) []attr.Value {
	out := slices.Clone(list)
	removed := make([]bool, len(list))
	for _, k := range t.byIndex() {
		i := k.step.Index
		switch {
		case k.leaf < 0:
			out[i] = k.apply(out[i], writes)
		case writes[k.leaf].keep:
		case writes[k.leaf].remove:
			if i < len(list) {
				removed[i] = true
			}
		case i < len(list):
			out[i] = writes[k.leaf].value
		default:
			out = append(out, writes[k.leaf].value)
		}
	}
	left := out[:0]
	for i, v := range out {
		if i >= len(removed) || !removed[i] {
			left = append(left, v)
		}
	}
	return left
}
