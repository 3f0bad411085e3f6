package access

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// A world is a random table with its items and the kinds of its columns.
type world struct {
	*rand.Rand
	table *schema.Table
	kinds map[string]schema.Kind // of the columns
	keys  map[string]bool        // attributes of any index key
	items []item
	// domain has the values that constants and items are made of.
	domain map[schema.Kind][]string
	// strangers lets constants of another kind than the column appear.
	strangers bool
}

var domains = map[schema.Kind][]string{
	schema.S:    {"a", "ab", "abc", "b", "5", "10", "é", "a\U0010FFFF", ""},
	schema.N:    {"1", "2", "5", "9", "10", "-1", "-2", "-10.5", "1.5", "0"},
	schema.B:    {"\x00", "\x00\xff", "a", "\xff", ""},
	schema.Bool: {"true", "false"},
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func newWorld(r *rand.Rand) *world {
	w := &world{Rand: r, kinds: map[string]schema.Kind{}, keys: map[string]bool{}, domain: domains, strangers: true}
	for _, name := range []string{"pk", "sk", "a", "b"} {
		w.kinds[name] = pick(r, []schema.Kind{schema.S, schema.S, schema.N, schema.B})
	}
	w.kinds["c"] = pick(r, []schema.Kind{schema.S, schema.N, schema.Bool})
	w.kinds["d"] = pick(r, []schema.Kind{schema.S, schema.N})
	t := &schema.Table{Name: "t", Key: w.key("pk", "sk"), DistinctHash: map[string]int64{}, SparseSort: map[string]int{}}
	w.table = t
	if r.IntN(4) == 0 {
		t.Key = w.key("pk", "")
	}
	for i := range r.IntN(4) {
		t.Indexes = append(t.Indexes, w.index(fmt.Sprintf("x%d", i)))
	}
	w.fill()
	w.describe()
	return w
}

func (w *world) attr(name string) schema.Attr {
	if name == "" {
		return schema.Attr{}
	}
	w.keys[name] = true
	return schema.Attr{Name: name, Kind: w.kinds[name]}
}

func (w *world) key(hash, sort string) schema.Key {
	return schema.Key{Hash: w.attr(hash), Sort: w.attr(sort)}
}

func (w *world) index(name string) schema.Index {
	x := schema.Index{Name: name, Global: true, Active: w.IntN(10) > 0}
	hash := pick(w.Rand, []string{"pk", "sk", "a", "b"})
	sort := pick(w.Rand, []string{"pk", "sk", "a", "b", ""})
	if w.table.Key.HasSort() && w.IntN(4) == 0 {
		x.Global, x.Active, hash, sort = false, true, "pk", pick(w.Rand, []string{"a", "b"})
	}
	if sort == hash {
		sort = ""
	}
	x.Key = w.key(hash, sort)
	switch w.IntN(3) {
	case 0:
		x.All = true
	case 1:
		x.Include = []string{pick(w.Rand, []string{"a", "b", "c", "d"})}
	}
	return x
}

func (w *world) scalar(kind schema.Kind) schema.Scalar {
	return schema.Scalar{Kind: kind, Text: pick(w.Rand, w.domain[kind])}
}

func (w *world) keyScalar(kind schema.Kind) schema.Scalar {
	for {
		if v := w.scalar(kind); v.Text != "" {
			return v
		}
	}
}

func (w *world) fill() {
	seen := map[string]bool{}
	for range w.IntN(40) {
		it := item{}
		id := ""
		for _, a := range w.table.Key.Attrs() {
			v := w.keyScalar(a.Kind)
			it[a.Name] = val{kind: v.Kind, text: v.Text}
			id += v.Text + "/"
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		for _, name := range []string{"sk", "a", "b", "c", "d"} {
			if _, done := it[name]; !done {
				w.put(it, name)
			}
		}
		w.putDocuments(it)
		w.items = append(w.items, it)
	}
}

func (w *world) put(it item, name string) {
	n := w.IntN(100)
	kind := w.kinds[name]
	switch {
	case n < 20: // missing
	case w.keys[name]: // an index would refuse anything else
		v := w.keyScalar(kind)
		it[name] = val{kind: v.Kind, text: v.Text}
	case n < 30:
		it[name] = val{kind: schema.Null}
	case n < 45:
		it[name] = w.strange(kind)
	default:
		v := w.scalar(kind)
		it[name] = val{kind: v.Kind, text: v.Text}
	}
}

// strange is a value of another kind than the column has.
func (w *world) strange(kind schema.Kind) val {
	other := pick(w.Rand, []schema.Kind{schema.S, schema.N, schema.B, schema.Bool, schema.L, schema.SS, schema.M})
	switch {
	case other == kind:
		return val{kind: schema.Null}
	case other == schema.L || other == schema.SS:
		v := w.scalar(schema.S)
		return val{kind: other, list: []val{{kind: schema.S, text: v.Text}}}
	case other == schema.M:
		return val{kind: other, m: map[string]val{}}
	}
	v := w.scalar(other)
	return val{kind: other, text: v.Text}
}

func (w *world) putDocuments(it item) {
	if w.IntN(3) == 0 {
		return
	}
	inner := item{}
	w.put(inner, "c")
	w.put(inner, "d")
	it["m"] = val{kind: schema.M, m: inner}
}

// describe gives the table the figures that a whole sample would show, and
// sizes of any order.
func (w *world) describe() {
	t := w.table
	t.Items = pick(w.Rand, []int64{0, 10, 5000, 10_000_000})
	t.SizeBytes = t.Items * pick(w.Rand, []int64{50, 400, 9000, 200_000})
	t.Sampled, t.SampleBytes = len(w.items), int64(300*len(w.items))
	for _, name := range []string{"pk", "sk", "a", "b", "c", "d", "m"} {
		c := schema.Column{Name: name, Attribute: name}
		for _, it := range w.items {
			c.Kinds[it[name].kind]++
		}
		t.Columns = append(t.Columns, c)
	}
	for i := range t.Indexes {
		x := &t.Indexes[i]
		x.Items = pick(w.Rand, []int64{0, t.Items, t.Items / 3})
		x.SizeBytes = x.Items * pick(w.Rand, []int64{30, 300})
		t.DistinctHash[x.Name] = pick(w.Rand, []int64{0, 1, 10, 100_000})
		for _, it := range w.items {
			_, hash := scalarOf(it, x.Key.Hash)
			_, sort := scalarOf(it, x.Key.Sort)
			if hash && !sort && x.Key.HasSort() {
				t.SparseSort[x.Name]++
			}
		}
		t.SparseSort[x.Name] += 0
	}
	t.DistinctHash[""] = pick(w.Rand, []int64{0, 1, 10, 100_000})
}

// paths to compare, with their kinds.
func (w *world) path() (Path, schema.Kind) {
	name := pick(w.Rand, []string{"pk", "sk", "a", "b", "a", "b", "c", "d", "m"})
	if name == "m" {
		inner := pick(w.Rand, []string{"c", "d"})
		return Path{"m", []any{inner}}, w.kinds[inner]
	}
	return Path{Attribute: name}, w.kinds[name]
}

func (w *world) pred(depth int) Pred {
	n := w.IntN(10)
	switch {
	case depth > 0 && n < 2:
		return Pred{Op: pick(w.Rand, []Op{And, Or, Or}), Kids: w.preds(1+w.IntN(3), depth-1)}
	case depth > 0 && n == 2:
		return Pred{Op: Not, Kids: w.preds(1, depth-1)}
	case n == 3 && w.IntN(3) == 0:
		return w.tuple()
	case n == 4 && w.IntN(10) == 0:
		return Pred{Op: False, Kind: pick(w.Rand, []schema.Kind{schema.Missing, schema.Null})}
	}
	path, kind := w.path()
	if depth > 0 && n > 7 {
		return Pred{Op: Not, Kids: []Pred{w.leaf(path, kind)}}
	}
	return w.leaf(path, kind)
}

func (w *world) preds(n, depth int) []Pred {
	out := make([]Pred, n)
	for i := range out {
		out[i] = w.pred(depth)
	}
	return out
}

func (w *world) leaf(path Path, kind schema.Kind) Pred {
	if w.strangers && w.IntN(40) == 0 {
		kind = pick(w.Rand, []schema.Kind{schema.S, schema.N, schema.B})
	}
	ops := []Op{Eq, Eq, Ne, Lt, Le, Gt, Ge, In, IsNull}
	switch kind {
	case schema.S:
		ops = append(ops, Prefix, Prefix, Contains)
	case schema.Bool:
		ops = []Op{Eq, Ne, IsNull}
	}
	op := pick(w.Rand, ops)
	p := Pred{Op: op, Path: path, Kind: kind}
	switch op {
	case IsNull:
		p.Kind = schema.Missing
	case In:
		for range 1 + w.IntN(4) {
			p.Args = append(p.Args, w.scalar(kind))
		}
	default:
		p.Args = []schema.Scalar{w.scalar(kind)}
	}
	return p
}

func (w *world) tuple() Pred {
	p := Pred{Op: Tuple}
	var kinds []schema.Kind
	for range 2 {
		path, kind := w.path()
		p.Paths, kinds = append(p.Paths, path), append(kinds, kind)
	}
	if w.IntN(2) == 0 {
		p.Paths = []Path{{Attribute: "pk"}, {Attribute: "sk"}}
		kinds = []schema.Kind{w.kinds["pk"], w.kinds["sk"]}
	}
	for range 1 + w.IntN(3) {
		p.Rows = append(p.Rows, []schema.Scalar{w.scalar(kinds[0]), w.scalar(kinds[1])})
	}
	return p
}

// keyed are conditions that a key is likely to serve.
func (w *world) keyed() []Pred {
	key := w.table.Key
	if n := len(w.table.Indexes); n > 0 && w.IntN(2) == 0 {
		key = w.table.Indexes[w.IntN(n)].Key
	}
	hash := Path{Attribute: key.Hash.Name}
	p := Pred{Op: Eq, Path: hash, Kind: key.Hash.Kind, Args: []schema.Scalar{w.scalar(key.Hash.Kind)}}
	if w.IntN(3) == 0 {
		p.Op = In
		p.Args = append(p.Args, w.scalar(key.Hash.Kind), w.scalar(key.Hash.Kind))
	}
	out := []Pred{p}
	for range w.IntN(3) {
		if key.HasSort() {
			out = append(out, w.leaf(Path{Attribute: key.Sort.Name}, key.Sort.Kind))
		}
	}
	if w.IntN(5) == 0 {
		out = []Pred{{Op: Or, Kids: []Pred{{Op: And, Kids: out}, {Op: And, Kids: w.keyed()}}}}
	}
	return out
}

func (w *world) request() Request {
	req := Request{Table: w.table}
	if w.IntN(4) > 0 {
		req.Where = w.keyed()
	}
	req.Where = append(req.Where, w.preds(w.IntN(3), 3)...)
	w.Shuffle(len(req.Where), func(i, k int) { req.Where[i], req.Where[k] = req.Where[k], req.Where[i] })
	if n := len(w.table.Indexes); n > 0 && w.IntN(8) == 0 {
		req.Index = w.table.Indexes[w.IntN(n)].Name
	}
	if w.IntN(2) == 0 {
		for range 1 + w.IntN(3) {
			name := pick(w.Rand, []string{"pk", "sk", "a", "b", "c"})
			req.Order = append(req.Order, Order{name, w.IntN(2) == 0})
		}
	}
	if w.IntN(2) == 0 {
		req.Limit = int64(1 + w.IntN(5))
	}
	if w.IntN(6) == 0 {
		req.Opaque = 1
	}
	req.Consistent, req.StrictIndexes = w.IntN(6) == 0, w.IntN(4) == 0
	req.NoPushdown = w.IntN(20) == 0
	w.columns(&req)
	return req
}

func (w *world) columns(req *Request) {
	if w.IntN(6) == 0 {
		req.Count, req.Order, req.Limit = true, nil, 0
	}
	if !req.Count {
		req.All = w.IntN(4) == 0
		for range w.IntN(3) {
			path, _ := w.path()
			req.Columns = append(req.Columns, path)
		}
	}
	for i := range req.Where {
		req.Columns = append(req.Columns, pathsOf(&req.Where[i])...)
	}
	for _, o := range req.Order {
		req.Columns = append(req.Columns, Path{Attribute: o.Attribute})
	}
	if req.Opaque > 0 {
		req.Columns = append(req.Columns, Path{Attribute: "d"})
	}
	w.Shuffle(len(req.Columns), func(i, k int) { req.Columns[i], req.Columns[k] = req.Columns[k], req.Columns[i] })
}

// row is what the request wants of an item.
func (req *Request) row(it item) string {
	if req.All {
		return fmt.Sprint(map[string]val(it))
	}
	s := ""
	for _, p := range req.Columns {
		v, ok := it.at(p)
		s += fmt.Sprintf("%v=%v %v;", p, v, ok)
	}
	return s
}

func (req *Request) rows(items []item) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = req.row(it)
	}
	slices.Sort(out)
	return out
}
