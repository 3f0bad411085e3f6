package engine_test

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/schema"
)

// A field is a column that expressions may name, with values it holds.
type field struct {
	ref    string
	name   string
	typ    schema.Type
	values []types.AttributeValue
}

// A relation is something in FROM.
type relation struct {
	source source
	fields []field
	key    []field // together unique and never NULL; nil if unknown
}

// A generator makes one statement on a world.
type generator struct {
	dice
	*opened
	aliases int
	ctes    []cte
	cteRels []relation
	// portable says that other SQL databases give the same answer.
	portable bool
	// deep is how many queries enclose what is being made.
	deep int
}

func quoteName(name string) string { return "`" + name + "`" }

func (o *opened) statement(seed uint64) (*query, bool) {
	g := &generator{dice: diceOf(seed), opened: o, portable: o.portable}
	q := g.query()
	q.ctes = g.ctes
	return q, g.portable
}

func (g *generator) alias() string {
	g.aliases++
	return fmt.Sprintf("r%d", g.aliases)
}

func (g *generator) query() *query {
	switch n := g.IntN(100); {
	case n < 38:
		return g.plain(g.relation())
	case n < 50:
		return g.aggregate(g.relations())
	case n < 62:
		return g.grouped(g.relations())
	case n < 67:
		return g.distinct(g.relations())
	case n < 75:
		return g.union()
	case n < 93:
		return g.plain(g.relations()...)
	}
	return g.window(g.relation())
}

// relations are one relation or two, joined.
func (g *generator) relations() []relation {
	first := g.relation()
	if g.chance(55) {
		return []relation{first}
	}
	rels := []relation{first}
	for len(rels) < 2 || len(rels) < 3 && g.chance(20) {
		r := g.relation()
		r.source.join = pick(g.dice, []string{"JOIN", "JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN"})
		if r.source.join != "CROSS JOIN" {
			r.source.on = g.joinCondition(rels, r)
		}
		rels = append(rels, r)
	}
	return rels
}

// joinCondition compares fields of a relation with those of the ones before.
func (g *generator) joinCondition(left []relation, right relation) *pred {
	on := g.match(pick(g.dice, left).fields, right)
	for g.chance(30) {
		more := g.match(pick(g.dice, left).fields, right)
		if g.chance(30) {
			more = g.leaf(append([]relation{right}, left...))
		}
		on = &pred{op: pick(g.dice, []string{"AND", "AND", "AND", "OR"}), kids: []*pred{on, more}}
	}
	return on
}

// match compares a field of right, often one of its key, with one of left.
func (g *generator) match(left []field, right relation) *pred {
	b := pick(g.dice, right.fields)
	if len(right.key) > 0 && g.chance(60) {
		b = pick(g.dice, right.key)
	}
	a, ok := g.like(left, b.typ)
	if !ok {
		a = pick(g.dice, left)
		g.doubtful(a, b)
	}
	op := pick(g.dice, []string{"=", "=", "=", "=", "=", "<", ">=", "<>", "<=>"})
	if g.chance(50) {
		return leaf("%s %s %s", a.ref, op, b.ref)
	}
	return leaf("%s %s %s", b.ref, op, a.ref)
}

// doubtful notes that two fields are compared across their types, where
// databases differ.
func (g *generator) doubtful(a, b field) {
	if a.typ != b.typ {
		g.portable = false
	}
}

// like finds a field of a type.
func (g *generator) like(fields []field, t schema.Type) (field, bool) {
	var same []field
	for _, f := range fields {
		if f.typ == t {
			same = append(same, f)
		}
	}
	if len(same) == 0 {
		return field{}, false
	}
	return pick(g.dice, same), true
}

