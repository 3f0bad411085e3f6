package access

import (
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// order arranges the keys so that rows come in as many leading terms of
// Request.Order as can be. Attributes that are equal in all rows count as
// served. A key attribute is never missing from what is read by it, so that
// NULL's place does not matter.
func (p *Plan) order() {
	terms := p.Request.Order
	if len(terms) == 0 || p.Op == Nothing {
		return
	}
	o := ordering{plan: p, key: p.Key()}
	for _, term := range terms {
		if !o.serve(term) {
			break
		}
		p.OrderPrefix++
	}
	p.Ordered = p.OrderPrefix == len(terms)
	o.arrange()
}

// An ordering takes terms as long as the plan can serve them.
type ordering struct {
	plan       *Plan
	key        schema.Key
	hash, sort direction
	sortFirst  bool // the sort key came before the hash key
}

type direction int8

const (
	unordered direction = iota
	ascending
	descending
)

func directionOf(o Order) direction {
	if o.Desc {
		return descending
	}
	return ascending
}

func (o *ordering) serve(term Order) bool {
	p := o.plan
	if o.unique() || p.constant(term.Attribute) {
		return true
	}
	if p.Op != Query && p.Op != BatchGetItem {
		return false
	}
	switch {
	case term.Attribute == o.key.Hash.Name:
		// Items of equal sort keys follow by hash key, but not the other way
		// round once rows of equal hash keys would have to be sorted again.
		if o.hash == unordered {
			o.hash = directionOf(term)
		}
		return true
	case o.key.HasSort() && term.Attribute == o.key.Sort.Name:
		if o.sort == unordered {
			o.sort, o.sortFirst = directionOf(term), o.hash == unordered
		}
		return true
	}
	return false
}

// unique reports whether the terms served so far leave no two rows equal.
func (o *ordering) unique() bool {
	p := o.plan
	if p.Op == GetItem {
		return true
	}
	if p.Index != "" || p.Op != Query && p.Op != BatchGetItem {
		return false
	}
	hash := o.hash != unordered || p.oneHash()
	return hash && (o.sort != unordered || !o.key.HasSort())
}

// oneHash reports whether all keys have the same hash key.
func (p *Plan) oneHash() bool {
	for i := range p.Keys {
		if p.Keys[i].Hash != p.Keys[0].Hash {
			return false
		}
	}
	return len(p.Keys) > 0
}

// constant reports whether all rows agree in the attribute.
func (p *Plan) constant(attribute string) bool {
	key := p.Key()
	if len(p.Keys) > 0 && attribute == key.Hash.Name && p.oneHash() {
		return true
	}
	if len(p.Keys) == 1 && key.HasSort() && attribute == key.Sort.Name {
		if s := p.Keys[0].Sort; s != nil && s.Op == Eq {
			return true
		}
	}
	for i := range p.Request.Where {
		if p.Request.Where[i].fixes(attribute) {
			return true
		}
	}
	return false
}

// fixes reports whether p is only true of one value of the attribute.
func (p *Pred) fixes(attribute string) bool {
	if p.Op == And {
		return slices.ContainsFunc(p.Kids, func(k Pred) bool { return k.fixes(attribute) })
	}
	return p.Op == Eq && p.Path.Attribute == attribute && len(p.Path.Elems) == 0
}

// arrange sorts the keys and sets direction and merging.
func (o *ordering) arrange() {
	p := o.plan
	if p.Op != Query && p.Op != BatchGetItem {
		return
	}
	p.Reverse = p.Op == Query && o.sort == descending
	p.Merge = p.Op == Query && o.sort != unordered && o.sortFirst && !p.oneHash()
	if len(p.Keys) < 2 {
		return
	}
	slices.SortStableFunc(p.Keys, func(a, b KeyCond) int {
		hash, sort := sign(o.hash)*compare(a.Hash, b.Hash), sign(o.sort)*compareConds(a.Sort, b.Sort)
		if o.sortFirst && p.Op == BatchGetItem {
			hash, sort = sort, hash
		}
		if hash != 0 {
			return hash
		}
		return sort
	})
}

func sign(d direction) int {
	if d == descending {
		return -1
	}
	return 1
}

// compareConds orders disjoint conditions on a sort key by what they select.
func compareConds(a, b *SortCond) int {
	if a == nil || b == nil {
		return 0
	}
	if below(a) || below(b) {
		return truth(below(b)) - truth(below(a))
	}
	return compare(a.Lo, b.Lo)
}

// below reports whether the condition has no lower end.
func below(c *SortCond) bool { return c.Op == Lt || c.Op == Le }
