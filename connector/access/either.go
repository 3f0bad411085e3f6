package access

import "slices"

// mostAlternatives is how many alternatives of an OR are read one by one.
const mostAlternatives = 16

// Either plans the alternatives of an OR one by one, for a request whose best
// plan is to read everything: in a = 1 OR b = 2 each may have a key, where
// together they have none. Rows that several alternatives hold come from each of
// their plans. There is none if that does not take fewer read units.
func Either(req Request) []Plan {
	if req.NoPushdown || !slices.ContainsFunc(req.Where, func(p Pred) bool { return p.Op == Or }) {
		return nil
	}
	whole := chooser{req: &req}
	if whole.resolve() != nil || whole.consider() != nil || whole.best.plan.Op != Scan {
		return nil
	}
	least := whole.best.score.ReadUnits
	var best []Plan
	for i := range req.Where {
		kids := alternatives(&req.Where[i])
		if len(kids) < 2 || len(kids) > mostAlternatives {
			continue
		}
		if plans, units := apart(&req, i, kids); plans != nil && units < least {
			best, least = plans, units
		}
	}
	return best
}

// alternatives are the sides of an OR, those of ORs among them too.
func alternatives(p *Pred) []Pred {
	if p.Op != Or {
		return []Pred{*p}
	}
	var out []Pred
	for i := range p.Kids {
		out = append(out, alternatives(&p.Kids[i])...)
	}
	return out
}

// apart plans the alternatives of one conjunct, each with the other conjuncts;
// none if one of them is to read everything.
func apart(req *Request, conjunct int, kids []Pred) (plans []Plan, units float64) {
	for _, kid := range kids {
		part := *req
		part.Where = slices.Clone(req.Where)
		part.Where[conjunct] = kid
		if len(req.Order) > 0 { // the first rows are known only when all are there
			part.Limit = 0
		}
		part.Order, part.Count, part.DistinctHash = nil, false, false
		c := chooser{req: &part}
		if c.resolve() != nil || c.consider() != nil || c.best.plan.Op == Scan {
			return nil, 0
		}
		if c.best.plan.Op == Nothing {
			continue
		}
		p := c.result()
		p.Reasons = append([]string{"one of the alternatives of OR, each of which has a key of its own"}, p.Reasons...)
		plans = append(plans, p)
		units += c.best.score.ReadUnits
	}
	return plans, units
}
