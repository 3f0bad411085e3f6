package access

import (
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// maxAlternatives bounds the work of simplify: longer clauses and lists of
// alternatives stay as they are.
const maxAlternatives = 64

// A simplifier drops the alternatives of OR that the rest of the clause rules
// out: of pk = 'a' AND (pk = 'b' OR x = 1) the rest is pk = 'a' AND x = 1. Then x
// may be found to be demanded, or to be the key of an index. It looks at each
// attribute by itself.
type simplifier struct {
	each []space // one for each attribute that the clause names
}

// simplify returns conjuncts, in the same places, that are true together where
// those of the clause are true together. One of them is FALSE if they never are.
func simplify(t *schema.Table, where []Pred) []Pred {
	if len(where) > maxAlternatives {
		return where
	}
	var s simplifier
	twice := false
	for i := range where {
		twice = s.attributes(t, &where[i]) || twice
	}
	if slices.ContainsFunc(where, func(p Pred) bool { return p.alternatives(false) }) {
		where = s.conjuncts(where)
	}
	if twice && s.excluded(where[0], where[1:]) {
		return append([]Pred{{Op: False}}, where[1:]...)
	}
	return where
}

func (s *simplifier) conjuncts(where []Pred) []Pred {
	out := make([]Pred, len(where))
	for i := range where {
		out[i] = where[i].pushed(false)
	}
	for i := range out {
		out[i] = s.under(out[i], without(out, i))
	}
	return out
}

// attributes collects the attributes that p names, and reports whether one of
// them was there already. Nothing is to be found out about keys of the table
// here: the ways of reading it look at both their parts together.
func (s *simplifier) attributes(t *schema.Table, p *Pred) (again bool) {
	for i := range p.Kids {
		again = s.attributes(t, &p.Kids[i]) || again
	}
	for _, path := range p.Paths {
		again = s.attribute(t, path.Attribute) || again
	}
	return p.Path.Attribute != "" && s.attribute(t, p.Path.Attribute) || again
}

func (s *simplifier) attribute(t *schema.Table, name string) (again bool) {
	if slices.ContainsFunc(s.each, func(e space) bool { return e.key.Hash.Name == name }) {
		return !t.Key.Has(name)
	}
	s.each = append(s.each, space{table: t, key: schema.Key{Hash: schema.Attr{Name: name}}, single: true})
	return false
}

// alternatives reports whether p, or its negation, has an OR.
func (p *Pred) alternatives(negated bool) bool {
	switch p.Op {
	case And, Or:
		if (p.Op == Or) != negated && len(p.Kids) > 1 {
			return true
		}
		return slices.ContainsFunc(p.Kids, func(k Pred) bool { return k.alternatives(negated) })
	case Not:
		return p.Kids[0].alternatives(!negated)
	}
	return false
}

// pushed is p, or its negation, with NOT at the comparisons only.
func (p *Pred) pushed(negated bool) Pred {
	switch {
	case p.Op == Not:
		return p.Kids[0].pushed(!negated)
	case p.Op == And || p.Op == Or:
		out := Pred{Op: p.Op, Kids: make([]Pred, len(p.Kids))}
		if negated {
			out.Op = And + Or - p.Op
		}
		for i := range p.Kids {
			out.Kids[i] = p.Kids[i].pushed(negated)
		}
		return out
	case negated:
		return Pred{Op: Not, Kids: []Pred{*p}}
	}
	return *p
}

func without(list []Pred, i int) []Pred {
	return slices.Concat(list[:i], list[i+1:])
}

// under simplifies p where all of the others are true.
func (s *simplifier) under(p Pred, others []Pred) Pred {
	switch {
	case len(p.Kids) > maxAlternatives:
		return p
	case p.Op == And:
		kids := slices.Clone(p.Kids)
		for i := range kids {
			kids[i] = s.under(kids[i], slices.Concat(others, without(kids, i)))
		}
		return Pred{Op: And, Kids: kids}
	case p.Op != Or:
		return p
	}
	var kids []Pred
	for _, k := range p.Kids {
		if k = s.under(k, others); !s.excluded(k, others) {
			kids = append(kids, k)
		}
	}
	switch len(kids) {
	case 0:
		return Pred{Op: False}
	case 1:
		return kids[0]
	}
	return Pred{Op: Or, Kids: kids}
}

// excluded reports whether p cannot be true together with the others: there is
// an attribute of which they leave no value, nor its absence.
func (s *simplifier) excluded(p Pred, others []Pred) bool {
	all := Pred{Op: And, Kids: append([]Pred{p}, others...)}
	return slices.ContainsFunc(s.each, func(e space) bool {
		name := e.key.Hash.Name
		e.key.Hash.Kind = all.comparedAs(name)
		return len(e.region(&all, false).boxes) == 0 &&
			(e.table.Key.Has(name) || all.rejectsMissing(name, false))
	})
}

// comparedAs is the kind of the first constant that p compares the attribute
// with. Comparisons with constants of other kinds then tell nothing.
func (p *Pred) comparedAs(attribute string) schema.Kind {
	for i := range p.Kids {
		if k := p.Kids[i].comparedAs(attribute); k != schema.Missing {
			return k
		}
	}
	for i, path := range p.Paths {
		if path.Attribute == attribute && len(p.Rows) > 0 {
			return p.Rows[0][i].Kind
		}
	}
	if p.Path.Attribute == attribute && len(p.Args) > 0 {
		return p.Args[0].Kind
	}
	return schema.Missing
}
