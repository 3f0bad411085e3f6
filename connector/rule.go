package connector

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/dynasql/dynasql/connector/access"
)

// BeginRule marks the beginning of analysis; it has to be the first rule.
func BeginRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if s, ok := ctx.Session.(Session); ok {
		s.Analyze()
	}
	return n, transform.SameTree, nil
}

// Rule replaces each of our tables in an analyzed statement by a Read. It has
// to run after all rules of the engine, when expressions know their places in
// the rows. Analysis of a subquery ends before that; the rule then waits for
// the statement as a whole, and finds the subqueries in it.
func Rule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !sel(analyzer.TrackProcessId) {
		return n, transform.SameTree, nil
	}
	out, err := rewrite(ctx, n, spot{})
	if err != nil {
		return nil, transform.SameTree, err
	}
	return out, transform.NewTree, nil
}

// A spot is where a node stands in the statement, as far as reading goes.
type spot struct {
	used wanted // the columns of its rows that are looked at above
	// joined says that the node is the right side of a hash join, whose left
	// side may say which rows are needed.
	joined bool
	// again says that the node may run more than once in a statement, each time
	// with other rows around it.
	again bool
}

// below is the spot of a node's children.
func (at spot) below(ctx *sql.Context, n sql.Node) spot {
	_, lookup := n.(*plan.HashLookup)
	_, recursive := n.(*plan.RecursiveCte)
	return spot{used: at.used.below(ctx, n), joined: lookup, again: at.again || recursive}
}

// rewrite walks down from n. A run of nodes above one of our tables is planned
// as a whole; any other node is rewritten in its children and its subqueries.
func rewrite(ctx *sql.Context, n sql.Node, at spot) (sql.Node, error) {
	if describes(n) {
		return n, nil
	}
	if c, ok := chainTo(ctx, n); ok {
		out, err := c.plan(ctx, at)
		if err != nil {
			return nil, err
		}
		return rewriteSubqueries(ctx, out)
	}
	n, err := rewriteChildren(ctx, n, at.below(ctx, n))
	if err != nil {
		return nil, err
	}
	if j, ok := n.(*plan.JoinNode); ok && !at.again {
		if n, err = reduceJoin(ctx, j); err != nil {
			return nil, err
		}
	}
	return rewriteOwnSubqueries(ctx, n)
}

func rewriteChildren(ctx *sql.Context, n sql.Node, below spot) (sql.Node, error) {
	children := n.Children()
	next := make([]sql.Node, len(children))
	changed := false
	for i, child := range children {
		at := below
		j, join := n.(*plan.JoinNode)
		right := join && i > 0
		at.again = at.again || right && j.Op.IsLateral()
		c, err := rewrite(ctx, child, at)
		if err != nil {
			return nil, err
		}
		if right && repeats(j) {
			c = plan.NewCachedResults(c)
		}
		next[i] = c
		changed = changed || c != child
	}
	if !changed {
		return n, nil
	}
	return n.WithChildren(ctx, next...)
}

// describes reports whether a node wants a table's description and not its rows.
func describes(n sql.Node) bool {
	switch n.(type) {
	case *plan.ShowColumns, *plan.ShowIndexes, *plan.ShowCreateTable, *plan.AnalyzeTable:
		return true
	}
	return false
}

// repeats reports whether a join runs its right side once for each row of its
// left side although the rows are the same every time. They are then kept: a
// table must not be read again and again.
func repeats(j *plan.JoinNode) bool {
	if j.Op.IsLateral() || j.Op.IsMerge() || j.Op.IsFullOuter() {
		return false
	}
	right := j.Right()
	for {
		switch x := right.(type) {
		case *plan.HashLookup, *plan.CachedResults, *plan.SubqueryAlias, *plan.JSONTable:
			return false
		case *plan.Filter:
			right = x.Child
		case *plan.TableAlias:
			right = x.Child
		case *plan.ResolvedTable:
			_, ours := sql.GetUnderlyingTable(x.Table).(*table)
			return ours
		default:
			return false
		}
	}
}

// rewriteSubqueries rewrites the subqueries in the expressions of a chain.
func rewriteSubqueries(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	out, _, err := transform.Node(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		m, err := rewriteOwnSubqueries(ctx, n)
		return m, transform.TreeIdentity(m == n), err
	})
	return out, err
}

func rewriteOwnSubqueries(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	if _, ok := n.(sql.Expressioner); !ok {
		return n, nil
	}
	out, _, err := transform.OneNodeExpressions(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		sub, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, err := rewrite(ctx, sub.Query, spot{again: !sub.Correlated().Empty()})
		if err != nil {
			return nil, transform.SameTree, err
		}
		if query == sub.Query {
			return e, transform.SameTree, nil
		}
		return sub.WithQuery(query), transform.NewTree, nil
	})
	return out, err
}

