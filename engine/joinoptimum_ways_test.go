package engine_test

import (
	"math"
	"slices"
)

// cheapest is the fewest read units for an operand after others: its Scan, its
// Queries by constants, and look-ups by the values of the rows so far.
func (b *brute) cheapest(s *joinSpec, r operand, rows []tuple) float64 {
	asked := r.asked(rows)
	best := math.Inf(1)
	for _, p := range b.tables[r.table] {
		if p.table || s.proves(r, p) {
			best = min(best, p.units(func(stored) bool { return true }))
		}
		best = min(best, p.lookUp(s, r, []tuple{{}}), p.lookUp(s, r, asked))
	}
	return best
}

// proves reports whether an index has all items that can matter: its keys have
// values wherever a condition or a link holds.
func (s *joinSpec) proves(r operand, p space) bool {
	for _, attr := range []string{p.hash, p.sort} {
		asks := slices.ContainsFunc(r.conditions, func(c condition) bool { return c.of == "" && c.attr == attr })
		links := slices.ContainsFunc(s.linksOf(r), func(l link) bool { return l.attrA == attr })
		if attr != "" && !asks && !links {
			return false
		}
	}
	return true
}

// lookUp reads by the hash keys that constants and rows give, and by sort keys
// where they give them too.
func (p *space) lookUp(s *joinSpec, r operand, rows []tuple) float64 {
	if p.sparse && !s.proves(r, *p) {
		return math.Inf(1)
	}
	sorts := map[string]map[string]bool{} // by hash key; nil for all sort keys
	for _, t := range rows {
		hashes, known := s.values(r, p.hash, t)
		if !known {
			return math.Inf(1)
		}
		for _, hash := range hashes {
			if _, seen := sorts[hash]; !seen {
				sorts[hash] = map[string]bool{}
			}
			if p.sort == "" {
				continue
			}
			values, known := s.values(r, p.sort, t)
			if !known {
				sorts[hash] = nil
				continue
			}
			for _, v := range values {
				if sorts[hash] != nil {
					sorts[hash][v] = true
				}
			}
		}
	}
	total := 0.0
	for hash, wanted := range sorts {
		total += p.byHash(r, hash, wanted)
	}
	return total
}

// values are the values that an attribute can have for a row: those of
// constants, or of a link. It reports false when it can have any.
func (s *joinSpec) values(r operand, attr string, t tuple) (out []string, known bool) {
	for _, c := range r.conditions {
		if c.of == "" && c.attr == attr && c.op == '=' {
			out, known = c.values, true
		}
	}
	for _, l := range s.linksOf(r) {
		if l.attrA != attr || !t.has(l.b) {
			continue
		}
		v, has := t[l.b][l.attrB]
		switch {
		case !has || known && !slices.Contains(out, v):
			return nil, true
		default:
			out, known = []string{v}, true
		}
	}
	return out, known
}

// byHash reads the wanted sort keys of one hash key, or those in the range that
// constants give: each for itself, from the first to the last, or all.
func (p *space) byHash(r operand, hash string, wanted map[string]bool) float64 {
	under := func(it stored) bool { return it.attrs[p.hash] == hash }
	inRange := func(it stored) bool {
		return under(it) && !slices.ContainsFunc(r.conditions, func(c condition) bool {
			return c.of == "" && c.attr == p.sort && c.op != '!' && !c.holds(it.attrs)
		})
	}
	if p.sort == "" {
		return p.units(under)
	}
	if wanted == nil {
		return p.units(inRange)
	}
	if len(wanted) == 0 {
		return 0
	}
	each := 0.0
	for v := range wanted {
		each += p.units(func(it stored) bool { return under(it) && it.attrs[p.sort] == v })
	}
	first, last := condition{attr: p.sort, op: '<'}, condition{attr: p.sort, op: '>'}
	for v := range wanted {
		if first.values == nil || first.holds(map[string]string{p.sort: v}) {
			first.values = []string{v}
		}
		if last.values == nil || last.holds(map[string]string{p.sort: v}) {
			last.values = []string{v}
		}
	}
	return min(each, p.units(func(it stored) bool { return under(it) && !first.holds(it.attrs) && !last.holds(it.attrs) }))
}
