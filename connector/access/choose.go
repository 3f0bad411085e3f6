package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// Choose returns the plan that takes the fewest read units as far as is known.
// On a tie it takes fewer requests, then the one whose rows come in order, then
// the one listed first: GetItem, BatchGetItem, Query, Scan; the table before
// its indexes, these in their order.
//
// It fails with an *IndexError if the request or a hint names an index that is
// not there, or forces one that would change the answer.
func Choose(req Request) (Plan, error) {
	c := chooser{req: &req}
	if err := c.resolve(); err != nil {
		return Plan{}, err
	}
	if err := c.consider(); err != nil {
		return Plan{}, err
	}
	return c.result(), nil
}

// A chooser collects the candidates of one request.
type chooser struct {
	req   *Request
	where []Pred        // Request.Where, simplified
	own   *schema.Index // Request.Index
	only  *space        // of Hint.Force
	not   []string      // exact names of Hint.Forbid
	best  *candidate
	// found has the best of each space that was considered, and why there is none.
	found []finding
}

type finding struct {
	name string // of the index, or "table key"
	best *candidate
	why  string
}

func (c *chooser) resolve() error {
	t := c.req.Table
	if c.req.Index != "" {
		x, ok := t.Index(c.req.Index)
		if !ok {
			return unknownIndex(t, c.req.Index)
		}
		c.own = x
	}
	for _, name := range c.req.Hint.Forbid {
		x, err := indexNamed(t, name)
		if err != nil {
			return err
		}
		c.not = append(c.not, nameOf(x))
	}
	if c.own != nil && slices.Contains(c.not, c.own.Name) {
		return &IndexError{t.Name, c.own.Name, "the statement both reads it as a table of its own and forbids it", "drop the hint, or read the table"}
	}
	return c.resolveForce()
}

func nameOf(x *schema.Index) string {
	if x == nil {
		return ""
	}
	return x.Name
}

func (c *chooser) resolveForce() error {
	t, force := c.req.Table, c.req.Hint.Force
	if force == "" {
		return nil
	}
	x, err := indexNamed(t, force)
	if err != nil {
		return err
	}
	switch {
	case slices.Contains(c.not, nameOf(x)):
		return &IndexError{t.Name, force, "the statement both forces and forbids it", "drop one of the two hints"}
	case c.own != nil && c.own != x:
		return &IndexError{t.Name, force, fmt.Sprintf("the statement reads index %s as a table of its own", c.own.Name), "drop the hint, or read the table"}
	}
	s := tableSpace(t)
	if x != nil {
		s = indexSpace(t, x, c.own == x)
	}
	c.only = &s
	return nil
}

// consider looks at each space that may be read.
func (c *chooser) consider() error {
	t := c.req.Table
	if c.req.NoPushdown {
		return c.readAll()
	}
	c.where = simplify(t, c.req.Where)
	if c.own != nil {
		return c.considerOnly(indexSpace(t, c.own, true))
	}
	table := bind(tableSpace(t), c.where)
	if c.contradiction(table) {
		return nil
	}
	if c.only != nil && c.only.index != nil {
		return c.considerOnly(*c.only)
	}
	c.tableWays(table)
	if c.only != nil || c.unbeatable() {
		return nil
	}
	for i := range t.Indexes {
		c.considerIndex(indexSpace(t, &t.Indexes[i], false))
	}
	return nil
}

// considerOnly considers the one index that may be read.
func (c *chooser) considerOnly(s space) error {
	b := bind(s, c.where)
	if s.own && c.contradiction(b) {
		return nil
	}
	refused := c.indexWays(b)
	if c.best != nil {
		return nil
	}
	return &IndexError{s.table.Name, s.index.Name, refused.forced(), refused.remedy}
}

func (c *chooser) considerIndex(s space) {
	if slices.Contains(c.not, s.index.Name) {
		c.found = append(c.found, finding{name: s.index.Name, why: "forbidden by the statement"})
		return
	}
	before := c.best
	c.best = nil
	refused := c.indexWays(bind(s, c.where))
	c.found = append(c.found, finding{name: s.index.Name, best: c.best, why: refused.why})
	if c.best == nil || before != nil && !better(c.best, before) {
		c.best = before
	}
}

// contradiction settles on Nothing when no item can satisfy the clause.
func (c *chooser) contradiction(b *binding) bool {
	none := len(b.all.boxes) == 0
	if none {
		c.nothing()
	}
	return none
}

func (c *chooser) nothing() {
	n := len(c.req.Order)
	c.best = &candidate{plan: Plan{
		Request: c.req, Table: c.req.Table, Op: Nothing, Index: c.req.Index, Consistent: c.req.Consistent,
		Ordered: n > 0, OrderPrefix: n, Count: c.req.Count,
		Reasons: []string{"no item can satisfy the conditions: nothing is sent"},
	}}
}

func (c *chooser) offer(cand candidate) {
	if c.best == nil || better(&cand, c.best) {
		c.best = &cand
	}
}

// better reports whether a is to be taken before b, which was found earlier.
func better(a, b *candidate) bool {
	switch {
	case a.score.ReadUnits != b.score.ReadUnits:
		return a.score.ReadUnits < b.score.ReadUnits
	case a.score.Requests != b.score.Requests:
		return a.score.Requests < b.score.Requests
	case a.plan.Ordered != b.plan.Ordered:
		return a.plan.Ordered
	}
	return a.plan.Op < b.plan.Op
}

// unbeatable reports whether no index can take less than the best so far.
func (c *chooser) unbeatable() bool {
	if c.best == nil || c.best.plan.Op != GetItem || c.best.score.ReadUnits > 1 {
		return false
	}
	for i := range c.req.Table.Indexes {
		c.found = append(c.found, finding{name: c.req.Table.Indexes[i].Name, why: "one GetItem costs least"})
	}
	return true
}

func (c *chooser) result() Plan {
	p := c.best.plan
	if p.Op == Nothing || c.req.NoPushdown {
		return p
	}
	if c.only != nil {
		p.Reasons = append(p.Reasons, "asked for in the statement")
	}
	for _, f := range c.found {
		if f.name == p.Index && p.Op != Scan {
			continue
		}
		p.WhyNot = append(p.WhyNot, f.sentence(c.best))
	}
	return p
}

func (f finding) sentence(chosen *candidate) string {
	var b strings.Builder
	b.WriteString(spaceName(f.name))
	b.WriteString(": ")
	if f.why != "" { // if it has a plan, then only by reading it as a whole
		b.WriteString(f.why)
		return b.String()
	}
	fmt.Fprintf(&b, "%s, against %s", f.best.score.text(), chosen.score.text())
	return b.String()
}

// spaceName names an index, or the table by its key.
func spaceName(index string) string {
	if index == "" {
		return "table key"
	}
	return index
}

// text names what plans are compared by.
func (c Cost) text() string {
	return plural(c.ReadUnits, "read unit") + " in " + plural(c.Requests, "request")
}