// A chain is a run of one-child nodes that ends in one of our tables.
type chain struct {
	nodes    []sql.Node // from the top down, without the table itself
	resolved *plan.ResolvedTable
	table    *table
	alias    string
	sort     sql.Node // the Sort or TopN whose order the request asks for
}

// chainTo follows the nodes whose effect on reading is understood.
func chainTo(ctx *sql.Context, n sql.Node) (*chain, bool) {
	c := &chain{}
	for {
		switch x := n.(type) {
		case *plan.Limit, *plan.Offset, *plan.Sort, *plan.TopN, *plan.Project, *plan.Filter, *plan.TableAlias, *plan.GroupBy:
			c.nodes = append(c.nodes, n)
			n = n.Children()[0]
		case *plan.ResolvedTable:
			t, ok := sql.GetUnderlyingTable(x.Table).(*table)
			if !ok {
				return nil, false
			}
			c.resolved, c.table, c.alias = x, t, t.Name()
			for _, above := range c.nodes {
				if a, ok := above.(*plan.TableAlias); ok {
					c.alias = a.Name()
				}
			}
			return c, true
		default:
			return nil, false
		}
	}
}

// plan builds the request from the bottom up, chooses how to read, and puts the
// nodes back without those that the plan serves.
func (c *chain) plan(ctx *sql.Context, at spot) (sql.Node, error) {
	used := at.used
	for _, n := range c.nodes {
		used = used.below(ctx, n)
	}
	r := newRead(ctx, c, used)
	r.dynamic = at.joined
	base, above := c.split()
	if f := base.filter; f != nil {
		r.addWhere(ctx, f)
	}
	c.permissions(ctx, r, above)
	if err := r.choose(ctx, nil); err != nil {
		return nil, err
	}
	for _, hint := range r.hints {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1105, Message: hint})
	}
	return c.rebuild(ctx, r, base, above)
}

// A base is what stands directly above the table: an alias and a filter.
type base struct {
	alias  *plan.TableAlias
	filter *plan.Filter
}

// split takes alias and filter off the bottom of the chain.
func (c *chain) split() (base, []sql.Node) {
	var b base
	rest := c.nodes
	for len(rest) > 0 {
		switch x := rest[len(rest)-1].(type) {
		case *plan.TableAlias:
			if b.alias != nil {
				return b, rest
			}
			b.alias = x
		case *plan.Filter:
			if b.filter != nil {
				return b, rest
			}
			b.filter = x
		default:
			return b, rest
		}
		rest = rest[:len(rest)-1]
	}
	return b, rest
}

// permissions tells the request which order and how many rows are wanted, as
// far as nothing in between changes the rows.
func (c *chain) permissions(ctx *sql.Context, r *Read, above []sql.Node) {
	offset := int64(0)
	column := func(e sql.Expression) (string, bool) {
		col, ok := r.lowerer(ctx, nil).column(e)
		if !ok {
			return "", false
		}
		return col.Attribute, true
	}
	var projects []*plan.Project
	for i := len(above) - 1; i >= 0; i-- {
		switch x := above[i].(type) {
		case *plan.Project:
			if hasSubquery(ctx, x) {
				return
			}
			projects = append(projects, x)
		case *plan.Sort:
			if c.sort != nil || !r.wantOrder(x.SortFields, projects, column) {
				return
			}
			c.sort = x
		case *plan.TopN:
			if c.sort != nil || x.CalcFoundRows || !r.wantOrder(x.Fields, projects, column) {
				return
			}
			c.sort = x
			if n, ok := count(ctx, x.Limit); ok {
				r.request.Limit = n
			}
			return
		case *plan.Offset:
			n, ok := count(ctx, x.Offset)
			if !ok {
				return
			}
			offset += n
		case *plan.Limit:
			n, ok := count(ctx, x.Limit)
			if !ok || x.CalcFoundRows {
				return
			}
			if n == 0 {
				return // the engine returns no row without reading one
			}
			r.request.Limit = n + offset
			return
		case *plan.GroupBy:
			r.request.Count = onlyCounts(x)
			if e, desc, ok := extreme(x); ok && c.sort == nil {
				r.wantExtreme(e, desc, projects, column)
			}
			return
		default:
			return
		}
	}
}

func hasSubquery(ctx *sql.Context, n sql.Expressioner) bool {
	found := false
	for _, e := range n.Expressions() {
		sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
			_, sub := e.(*plan.Subquery)
			found = found || sub
			return !found
		})
	}
	return found
}

