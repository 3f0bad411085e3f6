package access

import (
	"fmt"
	"strconv"
	"strings"
)

// An Explanation is a plan in words and numbers. Its JSON form is that of
// EXPLAIN FORMAT=JSON: names stay, fields may be added.
type Explanation struct {
	Table     string `json:"table"`
	Operation string `json:"operation"`
	Index     string `json:"index"`
	// KeyConditions has one entry a request, or a key of BatchGetItem.
	KeyConditions []string `json:"key_conditions"`
	// Filter are the conditions that DynamoDB is asked to apply, as in the
	// statement, FilterExpression what it is asked.
	Filter           []string `json:"filter"`
	FilterExpression string   `json:"filter_expression,omitempty"`
	// Residual are the conditions that are applied to the rows afterwards,
	// those of Filter that DynamoDB cannot decide in full among them; Other is
	// the number of further ones that only the SQL engine understands.
	Residual []string `json:"residual"`
	Other    int      `json:"other_conditions"`
	// Projection is null when whole items are read.
	Projection  []string `json:"projection"`
	Select      string   `json:"select,omitempty"`
	Direction   string   `json:"direction"`
	Order       []string `json:"order"`
	OrderServed int      `json:"order_terms_served"`
	Merge       bool     `json:"merge"`
	Limit       int64    `json:"limit"`
	PageLimit   int32    `json:"page_limit"`
	Consistent  bool     `json:"consistent"`
	Complete    bool     `json:"completed_from_table"`
	Fetch       bool     `json:"fetched_from_table"`
	// Walk says that only the first items of each hash key are read.
	Walk     bool     `json:"walk,omitempty"`
	Estimate Estimate `json:"estimate"`
	Reasons  []string `json:"reasons"`
	WhyNot   []string `json:"why_not"`
}

// Estimate is a Cost in JSON.
type Estimate struct {
	Requests  float64 `json:"requests"`
	Items     float64 `json:"items"`
	Bytes     float64 `json:"bytes"`
	ReadUnits float64 `json:"read_units"`
	Guess     bool    `json:"guess"`
}

// Explain puts the plan in words and numbers.
func (p *Plan) Explain() Explanation {
	e := Explanation{
		Table: p.Table.Name, Operation: p.Op.String(), Index: p.Index,
		Filter: p.conditions(p.Pushed), Residual: p.conditions(p.Residual), Other: p.Request.Opaque,
		Select: p.Select(), Direction: "forward", Order: texts(p.Request.Order), OrderServed: p.OrderPrefix,
		Merge: p.Merge, Limit: p.Limit, PageLimit: p.PageLimit,
		Consistent: p.Consistent, Complete: p.Complete, Fetch: p.Fetch, Walk: p.Walk,
		Estimate: Estimate(p.Cost), Reasons: p.Reasons, WhyNot: append([]string{}, p.WhyNot...),
		KeyConditions: make([]string, len(p.Keys)),
	}
	for i, k := range p.Keys {
		e.KeyConditions[i] = k.text(p.Key())
	}
	if p.Reverse {
		e.Direction = "backward"
	}
	if p.Project != nil {
		e.Projection = texts(p.Project)
	}
	if p.Filter != nil {
		e.FilterExpression = p.Expression(0).Filter
	}
	return e
}

// Conditions are the key condition of the first key and what DynamoDB filters
// by, in SQL's notation; empty for none.
func (p *Plan) Conditions() (key, filter string) {
	if len(p.Keys) > 0 {
		key = p.Keys[0].text(p.Key())
	}
	return key, strings.Join(p.conditions(p.Pushed), " AND ")
}

func (p *Plan) conditions(at []int) []string {
	out := make([]string, len(at))
	for i, k := range at {
		out[i] = p.Request.Where[k].String()
	}
	return out
}

func texts[T fmt.Stringer](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return out
}

// maxKeys is the number of key conditions that Tree shows.
const maxKeys = 5