func (g *generator) relation() relation {
	if g.deep < 2 && g.chance(14) {
		return g.derived()
	}
	if len(g.cteRels) > 0 && g.chance(30) {
		return g.useCTE(pick(g.dice, g.cteRels))
	}
	if g.deep == 0 && g.chance(6) {
		r := g.derived()
		name := fmt.Sprintf("w%d", len(g.ctes))
		g.ctes = append(g.ctes, cte{name, r.source.query})
		r.source = source{text: name}
		g.cteRels = append(g.cteRels, r)
		return g.useCTE(r)
	}
	return g.table()
}

func (g *generator) useCTE(r relation) relation {
	alias := g.alias()
	return r.under(alias, source{text: r.source.text, alias: alias})
}

// under gives a relation an alias.
func (r relation) under(alias string, s source) relation {
	out := relation{source: s}
	rename := func(fields []field) []field {
		var list []field
		for _, f := range fields {
			f.ref = alias + "." + quoteName(f.name)
			list = append(list, f)
		}
		return list
	}
	out.fields, out.key = rename(r.fields), rename(r.key)
	return out
}

// table is one of the tables, or an index read as a table.
func (g *generator) table() relation {
	i := g.IntN(len(g.schemas))
	s := g.schemas[i]
	name := s.Name
	if len(s.Indexes) > 0 && g.chance(4) {
		name += "." + pick(g.dice, s.Indexes).Name
		g.portable = false
	}
	alias := g.alias()
	var r relation
	for _, c := range s.Columns {
		if c.Hidden {
			continue
		}
		f := field{name: c.Name, typ: c.Type}
		for _, item := range g.tables[i].items {
			if v := item[c.Attribute]; v != nil {
				f.values = append(f.values, v)
			}
		}
		r.fields = append(r.fields, f)
		if s.Key.Has(c.Attribute) {
			r.key = append(r.key, f)
		}
	}
	return r.under(alias, source{text: quoteName(name), alias: alias})
}

// derived is a subquery in FROM whose answer is the same every time.
func (g *generator) derived() relation {
	g.deep++
	defer func() { g.deep-- }()
	inner := g.relation()
	q := &query{limit: -1, from: []source{inner.source}, where: g.where([]relation{inner})}
	var out relation
	shown := map[string]field{}
	for _, f := range inner.fields {
		if g.chance(70) || len(out.fields) == 0 {
			name := f.name
			if g.chance(20) {
				name = fmt.Sprintf("c%d", len(out.fields))
			}
			q.items = append(q.items, f.ref+" AS "+quoteName(name))
			out.fields = append(out.fields, field{name: name, typ: f.typ, values: f.values})
			shown[f.name] = out.fields[len(out.fields)-1]
		}
	}
	for _, k := range inner.key {
		f, ok := shown[k.name]
		if !ok {
			out.key = nil
			break
		}
		out.key = append(out.key, f)
	}
	switch {
	case g.chance(15):
		q.distinct = true
	case len(inner.key) > 0 && g.chance(20):
		q.order = g.totalOrder(inner)
		q.limit = g.IntN(6)
	}
	alias := g.alias()
	return out.under(alias, source{query: q, alias: alias})
}

func (g *generator) totalOrder(r relation) []term {
	var order []term
	desc := g.chance(50)
	for g.chance(25) {
		order = append(order, term{g.sortable(r.fields).ref, g.chance(50)})
	}
	for _, k := range r.key {
		order = append(order, term{k.ref, desc != g.chance(20)})
	}
	return order
}

// sortable is a field whose order is the same everywhere.
func (g *generator) sortable(fields []field) field {
	f := pick(g.dice, fields)
	if f.typ == schema.JSON {
		g.portable = false
	}
	return f
}

func fieldsOf(rels []relation) []field {
	var all []field
	for _, r := range rels {
		all = append(all, r.fields...)
	}
	return all
}

func (g *generator) base(rels []relation) *query {
	q := &query{limit: -1, where: g.where(rels)}
	for _, r := range rels {
		q.from = append(q.from, r.source)
	}
	return q
}

