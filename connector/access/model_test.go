package access

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// A val is an attribute value of the model: what SQL and DynamoDB are compared
// on here. Missing attributes are absent from the item.
type val struct {
	kind schema.Kind
	text string
	m    map[string]val
	list []val // L, SS
}

type item map[string]val

// at follows a path; false when it leads nowhere.
func (it item) at(p Path) (val, bool) {
	v, ok := it[p.Attribute]
	for _, e := range p.Elems {
		if !ok {
			return val{}, false
		}
		switch e := e.(type) {
		case string:
			v, ok = v.m[e]
		case int:
			if ok = v.kind == schema.L && e < len(v.list); ok {
				v = v.list[e]
			}
		}
	}
	return v, ok
}

// A truth value of SQL.
type tri int8

const (
	no tri = iota
	maybe
	yes
)

// sqlEval is the meaning of a predicate by SQL. A value of another kind than
// the predicate compares by is compared as text: it need not be a rule that
// anybody would want, but it must be reached.
func sqlEval(p *Pred, it item) tri {
	switch p.Op {
	case And:
		out := yes
		for i := range p.Kids {
			out = min(out, sqlEval(&p.Kids[i], it))
		}
		return out
	case Or:
		out := no
		for i := range p.Kids {
			out = max(out, sqlEval(&p.Kids[i], it))
		}
		return out
	case Not:
		return yes - sqlEval(&p.Kids[0], it)
	case False: // which may be unknown, too: the model marks that by the kind
		if p.Kind == schema.Null {
			return maybe
		}
		return no
	case Tuple:
		out := no
		for _, row := range p.Rows {
			one := yes
			for i, path := range p.Paths {
				one = min(one, sqlLeaf(&Pred{Op: Eq, Path: path, Args: row[i : i+1]}, it))
			}
			out = max(out, one)
		}
		return out
	}
	return sqlLeaf(p, it)
}

func sqlLeaf(p *Pred, it item) tri {
	v, ok := it.at(p.Path)
	null := !ok || v.kind == schema.Null
	switch {
	case p.Op == IsNull:
		return boolTri(null)
	case null:
		return maybe
	case v.kind != p.Args[0].Kind:
		return boolTri(p.holdsText(v.sqlText()))
	}
	return boolTri(p.holdsOf(schema.Scalar{Kind: v.kind, Text: v.text}))
}

func boolTri(b bool) tri {
	if b {
		return yes
	}
	return no
}

func (v val) sqlText() string {
	if v.list != nil || v.m != nil {
		return fmt.Sprint(v.kind, len(v.list), len(v.m))
	}
	return v.text
}

func (p *Pred) holdsText(s string) bool {
	q := *p
	q.Args = nil
	for _, a := range p.Args {
		q.Args = append(q.Args, schema.Str(a.Text))
	}
	return q.holdsOf(schema.Str(s))
}

// awsEval is the meaning of a filter by DynamoDB: two-valued, false on a
// missing attribute or one of another kind, except <>.
func awsEval(f *Filter, it item) bool {
	switch f.Op {
	case FAnd:
		return !slices.ContainsFunc(f.Kids, func(k *Filter) bool { return !awsEval(k, it) })
	case FOr:
		return slices.ContainsFunc(f.Kids, func(k *Filter) bool { return awsEval(k, it) })
	case FNot:
		return !awsEval(f.Kids[0], it)
	}
	v, ok := it.at(f.Path)
	switch f.Op {
	case FExists:
		return ok
	case FNotExists:
		return !ok
	case TypeIs:
		return ok && v.kind == f.Kind
	case FNe:
		return !ok || !v.is(f.Args[0])
	case FIn:
		return ok && slices.ContainsFunc(f.Args, v.is)
	case FEq:
		return ok && v.is(f.Args[0])
	case FContains:
		return ok && awsContains(v, f.Args[0])
	}
	if !ok || v.kind != f.Args[0].Kind {
		return false
	}
	c := compare(schema.Scalar{Kind: v.kind, Text: v.text}, f.Args[0])
	switch f.Op {
	case FLt:
		return c < 0
	case FLe:
		return c <= 0
	case FGt:
		return c > 0
	case FGe:
		return c >= 0
	case FBeginsWith:
		return strings.HasPrefix(v.text, f.Args[0].Text)
	}
	panic(fmt.Sprint("operator ", f.Op))
}

func (v val) is(s schema.Scalar) bool { return v.kind == s.Kind && v.text == s.Text }

func awsContains(v val, s schema.Scalar) bool {
	switch v.kind {
	case schema.S:
		return strings.Contains(v.text, s.Text)
	case schema.L, schema.SS:
		return slices.ContainsFunc(v.list, func(e val) bool { return e.is(s) })
	}
	return false
}

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

