package access

import "slices"

// A binding is what the WHERE clause demands of the key of a space.
type binding struct {
	space
	where []Pred
	parts []region // of each conjunct
	all   region   // of all together
	// fixed says that all is a list of ranges under single hash keys, so that it
	// can be queried.
	fixed bool
}

func bind(s space, where []Pred) *binding {
	b := &binding{space: s, where: where, parts: make([]region, len(where)), all: everywhere(true)}
	for i := range where {
		b.parts[i] = b.region(&where[i], false)
		b.parts[i].boxes = disjoint(b.parts[i].boxes)
		b.all = b.all.intersect(b.parts[i]).merged()
	}
	if b.fixed = b.all.byHash(); b.fixed {
		b.all.boxes = disjoint(b.prune(slices.Clone(b.all.boxes)))
	}
	return b
}

// prune drops the boxes that a conjunct rules out by what it says of the key
// itself, as pk <> 'a' does, without being a range.
func (b *binding) prune(boxes []box) []box {
	for i := range b.where {
		if !b.parts[i].exact {
			boxes = slices.DeleteFunc(boxes, func(x box) bool { return b.decide(&b.where[i], false, x) == fails })
		}
	}
	return boxes
}

// A reach is the keys of a plan together with the boxes that they really
// select, which may be larger than what the WHERE clause demands.
type reach struct {
	keys  []KeyCond
	boxes []box
	// hulled says that ranges of one hash key were put together.
	hulled bool
}

func reachOf(boxes []box) reach {
	r := reach{keys: make([]KeyCond, len(boxes)), boxes: make([]box, len(boxes))}
	larger := false
	conds := make([]SortCond, len(boxes))
	for i, b := range boxes {
		cond, sent, ok := b.sort.condition()
		r.keys[i].Hash = b.hash.lo.value
		if ok {
			conds[i] = cond
			r.keys[i].Sort = &conds[i]
		}
		r.boxes[i] = box{b.hash, sent}
		larger = larger || sent != b.sort
	}
	if larger { // closed ends may touch now
		if joined := disjoint(slices.Clone(r.boxes)); len(joined) < len(boxes) {
			return reachOf(joined)
		}
	}
	return r
}

// items reports whether each key selects one item of a table.
func (b *binding) items(keys []KeyCond) bool {
	for i := range keys {
		if b.key.HasSort() && (keys[i].Sort == nil || keys[i].Sort.Op != Eq) {
			return false
		}
	}
	return b.index == nil
}

// enforces reports whether the items that r selects all satisfy conjunct i.
func (b *binding) enforces(i int, r reach) bool {
	p := b.parts[i]
	if !p.exact {
		return !slices.ContainsFunc(r.boxes, func(x box) bool { return b.decide(&b.where[i], false, x) != holds })
	}
	sorted := b.fixed && p.byHash()
	for j := range r.boxes {
		if !p.holds(r.boxes[j], sorted) {
			return false
		}
	}
	return true
}
