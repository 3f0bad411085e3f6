package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A query is a SELECT that can be taken apart again, to find the least of it
// that still fails.
type query struct {
	ctes     []cte
	distinct bool
	items    []string // with their names: expression AS name
	from     []source
	where    []*pred
	group    []string
	having   []*pred
	// order are expressions; unless noKeys, each is shown as a column of its own
	// behind the items, so that the order of an answer can be checked.
	order  []term
	noKeys bool
	limit  int // -1 is none
	offset int
	arms   []arm
	// variables are the values of the user variables @v1, @v2 and so on.
	variables []string
}

type cte struct {
	name  string
	query *query
}

type term struct {
	expr string
	desc bool
}

// An arm is a further SELECT of a UNION and the like.
type arm struct {
	op    string
	query *query
}

type source struct {
	join  string // how it is joined to what stands before it; "" for the first
	text  string // a table; or else
	query *query // a derived table
	alias string
	hint  string // of an index
	on    *pred
	using string // a column, in place of on
}

// A pred is a condition: a leaf, or AND, OR, NOT of others.
type pred struct {
	op   string
	kids []*pred
	text string
}

func leaf(format string, args ...any) *pred { return &pred{text: fmt.Sprintf(format, args...)} }

func (p *pred) String() string {
	switch p.op {
	case "":
		return p.text
	case "NOT":
		return "NOT (" + p.kids[0].String() + ")"
	}
	parts := make([]string, len(p.kids))
	for i, k := range p.kids {
		parts[i] = k.String()
	}
	return "(" + strings.Join(parts, " "+p.op+" ") + ")"
}

func join[T fmt.Stringer](parts []T, by string) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.String()
	}
	return strings.Join(texts, by)
}

func (s source) String() string {
	text := s.text
	if s.query != nil {
		text = "(" + s.query.text(false) + ")"
	}
	if s.alias != "" {
		text += " AS " + s.alias
	}
	text += s.hint
	if s.on != nil {
		text += " ON " + s.on.String()
	}
	if s.using != "" {
		text += " USING (" + quoteName(s.using) + ")"
	}
	if s.join == "" {
		return text
	}
	return s.join + " " + text
}

func (t term) String() string {
	if t.desc {
		return t.expr + " DESC"
	}
	return t.expr
}

// String is the text of a statement, with its order shown.
func (q *query) String() string { return q.text(true) }

func (q *query) text(top bool) string {
	var b strings.Builder
	for i, c := range q.ctes {
		b.WriteString([...]string{"WITH ", ", "}[min(i, 1)] + c.name + " AS (" + c.query.text(false) + ")")
	}
	if len(q.ctes) > 0 {
		b.WriteString(" ")
	}
	if len(q.arms) > 0 {
		b.WriteString("(")
	}
	q.body(&b, top)
	if len(q.arms) > 0 {
		b.WriteString(")")
	}
	for _, a := range q.arms {
		b.WriteString(" " + a.op + " (" + a.query.text(false) + ")")
	}
	if len(q.order) > 0 {
		b.WriteString(" ORDER BY " + join(q.order, ", "))
	}
	if q.limit >= 0 {
		fmt.Fprintf(&b, " LIMIT %d", q.limit)
		if q.offset > 0 {
			fmt.Fprintf(&b, " OFFSET %d", q.offset)
		}
	}
	return b.String()
}

func (q *query) body(b *strings.Builder, top bool) {
	b.WriteString("SELECT ")
	if q.distinct {
		b.WriteString("DISTINCT ")
	}
	items := slices.Clone(q.items)
	if top && !q.noKeys {
		for i, t := range q.order {
			items = append(items, fmt.Sprintf("%s AS `key %d`", t.expr, i))
		}
	}
	b.WriteString(strings.Join(items, ", "))
	if len(q.from) > 0 {
		b.WriteString(" FROM " + join(q.from, " "))
	}
	if len(q.where) > 0 {
		b.WriteString(" WHERE " + join(q.where, " AND "))
	}
	if len(q.group) > 0 {
		b.WriteString(" GROUP BY " + strings.Join(q.group, ", "))
	}
	if len(q.having) > 0 {
		b.WriteString(" HAVING " + join(q.having, " AND "))
	}
}

// settings are the statements that set the variables.
func (q *query) settings() []string {
	var out []string
	for i, v := range q.variables {
		out = append(out, fmt.Sprintf("SET @v%d = %s", i+1, v))
	}
	return out
}

// keys are the positions of the columns by which an answer is ordered.
func (q *query) keys(columns []string) []int {
	var out []int
	for i, t := range q.order {
		name := fmt.Sprintf("key %d", i)
		if q.noKeys {
			name = strings.Trim(t.expr, "`")
			if at, err := strconv.Atoi(name); err == nil {
				out = append(out, at-1)
				continue
			}
		}
		if at := slices.Index(columns, name); at >= 0 {
			out = append(out, at)
		}
	}
	return out
}

// without returns a list that lacks its i-th element.
func without[T any](list []T, i int) []T { return slices.Delete(slices.Clone(list), i, i+1) }

// reductions are the queries that lack one part of q.
func (q *query) reductions() []*query {
	var out []*query
	add := func(change func(*query)) {
		c := *q
		change(&c)
		out = append(out, &c)
	}
	if len(q.arms) > 0 {
		for i := range q.arms {
			add(func(c *query) { c.arms = without(q.arms, i) })
			for _, r := range q.arms[i].query.reductions() {
				if len(r.items) != len(q.items) {
					continue
				}
				add(func(c *query) { c.arms = slices.Clone(q.arms); c.arms[i].query = r })
			}
		}
	}
	if q.limit >= 0 {
		add(func(c *query) { c.limit, c.offset = -1, 0 })
		if q.offset > 0 {
			add(func(c *query) { c.offset = 0 })
		}
	}
	for i := range q.order {
		add(func(c *query) { c.order = without(q.order, i) })
	}
	for i := range q.where {
		add(func(c *query) { c.where = without(q.where, i) })
		for _, r := range q.where[i].reductions() {
			add(func(c *query) { c.where = slices.Clone(q.where); c.where[i] = r })
		}
	}
	for i := range q.having {
		add(func(c *query) { c.having = without(q.having, i) })
	}
	for i := range q.items {
		if len(q.items) > 1 && len(q.arms) == 0 {
			add(func(c *query) { c.items = without(q.items, i) })
		}
	}
	if q.distinct {
		add(func(c *query) { c.distinct = false })
	}
	for i, s := range q.from {
		if i > 0 {
			add(func(c *query) { c.from = without(q.from, i) })
		}
		if s.on != nil {
			for _, r := range s.on.reductions() {
				add(func(c *query) { c.from = slices.Clone(q.from); c.from[i].on = r })
			}
		}
		if s.query != nil {
			for _, r := range s.query.reductions() {
				add(func(c *query) { c.from = slices.Clone(q.from); c.from[i].query = r })
			}
		}
	}
	for i := range q.ctes {
		for _, r := range q.ctes[i].query.reductions() {
			add(func(c *query) { c.ctes = slices.Clone(q.ctes); c.ctes[i].query = r })
		}
	}
	return out
}

func (p *pred) reductions() []*pred {
	out := slices.Clone(p.kids)
	for i, k := range p.kids {
		if len(p.kids) > 2 {
			out = append(out, &pred{op: p.op, kids: without(p.kids, i)})
		}
		for _, r := range k.reductions() {
			kids := slices.Clone(p.kids)
			kids[i] = r
			out = append(out, &pred{op: p.op, kids: kids})
		}
	}
	return out
}