// plain is a SELECT of columns and expressions.
func (g *generator) plain(rels ...relation) *query {
	q := g.base(rels)
	for _, f := range fieldsOf(rels) {
		if g.chance(50) {
			q.add(f.ref)
		}
	}
	for len(q.items) == 0 || g.chance(20) {
		q.add(g.expression(rels))
	}
	if len(rels) == 1 && g.chance(15) {
		q.items = []string{"*"}
	}
	if len(rels) == 1 && rels[0].key != nil && g.chance(25) {
		q.order = g.totalOrder(rels[0])
	} else if g.chance(35) {
		q.order = g.someOrder(rels)
	}
	g.limit(q)
	return q
}

func (q *query) add(expr string) {
	q.items = append(q.items, fmt.Sprintf("%s AS `i%d`", expr, len(q.items)))
}

// someOrder often begins with a key, for which an index may serve it.
func (g *generator) someOrder(rels []relation) []term {
	var order []term
	r := pick(g.dice, rels)
	if len(r.key) > 0 && g.chance(60) {
		order = append(order, term{r.key[len(r.key)-1].ref, g.chance(50)})
	}
	for len(order) == 0 || g.chance(30) {
		order = append(order, term{g.sortable(fieldsOf(rels)).ref, g.chance(50)})
	}
	return order
}

func (g *generator) limit(q *query) {
	if !g.chance(30) {
		return
	}
	q.limit = pick(g.dice, []int{0, 1, 1, 2, 3, 5, 10})
	if g.chance(30) {
		q.offset = 1 + g.IntN(4)
	}
}

// expression is a value in a select list.
func (g *generator) expression(rels []relation) string {
	f := pick(g.dice, fieldsOf(rels))
	switch g.IntN(8) {
	case 0:
		return "(" + g.leaf(rels).String() + ")"
	case 1:
		return fmt.Sprintf("CASE WHEN %s THEN 1 ELSE 0 END", g.leaf(rels))
	case 2:
		return f.ref + " IS NULL"
	case 3:
		if g.deep < 2 {
			return g.scalarSubquery(rels)
		}
	case 4:
		return fmt.Sprintf("COALESCE(%s, %s)", f.ref, g.sameKind(f))
	case 5:
		if f.typ == schema.JSON {
			return f.ref + "->>'" + g.path() + "'"
		}
	case 6:
		if f.typ == schema.Decimal {
			return f.ref + pick(g.dice, []string{" + 1", " * 2", " - 0.5"})
		}
	}
	return f.ref
}

func (g *generator) path() string {
	return pick(g.dice, []string{"$.a", "$.b", "$.n", `$."B c"`, "$.a.a", "$.a.n", "$[0]"})
}

// aggregate is a SELECT of aggregates over all rows.
func (g *generator) aggregate(rels []relation) *query {
	q := g.base(rels)
	if g.chance(25) {
		q.add("COUNT(*)")
	} else {
		for len(q.items) == 0 || g.chance(50) {
			q.add(g.aggregation(rels))
		}
	}
	if g.chance(10) {
		q.having = append(q.having, leaf("COUNT(*) %s %d", pick(g.dice, []string{">", "<", "="}), g.IntN(5)))
	}
	if g.chance(10) {
		q.limit = g.IntN(3)
	}
	return q
}

