package access

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// What the world of optima is made of: constants, and between them the other
// values that items may have. Items are large, so that each one counts.
var (
	constants = map[schema.Kind][]string{schema.S: {"b", "bc", "d"}, schema.N: {"2", "4", "10"}, schema.B: {"b"}}
	values    = map[schema.Kind][]string{
		schema.S: {"a", "b", "b!", "bc", "bc!", "d", "d!"},
		schema.N: {"1", "2", "3", "4", "5", "10", "11"},
	}
	names4 = []string{"pk", "sk", "a", "b"}
)

const (
	bigItem    = 100_000
	smallEntry = 200
)

func newOptimumWorld(r *rand.Rand) *world {
	w := &world{Rand: r, kinds: map[string]schema.Kind{}, keys: map[string]bool{}, domain: constants}
	for _, name := range names4 {
		w.kinds[name] = pick(r, []schema.Kind{schema.S, schema.N})
	}
	t := &schema.Table{Name: "t", Key: w.key("pk", "sk"), DistinctHash: map[string]int64{}, SparseSort: map[string]int{}}
	w.table = t
	for _, name := range []string{"x", "y", "z"}[:r.IntN(4)] {
		x := w.index(name)
		x.Active = true
		t.Indexes = append(t.Indexes, x)
	}
	for _, pk := range values[w.kinds["pk"]] {
		for _, sk := range values[w.kinds["sk"]] {
			if r.IntN(5) > 0 {
				w.items = append(w.items, w.optimumItem(pk, sk))
			}
		}
	}
	w.measure()
	return w
}

func (w *world) optimumItem(pk, sk string) item {
	it := item{"pk": {kind: w.kinds["pk"], text: pk}, "sk": {kind: w.kinds["sk"], text: sk}}
	for _, name := range []string{"a", "b"} {
		if w.IntN(4) > 0 {
			it[name] = val{kind: w.kinds[name], text: pick(w.Rand, values[w.kinds[name]])}
		}
	}
	return it
}

// measure gives the table true figures; no sample, so that only predicates prove
// that an index holds all.
func (w *world) measure() {
	t := w.table
	s := &store{table: t, items: w.items, rnd: w.Rand}
	t.Items = int64(len(w.items))
	t.SizeBytes = t.Items * bigItem
	t.DistinctHash[""] = distinctHashes(w.items, t.Key.Hash)
	for i := range t.Indexes {
		x := &t.Indexes[i]
		held := s.held(x.Name)
		x.Items = max(1, int64(len(held)))
		x.SizeBytes = x.Items * int64(entrySize(x))
		t.DistinctHash[x.Name] = distinctHashes(held, x.Key.Hash)
	}
}

func distinctHashes(items []item, a schema.Attr) int64 {
	seen := map[string]bool{}
	for _, it := range items {
		seen[it[a.Name].text] = true
	}
	return int64(len(seen))
}

func entrySize(x *schema.Index) float64 {
	if x == nil || x.All {
		return bigItem
	}
	return smallEntry
}

func (w *world) optimumRequest() Request {
	req := Request{Table: w.table, StrictIndexes: true, counted: true, Where: w.keyed()}
	for range w.IntN(3) {
		name := pick(w.Rand, names4)
		p := w.leaf(Path{Attribute: name}, w.kinds[name])
		if w.IntN(4) == 0 {
			other := pick(w.Rand, names4)
			p = Pred{Op: Or, Kids: []Pred{p, w.leaf(Path{Attribute: other}, w.kinds[other])}}
		}
		req.Where = append(req.Where, p)
	}
	if slices.ContainsFunc(req.Where, (*world)(nil).beyond) {
		return w.optimumRequest()
	}
	for i := range req.Where {
		req.Columns = append(req.Columns, pathsOf(&req.Where[i])...)
	}
	if w.IntN(2) == 0 {
		req.Columns = append(req.Columns, Path{Attribute: "elsewhere"})
	}
	return req
}

// beyond reports predicates for which the values tried are too few, or which
// would have ranges read on both sides of one value.
func (*world) beyond(p Pred) bool {
	return p.Op == Contains || p.Op == Ne || slices.ContainsFunc(p.Kids, (*world)(nil).beyond) ||
		len(p.Args) > 0 && !slices.Contains(constants[p.Args[0].Kind], p.Args[0].Text)
}

func unitsOf(items int, size float64) float64 {
	return max(1, math.Ceil(float64(items)*size/unitBytes)) / 2
}
