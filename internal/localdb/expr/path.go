package expr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// Step is one step of a document path: an attribute name, or a list index
// (from 0) when Name is empty.
type Step struct {
	Name  string
	Index int
}

func (s Step) String() string {
	if s.Name == "" {
		return "[" + strconv.Itoa(s.Index) + "]"
	}
	return s.Name
}

// Path is a document path; its first step is a top-level attribute name.
type Path []Step

// String gives the form of the service's messages, such as [a, [1], b].
func (p Path) String() string {
	steps := make([]string, len(p))
	for i, s := range p {
		steps[i] = s.String()
	}
	return "[" + strings.Join(steps, ", ") + "]"
}

// of is the value at the path in an item, "" if there is none.
func (p Path) of(item attr.Form) attr.Value {
	v := item.Attribute(p[0].Name)
	for _, step := range p[1:] {
		v = child(v, step)
	}
	return v
}

// child is the value one step below v, "" if there is none.
func child(v attr.Value, step Step) attr.Value {
	if step.Name != "" {
		return v.Attribute(step.Name)
	}
	if v.Kind() == attr.L {
		i := 0
		for e := range v.Elements() {
			if i == step.Index {
				return e
			}
			i++
		}
	}
	return ""
}

// holds tells whether a value of kind k can have the step below it.
func holds(k attr.Kind, step Step) bool {
	if step.Name != "" {
		return k == attr.M
	}
	return k == attr.L
}

// tree is a set of document paths of which none contains another. A leaf
// carries the position of its path in the set.
type tree struct {
	step Step
	kids []*tree
	leaf int // -1 above the leaves
}

func newTree(paths []Path) *tree {
	root := &tree{leaf: -1}
	for i, p := range paths {
		at := root
		for _, step := range p {
			at = at.kid(step)
		}
		at.leaf = i
	}
	return root
}

func (t *tree) kid(step Step) *tree {
	for _, k := range t.kids {
		if k.step == step {
			return k
		}
	}
	k := &tree{step: step, leaf: -1}
	t.kids = append(t.kids, k)
	return k
}

// checkOverlap refuses two paths of which one contains the other, or which use
// one attribute both as a list and as a map.
func checkOverlap(paths []Path) *Error {
	var conflict *Error
	for i, later := range paths {
		for _, earlier := range paths[:i] {
			word := clash(earlier, later)
			if word == "" {
				continue
			}
			err := errorf("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s",
				word, earlier, later)
			if word == "overlap" {
				return err
			}
			if conflict == nil {
				conflict = err
			}
		}
	}
	return conflict
}

func clash(a, b Path) string {
	for i := range min(len(a), len(b)) {
		switch {
		case (a[i].Name == "") != (b[i].Name == ""):
			return "conflict"
		case a[i] != b[i]:
			return ""
		}
	}
	return "overlap"
}

// Extract gives the parts of an item at the paths, as UPDATED_OLD and
// UPDATED_NEW return them: nested as in the item, list elements without gaps.
func Extract(item attr.Form, paths []Path) attr.Form {
	return attr.Form(newProjection(paths).Apply(nil, item))
}

// pick reduces v to what the tree names; "" if that is nothing.
func (t *tree) pick(v attr.Value) attr.Value {
	switch {
	case t.leaf >= 0:
		return v
	case v.Kind() == attr.M:
		if m := t.pickMap(v.Attribute); len(m) > 0 {
			return attr.Map(m)
		}
	case v.Kind() == attr.L:
		var list []attr.Value
		for _, k := range t.byIndex() {
			if part := k.pick(child(v, k.step)); part != "" {
				list = append(list, part)
			}
		}
		if list != nil {
			return attr.Collection(attr.L, list)
		}
	}
	return ""
}

// pickMap has what the tree names of a map's attributes.
func (t *tree) pickMap(attribute func(name string) attr.Value) map[string]attr.Value {
	m := map[string]attr.Value{}
	for _, k := range t.kids {
		if part := k.pick(attribute(k.step.Name)); k.step.Name != "" && part != "" {
			m[k.step.Name] = part
		}
	}
	return m
}

func (t *tree) byIndex() []*tree {
	kids := slices.Clone(t.kids)
	slices.SortStableFunc(kids, func(a, b *tree) int { return a.step.Index - b.step.Index })
	return kids
}
