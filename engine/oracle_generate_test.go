package engine_test

import (
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
	// strange says that the last literal was of another kind than its field: MySQL
	// and MariaDB differ in what such a literal does to the others of a list.
	strange bool
	// variables are the values of @v1, @v2 and so on.
	variables []string
	// deep is how many queries enclose what is being made.
	deep int
}

func quoteName(name string) string { return "`" + name + "`" }

func (o *opened) statement(seed uint64) (*query, bool) {
	g := &generator{dice: diceOf(seed), opened: o, portable: o.portable}
	q := g.query()
	q.ctes, q.variables = g.ctes, g.variables
	return q, g.portable
}

func (g *generator) alias() string {
	g.aliases++
	return fmt.Sprintf("r%d", g.aliases)
}

func (g *generator) query() *query {
	switch n := g.IntN(100); {
	case n < 30:
		return g.plain(g.relation())
	case n < 38:
		return g.overEqualities()
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
		r.source.join = pick(g.dice, []string{"JOIN", "JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN", "FULL OUTER JOIN"})
		g.portable = g.portable && !strings.HasPrefix(r.source.join, "FULL")
		if common := g.common(rels, r); common != "" && !strings.HasPrefix(r.source.join, "FULL") && g.chance(25) {
			r.source.using = common
			if r.source.join == "CROSS JOIN" {
				r.source.join, r.source.using = "NATURAL JOIN", ""
			}
		} else if r.source.join != "CROSS JOIN" {
			r.source.on = g.joinCondition(rels, r)
		}
		rels = append(rels, r)
	}
	return rels
}

// overEqualities is a statement of any kind over a join by equalities.
func (g *generator) overEqualities() *query {
	rels := []relation{g.relation()}
	for len(rels) < 2 || len(rels) < 4 && g.chance(30) {
		r := g.relation()
		r.source.join = pick(g.dice, []string{"JOIN", "JOIN", "LEFT JOIN"})
		for r.source.on == nil || g.chance(25) {
			equal := g.match(fieldsOf(rels), r)
			if r.source.on != nil {
				equal = &pred{op: "AND", kids: []*pred{r.source.on, equal}}
			}
			r.source.on = equal
		}
		if g.chance(20) {
			r.source.on = &pred{op: "AND", kids: []*pred{r.source.on, g.leaf(append([]relation{r}, rels...))}}
		}
		rels = append(rels, r)
	}
	switch g.IntN(6) {
	case 0, 1:
		return g.aggregate(rels)
	case 2, 3:
		return g.grouped(rels)
	case 4:
		return g.distinct(rels)
	}
	return g.plain(rels...)
}

