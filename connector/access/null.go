package access

// rejectsMissing reports whether p, or its negation, cannot be true of an item
// that lacks the attribute. Then an index that leaves such items out has every
// item that p wants.
func (p *Pred) rejectsMissing(attribute string, negated bool) bool {
	switch p.Op {
	case And, Or:
		all := (p.Op == And) != negated
		for i := range p.Kids {
			if p.Kids[i].rejectsMissing(attribute, negated) == all {
				return all
			}
		}
		return !all
	case Not:
		return p.Kids[0].rejectsMissing(attribute, !negated)
	case False:
		return !negated
	case Tuple:
		return !negated && p.names(attribute)
	case IsNull:
		return negated && p.Path.Attribute == attribute
	}
	return p.Path.Attribute == attribute
}

// names reports whether p compares the attribute or something inside it.
func (p *Pred) names(attribute string) bool {
	for i := range p.Kids {
		if p.Kids[i].names(attribute) {
			return true
		}
	}
	for _, path := range p.Paths {
		if path.Attribute == attribute {
			return true
		}
	}
	return p.Path.Attribute == attribute
}

// asksNull reports whether p tests the attribute for NULL anywhere.
func (p *Pred) asksNull(attribute string) bool {
	for i := range p.Kids {
		if p.Kids[i].asksNull(attribute) {
			return true
		}
	}
	return p.Op == IsNull && p.Path.Attribute == attribute
}

// selectivity guesses the share of items for which p is true. It only serves
// estimates.
func (p *Pred) selectivity() float64 {
	switch p.Op {
	case And:
		share := 1.0
		for i := range p.Kids {
			share *= p.Kids[i].selectivity()
		}
		return share
	case Or:
		share := 0.0
		for i := range p.Kids {
			share += p.Kids[i].selectivity()
		}
		return min(share, 1)
	case Not:
		return 1 - min(p.Kids[0].selectivity(), 0.9)
	case In:
		return min(0.1*float64(len(p.Args)), 0.5)
	case Tuple:
		return min(0.05*float64(len(p.Rows)), 0.5)
	case Eq, IsNull:
		return 0.1
	case Ne:
		return 0.9
	case False:
		return 0.01
	}
	return 0.3
}