func (g *generator) aggregation(rels []relation) string {
	f := pick(g.dice, fieldsOf(rels))
	if len(rels[0].key) > 0 && g.chance(40) {
		f = pick(g.dice, rels[0].key)
	}
	comparable := f.typ != schema.JSON
	switch n := g.IntN(9); {
	case n == 0:
		return "COUNT(*)"
	case n == 1:
		return "COUNT(" + f.ref + ")"
	case n == 2 && comparable:
		return "COUNT(DISTINCT " + f.ref + ")"
	case n == 3 && (f.typ == schema.Decimal || f.typ == schema.Boolean):
		return pick(g.dice, []string{"SUM(", "AVG(", "SUM(DISTINCT "}) + f.ref + ")"
	case n == 4 && f.typ == schema.Text && rels[0].key != nil && len(rels) == 1:
		order := make([]string, len(rels[0].key))
		for i, k := range rels[0].key {
			order[i] = k.ref
		}
		return fmt.Sprintf("GROUP_CONCAT(%s ORDER BY %s)", f.ref, strings.Join(order, ", "))
	case n < 7 && comparable && f.typ != schema.Bytes:
		return "MIN(" + f.ref + ")"
	case comparable && f.typ != schema.Bytes:
		return "MAX(" + f.ref + ")"
	}
	return "COUNT(1)"
}

// grouped is a SELECT with GROUP BY.
func (g *generator) grouped(rels []relation) *query {
	q := g.base(rels)
	for len(q.group) == 0 || g.chance(35) {
		f := g.sortable(fieldsOf(rels))
		if len(rels[0].key) > 0 && g.chance(30) {
			f = rels[0].key[0]
		}
		q.group = append(q.group, f.ref)
		q.add(f.ref)
	}
	groups := len(q.group)
	for g.chance(65) {
		q.add(g.aggregation(rels))
	}
	if g.chance(30) {
		q.having = append(q.having, leaf("COUNT(*) %s %d", pick(g.dice, []string{">", "<", "=", ">="}), g.IntN(3)))
	}
	if g.chance(15) {
		q.having = append(q.having, leaf("%s IS NOT NULL", q.group[0]))
	}
	for g.chance(35) {
		q.order = append(q.order, term{q.group[g.IntN(groups)], g.chance(50)})
	}
	g.limit(q)
	return q
}

// distinct is a SELECT DISTINCT.
func (g *generator) distinct(rels []relation) *query {
	q := g.base(rels)
	q.distinct = true
	fields := fieldsOf(rels)
	var shown []field
	for len(shown) == 0 || g.chance(50) {
		f := g.sortable(fields)
		if len(rels[0].key) > 0 && g.chance(30) {
			f = rels[0].key[0]
		}
		shown = append(shown, f)
		q.add(f.ref)
	}
	for g.chance(40) {
		q.order = append(q.order, term{pick(g.dice, shown).ref, g.chance(50)})
	}
	g.limit(q)
	return q
}

// union joins two SELECTs whose columns have the same types.
func (g *generator) union() *query {
	a, b := g.relation(), g.relation()
	q, other := g.base([]relation{a}), g.base([]relation{b})
	for len(q.items) == 0 || g.chance(50) {
		f := pick(g.dice, a.fields)
		h, ok := g.like(b.fields, f.typ)
		if !ok {
			h = pick(g.dice, b.fields)
			g.portable = false
		}
		if f.typ == schema.JSON {
			g.portable = false
		}
		q.add(f.ref)
		other.add(h.ref)
	}
	op := pick(g.dice, []string{"UNION ALL", "UNION ALL", "UNION", "UNION", "EXCEPT", "INTERSECT"})
	q.arms = []arm{{op, other}}
	q.noKeys = true
	for g.chance(40) {
		q.order = append(q.order, term{fmt.Sprintf("`i%d`", g.IntN(len(q.items))), g.chance(50)})
	}
	g.limit(q)
	return q
}

// window is a SELECT with a window function whose order is total.
func (g *generator) window(r relation) *query {
	q := g.plain(r)
	q.items = nil
	if r.key == nil {
		q.add("COUNT(*) OVER (PARTITION BY " + g.sortable(r.fields).ref + ")")
		return q
	}
	for _, k := range r.key {
		q.add(k.ref)
	}
	over := join(g.totalOrder(r), ", ")
	partition := ""
	if g.chance(60) {
		partition = "PARTITION BY " + g.sortable(r.fields).ref + " "
	}
	f := pick(g.dice, r.fields)
	for _, function := range []string{"ROW_NUMBER()", "RANK()", "COUNT(*)", "LAG(" + f.ref + ")", "COUNT(" + f.ref + ")", "FIRST_VALUE(" + f.ref + ")"} {
		if g.chance(30) || len(q.items) == len(r.key) {
			q.add(fmt.Sprintf("%s OVER (%sORDER BY %s)", function, partition, over))
		}
	}
	return q
}

