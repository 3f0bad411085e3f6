package access

import (
	"cmp"
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// A box is a range of hash keys times a range of sort keys.
type box struct{ hash, sort span }

// A region is what a predicate demands of a key: items outside its boxes do not
// satisfy the predicate. No boxes is a contradiction.
type region struct {
	boxes []box
	// exact says that each item of the boxes satisfies the predicate.
	exact bool
}

// everywhere demands nothing of the key.
func everywhere(exact bool) region { return region{[]box{{}}, exact} }

func nowhere() region { return region{exact: true} }

func (r region) all() bool {
	return len(r.boxes) == 1 && r.boxes[0].hash.all() && r.boxes[0].sort.all()
}

// maxBoxes bounds what the product of two predicates may become, as pk IN (..)
// AND sk IN (..) does. Above it the second one is put as its hull.
const maxBoxes = 10_000

// union may use the memory of both; a region belongs to whoever made it.
func (r region) union(other region) region {
	if len(other.boxes) == 0 {
		return r
	}
	if len(r.boxes) == 0 {
		return other
	}
	return region{append(r.boxes, other.boxes...), r.exact && other.exact}
}

func (r region) intersect(other region) region {
	switch {
	case other.all():
		return region{r.boxes, r.exact && other.exact}
	case r.all():
		return region{other.boxes, r.exact && other.exact}
	case len(r.boxes) == 0 || len(other.boxes) == 0:
		return nowhere()
	case r.byHash() && other.byHash() && len(r.boxes)*len(other.boxes) > 64:
		return r.intersectByHash(other)
	case len(r.boxes)*len(other.boxes) > maxBoxes:
		return r.intersectHull(other)
	}
	out := region{exact: r.exact && other.exact}
	for _, a := range r.boxes {
		out.add(a, other.boxes)
	}
	return out.orNowhere()
}

func (r *region) add(a box, others []box) {
	for _, b := range others {
		c := box{a.hash.intersect(b.hash), a.sort.intersect(b.sort)}
		if !c.hash.empty() && !c.sort.empty() {
			r.boxes = append(r.boxes, c)
		}
	}
}

func (r region) orNowhere() region {
	if len(r.boxes) == 0 {
		return nowhere()
	}
	return r
}

// byHash reports whether each box is of one hash key.
func (r region) byHash() bool {
	for i := range r.boxes {
		if !r.boxes[i].hash.point() {
			return false
		}
	}
	return true
}

func (r region) intersectByHash(other region) region {
	groups := make(map[schema.Scalar][]box, len(other.boxes))
	for _, b := range other.boxes {
		v := b.hash.lo.value
		groups[v] = append(groups[v], b)
	}
	out := region{exact: r.exact && other.exact}
	for _, a := range r.boxes {
		out.add(a, groups[a.hash.lo.value])
	}
	return out.orNowhere()
}

// intersectHull is intersect with the region that has less to say of the hash
// key reduced to one box.
func (r region) intersectHull(other region) region {
	if other.byHash() {
		r, other = other, r
	}
	hull := other.boxes[0]
	for _, b := range other.boxes[1:] {
		hull = box{hull.hash.hull(b.hash), hull.sort.hull(b.sort)}
	}
	out := region{}
	out.add(hull, r.boxes)
	return out.orNowhere()
}

// fewBoxes is how many boxes are not worth being merged.
const fewBoxes = 4

// merged joins ranges that overlap or touch. Without it the ranges of many
// alternatives, AND by AND, come to thousands that say no more than a few.
// Boxes of single hash keys stay as they are.
func (r region) merged() region {
	if len(r.boxes) <= fewBoxes || r.byHash() {
		return r
	}
	boxes := slices.Clone(r.boxes)
	slices.SortFunc(boxes, func(a, b box) int {
		return cmp.Or(compareSpans(a.hash, b.hash), compareLo(a.sort.lo, b.sort.lo))
	})
	boxes = joined(boxes, func(a, b box) bool { return a.hash == b.hash && a.sort.joins(b.sort) })
	slices.SortFunc(boxes, func(a, b box) int {
		return cmp.Or(compareSpans(a.sort, b.sort), compareLo(a.hash.lo, b.hash.lo))
	})
	return region{joined(boxes, func(a, b box) bool { return a.sort == b.sort && a.hash.joins(b.hash) }), r.exact}
}

func compareSpans(a, b span) int { return cmp.Or(compareLo(a.lo, b.lo), compareHi(a.hi, b.hi)) }

// joined puts the hulls of neighbours that fit in their place.
func joined(boxes []box, fit func(a, b box) bool) []box {
	out := boxes[:1]
	for _, b := range boxes[1:] {
		last := &out[len(out)-1]
		if fit(*last, b) {
			last.hash, last.sort = last.hash.hull(b.hash), last.sort.hull(b.sort)
			continue
		}
		out = append(out, b)
	}
	return out
}

// disjoint sorts the boxes of single hash keys by hash and sort key and joins
// those that overlap or touch, so that no item is in two of them. It may
// reorder boxes in place.
func disjoint(boxes []box) []box {
	if len(boxes) < 2 {
		return boxes
	}
	slices.SortFunc(boxes, compareBoxes)
	return joined(boxes, func(a, b box) bool { return a.hash == b.hash && a.sort.joins(b.sort) })
}

func compareBoxes(a, b box) int {
	if c := compareLo(a.hash.lo, b.hash.lo); c != 0 {
		return c
	}
	return compareLo(a.sort.lo, b.sort.lo)
}

// hulls reduces sorted boxes to one for each hash key.
func hulls(boxes []box) []box {
	var out []box
	for _, b := range boxes {
		if n := len(out); n > 0 && out[n-1].hash == b.hash {
			out[n-1].sort = out[n-1].sort.hull(b.sort)
			continue
		}
		out = append(out, b)
	}
	return out
}

// holds reports whether one box of r, whose boxes must be in disjoint's order
// when they are of single hash keys, holds all of b.
func (r region) holds(b box, sorted bool) bool {
	boxes := r.boxes
	if sorted && len(boxes) > 8 {
		at, _ := slices.BinarySearchFunc(boxes, b, func(a, b box) int { return compareLo(a.hash.lo, b.hash.lo) })
		boxes = boxes[at:]
	}
	for _, a := range boxes {
		if b.hash.within(a.hash) && b.sort.within(a.sort) {
			return true
		}
		if sorted && compareLo(a.hash.lo, b.hash.lo) > 0 {
			return false
		}
	}
	return false
}
