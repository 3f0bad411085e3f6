package access

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/schema"
)

var optima = flag.Int("optima", 40, "number of random tables whose plans are held against the best ones")

// TestOptimum holds plans against the best of all legal ways of reading, which
// are found by trying all items that there could be instead of by looking at
// the predicates. Both are judged by the same estimates. Beside that it tells
// the read units that come out on the items that are there, against the fewest
// that any way takes on them: a plan is made from averages before the items are
// known, so that these need not agree.
func TestOptimum(t *testing.T) {
	var got, best, real, realBest float64
	plans, above := 0, 0
	for n := range uint64(*optima) {
		w := newOptimumWorld(rand.New(rand.NewPCG(n, 4)))
		for range 6 {
			req := w.optimumRequest()
			c := chooser{req: &req}
			if err := c.consider(); err != nil {
				t.Fatal(err)
			}
			wanted := w.wantedItems(&req)
			least := w.leastScore(&req, wanted)
			if c.best.score.ReadUnits > least {
				above++
				t.Logf("seed %d: %v against %v\n%s\n%s", n, c.best.score.ReadUnits, least, requestText(&req), strings.Join(c.best.plan.Tree(), "\n"))
			}
			plans, got, best = plans+1, got+c.best.score.ReadUnits, best+least
			real, realBest = real+w.units(&c.best.plan), realBest+w.optimum(&req, wanted)
		}
	}
	t.Logf("%d plans: %.0f read units, optimum %.0f, ratio %.4f, %d above; on the items %.0f, optimum %.0f, ratio %.4f",
		plans, got, best, got/best, above, real, realBest, real/realBest)
	if above*200 > plans || got > 1.005*best {
		t.Errorf("ratio %.4f, %d of %d plans above the optimum", got/best, above, plans)
	}
}

// leastScore is the best estimate of all legal ways.
func (w *world) leastScore(req *Request, wanted []item) float64 {
	if len(wanted) == 0 {
		return 0
	}
	c := chooser{req: req}
	for i := -1; i < len(w.table.Indexes); i++ {
		s := tableSpace(w.table)
		if i >= 0 {
			s = indexSpace(w.table, &w.table.Indexes[i], false)
		}
		if !s.holdsEach(wanted) {
			continue
		}
		b := bind(s, req.Where)
		for _, way := range w.ways(b, wanted) {
			if b.index == nil {
				c.offer(build(req, b, way))
			} else {
				c.indexWay(b, way)
			}
		}
	}
	return c.best.score.ReadUnits
}

func (s *space) holdsEach(wanted []item) bool {
	for _, it := range wanted {
		for _, a := range s.key.Attrs() {
			if _, ok := it[a.Name]; !ok {
				return false
			}
		}
	}
	return true
}

// ways are the ways that read all that is wanted: the whole, each run of sort
// keys, and one range for each hash key.
func (w *world) ways(b *binding, wanted []item) []way {
	out := []way{scanWay(true)}
	sorts, ok := b.sortsByHash(wanted)
	if !ok {
		return out
	}
	var boxes []box
	for hash, points := range sorts {
		h := pointSpan(schema.Scalar{Kind: b.key.Hash.Kind, Text: hash})
		for _, sp := range runs(b.key.Sort, points) {
			boxes = append(boxes, box{h, sp})
		}
	}
	boxes = disjoint(boxes)
	each := way{op: Query, reach: reachOf(boxes)}
	if b.items(each.reach.keys) {
		each.op = BatchGetItem
	}
	wide := way{op: Query, reach: reachOf(hulls(boxes))}
	wide.reach.hulled = len(wide.reach.keys) < len(each.reach.keys)
	return append(out, each, wide)
}

// sortsByHash are the wanted sort keys of each hash key; false when there is no
// end of hash keys.
func (s *space) sortsByHash(wanted []item) (map[string]map[string]bool, bool) {
	sorts := map[string]map[string]bool{}
	for _, it := range wanted {
		hash := it[s.key.Hash.Name].text
		if !slices.Contains(constants[s.key.Hash.Kind], hash) {
			return nil, false
		}
		if sorts[hash] == nil {
			sorts[hash] = map[string]bool{}
		}
		sorts[hash][it[s.key.Sort.Name].text] = true
	}
	return sorts, true
}

// runs are the ranges of neighbours among the wanted sort keys.
func runs(a schema.Attr, wanted map[string]bool) []span {
	if a.Name == "" {
		return []span{{}}
	}
	points := values[a.Kind]
	var out []span
	from := -1
	for i := range len(points) + 1 {
		in := i < len(points) && wanted[points[i]]
		if in && from < 0 {
			from = i
		}
		if !in && from >= 0 {
			out = append(out, span{lo: edge(a.Kind, points, from, -1), hi: edge(a.Kind, points, i-1, 1)})
			from = -1
		}
	}
	return out
}

// edge is the bound at a point: the point itself, or, at one that lies between
// constants, the next constant, which is outside.
func edge(k schema.Kind, points []string, at, step int) bound {
	switch {
	case slices.Contains(constants[k], points[at]):
		return closed(schema.Scalar{Kind: k, Text: points[at]})
	case at+step < 0 || at+step >= len(points):
		return bound{}
	}
	return opened(schema.Scalar{Kind: k, Text: points[at+step]})
}

