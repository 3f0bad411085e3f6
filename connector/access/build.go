package access

import (
	"fmt"
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// WithKey is the plan of a GetItem for a request that differs from the plan's own
// in the constants alone that the key equals; it reports false where no item or
// more than one can be meant.
func (p *Plan) WithKey(req *Request) (Plan, bool) {
	b := bind(tableSpace(p.Table), req.Where)
	if len(b.all.boxes) != 1 {
		return Plan{}, false
	}
	r := reachOf(b.all.boxes)
	out := *p
	out.Request, out.Keys = req, r.keys
	return out, b.items(r.keys)
}

// A candidate is a plan with what it is judged by.
type candidate struct {
	plan  Plan
	score Cost
}

// A way is one manner of reading by a key.
type way struct {
	op              Operation
	reach           reach
	fetch, complete bool
	walk            bool
	least           float64 // see workload
	reason          string
}

// build makes the plan that reads b's space in the given way.
func build(req *Request, b *binding, w way) candidate {
	p := Plan{
		Request: req, Table: req.Table, Op: w.op, Index: b.name(), Keys: w.reach.keys,
		Consistent: req.Consistent, Fetch: w.fetch, Complete: w.complete, Walk: w.walk,
		Reasons: []string{w.reason},
	}
	if w.op == Scan {
		p.Keys = nil
	}
	enforced := make([]bool, len(req.Where))
	for i := range enforced {
		enforced[i] = b.enforces(i, w.reach)
	}
	p.filter(b, enforced, w.reach)
	ends := 0
	share := shareOf(req, func(i int) bool {
		if !enforced[i] && b.parts[i].exact && w.op == Query && !w.reach.hulled {
			ends++
			return false
		}
		return !enforced[i]
	})
	p.Count = p.countOnly() && (w.op == Query || w.op == Scan)
	if p.Complete {
		p.recheck()
	}
	p.order()
	p.project()
	item := b.volume().item
	p.limit(share, item, ends)
	if p.Walk {
		p.PageLimit = int32(max(1, walkBytes/item))
	}
	load := workload{space: &b.space, share: share}
	p.Cost = p.estimate(load)
	load.wary, load.hulled = true, w.reach.hulled
	if !req.counted {
		load.least = w.least
	}
	return candidate{p, p.estimate(load)}
}

// filter pushes what the keys do not enforce, as far as it can be put in
// DynamoDB's terms and the expression has room; what the filter does not
// enforce either is residual.
func (p *Plan) filter(b *binding, enforced []bool, r reach) {
	t := translator{space: &b.space, query: p.Op == Query, fetch: p.Fetch}
	if len(r.boxes) == 1 {
		t.at = r.boxes[0]
	}
	var filters []*Filter
	var used size
	full := 0
	for i := range enforced {
		if enforced[i] {
			continue
		}
		if p.Op == GetItem || p.Op == BatchGetItem {
			p.Residual = append(p.Residual, i)
			continue
		}
		f := t.pred(&b.where[i], false)
		if f.filter != nil {
			n := f.filter.size().plus(size{chars: len(" AND ()"), operators: 1})
			if used.plus(n).fits() {
				used = used.plus(n)
				filters = append(filters, f.filter)
				p.Pushed = append(p.Pushed, i)
			} else {
				full++
				f.exact = false
			}
		}
		if !f.exact || f.never {
			p.Residual = append(p.Residual, i)
		}
	}
	if len(filters) > 0 {
		p.Filter = andOf(filters...)
	}
	if full > 0 {
		p.Reasons = append(p.Reasons, fmt.Sprintf(
			"not sent, since DynamoDB takes %d characters and %d operators: %s", maxExpression, maxOperators, plural(float64(full), "condition")))
	}
}

// recheck makes residual all that speaks of more than the table's key: the
// index may lag behind the table from which the item is read afterwards.
func (p *Plan) recheck() {
	residual := p.Residual
	p.Residual = nil
	for i := range p.Request.Where {
		if slices.Contains(residual, i) || !p.Request.Where[i].onlyNames(p.Table.Key) {
			p.Residual = append(p.Residual, i)
		}
	}
}

// onlyNames reports whether p names no attribute beside those of the key.
func (p *Pred) onlyNames(k schema.Key) bool {
	for i := range p.Kids {
		if !p.Kids[i].onlyNames(k) {
			return false
		}
	}
	for _, path := range p.Paths {
		if !k.Has(path.Attribute) {
			return false
		}
	}
	return p.Path.Attribute == "" || k.Has(p.Path.Attribute)
}
