package engine_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/codec"
)

// A stored item has the text of each attribute and the bytes that DynamoDB
// charges for.
type stored struct {
	attrs map[string]string
	bytes int64
}

// A space is a table or an index of it: what one request can read from.
type space struct {
	hash, sort string
	table      bool
	sparse     bool // items with the hash key lack the sort key
	items      []stored
}

// A brute finds the fewest read units that a join can take, by trying all.
type brute struct{ tables map[string][]space }

func bruteOf(t *testing.T, fixtures []fixture) *brute {
	t.Helper()
	b := &brute{tables: map[string][]space{}}
	for _, f := range fixtures {
		var items []stored
		for _, text := range f.items {
			item, err := parseItem(text)
			if err != nil {
				t.Fatal(err)
			}
			var typed map[string]map[string]any
			if err := json.Unmarshal([]byte(text), &typed); err != nil {
				t.Fatal(err)
			}
			s := stored{map[string]string{}, codec.ItemSize(item)}
			for name, v := range typed {
				for _, value := range v {
					s.attrs[name] = fmt.Sprint(value)
				}
			}
			items = append(items, s)
		}
		b.tables[f.name] = append(b.tables[f.name], newSpace(f.hash, f.sort, true, items))
		for _, x := range f.indexes {
			parts := append(strings.Fields(x), "")
			b.tables[f.name] = append(b.tables[f.name], newSpace(parts[1], parts[2], false, items))
		}
	}
	return b
}

func newSpace(hash, sort string, table bool, items []stored) space {
	bare := func(key string) string { return strings.SplitN(key, ":", 2)[0] }
	p := space{hash: bare(hash), sort: bare(sort), table: table}
	for _, it := range items {
		_, hasHash := it.attrs[p.hash]
		_, hasSort := it.attrs[p.sort]
		if hasHash && (hasSort || p.sort == "") {
			p.items = append(p.items, it)
		}
		p.sparse = p.sparse || hasHash && !hasSort && p.sort != ""
	}
	return p
}

// unitsOfBytes is what one request costs, eventually consistent.
func unitsOfBytes(n int64) float64 { return max(1, math.Ceil(float64(n)/4096)) / 2 }

func (p space) units(wanted func(stored) bool) float64 {
	total := int64(0)
	for _, it := range p.items {
		if wanted(it) {
			total += it.bytes
		}
	}
	return unitsOfBytes(total)
}

// A condition is attribute = value, one of several values (a/b), or a range of
// a sort key: attribute > value, attribute ^ beginning.
type condition struct {
	of, attr string // of is "" for the operand itself
	op       byte
	values   []string
}

func (c condition) holds(attrs map[string]string) bool {
	v, ok := attrs[c.attr]
	if !ok {
		return false
	}
	switch c.op {
	case '=':
		return slices.Contains(c.values, v)
	case '^':
		return strings.HasPrefix(v, c.values[0])
	case '!':
		return v != c.values[0]
	}
	order := strings.Compare(v, c.values[0])
	a, errA := strconv.ParseFloat(v, 64)
	b, errB := strconv.ParseFloat(c.values[0], 64)
	if errA == nil && errB == nil {
		order = cmp.Compare(a, b)
	}
	return c.op == '>' && order > 0 || c.op == '<' && order < 0
}

// A link is an equality of two relations' attributes.
type link struct{ a, attrA, b, attrB string }

// An operand is one table of a statement, with what is asked of it.
type operand struct {
	kind, table, alias string // kind: inner (also for IN and EXISTS), left, anti
	conditions         []condition
}

// A joinSpec is a statement as brute force sees it.
type joinSpec struct {
	relations []operand
	links     []link
	limit     int
}

// specOf reads "few f; left big b, part=1, f.x=2; b.id=f.ref" and a limit.
func specOf(text string, limit int) joinSpec {
	s := joinSpec{limit: limit}
	for _, part := range strings.Split(text, ";") {
		fields := strings.Split(part, ",")
		head := strings.Fields(fields[0])
		if strings.Contains(head[0], "=") {
			for _, eq := range head {
				sides := strings.FieldsFunc(eq, func(r rune) bool { return r == '=' || r == '.' })
				s.links = append(s.links, link{sides[0], sides[1], sides[2], sides[3]})
			}
			continue
		}
		r := operand{kind: "inner"}
		if len(head) == 3 {
			r.kind, head = head[0], head[1:]
		}
		r.table, r.alias = head[0], head[1]
		for _, c := range fields[1:] {
			c = strings.TrimSpace(c)
			at := strings.IndexAny(c, "=<>^!")
			cond := condition{attr: c[:at], op: c[at], values: strings.Split(c[at+1:], "/")}
			if of, attr, ok := strings.Cut(cond.attr, "."); ok {
				cond.of, cond.attr = of, attr
			}
			r.conditions = append(r.conditions, cond)
		}
		s.relations = append(s.relations, r)
	}
	return s
}

// A tuple is a joined row: the attributes of each operand read so far; nil for
// one that an outer join did not find.
type tuple map[string]map[string]string

