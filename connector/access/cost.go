package access

import (
	"math"

	"github.com/dynasql/dynasql/connector/schema"
)

// What the service counts by, in bytes, and what is assumed where nothing is known.
const (
	unitBytes   = 4096    // of one read unit, or half one when eventually consistent
	pageBytes   = 1 << 20 // of one page of Query or Scan
	batchKeys   = 100     // of one BatchGetItem
	guessedItem = 400     // bytes of an item of an unknown table
	keyEntry    = 120     // bytes of an index entry that holds keys only
)

// The counts of a table are up to six hours old. A Scan, or one wide Query, is
// therefore only taken in place of exact lookups when it stays cheaper if it
// has at least so much to read: one page, or a part of one.
const (
	leastScan  = pageBytes
	leastRange = pageBytes / 16
)

// A volume is how much one thing holds.
type volume struct {
	items float64
	item  float64 // bytes of one item
	guess bool
}

func (s *space) volume() volume {
	t := s.table
	v := volume{items: float64(t.Items), item: float64(t.AverageItem())}
	if t.Items <= 0 {
		v.items, v.guess = float64(t.Sampled), true
	}
	if v.item == 0 {
		v.item, v.guess = guessedItem, true
	}
	if s.index == nil {
		return v
	}
	if x := s.index; x.Items > 0 && x.SizeBytes > 0 {
		return volume{items: float64(x.Items), item: max(1, float64(x.SizeBytes)/float64(x.Items))}
	}
	v.guess = true
	if !s.index.All {
		v.item = min(v.item, keyEntry*float64(1+len(s.index.Include)))
	}
	return v
}

// withHash estimates the items of a hash key.
func (s *space) withHash(v volume, hash schema.Scalar) (items float64, guess bool) {
	if share, known := s.table.HashShares[s.name()][hash]; known {
		return max(1, v.items*share), true
	}
	return s.perHash(v)
}

// perHash estimates the items of one hash key of which nothing is known.
func (s *space) perHash(v volume) (items float64, guess bool) {
	if n := s.table.DistinctHash[s.name()]; n > 0 {
		return max(1, v.items/float64(n)), true
	}
	if s.index == nil && !s.key.HasSort() {
		return 1, v.guess
	}
	return max(1, math.Sqrt(v.items)), true
}

// selectivity guesses the share of one hash key's items that a condition on the
// sort key selects.
func (c *SortCond) selectivity() float64 {
	switch {
	case c == nil:
		return 1
	case c.Op == Eq:
		return 0.01
	case c.Op == Prefix, c.Op == Between:
		return 0.2
	}
	return 0.4
}

// A workload is what estimating a plan needs beside the plan.
type workload struct {
	space *space
	// share of the items read that the other predicates let through.
	share float64
	// wary takes it that the rows wanted are the last ones, whenever some of
	// the items read are none, and that a range put around lookups holds all of
	// its hash key: plans are compared in this light.
	wary   bool
	hulled bool
	// least is the bytes that a Scan, or each key of a Query, has at least.
	least float64
}

// estimate tells what running the plan takes.
func (p *Plan) estimate(w workload) Cost {
	var c Cost
	switch p.Op {
	case Nothing:
		return c
	case GetItem, BatchGetItem:
		c = p.lookups(float64(len(p.Keys)), tableSpace(p.Table))
		c.Requests = math.Ceil(float64(len(p.Keys)) / batchKeys)
	case Query:
		c = p.queries(w)
	case Scan:
		v := w.space.volume()
		v.items = max(v.items, w.least/v.item)
		c = p.pages(v, 1, w)
		if p.Walk {
			c = p.walk(v, w)
		}
	}
	switch {
	case p.Fetch:
		c = c.with(p.lookups(c.Items, tableSpace(p.Table)), false)
	case p.Complete:
		c = c.with(p.lookups(math.Ceil(c.Items*w.share), tableSpace(p.Table)), true)
		c.Guess = true
	}
	return c
}

func (c Cost) with(more Cost, requests bool) Cost {
	if requests {
		c.Requests += more.Requests
	}
	c.Bytes += more.Bytes
	c.ReadUnits += more.ReadUnits
	c.Guess = c.Guess || more.Guess
	return c
}

// lookups is the cost of reading n whole items one by one.
func (p *Plan) lookups(n float64, s space) Cost {
	v := s.volume()
	return Cost{
		Requests:  math.Ceil(n / batchKeys),
		Items:     n,
		Bytes:     n * v.item,
		ReadUnits: n * p.units(v.item),
		Guess:     v.guess,
	}
}