// where is a WHERE clause, often with a condition on the key.
func (g *generator) where(rels []relation) []*pred {
	var out []*pred
	r := pick(g.dice, rels)
	if len(r.key) > 0 && g.chance(45) {
		out = append(out, g.onKey(r)...)
	}
	for g.chance(45) {
		out = append(out, g.pred(rels, 2))
	}
	return out
}

// onKey are conditions that a key could serve, on the primary key or what may
// be the key of an index.
func (g *generator) onKey(r relation) []*pred {
	key := r.key
	if g.chance(35) {
		var indexed []field
		for _, f := range r.fields {
			if f.name == "g1" || f.name == "g2" || f.name == "l1" {
				indexed = append(indexed, f)
			}
		}
		if len(indexed) > 0 {
			key = append([]field{pick(g.dice, indexed)}, pick(g.dice, append(indexed, r.key...)))
		}
	}
	var out []*pred
	hash := key[0]
	switch n := g.IntN(100); {
	case n < 60:
		out = append(out, leaf("%s = %s", hash.ref, g.literal(hash)))
	case n < 80:
		out = append(out, leaf("%s IN (%s)", hash.ref, g.literals(hash)))
	case n < 90 && len(key) > 1:
		return append(out, g.rowConstructor(key))
	default:
		out = append(out, &pred{op: "OR", kids: []*pred{leaf("%s = %s", hash.ref, g.literal(hash)), leaf("%s = %s", g.literal(hash), hash.ref)}})
	}
	for len(key) > 1 && g.chance(55) {
		out = append(out, g.simple(key[1]))
	}
	return out
}

func (g *generator) pred(rels []relation, depth int) *pred {
	if depth > 0 && g.chance(40) {
		switch g.IntN(5) {
		case 0:
			return &pred{op: "NOT", kids: []*pred{g.pred(rels, depth-1)}}
		case 1, 2:
			return &pred{op: "AND", kids: []*pred{g.pred(rels, depth-1), g.pred(rels, depth-1)}}
		}
		p := &pred{op: "OR"}
		for len(p.kids) < 2 || g.chance(25) {
			p.kids = append(p.kids, g.pred(rels, depth-1))
		}
		return p
	}
	return g.leaf(rels)
}

// leaf is a condition without AND, OR and NOT.
func (g *generator) leaf(rels []relation) *pred {
	fields := fieldsOf(rels)
	f := pick(g.dice, fields)
	if r := pick(g.dice, rels); len(r.key) > 0 && g.chance(25) {
		f = pick(g.dice, r.key)
	}
	switch n := g.IntN(100); {
	case n < 55:
		return g.simple(f)
	case n < 62:
		return leaf("%s IS %sNULL", f.ref, pick(g.dice, []string{"", "NOT "}))
	case n < 67:
		return g.rowConstructor(fields)
	case n < 74:
		other, ok := g.like(fields, f.typ)
		if ok && f.typ != schema.JSON {
			return leaf("%s %s %s", f.ref, g.comparison(), other.ref)
		}
	case n < 82:
		return g.function(f)
	case n < 86:
		return leaf("%s", pick(g.dice, []string{"1 = 1", "0", "1", "NULL", "'a' = 'b'", "TRUE", "NOT FALSE", "1 = NULL", "2 > 1", "'a' < 'B'", "NULL IS NULL"}))
	case n < 94 && g.deep < 2:
		return g.subqueryPred(rels)
	}
	return g.simple(f)
}

