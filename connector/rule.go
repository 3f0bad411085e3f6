package connector

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
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
	// joined says that the node is the right side of a join whose left side may
	// say which rows are needed.
	joined bool
	// again says that the node may run more than once in a statement, each time
	// with other rows around it.
	again bool
	// looped says that it may run more than once, with whatever rows.
	looped bool
	// goal is after how many of its rows a LIMIT may end the statement; 0 if
	// all of them are needed.
	goal int64
}

// mostGoal is the LIMIT up to which joins try to get by with a part of their
// left side.
const mostGoal = 10_000

// goalBelow is the goal of a node's first child.
func (at spot) goalBelow(ctx *sql.Context, n sql.Node) int64 {
	switch x := n.(type) {
	case *plan.Limit:
		if n, ok := Count(ctx, x.Limit); ok && !x.CalcFoundRows && n <= mostGoal {
			return n
		}
	case *plan.Offset:
		if n, ok := Count(ctx, x.Offset); ok && at.goal > 0 && at.goal+n <= mostGoal {
			return at.goal + n
		}
	case *plan.Project, *plan.Filter:
		return at.goal
	case *plan.JoinNode:
		if readsByKeys(x) {
			return at.goal
		}
	}
	return 0
}

// below is the spot of a node's children.
func (at spot) below(ctx *sql.Context, n sql.Node) spot {
	_, lookup := n.(*plan.HashLookup)
	_, distinct := n.(*plan.Distinct)
	_, recursive := n.(*plan.RecursiveCte)
	return spot{
		used:   at.used.below(ctx, n),
		joined: lookup || at.joined && distinct,
		again:  at.again || recursive,
		looped: (at.looped || recursive) && !lookup, // a hash join keeps its right side
		goal:   at.goalBelow(ctx, n),
	}
}

// rewrite walks down from n. A run of nodes above one of our tables is planned
// as a whole; any other node is rewritten in its children and its subqueries.
func rewrite(ctx *sql.Context, n sql.Node, at spot) (sql.Node, error) {
	if describes(n) {
		return displayed(ctx, n)
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
		if n, err = reduceJoin(ctx, j, at.goal); err != nil {
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
		if right {
			at.goal = 0
		}
		at.again = at.again || right && j.Op.IsLateral()
		at.looped = at.looped || right && !j.Op.IsHash() && !Independent(j.Right()) // else the join keeps its right side
		at.joined = at.joined || right && readsByKeys(j)
		c, err := rewrite(ctx, child, at)
		if err != nil {
			return nil, err
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

// rewriteSubqueries rewrites the subqueries in the expressions of a chain.
func rewriteSubqueries(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	out, _, err := transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
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
		query, err := rewrite(ctx, sub.Query, spot{again: !sub.Correlated().Empty(), looped: !sub.Correlated().Empty()})
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
		case *plan.Limit, *plan.Offset, *plan.Sort, *plan.TopN, *plan.Project, *plan.Filter, *plan.TableAlias, *plan.GroupBy, *plan.Distinct:
			c.nodes = append(c.nodes, n)
			n = n.Children()[0]
		case *plan.SubqueryAlias:
			if x.IsLateral || x.OuterScopeVisibility || len(c.nodes) == 0 {
				return nil, false
			}
			c.nodes = append(c.nodes, n)
			n = x.Child
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
	r.request.DistinctHash = r.onlyHashKeys() && countsOnce(ctx, above)
	r.mayEnd(at)
	if err := r.choose(ctx, nil); err != nil {
		return nil, err
	}
	if r.correlated && r.plan.Op == access.Scan {
		// The values of the enclosing query lead to no key: the table is read
		// once, and the engine compares.
		r.correlated = false
		if err := r.choose(ctx, nil); err != nil {
			return nil, err
		}
	}
	switch {
	case r.correlated:
		r.recall = &recall{}
	case at.looped:
		r.kept = &kept{index: newKeptIndex(ctx, r)}
	}
	for _, hint := range r.hints {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1105, Message: hint})
	}
	if a := r.anyOf(); a != nil {
		return c.rebuild(ctx, r, a, base, above)
	}
	return c.rebuild(ctx, r, r, base, above)
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

// rebuild puts the chain together again above what reads the table.
func (c *chain) rebuild(ctx *sql.Context, r *Read, n sql.Node, b base, above []sql.Node) (sql.Node, error) {
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