// units are the read units of bytes that are read together, which is rounded up
// to 4 KB; nothing costs as much as 4 KB.
func (p *Plan) units(bytes float64) float64 {
	n := max(1, math.Ceil(bytes/unitBytes))
	if p.Consistent {
		return n
	}
	return n / 2
}

func (p *Plan) queries(w workload) Cost {
	v := w.space.volume()
	unique := w.space.index == nil
	total, exact, guess := 0.0, unique, false
	for i := range p.Keys {
		each, guessed := w.space.withHash(v, p.Keys[i].Hash)
		guess = guess || guessed
		s := p.Keys[i].Sort
		one := unique && s != nil && s.Op == Eq
		exact = exact && one
		if one {
			total++
			continue
		}
		if w.wary && w.hulled {
			s = nil
		}
		total += max(1, each*s.selectivity())
	}
	v.items = max(total, w.least*float64(len(p.Keys))/v.item)
	v.guess = v.guess || guess && !exact
	return p.pages(v, len(p.Keys), w)
}

// pages is the cost of reading the volume in pages, spread evenly over a number
// of requests, until the rows wanted are there.
func (p *Plan) pages(v volume, requests int, w workload) Cost {
	n := float64(requests)
	each := v.items / n
	if rows := p.rowsWanted(); rows > 0 && (w.share == 1 || !w.wary) {
		needed := math.Ceil(rows / max(w.share, 0.001))
		v.guess = v.guess || w.share < 1 && needed < v.items
		if !p.Merge && (p.Ordered || len(p.Request.Order) == 0) {
			n = min(n, max(1, math.Ceil(needed/max(1, each))))
		}
		each = min(each, needed)
	}
	bytes := each * v.item
	return Cost{
		Requests:  n * max(1, math.Ceil(bytes/pageBytes)),
		Items:     n * each,
		Bytes:     n * bytes,
		ReadUnits: n * p.units(bytes),
		Guess:     v.guess,
	}
}

// walkBytes is about how much a page has that is read of each hash key: items
// that differ in size are likely to stay below what one read unit pays for.
const walkBytes = unitBytes / 2

// walk is the cost of a page for each hash key. How many there are is a guess
// from a sample; should each have one item only, the pages read as much as a
// Scan and are rounded up, to about twice of that.
func (p *Plan) walk(v volume, w workload) Cost {
	each, _ := w.space.perHash(v)
	hashes := v.items / each
	if w.wary {
		hashes *= 2
	}
	read := min(each, float64(p.PageLimit))
	return Cost{
		Requests:  max(1, hashes),
		Items:     hashes * read,
		Bytes:     hashes * read * v.item,
		ReadUnits: max(1, hashes) * p.units(read*v.item),
		Guess:     true,
	}
}

// rowsWanted is the number of rows after which reading stops; 0 when all are read.
func (p *Plan) rowsWanted() float64 {
	if p.Limit > 0 || p.PageLimit > 0 {
		return float64(p.Request.Limit)
	}
	return 0
}

// limit sets Limit and PageLimit. Reading may stop early when rows come in the
// order asked for. A page is as long as the rows wanted when each row read is
// one; otherwise it is as long as the guess of how many it takes, at least
// leastPage, and it is left to grow.
//
// share is the guessed share of items that are rows, and ends the number of
// rows read at open ends of ranges that are dropped.
func (p *Plan) limit(share, item float64, ends int) {
	rows := p.Request.Limit
	if rows <= 0 || len(p.Request.Order) > 0 && !p.Ordered {
		return
	}
	if len(p.Residual) == 0 && p.Request.Opaque == 0 {
		p.Limit = rows
	}
	if p.Op != Query && p.Op != Scan {
		return
	}
	page := math.Ceil(float64(rows) / max(share, 0.001))
	if share < 1 {
		page = max(page, leastPage)
	}
	if page += float64(ends); page*item < pageBytes && page <= maxPage {
		p.PageLimit = int32(page)
	}
}

const (
	leastPage = 25        // items of the first page when a filter drops some
	maxPage   = 1_000_000 // items; no page of 1 MB holds more
)

// shareOf guesses the share of rows that the conjuncts in which let through.
func shareOf(req *Request, which func(int) bool) float64 {
	share := math.Pow(0.5, float64(req.Opaque))
	for i := range req.Where {
		if which(i) {
			share *= req.Where[i].selectivity()
		}
	}
	return share
}