// Tree writes the plan for people, one line for each thing to know. The first
// line names the operation; the others are indented and begin with a word.
func (p *Plan) Tree() []string {
	e := p.Explain()
	lines := tree{e.head()}
	lines.keys(e.KeyConditions)
	lines.add("filter", e.Filter...)
	lines.add("residual", e.residual()...)
	if e.Operation != "Nothing" && !p.Count {
		lines.add("columns", p.wanted())
	}
	lines.add("order", e.order())
	lines.add("limit", e.limit())
	lines.add("estimate", e.Estimate.String())
	lines.add("because", e.Reasons...)
	lines.add("why not", e.WhyNot...)
	return lines
}

type tree []string

func (t *tree) add(word string, texts ...string) {
	for _, s := range texts {
		if s == "" {
			continue
		}
		*t = append(*t, fmt.Sprintf("  %-10s%s", word, s))
		word = ""
	}
}

func (t *tree) keys(conditions []string) {
	if n := len(conditions) - maxKeys; n > 0 {
		conditions = append(append([]string{}, conditions[:maxKeys]...), fmt.Sprintf("%d more", n))
	}
	t.add("key", conditions...)
}

func (e *Explanation) head() string {
	parts := []string{e.Operation + " " + e.Table}
	add := func(is bool, s string) {
		if is {
			parts = append(parts, s)
		}
	}
	add(e.Index != "", "index "+e.Index)
	add(len(e.KeyConditions) > 1, plural(float64(len(e.KeyConditions)), "key"))
	add(e.Merge, "merged")
	add(e.Direction == "backward", "backward")
	add(e.Consistent, "consistent")
	add(e.Select == "COUNT", "count only")
	add(e.Complete, "then BatchGetItem")
	add(e.Walk, "from hash key to hash key")
	return strings.Join(parts, ", ")
}

func (e *Explanation) residual() []string {
	if e.Other == 0 {
		return e.Residual
	}
	return append(append([]string{}, e.Residual...), plural(float64(e.Other), "condition")+" of the SQL engine")
}

func (e *Explanation) order() string {
	n := len(e.Order)
	all := strings.Join(e.Order, ", ")
	switch {
	case n == 0 || e.Operation == "Nothing":
		return ""
	case e.OrderServed == n:
		return all + ": as read"
	case e.OrderServed > 0:
		return fmt.Sprintf("%s: as read by %s, sorted by the rest", all, strings.Join(e.Order[:e.OrderServed], ", "))
	}
	return all + ": sorted after reading"
}

func (e *Explanation) limit() string {
	switch {
	case e.Walk:
		return "pages of " + plural(float64(e.PageLimit), "item")
	case e.Limit > 0 && e.PageLimit > 0 && int64(e.PageLimit) != e.Limit:
		return fmt.Sprintf("%s, pages of %d items and growing", plural(float64(e.Limit), "row"), e.PageLimit)
	case e.Limit > 0:
		return plural(float64(e.Limit), "row")
	case e.PageLimit > 0:
		return fmt.Sprintf("pages of %d items and growing, until the rows suffice", e.PageLimit)
	}
	return ""
}

// String writes the figures for people; "about" when they rest on assumptions.
func (e Estimate) String() string {
	about := ""
	if e.Guess {
		about = "about "
	}
	return about + strings.Join([]string{
		plural(e.Requests, "request"), plural(e.Items, "item"), size10(e.Bytes), plural(e.ReadUnits, "read unit"),
	}, ", ")
}

func plural(n float64, word string) string {
	s := rounded(n) + " " + word
	if n != 1 {
		s += "s"
	}
	return s
}

// rounded writes a count without more digits than it deserves.
func rounded(n float64) string {
	switch {
	case n >= 1e9:
		return strconv.FormatFloat(n/1e9, 'f', 1, 64) + "G"
	case n >= 1e6:
		return strconv.FormatFloat(n/1e6, 'f', 1, 64) + "M"
	case n >= 100:
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(float64(int64(n*10+0.5))/10, 'f', -1, 64)
}

func size10(bytes float64) string {
	switch {
	case bytes >= 1e9:
		return strconv.FormatFloat(bytes/1e9, 'f', 1, 64) + " GB"
	case bytes >= 1e6:
		return strconv.FormatFloat(bytes/1e6, 'f', 1, 64) + " MB"
	case bytes >= 1e3:
		return strconv.FormatFloat(bytes/1e3, 'f', 1, 64) + " KB"
	}
	return strconv.FormatFloat(bytes, 'f', 0, 64) + " bytes"
}
