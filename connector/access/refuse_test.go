package access

import (
	"maps"
	"regexp"
)

// check refuses what DynamoDB refuses.
func (s *store) check(p *Plan) {
	if p.Op == Nothing {
		return
	}
	x, isIndex := s.table.Index(p.Index)
	if isIndex && (!x.Active || x.Global && p.Consistent) {
		s.refuse("index %s may not be read", p.Index)
	}
	if p.Count && p.Project != nil {
		s.refuse("COUNT with a projection")
	}
	if (p.Op == GetItem || p.Op == BatchGetItem) && (p.Filter != nil || p.Index != "" || p.Reverse) {
		s.refuse("%v with a filter, an index or a direction", p.Op)
	}
	s.checkKeys(p)
	if p.Filter != nil {
		s.checkFilter(p, p.Filter)
		if !p.Filter.size().fits() {
			s.refuse("filter of %+v", p.Filter.size())
		}
	}
	s.checkProjection(p)
	for i := range max(1, len(p.Keys)) {
		s.checkExpression(p.Expression(i))
	}
}

func (s *store) checkKeys(p *Plan) {
	key := p.Key()
	full := p.Op == GetItem || p.Op == BatchGetItem
	if (p.Op == Query || full) != (len(p.Keys) > 0) || p.Op == GetItem && len(p.Keys) != 1 {
		s.refuse("%v with %d keys", p.Op, len(p.Keys))
	}
	seen := map[string]bool{}
	for _, k := range p.Keys {
		if seen[k.text(key)] {
			s.refuse("key %s twice", k.text(key))
		}
		seen[k.text(key)] = true
		if k.Hash.Kind != key.Hash.Kind || k.Hash.Text == "" {
			s.refuse("hash key %v", k.Hash)
		}
		if full && key.HasSort() != (k.Sort != nil && k.Sort.Op == Eq) {
			s.refuse("key %s is not full", k.text(key))
		}
		if c := k.Sort; c != nil && (c.Lo.Kind != key.Sort.Kind || c.Lo.Text == "" ||
			c.Op == Between && (c.Hi.Kind != key.Sort.Kind || compare(c.Lo, c.Hi) > 0)) {
			s.refuse("sort key %+v", c)
		}
	}
}

func (s *store) checkFilter(p *Plan, f *Filter) {
	for _, k := range f.Kids {
		s.checkFilter(p, k)
	}
	if f.Path.Attribute == "" {
		return
	}
	x, isIndex := s.table.Index(p.Index)
	switch {
	case p.Op == Query && p.Key().Has(f.Path.Attribute):
		s.refuse("key attribute %s in a filter", f.Path.Attribute)
	case isIndex && !p.Fetch && !x.Projects(s.table, f.Path.Attribute):
		s.refuse("filter on %s, which index %s lacks", f.Path.Attribute, p.Index)
	case f.Op == FIn && len(f.Args) > 100:
		s.refuse("%d values for IN", len(f.Args))
	}
}

func (s *store) checkProjection(p *Plan) {
	x, isIndex := s.table.Index(p.Index)
	for i, a := range p.Project {
		if isIndex && !p.Complete && !p.Fetch && !x.Projects(s.table, a.Attribute) {
			s.refuse("projection of %s, which index %s lacks", a.Attribute, p.Index)
		}
		for k, b := range p.Project {
			if i != k && a.holds(b) {
				s.refuse("paths %v and %v overlap", a, b)
			}
		}
	}
	if p.Project != nil && len(p.Project) == 0 {
		s.refuse("empty projection")
	}
}

var placeholders = regexp.MustCompile(`[#:][nv][0-9]+`)

// checkExpression refuses placeholders that are not used or not there.
func (s *store) checkExpression(e Expression) {
	used, known := map[string]bool{}, map[string]bool{}
	for _, ph := range placeholders.FindAllString(e.KeyCondition+" "+e.Filter+" "+e.Projection, -1) {
		used[ph] = true
	}
	for ph := range e.Names {
		known[ph] = true
	}
	for ph := range e.Values {
		known[ph] = true
	}
	if !maps.Equal(used, known) {
		s.refuse("placeholders %v, used are %v", known, used)
	}
	if n := max(len(e.KeyCondition), len(e.Filter), len(e.Projection)); n > maxExpression {
		s.refuse("expression of %d characters", n)
	}
}