func (g *generator) comparison() string {
	return pick(g.dice, []string{"=", "=", "=", "<>", "!=", "<", "<=", ">", ">=", "<=>"})
}

// simple compares a field with constants.
func (g *generator) simple(f field) *pred {
	switch f.typ {
	case schema.JSON:
		return g.onDocument(f)
	case schema.Boolean:
		if g.chance(40) {
			return leaf(pick(g.dice, []string{"%s", "NOT %s", "%s IS TRUE", "%s IS NOT TRUE", "%s IS FALSE", "%s = TRUE", "%s <> FALSE", "%s = 0"}), f.ref)
		}
	case schema.Text, schema.MixedText:
		if g.chance(30) {
			return g.likePred(f)
		}
	}
	switch n := g.IntN(100); {
	case n < 40:
		return leaf("%s %s %s", f.ref, g.comparison(), g.literal(f))
	case n < 50:
		return leaf("%s %s %s", g.literal(f), g.comparison(), f.ref)
	case n < 65:
		return leaf("%s %sBETWEEN %s AND %s", f.ref, pick(g.dice, []string{"", "", "NOT "}), g.literal(f), g.literal(f))
	case n < 90:
		return leaf("%s %sIN (%s)", f.ref, pick(g.dice, []string{"", "", "NOT "}), g.literals(f))
	}
	return leaf("%s <=> %s", f.ref, g.literal(f))
}

