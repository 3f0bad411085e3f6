package access

import (
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// maxAlternatives bounds the work of simplify: lists of alternatives that are
// longer stay as they are.
const maxAlternatives = 64

// A simplifier drops the alternatives of OR that the rest of the clause rules
// out by what it says of key attributes: of pk = 'a' AND (pk = 'b' OR x = 1)
// the rest is pk = 'a' AND x = 1. Then x may be found to be demanded, or to be
// the key of an index.
type simplifier struct {
	table *schema.Table
	each  []space // each key attribute of the table and its indexes by itself
}

// simplify returns conjuncts, in the same places, that are true together where
// those of the clause are true together.
func simplify(t *schema.Table, where []Pred) []Pred {
	if !slices.ContainsFunc(where, func(p Pred) bool { return p.alternatives(false) }) {
		return where
	}
	s := simplifier{table: t}
	s.attributes(t.Key)
	for i := range t.Indexes {
		s.attributes(t.Indexes[i].Key)
	}
	out := make([]Pred, len(where))
	for i := range where {
		out[i] = where[i].pushed(false)
	}
	for i := range out {
		out[i] = s.under(out[i], without(out, i))
	}
	return out
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

func (s *simplifier) attributes(k schema.Key) {
	for _, a := range k.Attrs() {
		if !slices.ContainsFunc(s.each, func(e space) bool { return e.key.Hash.Name == a.Name }) {
			s.each = append(s.each, space{table: s.table, key: schema.Key{Hash: a}, single: true})
		}
	}
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
// a key attribute of which they leave no value, nor its absence.
func (s *simplifier) excluded(p Pred, others []Pred) bool {
	all := Pred{Op: And, Kids: append([]Pred{p}, others...)}
	return slices.ContainsFunc(s.each, func(e space) bool {
		a := e.key.Hash.Name
		return p.names(a) && len(e.region(&all, false).boxes) == 0 &&
			(s.table.Key.Has(a) || all.rejectsMissing(a, false))
	})
}
