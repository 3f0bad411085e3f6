package attr

// MaxDepth is how deep a value may nest: a scalar attribute is level 1, each
// map or list around it adds one.
const MaxDepth = 32

var errDepth = &Error{Message: "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"}

// Size is what the value counts in the size of an item, in bytes, without the
// attribute name: UTF-8 bytes of S, bytes of B, about half the digits of N, one
// for BOOL and NULL, three for a map or list plus one for each member.
func (v Value) Size() int {
	switch v.Kind {
	case S, B:
		return len(v.Text)
	case N:
		return numberSize(v.Text)
	case SS, BS:
		size := 0
		for _, m := range v.Set {
			size += len(m)
		}
		return size
	case NS:
		size := 0
		for _, m := range v.Set {
			size += numberSize(m)
		}
		return size
	case L:
		size := 3 + len(v.List)
		for _, e := range v.List {
			size += e.Size()
		}
		return size
	case M:
		return 3 + len(v.Map) + v.Map.Size()
	}
	return 1
}

// Size is the item size that DynamoDB's limits and capacity units count, in
// bytes: UTF-8 bytes of the names plus the values.
func (it Item) Size() int {
	size := 0
	for name, v := range it {
		size += len(name) + v.Size()
	}
	return size
}

// Depth is the number of nesting levels of the value, 1 for a scalar or set.
func (v Value) Depth() int {
	below := 0
	for _, e := range v.List {
		below = max(below, e.Depth())
	}
	for _, e := range v.Map {
		below = max(below, e.Depth())
	}
	return below + 1
}

// CheckDepth refuses a value that sits at the given level (1 for a top-level
// attribute) and reaches below MaxDepth.
func CheckDepth(v Value, level int) error {
	if level+v.Depth()-1 > MaxDepth {
		return errDepth
	}
	return nil
}
