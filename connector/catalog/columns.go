package catalog

import (
	"fmt"
	"sort"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
)

// An attribute is what a sample shows of one attribute.
type attribute struct {
	name    string
	kinds   schema.Counts
	longest int // characters of strings, bytes of binaries
	fixed   schema.Kind
	roles   []string // "hash key", "sort key of index x"
	values  values
	earlier schema.Counts // what former samples showed
}

// columns infers the columns of a table: its key attributes in key order, then
// every other attribute by name, then the hidden ones. A NULL-typed value says
// nothing about a column's type; kinds met after the sample was taken count like
// sampled ones. What a schema file pins comes in place of what was inferred.
func columns(t *schema.Table, e *entry, pins []schema.Pin) ([]schema.Column, error) {
	if err := checkPins(t, pins); err != nil {
		return nil, err
	}
	s := e.sample
	attributes := collect(t, e)
	ordered := order(t, attributes)
	names := uniqueNames(ordered)
	out := make([]schema.Column, 0, len(ordered)+2)
	for i, a := range ordered {
		col := a.column(names[i])
		col.Comment = a.comment(len(s.items), names[i])
		col.Values = a.values.list()
		out = append(out, col)
	}
	return append(pinned(t, out, pins),
		schema.Column{Name: schema.ItemColumn, Type: schema.WholeItem, Hidden: true, Comment: "the whole item as JSON"},
		schema.Column{Name: schema.WireColumn, Type: schema.WireItem, Hidden: true, Comment: "the whole item as DynamoDB JSON"}), nil
}

func attributeOf(all map[string]*attribute, name string) *attribute {
	a, ok := all[name]
	if !ok {
		a = &attribute{name: name}
		all[name] = a
	}
	return a
}

func collect(t *schema.Table, e *entry) map[string]*attribute {
	all := map[string]*attribute{}
	s := e.sample
	declare(all, t.Key, "")
	for _, x := range t.Indexes {
		declare(all, x.Key, " of index "+x.Name)
	}
	for _, item := range s.items {
		for name, v := range item {
			a := attributeOf(all, name)
			a.kinds[codec.KindOf(v)]++
			a.longest = max(a.longest, length(v))
			a.values.add(v)
		}
	}
	for _, a := range all {
		seen := 0
		for _, n := range a.kinds {
			seen += n
		}
		a.kinds[schema.Missing] = len(s.items) - seen
	}
	for name, counts := range e.earlier {
		a := attributeOf(all, name)
		a.earlier = counts
		if a.kinds == (schema.Counts{}) {
			a.kinds[schema.Missing] = len(s.items)
		}
	}
	for name, counts := range e.widened {
		a := attributeOf(all, name)
		for kind, n := range counts {
			a.kinds[kind] += n
		}
	}
	return all
}

func declare(all map[string]*attribute, key schema.Key, of string) {
	for i, part := range key.Attrs() {
		a := attributeOf(all, part.Name)
		a.fixed = part.Kind
		a.roles = append(a.roles, [...]string{"hash key", "sort key"}[i]+of)
	}
}

func length(v types.AttributeValue) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len([]rune(v.Value))
	case *types.AttributeValueMemberB:
		return len(v.Value)
	}
	return 0
}

func order(t *schema.Table, all map[string]*attribute) []*attribute {
	var keys, rest []*attribute
	for _, part := range t.Key.Attrs() {
		keys = append(keys, all[part.Name])
	}
	for name, a := range all {
		if !t.Key.Has(name) {
			rest = append(rest, a)
		}
	}
	sort.Slice(rest, func(i, j int) bool { return rest[i].name < rest[j].name })
	return append(keys, rest...)
}

// uniqueNames gives each attribute its column name. SQL compares column names
// without regard to case, so of several attributes that differ only in case
// one keeps its name (a key attribute, else the one seen most, else the first
// by name) and the others get the suffixes _2, _3 and so on. The names of the
// hidden columns are taken.
func uniqueNames(ordered []*attribute) []string {
	byRank := make([]int, len(ordered))
	for i := range byRank {
		byRank[i] = i
	}
	sort.SliceStable(byRank, func(i, j int) bool {
		a, b := ordered[byRank[i]], ordered[byRank[j]]
		if (len(a.roles) > 0) != (len(b.roles) > 0) {
			return len(a.roles) > 0
		}
		return a.kinds[schema.Missing] < b.kinds[schema.Missing]
	})
	taken := map[string]bool{schema.ItemColumn: true, schema.WireColumn: true}
	for _, a := range ordered { // a suffix must not collide with another attribute
		taken["="+a.name] = true
	}
	names := make([]string, len(ordered))
	for _, i := range byRank {
		name := ordered[i].name
		for n := 2; taken[strings.ToLower(name)] || n > 2 && taken["="+name]; n++ {
			name = fmt.Sprintf("%s_%d", ordered[i].name, n)
		}
		taken[strings.ToLower(name)] = true
		names[i] = name
	}
	return names
}

// Key values are at most 2048 bytes in a hash key and 1024 in a sort key.
const longestKey = 2048

// longestVarchar is the longest VARCHAR in utf8mb4 that MySQL allows.
const longestVarchar = 16383

func (a *attribute) column(name string) schema.Column {
	c := schema.Column{Name: name, Attribute: a.name, Kinds: a.kinds, Fixed: a.fixed}
	c.Type = a.sqlType()
	if c.Type == schema.Text || c.Type == schema.Bytes {
		c.Length = roundLength(a.longest)
		if a.fixed != schema.Missing {
			c.Length = longestKey
		}
	}
	return c
}

// sqlType merges the kinds seen: one kind has its own type, scalars of several
// kinds are text, and a document among them makes the column JSON.
func (a *attribute) sqlType() schema.Type {
	kinds := a.kinds
	for kind, n := range a.earlier {
		kinds[kind] += n
	}
	seen := kinds.Of()
	if a.fixed != schema.Missing {
		seen = []schema.Kind{a.fixed}
	}
	if len(seen) == 0 {
		return schema.MixedText
	}
	for _, kind := range seen {
		if kind.Document() {
			return schema.JSON
		}
	}
	if len(seen) > 1 {
		return schema.MixedText
	}
	switch seen[0] {
	case schema.N:
		return schema.Decimal
	case schema.B:
		return schema.Bytes
	case schema.Bool:
		return schema.Boolean
	}
	return schema.Text
}

// roundLength rounds the longest length seen up to a power of two less one for
// what may come; 0 stands for the LONG type.
func roundLength(longest int) int {
	for n := 32; n <= longestVarchar+1; n *= 2 {
		if longest <= n-1 {
			return n - 1
		}
	}
	return 0
}

// comment says where the column comes from: roles, how often it was seen, and
// in which kinds.
func (a *attribute) comment(sampled int, name string) string {
	parts := append([]string(nil), a.roles...)
	if name != a.name {
		parts = append(parts, "attribute "+quote(a.name))
	}
	if sampled > 0 {
		parts = append(parts, fmt.Sprintf("seen in %d of %d sampled items", sampled-a.kinds[schema.Missing], sampled))
	}
	if kinds := a.kindList(); kinds != "" {
		parts = append(parts, kinds)
	}
	return strings.Join(parts, "; ")
}

func (a *attribute) kindList() string {
	var kinds []string
	for kind := schema.S; int(kind) < len(a.kinds); kind++ {
		if n := a.kinds[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%s %d", kind, n))
		}
	}
	return strings.Join(kinds, ", ")
}