// common is a column that two tables have under one name, by which they may be
// joined with USING, or with NATURAL if it is the only one; "" if there is none.
func (g *generator) common(left []relation, right relation) string {
	if len(left) > 1 {
		return ""
	}
	var names []string
	for _, a := range left[0].fields {
		for _, b := range right.fields {
			if strings.EqualFold(a.name, b.name) && a.typ != schema.JSON && a.typ == b.typ {
				names = append(names, a.name)
			} else if strings.EqualFold(a.name, b.name) {
				return "" // NATURAL would compare it
			}
		}
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// joinCondition compares fields of a relation with those of the ones before.
func (g *generator) joinCondition(left []relation, right relation) *pred {
	on := g.match(pick(g.dice, left).fields, right, comparisons...)
	if len(right.key) > 0 && g.chance(12) { // each alternative may have a key
		either := &pred{op: "OR", kids: []*pred{g.simple(pick(g.dice, right.key)), g.simple(pick(g.dice, right.fields))}}
		on = &pred{op: "AND", kids: []*pred{on, either}}
	}
	for g.chance(30) {
		more := g.match(pick(g.dice, left).fields, right, comparisons...)
		if g.chance(30) {
			more = g.leaf(append([]relation{right}, left...))
		}
		on = &pred{op: pick(g.dice, []string{"AND", "AND", "AND", "OR"}), kids: []*pred{on, more}}
	}
	return on
}

// comparisons are operators for match.
var comparisons = []string{"=", "=", "=", "=", "<", ">=", "<>", "<=>"}

// match compares a field of right, often one of its key, with one of left, by = or
// one of the operators.
func (g *generator) match(left []field, right relation, operators ...string) *pred {
	b := pick(g.dice, right.fields)
	if len(right.key) > 0 && g.chance(60) {
		b = pick(g.dice, right.key)
	}
	a, ok := g.like(left, b.typ)
	if !ok {
		a = pick(g.dice, left)
	}
	g.doubtful(a, b)
	op := pick(g.dice, append([]string{"="}, operators...))
	if g.chance(50) {
		return leaf("%s %s %s", a.ref, op, b.ref)
	}
	return leaf("%s %s %s", b.ref, op, a.ref)
}

// doubtful notes that two fields are compared across their types or as
// documents, where databases differ.
func (g *generator) doubtful(a, b field) {
	if a.typ != b.typ || a.typ == schema.JSON {
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
	if g.chance(2) {
		return g.recursive()
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

// recursive is a recursive table of small numbers.
func (g *generator) recursive() relation {
	step := pick(g.dice, []string{"UNION ALL SELECT n + 1 FROM w WHERE n < 5", "UNION SELECT (n + 2) MOD 7 FROM w", "UNION SELECT w.n + d.n FROM w, (SELECT 1 AS n UNION ALL SELECT 2) d WHERE w.n < 4"})
	alias := g.alias()
	return relation{fields: []field{{name: "n", typ: schema.Decimal}}}.under(alias,
		source{text: "(WITH RECURSIVE w AS (SELECT 1 AS n " + step + ") SELECT n FROM w)", alias: alias})
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
	hint := ""
	if len(s.Indexes) > 0 && g.chance(4) {
		hint = " " + pick(g.dice, []string{"IGNORE INDEX (`PRIMARY`)", "USE INDEX (`PRIMARY`)", "IGNORE INDEX (" + quoteName(pick(g.dice, s.Indexes).Name) + ")"})
		g.portable = false
	}
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
	return r.under(alias, source{text: quoteName(name), alias: alias, hint: hint})
}

// derived is a subquery in FROM whose answer is the same every time.
func (g *generator) derived() relation {
	g.deep++
	defer func() { g.deep-- }()
	inner := g.relation()
	q := &query{limit: -1, from: []source{inner.source}, where: g.where([]relation{inner})}
	if g.chance(25) {
		return g.derivedGroups(q, inner)
	}
	var out relation
	shown := map[string]field{}
	for _, f := range inner.fields {
		if g.chance(70) || len(out.fields) == 0 {
			name := f.name
			if g.chance(20) {
				g.aliases++
				name = fmt.Sprintf("c%d", g.aliases)
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

// derivedGroups is a derived table with GROUP BY.
func (g *generator) derivedGroups(q *query, inner relation) relation {
	f := g.sortable(inner.fields)
	q.group = []string{f.ref}
	q.items = []string{f.ref + " AS `g`", "COUNT(*) AS `n`"}
	out := relation{fields: []field{{name: "g", typ: f.typ, values: f.values}, {name: "n", typ: schema.Decimal}}}
	if m := pick(g.dice, inner.fields); m.typ == schema.Decimal || m.typ == schema.Text {
		q.items = append(q.items, "MAX("+m.ref+") AS `m`")
		out.fields = append(out.fields, field{name: "m", typ: m.typ, values: m.values})
	}
	if g.chance(30) {
		q.having = []*pred{leaf("COUNT(*) > %d", g.IntN(2))}
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
		g.portable = g.portable && !q.distinct // MariaDB gives a row behind the last of DISTINCT constants
	}
}

// expression is a value in a select list.
func (g *generator) expression(rels []relation) string {
	f := pick(g.dice, fieldsOf(rels))
	switch g.IntN(10) {
	case 0:
		return "(" + g.leaf(rels).String() + ")"
	case 1:
		return fmt.Sprintf("CASE WHEN %s THEN 1 ELSE 0 END", g.leaf(rels))
	case 2:
		if r := pick(g.dice, rels); g.chance(20) && strings.HasPrefix(r.source.text, "`") {
			g.portable = false
			return fmt.Sprintf("%s._item->>'$.\"%s\"'", r.source.alias, pick(g.dice, attributePool))
		}
		return f.ref + " IS NULL"
	case 3:
		if g.deep < 2 {
			return g.scalarSubquery(rels)
		}
	case 4:
		if f.typ == schema.Decimal { // with a text it is one, whose digits depend on the column's type
			return "COALESCE(" + f.ref + ", 1.5)"
		}
		return fmt.Sprintf("COALESCE(%s, %s)", f.ref, g.sameKind(f))
	case 5:
		if f.typ == schema.JSON {
			return f.ref + "->>'" + g.path() + "'"
		}
	case 6:
		if f.typ == schema.Decimal {
			return f.ref + pick(g.dice, []string{" + 1", " * 2", " - 0.5"})
		}
	case 7, 8:
		if f.typ == schema.Text {
			return g.textFunction(f)
		}
		if f.typ == schema.Decimal {
			return fmt.Sprintf(pick(g.dice, []string{"ABS(%s)", "SIGN(%s)", "FLOOR(%s)", "CEILING(%s)", "ROUND(%s)", "IF(%s > 1, 'a', 'b')", "NULLIF(%s, 1) IS NULL", "GREATEST(%s, 1)", "LEAST(%s, 2)"}), f.ref)
		}
	}
	return f.ref
}

// textFunction is a function of a text column.
func (g *generator) textFunction(f field) string {
	text := randomText(g.dice, g.portable)
	if v := g.value(f); v != "" && g.chance(70) {
		r := []rune(v)
		from := g.IntN(len(r))
		text = string(r[from : from+1+g.IntN(len(r)-from)])
	}
	return fmt.Sprintf(pick(g.dice, []string{
		"LOCATE(%[2]s, %[1]s)", "INSTR(%[1]s, %[2]s)", "POSITION(%[2]s IN %[1]s)", "LOCATE(%[2]s, %[1]s, 2)", "REPLACE(%[1]s, %[2]s, 'x')",
		"SUBSTRING_INDEX(%[1]s, %[2]s, 1)", "SUBSTRING_INDEX(%[1]s, %[2]s, -1)", "FIND_IN_SET(%[2]s, %[1]s)", "STRCMP(%[1]s, %[2]s)", "FIELD(%[1]s, %[2]s, 'a')",
		"LPAD(%[1]s, 4, 'é')", "RPAD(%[1]s, 2, 'x')", "TRIM(%[1]s)", "LTRIM(%[1]s)", "RTRIM(%[1]s)", "TRIM(LEADING %[2]s FROM %[1]s)", "REVERSE(%[1]s)",
		"CONCAT_WS('-', %[1]s, %[2]s)", "CONCAT(%[1]s, %[2]s)", "LEFT(%[1]s, 2)", "RIGHT(%[1]s, 1)", "SUBSTRING(%[1]s, 2)", "SUBSTRING(%[1]s, -2, 1)", "MID(%[1]s, 1, 1)",
		"UPPER(%[1]s)", "LOWER(%[1]s)", "ASCII(%[1]s)", "HEX(%[1]s)", "LENGTH(%[1]s)", "CHAR_LENGTH(%[1]s)", "REPEAT(%[1]s, 2)", "INSERT(%[1]s, 1, 1, %[2]s)",
		"%[1]s IN (%[2]s)", "%[1]s LIKE CONCAT(%[2]s, '%%')", "%[1]s LIKE CONCAT('%%', %[2]s)", "IF(%[1]s > %[2]s, 1, 0)", "CASE %[1]s WHEN %[2]s THEN 1 END",
		"NULLIF(%[1]s, %[2]s)", "IFNULL(%[1]s, %[2]s)", "GREATEST(%[1]s, %[2]s)", "LEAST(%[1]s, %[2]s)", "MD5(%[1]s)",
		"ELT(2, %[2]s, %[1]s)", "%[1]s = UPPER(%[1]s)", "SUBSTR(%[1]s FROM 2 FOR 1)", "ORD(%[1]s)", "CHAR_LENGTH(%[1]s) - CHAR_LENGTH(REPLACE(%[1]s, %[2]s, ''))",
	}), f.ref, textLiteral(g.dice, text))
}

func (g *generator) path() string {
	path := pick(g.dice, []string{"$.a", "$.b", "$.n", `$."B c"`, "$.a.a", "$.a.n", "$.b[0]", "$[0]"})
	if strings.HasSuffix(path, "]") { // see KNOWN_DIFFERENCES: [0] of what is no array
		g.portable = false
	}
	return path
}

// aggregate is a SELECT of aggregates over all rows.
func (g *generator) aggregate(rels []relation) *query {
	q := g.base(rels)
	if g.chance(10) {
		q.add(g.countSubquery(rels[:0]))
		g.portable = false // MariaDB makes it NULL where there are no rows to aggregate
	}
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
		function := pick(g.dice, []string{"SUM(", "SUM(", "AVG(", "SUM(DISTINCT "})
		g.portable = g.portable && function != "AVG(" // digits behind the point depend on the column's type
		if function == "AVG(" && g.chance(30) {
			return fmt.Sprintf(pick(g.dice, []string{"3 * AVG(%s)", "ROUND(AVG(%s), 6)", "AVG(%s) + COUNT(*)"}), f.ref)
		}
		return function + f.ref + ")"
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
	var keys relation
	for len(q.group) == 0 || g.chance(35) {
		f := g.sortable(fieldsOf(rels))
		if len(rels[0].key) > 0 && g.chance(30) {
			f = rels[0].key[0]
		}
		q.group = append(q.group, f.ref)
		keys.fields = append(keys.fields, f)
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
	if g.chance(12) {
		q.add(g.scalarSubquery([]relation{keys}))
	}
	if g.chance(8) {
		q.having = append(q.having, leaf("COUNT(*) %s %s", g.comparison(), g.countSubquery([]relation{keys})))
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
	functions := []string{"ROW_NUMBER()", "RANK()", "DENSE_RANK()", "COUNT(*)", "LAG(" + f.ref + ")", "LEAD(" + f.ref + ", 2)", "COUNT(" + f.ref + ")", "FIRST_VALUE(" + f.ref + ")", "LAST_VALUE(" + f.ref + ")"}
	if f.typ != schema.JSON && f.typ != schema.Bytes {
		functions = append(functions, "MIN("+f.ref+")", "MAX("+f.ref+")")
	}
	if f.typ == schema.Decimal {
		functions = append(functions, "SUM("+f.ref+")")
	}
	peers := g.chance(30)
	if peers {
		over = join(g.someOrder([]relation{r}), ", ")
		functions = []string{"RANK()", "DENSE_RANK()", "COUNT(*)", "COUNT(" + f.ref + ")"}
	}
	for _, function := range functions {
		if g.chance(30) || len(q.items) == len(r.key) {
			q.add(fmt.Sprintf("%s OVER (%sORDER BY %s%s)", function, partition, over, g.frame(function, peers)))
		}
	}
	return q
}

// frame is a frame of a window, for the functions that have one.
// Rows that the order does not tell apart are counted by RANGE alone.
func (g *generator) frame(function string, peers bool) string {
	if strings.HasSuffix(function, "()") || strings.HasPrefix(function, "L") || g.chance(60) {
		return ""
	}
	if peers || strings.HasPrefix(function, "COUNT") && g.chance(50) {
		return pick(g.dice, []string{" RANGE UNBOUNDED PRECEDING", " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " RANGE BETWEEN CURRENT ROW AND CURRENT ROW"})
	}
	return pick(g.dice, []string{
		" ROWS UNBOUNDED PRECEDING", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
		" ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
	})
}