// optimum is the fewest read units over all orders of the relations.
func (b *brute) optimum(s joinSpec) float64 {
	best := math.Inf(1)
	var try func(order []operand, rest []operand)
	try = func(order, rest []operand) {
		if len(rest) == 0 {
			best = min(best, b.inOrder(s, order))
			return
		}
		for i, r := range rest {
			if s.mayFollow(r, order) {
				try(append(slices.Clip(order), r), slices.Delete(slices.Clone(rest), i, i+1))
			}
		}
	}
	try(nil, s.relations)
	return best
}

// mayFollow reports whether an operand can be read after others: one of an outer
// or anti join needs all that it looks at.
func (s *joinSpec) mayFollow(r operand, before []operand) bool {
	if r.kind == "inner" {
		return true
	}
	for _, l := range s.linksOf(r) {
		if !slices.ContainsFunc(before, func(b operand) bool { return b.alias == l.b }) {
			return false
		}
	}
	return len(before) > 0
}

// linksOf are the links by which an operand can be read, from its side.
func (s *joinSpec) linksOf(r operand) []link {
	kinds, at := map[string]string{}, map[string]int{}
	for i, o := range s.relations {
		kinds[o.alias], at[o.alias] = o.kind, i
	}
	var out []link
	for _, l := range s.links {
		if l.b == r.alias {
			l = link{l.b, l.attrB, l.a, l.attrA}
		}
		inner := kinds[l.a] == "inner" && kinds[l.b] == "inner"
		if l.a == r.alias && (inner || at[l.b] < at[l.a]) {
			out = append(out, l)
		}
	}
	return out
}

// inOrder is the fewest read units with the operands read one after the other. Under
// a LIMIT only the first items of the first may be read.
func (b *brute) inOrder(s joinSpec, order []operand) float64 {
	best, rows := b.join(&s, order, nil)
	if s.limit == 0 || rows < s.limit {
		return best
	}
	for _, items := range b.sources(&s, order[0]) {
		n := sort.Search(len(items), func(n int) bool {
			_, rows := b.join(&s, order, items[:n+1])
			return rows >= s.limit
		})
		if n < len(items) {
			units, _ := b.join(&s, order, items[:n+1])
			best = min(best, units)
		}
	}
	return best
}

// sources are what a first table can be read from in one go: the table, or what
// is under a hash key that a constant gives.
func (b *brute) sources(s *joinSpec, r operand) [][]stored {
	out := [][]stored{b.tables[r.table][0].items}
	for _, p := range b.tables[r.table] {
		hashes, known := s.values(r, p.hash, tuple{})
		if !known || len(hashes) != 1 {
			continue
		}
		var items []stored
		for _, it := range p.items {
			if it.attrs[p.hash] == hashes[0] {
				items = append(items, it)
			}
		}
		out = append(out, items)
	}
	return out
}

// join is what reading takes, and the rows, with these items of the first operand,
// or all if there are none.
func (b *brute) join(s *joinSpec, order []operand, first []stored) (units float64, found int) {
	rows := []tuple{{}}
	for i, r := range order {
		items := b.tables[r.table][0].items
		if i == 0 && first != nil {
			bytes := int64(0)
			for _, it := range first {
				bytes += it.bytes
			}
			items, units = first, unitsOfBytes(bytes)
		} else {
			units += b.cheapest(s, r, rows)
		}
		rows = s.join(r, items, rows)
	}
	return units, len(rows)
}

// asked are the rows for which an operand is looked up at all.
func (r *operand) asked(rows []tuple) []tuple {
	return slices.DeleteFunc(slices.Clone(rows), func(t tuple) bool {
		return slices.ContainsFunc(r.conditions, func(c condition) bool { return c.of != "" && !c.holds(t[c.of]) })
	})
}

func (r *operand) wants(it stored) bool {
	return !slices.ContainsFunc(r.conditions, func(c condition) bool { return c.of == "" && !c.holds(it.attrs) })
}

// join matches the items of an operand with the rows so far.
func (s *joinSpec) join(r operand, items []stored, rows []tuple) []tuple {
	links := slices.DeleteFunc(s.linksOf(r), func(l link) bool { return len(rows) > 0 && !rows[0].has(l.b) })
	key := func(values []string) string { return strings.Join(values, "\x00") }
	byKey := map[string][]stored{}
	for _, it := range items {
		values, ok := valuesOf(it.attrs, links, func(l link) string { return l.attrA })
		if ok && r.wants(it) {
			byKey[key(values)] = append(byKey[key(values)], it)
		}
	}
	var out []tuple
	for _, t := range rows {
		var found []stored
		ok := len(r.asked([]tuple{t})) > 0
		var values []string
		for _, l := range links {
			v, has := t[l.b][l.attrB]
			values, ok = append(values, v), ok && has
		}
		if ok {
			found = byKey[key(values)]
		}
		switch {
		case r.kind == "anti" && len(found) > 0:
			continue
		case len(found) == 0 && r.kind == "inner":
			continue
		case len(found) == 0:
			found = []stored{{}}
		}
		for _, it := range found {
			next := maps.Clone(t)
			next[r.alias] = it.attrs
			out = append(out, next)
		}
	}
	return out
}

func (t tuple) has(alias string) bool { _, ok := t[alias]; return ok }

func valuesOf(attrs map[string]string, links []link, name func(link) string) (values []string, ok bool) {
	for _, l := range links {
		v, has := attrs[name(l)]
		if !has {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}
