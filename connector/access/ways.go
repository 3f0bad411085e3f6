package access

import (
	"fmt"
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// tableWays offers the ways of reading the table itself.
func (c *chooser) tableWays(b *binding) {
	var f finding
	switch {
	case slices.Contains(c.not, ""):
		f.why = "forbidden by the statement"
	case b.fixed:
		c.keyWays(b, "")
		f.best = c.best
	default:
		f.why = notFixed(b)
	}
	c.found = append(c.found, f)
	if c.scanMayBeBest(b) {
		c.offer(c.wholeTable(b))
	}
}

// wholeTable reads the table, by all its items or from hash key to hash key.
func (c *chooser) wholeTable(b *binding) candidate {
	scan := build(c.req, b, scanWay(len(c.req.Table.Indexes) > 0))
	if !b.mayWalk(c.req) {
		return scan
	}
	if walk := build(c.req, b, walkWay(b)); walk.score.ReadUnits < scan.plan.Cost.ReadUnits {
		return walk
	}
	return scan
}

// mayWalk reports whether a Scan may pass over all but one item of a hash key.
func (b *binding) mayWalk(req *Request) bool {
	hash := schema.Key{Hash: b.key.Hash}
	for i := range req.Where {
		if !req.Where[i].onlyNames(hash) {
			return false
		}
	}
	return req.DistinctHash && req.Opaque == 0 && b.key.HasSort() && b.table.DistinctHash[b.name()] > 0
}

// walkWay passes over items by a start key that need not exist, as described in
// https://aws.amazon.com/blogs/database/generate-a-distinct-set-of-partition-keys-for-an-amazon-dynamodb-table-efficiently/.
func walkWay(b *binding) way {
	w := scanWay(false)
	w.walk = true
	w.reason = fmt.Sprintf("one item of each %s is enough: the next page begins behind all items of the last one", b.key.Hash.Name)
	return w
}

// scanMayBeBest reports whether reading the space as a whole could take less than
// the best way by key that was found in it.
func (c *chooser) scanMayBeBest(b *binding) bool {
	if c.best == nil {
		return true
	}
	v := b.volume()
	bytes := v.items * v.item
	if !c.req.counted {
		bytes = max(bytes, leastScan)
	}
	return c.best.plan.units(bytes) < c.best.score.ReadUnits
}

// A refusal says why an index cannot be read, and what can be done.
type refusal struct {
	why    string // the index cannot be queried
	whole  string // nor read as a whole
	remedy string
}

func (r refusal) forced() string {
	if r.whole == "" {
		return r.why
	}
	return r.why + ", and read as a whole " + r.whole
}

// indexWays offers the ways of reading an index, or says why there is none.
func (c *chooser) indexWays(b *binding) refusal {
	if len(b.all.boxes) == 0 {
		c.nothing()
		return refusal{}
	}
	if r := c.unreadable(b.index); r.why != "" {
		return r
	}
	query, scan := b.holdsAll(c.req, false), b.holdsAll(c.req, true)
	if b.fixed && query.ok {
		c.keyWays(b, query.why)
	}
	if scan.ok && c.scanMayBeBest(b) {
		c.indexWay(b, indexScan(b))
	}
	r := refusal{remedy: fmt.Sprintf("drop the hint, or read what the index holds: `%s.%s`", b.table.Name, b.index.Name)}
	switch {
	case !b.fixed:
		r.why, r.whole = notFixed(b), scan.why
	case !query.ok:
		r.why = query.why
	}
	return r
}

// unreadable says why an index cannot be read at all.
func (c *chooser) unreadable(x *schema.Index) refusal {
	switch {
	case !x.Active:
		return refusal{why: "it is not active", remedy: "wait until DescribeTable shows it as ACTIVE"}
	case x.Global && c.req.Consistent:
		return refusal{why: "a global index has no consistent reads", remedy: "read without consistency, or by the table's key"}
	}
	return refusal{}
}

func indexScan(b *binding) way {
	w := scanWay(true)
	w.reason = fmt.Sprintf("all items wanted are in %s, which is read as a whole", b.index.Name)
	if b.own {
		w.reason = fmt.Sprintf("%s is read as a table of its own", b.index.Name)
	}
	return w
}

// keyWays offers reading by the keys that the clause fixes: by each range of
// sort keys, and by one range for each hash key.
func (c *chooser) keyWays(b *binding, note string) {
	r, wide := reachOf(b.all.boxes), hulls(b.all.boxes)
	w := way{op: Query, reach: r, reason: fixedReason(b, len(wide))}
	if b.items(r.keys) {
		w.op, w.reason = BatchGetItem, fmt.Sprintf("%d full keys are given", len(r.keys))
		if len(r.keys) == 1 {
			w.op, w.reason = GetItem, "the full key is given"
		}
	}
	c.noted(b, w, note)
	if len(wide) < len(r.keys) {
		w = way{op: Query, reach: reachOf(wide), least: leastRange}
		w.reach.hulled = true
		w.reason = fmt.Sprintf("one range for each %s costs less than %d lookups", b.key.Hash.Name, len(r.keys))
		c.noted(b, w, note)
	}
}

func fixedReason(b *binding, hashes int) string {
	if hashes == 1 {
		return fmt.Sprintf("%s is fixed to one value", b.key.Hash.Name)
	}
	return fmt.Sprintf("%s is fixed to %d values, each is queried", b.key.Hash.Name, hashes)
}

func (c *chooser) noted(b *binding, w way, note string) {
	if note != "" {
		w.reason += "; " + note
	}
	if b.index != nil {
		c.indexWay(b, w)
		return
	}
	c.offer(build(c.req, b, w))
}

// indexWay offers to read an index, and what it lacks from the table.
func (c *chooser) indexWay(b *binding, w way) {
	direct := build(c.req, b, w)
	attribute, lacks := b.lacks(c.req)
	if !lacks || direct.plan.Count {
		c.offer(direct)
		return
	}
	reason := w.reason
	if !b.index.Global && w.op == Query {
		w.fetch = true
		w.reason = fmt.Sprintf("%s; DynamoDB reads %s from the table for each item and charges for it", reason, attribute)
		c.offer(build(c.req, b, w))
	}
	w.fetch, w.complete = false, true
	w.reason = fmt.Sprintf("%s; %s is read from the table afterwards", reason, attribute)
	c.offer(build(c.req, b, w))
}

func scanWay(indexes bool) way {
	w := way{op: Scan, reach: reach{boxes: []box{{}}}, least: leastScan}
	w.reason = "the table is read as a whole: its hash key is not fixed"
	if indexes {
		w.reason = "the table is read as a whole: no hash key is fixed, neither its own nor that of an index that may be used"
	}
	return w
}

// readAll offers to read everything and to leave all to the engine.
func (c *chooser) readAll() error {
	req := *c.req
	s := tableSpace(req.Table)
	if c.own != nil {
		s = indexSpace(req.Table, c.own, true)
		if r := c.unreadable(c.own); r.why != "" {
			return &IndexError{s.table.Name, s.index.Name, r.why, r.remedy}
		}
	}
	p := Plan{
		Request: c.req, Table: req.Table, Op: Scan, Index: s.name(), Consistent: req.Consistent,
		Complete: s.index != nil && !s.index.All,
		Reasons:  []string{"pushdown is switched off: everything is read"},
	}
	for i := range req.Where {
		p.Residual = append(p.Residual, i)
	}
	p.Cost = p.estimate(workload{space: &s, share: 1})
	c.best = &candidate{plan: p}
	return nil
}

// notFixed says why the hash key of the space cannot be queried.
func notFixed(b *binding) string {
	for i := range b.where {
		if v, ok := b.where[i].mismatch(b.key.Hash); ok {
			return fmt.Sprintf("%s holds %s and is compared with %s: quote the constant as the column is typed",
				b.key.Hash.Name, b.key.Hash.Kind, v)
		}
	}
	return fmt.Sprintf("%s is not fixed by = or IN", b.key.Hash.Name)
}

// mismatch finds a comparison of the key attribute with a constant of another kind.
func (p *Pred) mismatch(a schema.Attr) (schema.Kind, bool) {
	for i := range p.Kids {
		if k, ok := p.Kids[i].mismatch(a); ok {
			return k, true
		}
	}
	if p.Path.Attribute != a.Name || len(p.Path.Elems) > 0 {
		return 0, false
	}
	for _, v := range p.Args {
		if v.Kind != a.Kind {
			return v.Kind, true
		}
	}
	return 0, false
}
