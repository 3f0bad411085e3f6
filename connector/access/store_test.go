package access

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// A store is the items of one table, answering plans as DynamoDB does.
type store struct {
	table *schema.Table
	items []item
	rnd   *rand.Rand // orders what has no order
	read  []int      // items read by each request
	fault string     // what DynamoDB would refuse
}

func (s *store) refuse(format string, args ...any) {
	if s.fault == "" {
		s.fault = fmt.Sprintf(format, args...)
	}
}

func scalarOf(it item, a schema.Attr) (schema.Scalar, bool) {
	v, ok := it[a.Name]
	return schema.Scalar{Kind: v.kind, Text: v.text}, ok && v.kind == a.Kind
}

// held are the items of the table or index.
func (s *store) held(index string) []item {
	if index == "" {
		return s.items
	}
	x, ok := s.table.Index(index)
	if !ok {
		s.refuse("no index %q", index)
		return nil
	}
	var out []item
	for _, it := range s.items {
		in := true
		for _, a := range x.Key.Attrs() {
			_, ok := scalarOf(it, a)
			in = in && ok
		}
		if in {
			out = append(out, it)
		}
	}
	return out
}

func (s *store) shuffled(items []item) []item {
	out := slices.Clone(items)
	s.rnd.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out
}

func keyMatches(k schema.Key, c KeyCond, it item) bool {
	h, ok := scalarOf(it, k.Hash)
	if !ok || h != c.Hash {
		return false
	}
	if c.Sort == nil {
		return true
	}
	v, ok := scalarOf(it, k.Sort)
	if !ok {
		return false
	}
	lo := compare(v, c.Sort.Lo)
	switch c.Sort.Op {
	case Eq:
		return lo == 0
	case Lt:
		return lo < 0
	case Le:
		return lo <= 0
	case Gt:
		return lo > 0
	case Ge:
		return lo >= 0
	case Prefix:
		return strings.HasPrefix(v.Text, c.Sort.Lo.Text)
	case Between:
		return lo >= 0 && compare(v, c.Sort.Hi) <= 0
	}
	panic("sort condition")
}

// query answers one key: the items read, in the order of the sort key; equal
// ones in any order.
func (s *store) query(p *Plan, i int) []item {
	key := p.Key()
	out := slices.DeleteFunc(s.shuffled(s.held(p.Index)), func(it item) bool { return !keyMatches(key, p.Keys[i], it) })
	if key.HasSort() {
		slices.SortStableFunc(out, func(a, b item) int {
			x, _ := scalarOf(a, key.Sort)
			y, _ := scalarOf(b, key.Sort)
			if p.Reverse {
				return compare(y, x)
			}
			return compare(x, y)
		})
	}
	s.read = append(s.read, len(out))
	return s.filtered(p, out)
}

func (s *store) filtered(p *Plan, items []item) []item {
	if p.Filter == nil {
		return items
	}
	return slices.DeleteFunc(items, func(it item) bool { return !awsEval(p.Filter, it) })
}

// run is what a reader makes of a plan, before the engine applies what is residual.
func (s *store) run(p *Plan) []item {
	s.check(p)
	var out []item
	switch p.Op {
	case GetItem, BatchGetItem:
		out = s.lookups(p)
	case Query:
		out = s.queries(p)
	case Scan:
		held := s.shuffled(s.held(p.Index))
		s.read = append(s.read, len(held))
		out = s.filtered(p, held)
	}
	if p.Limit > 0 {
		out = out[:min(len(out), int(p.Limit))]
	}
	projected := make([]item, len(out))
	for i, it := range out {
		projected[i] = s.visible(p, it)
	}
	return projected
}

func (s *store) lookups(p *Plan) []item {
	var out []item
	for _, k := range p.Keys {
		for _, it := range s.items {
			if keyMatches(s.table.Key, k, it) {
				out = append(out, it)
			}
		}
	}
	if !p.Ordered && p.OrderPrefix == 0 {
		return s.shuffled(out)
	}
	return out
}

func (s *store) queries(p *Plan) []item {
	lanes := make([][]item, len(p.Keys))
	for i := range p.Keys {
		lanes[i] = s.query(p, i)
	}
	switch {
	case p.Merge:
		return merge(lanes, p.Key().Sort, p.Reverse)
	case p.Ordered || p.OrderPrefix > 0:
		return slices.Concat(lanes...)
	}
	return s.shuffled(slices.Concat(lanes...))
}

// merge merges sorted lanes; ties go in the order of lanes.
func merge(lanes [][]item, by schema.Attr, reverse bool) []item {
	var out []item
	for {
		first := -1
		for i, lane := range lanes {
			if len(lane) == 0 {
				continue
			}
			if first < 0 {
				first = i
				continue
			}
			a, _ := scalarOf(lane[0], by)
			b, _ := scalarOf(lanes[first][0], by)
			if c := compare(a, b); c < 0 && !reverse || c > 0 && reverse {
				first = i
			}
		}
		if first < 0 {
			return out
		}
		out, lanes[first] = append(out, lanes[first][0]), lanes[first][1:]
	}
}

// visible is what of an item reaches the engine.
func (s *store) visible(p *Plan, it item) item {
	out := it
	if x, ok := s.table.Index(p.Index); ok && !p.Complete && !p.Fetch {
		out = item{}
		for name, v := range it {
			if x.Projects(s.table, name) {
				out[name] = v
			}
		}
	}
	if p.Project == nil {
		return out
	}
	cut := item{}
	for _, path := range p.Project {
		if v, ok := out.at(path); ok {
			cut.put(path, v)
		}
	}
	return cut
}

func (it item) put(p Path, v val) {
	if len(p.Elems) == 0 {
		it[p.Attribute] = v
		return
	}
	parent, ok := it[p.Attribute]
	if !ok {
		parent = val{kind: schema.M, m: map[string]val{}}
	}
	at := parent.m
	for _, e := range p.Elems[:len(p.Elems)-1] {
		name := e.(string)
		if _, ok := at[name]; !ok {
			at[name] = val{kind: schema.M, m: map[string]val{}}
		}
		at = at[name].m
	}
	at[p.Elems[len(p.Elems)-1].(string)] = v
	it[p.Attribute] = parent
}