func (g *generator) likePred(f field) *pred {
	text := randomText(g.dice, g.portable)
	if v := g.value(f); v != "" {
		text = v
	}
	runes := []rune(text)
	part := runes
	if len(runes) > 1 {
		part = runes[:1+g.IntN(len(runes))]
	}
	escape := strings.NewReplacer("%", `\%`, "_", `\_`, `\`, `\\`)
	body := escape.Replace(string(part))
	pattern := pick(g.dice, []string{body + "%", body + "%", body + "%", "%" + body + "%", "%" + body, body, "_" + body, body + "_", body + "%" + body, "%", "_%", "", body + "\\%", string(part) + "%"})
	not := pick(g.dice, []string{"", "", "NOT "})
	if g.chance(12) {
		pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, "!", "!!"), `\`, "!")
		return leaf("%s %sLIKE %s ESCAPE '!'", f.ref, not, textLiteral(g.dice, pattern))
	}
	return leaf("%s %sLIKE %s", f.ref, not, textLiteral(g.dice, pattern))
}

// value is a text that the field holds; "" if there is none.
func (g *generator) value(f field) string {
	if len(f.values) == 0 {
		return ""
	}
	if s, ok := pick(g.dice, f.values).(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

func (g *generator) onDocument(f field) *pred {
	switch g.IntN(6) {
	case 0:
		return leaf("%s IS %sNULL", f.ref, pick(g.dice, []string{"", "NOT "}))
	case 1:
		return leaf("%s->'%s' IS %sNULL", f.ref, g.path(), pick(g.dice, []string{"", "NOT "}))
	case 2:
		g.portable = false
		return leaf("JSON_EXTRACT(%s, '%s') %s %s", f.ref, g.path(), pick(g.dice, []string{"=", "<>", ">"}), pick(g.dice, []string{"1", "'a'", "'ab'", "10"}))
	case 3:
		return leaf("%s->>'%s' IN (%s, %s)", f.ref, g.path(), textLiteral(g.dice, pick(g.dice, textPool)), textLiteral(g.dice, pick(g.dice, textPool)))
	case 4:
		return leaf("%s->>'%s' LIKE %s", f.ref, g.path(), textLiteral(g.dice, pick(g.dice, []string{"a%", "%b%", "_", "1%"})))
	}
	return leaf("%s->>'%s' %s %s", f.ref, g.path(), pick(g.dice, []string{"=", "=", "<>", "<", ">="}), textLiteral(g.dice, pick(g.dice, textPool)))
}

// function is a condition on a function of a field.
func (g *generator) function(f field) *pred {
	switch f.typ {
	case schema.Text:
		text := []rune(randomText(g.dice, g.portable))
		if v := g.value(f); v != "" {
			text = []rune(v)
		}
		n := 1 + g.IntN(len(text))
		return leaf(pick(g.dice, []string{
			"LEFT(%[1]s, %[2]d) = %[3]s", "SUBSTRING(%[1]s, 1, %[2]d) = %[3]s", "%[3]s = SUBSTR(%[1]s, 1, %[2]d)",
			"UPPER(%[1]s) = UPPER(%[3]s)", "CHAR_LENGTH(%[1]s) > %[2]d", "CONCAT(%[1]s, '') = %[3]s", "LOCATE(%[3]s, %[1]s) = 1", "%[1]s = CONCAT(%[3]s, '')",
		}), f.ref, n, textLiteral(g.dice, string(text[:n])))
	case schema.Decimal:
		return leaf(pick(g.dice, []string{"%s + 1 > %s", "ABS(%s) = %s", "%s * 2 <= %s", "%s = 1 + %s", "%s > -(%s)", "-%s < %s"}), f.ref, pick(g.dice, []string{"1", "2", "1.5", "0", "-1"}))
	case schema.JSON:
		return g.onDocument(f)
	}
	return leaf("COALESCE(%s, %s) = %s", f.ref, g.sameKind(f), g.sameKind(f))
}

func (g *generator) rowConstructor(fields []field) *pred {
	columns := []field{pick(g.dice, fields), pick(g.dice, fields)}
	if len(fields) == 2 {
		columns = fields
	}
	for _, c := range columns {
		if c.typ == schema.JSON {
			return g.simple(c)
		}
	}
	row := func() string { return "(" + g.literal(columns[0]) + ", " + g.literal(columns[1]) + ")" }
	left := "(" + columns[0].ref + ", " + columns[1].ref + ")"
	if g.chance(30) {
		return leaf("%s %s %s", left, pick(g.dice, []string{"=", "=", "<>", "<=>", "<", ">="}), row())
	}
	rows := []string{row()}
	for g.chance(60) {
		rows = append(rows, row())
	}
	return leaf("%s %sIN (%s)", left, pick(g.dice, []string{"", "", "", "NOT "}), strings.Join(rows, ", "))
}

// inner makes the FROM and WHERE of a subquery, perhaps one that refers to the
// enclosing query.
func (g *generator) inner(outer []relation) (*query, relation) {
	r := g.relation()
	q := &query{limit: -1, from: []source{r.source}, where: g.where([]relation{r})}
	if g.chance(60) {
		q.where = append(q.where, g.match(fieldsOf(outer), r))
	}
	if g.chance(15) {
		q.where = append(q.where, g.leaf(append([]relation{r}, outer...)))
	}
	return q, r
}

func (g *generator) subqueryPred(outer []relation) *pred {
	g.deep++
	defer func() { g.deep-- }()
	q, r := g.inner(outer)
	not := pick(g.dice, []string{"", "", "NOT "})
	if g.chance(40) {
		q.items = []string{pick(g.dice, []string{"1", "*"})}
		return leaf("%sEXISTS (%s)", not, q.text(false))
	}
	h := pick(g.dice, r.fields)
	f, ok := g.like(fieldsOf(outer), h.typ)
	if !ok || h.typ == schema.JSON {
		q.items = []string{"1"}
		return leaf("%sEXISTS (%s)", not, q.text(false))
	}
	if g.chance(60) {
		q.items = []string{h.ref}
		return leaf("%s %sIN (%s)", f.ref, not, q.text(false))
	}
	aggregate := "MAX"
	if h.typ == schema.Bytes {
		aggregate = "COUNT"
		g.portable = false
	}
	q.items = []string{pick(g.dice, []string{aggregate, aggregate, "COUNT"}) + "(" + h.ref + ")"}
	if strings.HasPrefix(q.items[0], "COUNT") {
		return leaf("%d %s (%s)", g.IntN(4), g.comparison(), q.text(false))
	}
	return leaf("%s %s (%s)", f.ref, g.comparison(), q.text(false))
}

func (g *generator) scalarSubquery(outer []relation) string {
	g.deep++
	defer func() { g.deep-- }()
	q, r := g.inner(outer)
	if f := pick(g.dice, r.fields); f.typ != schema.JSON && f.typ != schema.Bytes && g.chance(50) {
		q.items = []string{pick(g.dice, []string{"MIN", "MAX"}) + "(" + f.ref + ")"}
	} else {
		q.items = []string{"COUNT(*)"}
	}
	return "(" + q.text(false) + ")"
}

// literal is a constant to compare a field with: often a value of the field,
// at times one of another kind.
func (g *generator) literal(f field) string {
	switch n := g.IntN(100); {
	case n < 3:
		return "NULL"
	case n < 68 && len(f.values) > 0:
		return g.constant(f, pick(g.dice, f.values))
	case n < 93 || f.typ == schema.Bytes:
		return g.sameKind(f)
	}
	if g.chance(50) {
		return pick(g.dice, []string{"1", "0", "1.5", "-1", "1e2", "100"})
	}
	return pick(g.dice, []string{"'1'", "'0'", "'abc'", "'1.50'", "''", "'1e2'", "' 1'", "'1a'"})
}

// sameKind is a constant of the kind that the field holds.
func (g *generator) sameKind(f field) string {
	kind := types.ScalarAttributeType("S")
	switch f.typ {
	case schema.Decimal:
		kind = "N"
	case schema.Bytes:
		kind = "B"
	case schema.Boolean:
		return pick(g.dice, []string{"0", "1", "TRUE", "FALSE"})
	}
	return g.constant(f, keyValue(g.dice, kind, g.opened.portable))
}

func (g *generator) literals(f field) string {
	list := []string{g.literal(f)}
	for g.chance(65) {
		list = append(list, g.literal(f))
	}
	return strings.Join(list, ", ")
}

// constant writes a value in SQL.
func (g *generator) constant(f field, v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return textLiteral(g.dice, v.Value)
	case *types.AttributeValueMemberN:
		return g.numberLiteral(f, v.Value)
	case *types.AttributeValueMemberBOOL:
		if f.typ == schema.MixedText {
			return fmt.Sprintf("'%t'", v.Value)
		}
		return strings.ToUpper(fmt.Sprint(v.Value))
	case *types.AttributeValueMemberB:
		if f.typ == schema.MixedText {
			return "'YWI='"
		}
		return pick(g.dice, []string{"X'", "x'"}) + hex.EncodeToString(v.Value) + "'"
	}
	return "NULL"
}

func (g *generator) numberLiteral(f field, text string) string {
	plain := number(text)
	if f.typ == schema.MixedText {
		if g.chance(80) {
			return "'" + plain + "'"
		}
		return plain
	}
	switch n := g.IntN(20); {
	case n == 0 && !strings.Contains(plain, "."):
		return plain + ".0"
	case n == 1 && strings.Contains(plain, "."):
		return plain + "0"
	case n == 2:
		return "'" + plain + "'"
	case n == 3 && len(plain) < 15:
		return plain + "e0"
	}
	return plain
}

// textLiteral writes a string in one of the ways that SQL has.
func textLiteral(d dice, text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, "\x00", `\0`).Replace(text)
	switch d.IntN(4) {
	case 0:
		return `"` + strings.ReplaceAll(escaped, `"`, `\"`) + `"`
	case 1:
		return "'" + strings.NewReplacer("'", `\'`, "\n", `\n`, "\t", `\t`).Replace(escaped) + "'"
	}
	return "'" + strings.ReplaceAll(escaped, "'", "''") + "'"
}
