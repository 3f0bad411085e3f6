package access

import (
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// A verdict is what is known of a predicate under a given key.
type verdict int8

const (
	undecided verdict = iota
	holds
	fails
)

func (v verdict) opposite() verdict {
	switch v {
	case holds:
		return fails
	case fails:
		return holds
	}
	return undecided
}

func verdictOf(b bool) verdict {
	if b {
		return holds
	}
	return fails
}

// decide judges p, or its negation, of the items in b as far as b gives the key
// attributes themselves: pk <> 'a' is settled once pk = 'b' is.
func (s *space) decide(p *Pred, negated bool, b box) verdict {
	switch p.Op {
	case And, Or:
		return s.decideAll(p.Kids, negated, (p.Op == And) != negated, b)
	case Not:
		return s.decide(&p.Kids[0], !negated, b)
	case False, Tuple:
		return undecided
	}
	value, ok := s.value(p, b)
	if !ok {
		return undecided
	}
	v := verdictOf(p.holdsOf(value))
	if negated {
		return v.opposite()
	}
	return v
}

func (s *space) decideAll(kids []Pred, negated, all bool, b box) verdict {
	settled, out := holds, fails // of OR
	if all {
		settled, out = fails, holds
	}
	for i := range kids {
		switch s.decide(&kids[i], negated, b) {
		case settled:
			return settled
		case undecided:
			out = undecided
		}
	}
	return out
}

// value returns the value that the items of b have in the attribute that p
// compares.
func (s *space) value(p *Pred, b box) (schema.Scalar, bool) {
	if len(p.Path.Elems) > 0 {
		return schema.Scalar{}, false
	}
	of := b.hash
	switch {
	case p.Path.Attribute == s.key.Hash.Name:
	case s.key.HasSort() && p.Path.Attribute == s.key.Sort.Name:
		of = b.sort
	default:
		return schema.Scalar{}, false
	}
	if !of.point() || p.Op != IsNull && p.wrongKind(of.lo.value.Kind) {
		return schema.Scalar{}, false
	}
	return of.lo.value, true
}

// holdsOf evaluates the comparison on a value of its own kind.
func (p *Pred) holdsOf(v schema.Scalar) bool {
	switch p.Op {
	case IsNull:
		return false
	case Prefix:
		return strings.HasPrefix(v.Text, p.Args[0].Text)
	case Contains:
		return strings.Contains(v.Text, p.Args[0].Text)
	case In:
		for _, a := range p.Args {
			if a == v {
				return true
			}
		}
		return false
	}
	c := compare(v, p.Args[0])
	switch p.Op {
	case Eq:
		return c == 0
	case Ne:
		return c != 0
	case Lt:
		return c < 0
	case Le:
		return c <= 0
	case Gt:
		return c > 0
	}
	return c >= 0
}