// check refuses what DynamoDB refuses.
func (s *store) check(p *Plan) {
	if p.Op == Nothing {
		return
	}
	x, isIndex := s.table.Index(p.Index)
	if isIndex && (!x.Active || x.Global && p.Consistent) {
		s.refuse("index %s may not be read", p.Index)
	}
	if p.Count && p.Project != nil {
		s.refuse("COUNT with a projection")
	}
	if (p.Op == GetItem || p.Op == BatchGetItem) && (p.Filter != nil || p.Index != "" || p.Reverse) {
		s.refuse("%v with a filter, an index or a direction", p.Op)
	}
	s.checkKeys(p)
	if p.Filter != nil {
		s.checkFilter(p, p.Filter)
		if !p.Filter.size().fits() {
			s.refuse("filter of %+v", p.Filter.size())
		}
	}
	s.checkProjection(p)
	for i := range max(1, len(p.Keys)) {
		s.checkExpression(p.Expression(i))
	}
}

func (s *store) checkKeys(p *Plan) {
	key := p.Key()
	full := p.Op == GetItem || p.Op == BatchGetItem
	if (p.Op == Query || full) != (len(p.Keys) > 0) || p.Op == GetItem && len(p.Keys) != 1 {
		s.refuse("%v with %d keys", p.Op, len(p.Keys))
	}
	seen := map[string]bool{}
	for _, k := range p.Keys {
		if seen[k.text(key)] {
			s.refuse("key %s twice", k.text(key))
		}
		seen[k.text(key)] = true
		if k.Hash.Kind != key.Hash.Kind || k.Hash.Text == "" {
			s.refuse("hash key %v", k.Hash)
		}
		if full && key.HasSort() != (k.Sort != nil && k.Sort.Op == Eq) {
			s.refuse("key %s is not full", k.text(key))
		}
		if c := k.Sort; c != nil && (c.Lo.Kind != key.Sort.Kind || c.Lo.Text == "" ||
			c.Op == Between && (c.Hi.Kind != key.Sort.Kind || compare(c.Lo, c.Hi) > 0)) {
			s.refuse("sort key %+v", c)
		}
	}
}

func (s *store) checkFilter(p *Plan, f *Filter) {
	for _, k := range f.Kids {
		s.checkFilter(p, k)
	}
	if f.Path.Attribute == "" {
		return
	}
	x, isIndex := s.table.Index(p.Index)
	switch {
	case p.Op == Query && p.Key().Has(f.Path.Attribute):
		s.refuse("key attribute %s in a filter", f.Path.Attribute)
	case isIndex && !p.Fetch && !x.Projects(s.table, f.Path.Attribute):
		s.refuse("filter on %s, which index %s lacks", f.Path.Attribute, p.Index)
	case f.Op == FIn && len(f.Args) > 100:
		s.refuse("%d values for IN", len(f.Args))
	}
}

func (s *store) checkProjection(p *Plan) {
	x, isIndex := s.table.Index(p.Index)
	for i, a := range p.Project {
		if isIndex && !p.Complete && !p.Fetch && !x.Projects(s.table, a.Attribute) {
			s.refuse("projection of %s, which index %s lacks", a.Attribute, p.Index)
		}
		for k, b := range p.Project {
			if i != k && a.holds(b) {
				s.refuse("paths %v and %v overlap", a, b)
			}
		}
	}
	if p.Project != nil && len(p.Project) == 0 {
		s.refuse("empty projection")
	}
}

var placeholders = regexp.MustCompile(`[#:][nv][0-9]+`)

// checkExpression refuses placeholders that are not used or not there.
func (s *store) checkExpression(e Expression) {
	used, known := map[string]bool{}, map[string]bool{}
	for _, ph := range placeholders.FindAllString(e.KeyCondition+" "+e.Filter+" "+e.Projection, -1) {
		used[ph] = true
	}
	for ph := range e.Names {
		known[ph] = true
	}
	for ph := range e.Values {
		known[ph] = true
	}
	if !maps.Equal(used, known) {
		s.refuse("placeholders %v, used are %v", known, used)
	}
	if n := max(len(e.KeyCondition), len(e.Filter), len(e.Projection)); n > maxExpression {
		s.refuse("expression of %d characters", n)
	}
}

// sqlCompare orders rows by the terms as SQL does, NULL first. A column that is
// no key is ordered by its text, since it may hold several kinds.
func (w *world) sqlCompare(order []Order, a, b item) int {
	for _, o := range order {
		c := w.compareValues(o.Attribute, a[o.Attribute], b[o.Attribute])
		if o.Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func (w *world) compareValues(attribute string, x, y val) int {
	xNull, yNull := x.kind == schema.Null || x.kind == schema.Missing, y.kind == schema.Null || y.kind == schema.Missing
	switch {
	case xNull || yNull:
		return truth(yNull) - truth(xNull)
	case w.keys[attribute]:
		return compare(schema.Scalar{Kind: x.kind, Text: x.text}, schema.Scalar{Kind: y.kind, Text: y.text})
	}
	return strings.Compare(x.sqlText(), y.sqlText())
}
