package engine_test

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/schema"
)

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
	if g.chance(6) { // with what both sides ask for
		both := g.leaf(rels)
		out = append(out, &pred{op: "OR", kids: []*pred{
			{op: "AND", kids: []*pred{both, g.leaf(rels)}}, {op: "AND", kids: []*pred{g.leaf(rels), both}},
		}})
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
		not, from, to := pick(g.dice, []string{"", "", "NOT "}), g.listed(f), g.listed(f)
		if strings.HasPrefix(from, "@") || strings.HasPrefix(to, "@") {
			g.portable = false // what MariaDB makes of a variable that is NULL hangs on statements before
		}
		return leaf("%s %sBETWEEN %s AND %s", f.ref, not, from, to)
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
	text = textLiteral(g.dice, pattern)
	if g.chance(50) { // in a pattern, one backslash is as good as two
		text = strings.NewReplacer(`\\\\`, `\\\\`, `\\%`, `\%`, `\\_`, `\_`).Replace(text)
	}
	return leaf("%s %sLIKE %s", f.ref, not, text)
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
	if f.typ == schema.Text && g.chance(20) {
		return leaf("%s %sREGEXP %s", f.ref, pick(g.dice, []string{"", "NOT "}), pick(g.dice, []string{"'^a'", "'[b-y]'", "'^.$'", "'(.)\\\\1'", "'a(?!b)'", "'[0-9]+$'", "'^[^a]*$'"}))
	}
	if (f.typ == schema.Text || f.typ == schema.Decimal) && g.chance(12) {
		return leaf("%s %sBETWEEN %s AND %s", f.ref, pick(g.dice, []string{"", "NOT "}), pick(g.dice, []string{"'0'", "'9'", "'-1.5'"}), pick(g.dice, []string{"1", "10", "1.5", "100"}))
	}
	if f.typ == schema.Text && g.chance(50) {
		return leaf("(%s) = %s", g.textFunction(f), pick(g.dice, []string{"0", "1", "2", "'a'", "'ab'", "'x'", "'1'"}))
	}
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
	row := func() string { return "(" + g.listed(columns[0]) + ", " + g.listed(columns[1]) + ")" }
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
		q.where = append(q.where, g.match(fieldsOf(outer), r, comparisons...))
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
	if p := g.rowIn(outer, q, r, not); p != nil {
		return p
	}
	q.items = []string{h.ref}
	switch n := g.IntN(100); {
	case n < 45:
		if g.chance(15) {
			q.group, q.having = []string{h.ref}, []*pred{leaf("COUNT(*) > %d", g.IntN(2))}
		}
		return leaf("%s %sIN (%s)", f.ref, not, q.text(false))
	case n < 65:
		return leaf("%s%s %s %s (%s)", not, f.ref, pick(g.dice, []string{"=", "<>", "<", "<=", ">", ">="}), pick(g.dice, []string{"ALL", "ANY", "SOME"}), q.text(false))
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

// rowIn is (a, b) IN (SELECT c, d ..), or nil.
func (g *generator) rowIn(outer []relation, q *query, r relation, not string) *pred {
	if !g.chance(20) {
		return nil
	}
	var left []string
	for range 2 {
		h := pick(g.dice, r.fields)
		f, ok := g.like(fieldsOf(outer), h.typ)
		if !ok || h.typ == schema.JSON {
			q.items = nil
			return nil
		}
		left, q.items = append(left, f.ref), append(q.items, h.ref)
	}
	return leaf("(%s) %sIN (%s)", strings.Join(left, ", "), not, q.text(false))
}

// countSubquery is a scalar subquery that counts.
func (g *generator) countSubquery(outer []relation) string {
	g.deep++
	defer func() { g.deep-- }()
	r := g.relation()
	q := &query{limit: -1, from: []source{r.source}, where: g.where([]relation{r}), items: []string{"COUNT(*)"}}
	if g.chance(25) {
		joined := g.relation()
		joined.source.join = pick(g.dice, []string{"JOIN", "JOIN", "LEFT JOIN"})
		joined.source.on = g.joinCondition([]relation{r}, joined)
		q.from = append(q.from, joined.source)
	}
	if len(outer) > 0 && g.chance(50) {
		q.where = append(q.where, g.match(fieldsOf(outer), r, comparisons...))
	}
	return "(" + q.text(false) + ")"
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
	text := g.plainLiteral(f)
	if !g.strange && g.chance(3) { // the same as a variable of the session
		g.variables = append(g.variables, text)
		return fmt.Sprintf("@v%d", len(g.variables))
	}
	return text
}

func (g *generator) plainLiteral(f field) string {
	g.strange = false
	switch n := g.IntN(100); {
	case n < 3:
		return "NULL"
	case n < 68 && len(f.values) > 0:
		return g.constant(f, pick(g.dice, f.values))
	case n < 93 || f.typ == schema.Bytes:
		return g.sameKind(f)
	}
	g.strange = true
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
	list := []string{g.listed(f)}
	for g.chance(65) {
		list = append(list, g.listed(f))
	}
	return strings.Join(list, ", ")
}

// listed is a literal among others.
func (g *generator) listed(f field) string {
	text := g.literal(f)
	g.portable = g.portable && !g.strange
	return text
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
		g.strange = true
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
