package access

import (
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// A space is a set of items with a key: the table, or an index of it.
type space struct {
	table *schema.Table
	index *schema.Index // nil for the table
	key   schema.Key
	// own says that only the items of the space are wanted: it is the table, or
	// an index that is read as a table of its own. Otherwise the index stands
	// for the table, which may hold items that the index lacks.
	own bool
	// single says that the space is the values of one attribute by itself,
	// apart from its being missing.
	single bool
}

func tableSpace(t *schema.Table) space { return space{table: t, key: t.Key, own: true} }

func indexSpace(t *schema.Table, x *schema.Index, own bool) space {
	return space{table: t, index: x, key: x.Key, own: own}
}

func (s *space) name() string {
	if s.index == nil {
		return ""
	}
	return s.index.Name
}

// kind returns the kind that an attribute has in each item of the space; it is
// a key of the space or of its table, hence never missing.
func (s *space) kind(attribute string) (schema.Kind, bool) {
	for _, k := range [2]*schema.Key{&s.key, &s.table.Key} {
		switch {
		case attribute == k.Hash.Name:
			return k.Hash.Kind, true
		case k.HasSort() && attribute == k.Sort.Name:
			return k.Sort.Kind, true
		}
	}
	return schema.Missing, false
}

func (s *space) projects(attribute string) bool {
	return s.index == nil || s.index.Projects(s.table, attribute)
}

// region returns what p, or its negation, demands of the key of the space.
// Negation follows SQL: it is taken down to the comparisons.
func (s *space) region(p *Pred, negated bool) region {
	switch p.Op {
	case And, Or:
		return s.regionOf(p.Kids, negated, (p.Op == And) != negated)
	case Not:
		return s.region(&p.Kids[0], !negated)
	case False: // its negation may be true or unknown
		if negated {
			return everywhere(false)
		}
		return nowhere()
	case Tuple:
		return s.tupleRegion(p, negated)
	}
	return s.leafRegion(p, negated)
}

func (s *space) regionOf(kids []Pred, negated, all bool) region {
	out := nowhere()
	if all {
		out = everywhere(true)
	}
	for i := range kids {
		kid := s.region(&kids[i], negated)
		if all {
			out = out.intersect(kid)
		} else {
			out = out.union(kid)
		}
		out = out.merged()
	}
	return out
}

func (s *space) tupleRegion(p *Pred, negated bool) region {
	if negated {
		return everywhere(false)
	}
	out := region{boxes: make([]box, 0, len(p.Rows)), exact: true}
	for _, row := range p.Rows {
		var b box
		for i, path := range p.Paths {
			b = s.narrow(b, path, row[i], &out.exact)
		}
		if !b.hash.empty() && !b.sort.empty() {
			out.boxes = append(out.boxes, b)
		}
	}
	return out.orNowhere()
}

// narrow cuts b down to the items whose value at the path is v. It clears exact
// when b does not tell them from others.
func (s *space) narrow(b box, path Path, v schema.Scalar, exact *bool) box {
	attr, of, limit := s.key.Hash, &b.hash, maxHashBytes
	if s.isSort(path.Attribute) {
		attr, of, limit = s.key.Sort, &b.sort, maxSortBytes
	}
	sends := sendableKey(v, limit)
	switch {
	case len(path.Elems) > 0 || path.Attribute != attr.Name || v.Kind != attr.Kind, !sends && s.loose(attr.Name):
		*exact = false
	case sends:
		*of = of.intersect(pointSpan(v))
	default:
		*of = span{lo: opened(v), hi: opened(v)} // no key is equal to it
	}
	return b
}

func (s *space) isSort(attribute string) bool {
	return s.key.HasSort() && attribute == s.key.Sort.Name && attribute != s.key.Hash.Name
}

func (s *space) leafRegion(p *Pred, negated bool) region {
	if p.Op == In && len(p.Args) == 0 {
		return emptyList(negated)
	}
	isHash, isSort := p.Path.Attribute == s.key.Hash.Name, s.isSort(p.Path.Attribute)
	if len(p.Path.Elems) > 0 || !isHash && !isSort {
		return everywhere(false)
	}
	attr, limit := s.key.Hash, maxHashBytes
	if isSort {
		attr, limit = s.key.Sort, maxSortBytes
	}
	if p.Op == IsNull {
		return s.nullRegion(attr.Name, negated)
	}
	if p.wrongKind(attr.Kind) {
		return everywhere(false)
	}
	if s.loose(attr.Name) && slices.ContainsFunc(p.Args, func(v schema.Scalar) bool { return !sendableKey(v, limit) }) {
		return everywhere(false)
	}
	spans, exact := leafSpans(p, negated, limit)
	boxes := make([]box, len(spans))
	for i, sp := range spans {
		if isHash {
			boxes[i].hash = sp
		} else {
			boxes[i].sort = sp
		}
	}
	return region{boxes, exact}.orNowhere()
}

// emptyList is the region of IN (), which is false.
func emptyList(negated bool) region {
	if negated {
		return everywhere(true)
	}
	return nowhere()
}

// loose reports whether items may have values of the attribute that no key has,
// such as an empty string: an item older than the index is then not in it.
func (s *space) loose(attribute string) bool { return !s.own && !s.table.Key.Has(attribute) }

// nullRegion is the region of attr IS NULL: nothing, as long as the attribute
// cannot be missing from an item that is wanted.
func (s *space) nullRegion(attribute string, negated bool) region {
	switch {
	case negated:
		return everywhere(true)
	case s.own || s.single || s.table.Key.Has(attribute):
		return nowhere()
	}
	return everywhere(false)
}

// wrongKind reports whether a constant of the comparison is of another kind
// than k, or the column is not compared as k.
func (p *Pred) wrongKind(k schema.Kind) bool {
	if p.Kind != schema.Missing && p.Kind != k {
		return true
	}
	for _, v := range p.Args {
		if v.Kind != k {
			return true
		}
	}
	return false
}

// complement is the comparison that holds exactly where op is false.
func complement(op Op) (Op, bool) {
	switch op {
	case Eq:
		return Ne, true
	case Ne:
		return Eq, true
	case Lt:
		return Ge, true
	case Le:
		return Gt, true
	case Gt:
		return Le, true
	case Ge:
		return Lt, true
	}
	return op, false
}

// leafSpans returns the values of a key attribute that satisfy a comparison. A
// key value has at most limit bytes and is never empty.
func leafSpans(p *Pred, negated bool, limit int) (spans []span, exact bool) {
	op := p.Op
	if negated {
		var ok bool
		if op, ok = complement(op); !ok {
			return []span{{}}, false
		}
	}
	switch op {
	case Eq, In:
		for _, v := range p.Args {
			if sendableKey(v, limit) {
				spans = append(spans, pointSpan(v))
			}
		}
		return spans, true
	case Prefix:
		return prefixSpans(p.Args[0], limit)
	case Lt, Le, Gt, Ge:
		return rangeSpans(op, p.Args[0], limit)
	}
	return []span{{}}, false
}

func prefixSpans(v schema.Scalar, limit int) (spans []span, exact bool) {
	switch {
	case v.Kind != schema.S:
		return []span{{}}, false
	case v.Text == "":
		return []span{{}}, true
	case !sendableKey(v, limit):
		return nil, true
	}
	return []span{prefixSpan(v.Text)}, true
}

func rangeSpans(op Op, v schema.Scalar, limit int) (spans []span, exact bool) {
	below := op == Lt || op == Le
	switch {
	case v.Kind != schema.N && v.Text == "" && below:
		return nil, true
	case v.Kind != schema.N && v.Text == "":
		return []span{{}}, true
	case !sendableKey(v, limit):
		return []span{{}}, false
	}
	b := bound{value: v, set: true, open: op == Lt || op == Gt}
	if below {
		return []span{{hi: b}}, true
	}
	return []span{{lo: b}}, true
}