// count evaluates a LIMIT or OFFSET.
func count(ctx *sql.Context, e sql.Expression) (int64, bool) {
	v, err := e.Eval(ctx, nil)
	if err != nil || v == nil {
		return 0, false
	}
	switch n := v.(type) {
	case int64:
		return n, n >= 0
	case int8:
		return int64(n), n >= 0
	case int16:
		return int64(n), n >= 0
	case int32:
		return int64(n), n >= 0
	case uint8:
		return int64(n), true
	case uint16:
		return int64(n), true
	case uint32:
		return int64(n), true
	case uint64:
		return int64(n), n < 1<<62
	case int:
		return int64(n), n >= 0
	}
	return 0, false
}

// onlyCounts reports whether a GROUP BY without keys has nothing but COUNT of
// rows.
func onlyCounts(g *plan.GroupBy) bool {
	if len(g.GroupByExprs) > 0 || len(g.SelectDeps) == 0 {
		return false
	}
	for _, e := range g.SelectDeps {
		c, ok := e.(*aggregation.Count)
		if !ok {
			return false
		}
		switch x := c.Child.(type) {
		case *expression.Star:
		case *expression.Literal:
			if x.Value() == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// extreme reports the column of a GROUP BY without keys that has nothing but
// MIN or MAX of it, and whether the greatest is wanted.
func extreme(g *plan.GroupBy) (e sql.Expression, greatest, ok bool) {
	if len(g.GroupByExprs) > 0 || len(g.SelectDeps) != 1 {
		return nil, false, false
	}
	switch x := g.SelectDeps[0].(type) {
	case *aggregation.Min:
		return x.Child, false, true
	case *aggregation.Max:
		return x.Child, true, true
	}
	return nil, false, false
}

// wantExtreme asks for the first row by the column: all that its MIN or MAX
// needs, where the plan serves both the order and the limit.
func (r *Read) wantExtreme(e sql.Expression, greatest bool, projects []*plan.Project, column func(sql.Expression) (string, bool)) {
	e, ok := through(e, projects)
	if !ok {
		return
	}
	if attribute, ok := column(e); ok {
		r.request.Order = []access.Order{{Attribute: attribute, Desc: greatest}}
		r.request.Limit = 1
	}
}

// rebuild puts the chain together again above the Read.
func (c *chain) rebuild(ctx *sql.Context, r *Read, b base, above []sql.Node) (sql.Node, error) {
	var n sql.Node = r
	var err error
	if b.alias != nil {
		if n, err = b.alias.WithChildren(ctx, n); err != nil {
			return nil, err
		}
	}
	if b.filter != nil {
		if rest := r.residual(); len(rest) > 0 {
			n = plan.NewFilter(ctx, expression.JoinAnd(rest...), n)
		}
	}
	for i := len(above) - 1; i >= 0; i-- {
		if above[i] == c.sort && r.static() && r.plan.Ordered {
			if top, ok := above[i].(*plan.TopN); ok {
				n = plan.NewLimit(top.Limit, n)
			}
			continue
		}
		if n, err = above[i].WithChildren(ctx, n); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// wantOrder asks for the order of a Sort, if all of it is by plain columns. It
// looks through the projections between the Sort and the table.
func (r *Read) wantOrder(fields sql.SortFields, projects []*plan.Project, column func(sql.Expression) (string, bool)) bool {
	var order []access.Order
	for _, f := range fields {
		e, ok := through(f.Column, projects)
		if !ok {
			return false
		}
		attribute, ok := column(e)
		if !ok || !nullsAsMySQL(f) {
			return false
		}
		order = append(order, access.Order{Attribute: attribute, Desc: f.Order == sql.Descending})
	}
	r.request.Order = order
	return true
}

// nullsAsMySQL says that NULL sorts as MySQL has it, before every value. Keys
// are never NULL, so that either way is the same for what a plan can serve.
func nullsAsMySQL(f sql.SortField) bool {
	return f.NullOrdering == sql.NullsFirst || f.NullOrdering == sql.NullsLast
}

// through follows a column down through projections, the topmost last.
func through(e sql.Expression, projects []*plan.Project) (sql.Expression, bool) {
	for i := len(projects) - 1; i >= 0; i-- {
		f, ok := e.(*expression.GetField)
		if !ok {
			return nil, false
		}
		found := false
		for _, p := range projects[i].Projections {
			if sameColumn(f, p) {
				if a, ok := p.(*expression.Alias); ok {
					p = a.Child
				}
				e, found = p, true
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return e, true
}

func sameColumn(f *expression.GetField, p sql.Expression) bool {
	switch p := p.(type) {
	case *expression.Alias:
		return f.Id() != 0 && f.Id() == p.Id()
	case *expression.GetField:
		return f.Id() != 0 && f.Id() == p.Id() && strings.EqualFold(f.Name(), p.Name())
	}
	return false
}