// units are the read units that running the plan takes.
func (w *world) units(p *Plan) float64 {
	if p.Op == Nothing {
		return 0
	}
	if p.Op == GetItem || p.Op == BatchGetItem {
		total := 0.0
		for _, k := range p.Keys {
			found := slices.ContainsFunc(w.items, func(it item) bool { return keyMatches(w.table.Key, k, it) })
			total += unitsOf(truth(found), bigItem)
		}
		return total
	}
	s := &store{table: w.table, items: w.items, rnd: w.Rand}
	rows := s.run(p)
	x, _ := w.table.Index(p.Index)
	total := 0.0
	for _, n := range s.read {
		total += unitsOf(n, entrySize(x))
		if p.Fetch {
			total += float64(n) * unitsOf(1, bigItem)
		}
	}
	if p.Complete {
		total += float64(len(rows)) * unitsOf(1, bigItem)
	}
	return total
}

// optimum is the fewest read units of all legal ways.
func (w *world) optimum(req *Request, wanted []item) float64 {
	if len(wanted) == 0 {
		return 0
	}
	least := math.Inf(1)
	for i := -1; i < len(w.table.Indexes); i++ {
		s := tableSpace(w.table)
		if i >= 0 {
			s = indexSpace(w.table, &w.table.Indexes[i], false)
		}
		if s.holdsEach(wanted) {
			least = min(least, w.leastOf(&s, req, wanted))
		}
	}
	return least
}

// wantedItems are all items there could be that satisfy the clause.
func (w *world) wantedItems(req *Request) []item {
	var out []item
	var build func(it item, rest []string)
	build = func(it item, rest []string) {
		if len(rest) == 0 {
			if req.wants(it, req.everything()) {
				out = append(out, it)
			}
			return
		}
		name := rest[0]
		for _, text := range values[w.kinds[name]] {
			next := item{name: {kind: w.kinds[name], text: text}}
			for k, v := range it {
				next[k] = v
			}
			build(next, rest[1:])
		}
		if !w.table.Key.Has(name) {
			build(it, rest[1:])
		}
	}
	build(item{}, names4)
	return out
}

// leastOf is the fewest read units for reading the space.
func (w *world) leastOf(s *space, req *Request, wanted []item) float64 {
	st := &store{table: w.table, items: w.items, rnd: w.Rand}
	held := st.held(s.name())
	least := unitsOf(len(held), entrySize(s.index))
	if byKey, ok := w.leastByKey(s, held, wanted); ok {
		least = min(least, byKey)
	}
	if _, lacks := s.lacks(req); lacks {
		least += float64(s.doubtful(held, wanted)) * unitsOf(1, bigItem)
	}
	return least
}

// doubtful counts the items that are wanted as far as the index shows.
func (s *space) doubtful(held, wanted []item) int {
	seen := map[string]bool{}
	for _, it := range wanted {
		seen[s.shown(it)] = true
	}
	n := 0
	for _, it := range held {
		n += truth(seen[s.shown(it)])
	}
	return n
}

func (s *space) shown(it item) string {
	text := ""
	for _, name := range names4 {
		if s.projects(name) {
			text += it[name].text + "/"
		}
	}
	return text
}

// leastByKey reads each hash key that is wanted by the best ranges.
func (w *world) leastByKey(s *space, held, wanted []item) (float64, bool) {
	sorts, ok := s.sortsByHash(wanted)
	if !ok {
		return 0, false
	}
	total := 0.0
	for hash, wantedSorts := range sorts {
		under := slices.DeleteFunc(slices.Clone(held), func(it item) bool { return it[s.key.Hash.Name].text != hash })
		total += leastRanges(s, under, wantedSorts)
	}
	return total, true
}

// leastRanges reads the wanted sort keys of one hash key in one range, or each
// run of neighbours for itself.
func leastRanges(s *space, under []item, wanted map[string]bool) float64 {
	size := entrySize(s.index)
	if !s.key.HasSort() {
		return unitsOf(len(under), size)
	}
	points := values[s.key.Sort.Kind]
	first, last := -1, -1
	each, from := 0.0, -1
	for i := range len(points) + 1 {
		in := i < len(points) && wanted[points[i]]
		switch {
		case in && from < 0:
			from = i
		case !in && from >= 0:
			each += rangeUnits(s, under, points, from, i-1, size)
			from = -1
		}
		if in {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	return min(each, rangeUnits(s, under, points, first, last, size))
}

// rangeUnits is the cost of the sort keys between two points. A range with two
// ends takes its open ends along, unless it is a prefix.
func rangeUnits(s *space, under []item, points []string, from, to int, size float64) float64 {
	between := func(i int) bool { return !slices.Contains(constants[s.key.Sort.Kind], points[i]) }
	if from > 0 && to < len(points)-1 {
		prefix := s.key.Sort.Kind == schema.S && !between(from) && between(to)
		for i, point := range points {
			prefix = prefix && strings.HasPrefix(point, points[from]) == (i >= from && i <= to)
		}
		if between(from) {
			from--
		}
		if between(to) && !prefix {
			to++
		}
	}
	n := 0
	for _, it := range under {
		at := slices.Index(points, it[s.key.Sort.Name].text)
		n += truth(at >= from && at <= to)
	}
	return unitsOf(n, size)
}
