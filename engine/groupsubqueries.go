package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// groupBelow moves the grouping of a SELECT into a derived table where the
// SELECT has subqueries beside its aggregates:
//
//	SELECT a, SUM(n) / (SELECT SUM(n) FROM t) AS part FROM t GROUP BY a HAVING SUM(n) > (SELECT ..)
//
// becomes
//
//	SELECT a AS a, `value 1` / (SELECT SUM(n) FROM t) AS part
//	  FROM (SELECT a AS `a`, SUM(n) AS `value 1` FROM t GROUP BY a) `grouped 0` WHERE `value 1` > (SELECT ..)
//
// The library takes an aggregate in such a subquery for the one of the same text
// outside, and refuses the subquery under ONLY_FULL_GROUP_BY.
func groupBelow(stmt sqlparser.Statement) {
	var found []*sqlparser.Select
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if s, ok := node.(*sqlparser.Select); ok {
			found = append(found, s)
		}
		return true, nil
	}, stmt)
	for i, s := range slices.Backward(found) { // from the inside out
		if g := newGrouping(s); g != nil {
			g.name = fmt.Sprintf("grouped %d", i)
			g.rewrite()
		}
	}
}

// A groupedBelow is a SELECT on its way below another.
type groupedBelow struct {
	s      *sqlparser.Select
	name   string                   // of the derived table
	items  []*sqlparser.AliasedExpr // the select list
	asks   []bool                   // of each item: it has a subquery, which stays above
	tables map[string]bool          // names of the tables in FROM, in lower case
	keys   map[string]bool          // texts of what it groups by

	inner sqlparser.SelectExprs
	names map[string]sqlparser.ColIdent // of values below, by their texts
	taken map[string]bool               // names in use below, in lower case
}

// newGrouping returns nil for a SELECT that does not need to be rewritten.
func newGrouping(s *sqlparser.Select) *groupedBelow {
	if s.Into != nil || s.QueryOpts.SQLCalcFoundRows || len(s.Window) > 0 || len(s.From) == 0 {
		return nil
	}
	g := &groupedBelow{s: s, tables: map[string]bool{}, keys: map[string]bool{}, names: map[string]sqlparser.ColIdent{}, taken: map[string]bool{}}
	if !addTables(g.tables, s.From) {
		return nil
	}
	for _, e := range s.GroupBy {
		g.keys[sqlparser.String(e)] = true
	}
	grouped, wanted := len(s.GroupBy) > 0, false
	look := func(e sqlparser.SQLNode) (asks, ok bool) {
		f := g.featuresOf(e)
		grouped = grouped || f.aggregate
		return f.subquery, !f.other
	}
	for i, e := range s.SelectExprs {
		item, ok := e.(*sqlparser.AliasedExpr)
		if !ok {
			return nil
		}
		asks, ok := look(item.Expr)
		if !ok {
			return nil
		}
		asks = asks && !g.groupedBy(item, i)
		g.items, g.asks = append(g.items, item), append(g.asks, asks)
		wanted = wanted || asks
	}
	above := []sqlparser.SQLNode{s.OrderBy}
	if s.Having != nil {
		above = append(above, s.Having.Expr)
	}
	for _, n := range above {
		asks, ok := look(n)
		if !ok {
			return nil
		}
		wanted = wanted || asks
	}
	if !grouped || !wanted {
		return nil
	}
	return g
}

// groupedBy reports whether the SELECT groups by an item: by its text, its name
// or its number.
func (g *groupedBelow) groupedBy(item *sqlparser.AliasedExpr, i int) bool {
	return g.keys[sqlparser.String(item.Expr)] || g.keys[fmt.Sprint(i+1)] ||
		!item.As.IsEmpty() && g.keys[sqlparser.String(&sqlparser.ColName{Name: item.As})]
}

// features are what stands in an expression outside of its subqueries.
type features struct{ aggregate, subquery, other bool }

func (g *groupedBelow) featuresOf(e sqlparser.SQLNode) features {
	var f features
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Subquery:
			f.subquery = true
			f.other = f.other || len(withParts(n.Select)) > 1 || aggregatesOutside(n, g.tables)
			return false, nil
		case *sqlparser.FuncExpr:
			f.other = f.other || n.Over != nil
			if n.IsAggregate() {
				f.aggregate = true
				return false, nil
			}
		case *sqlparser.GroupConcatExpr:
			f.aggregate = true
			return false, nil
		case *sqlparser.AssignmentExpr:
			f.other = true
		}
		return true, nil
	}, e)
	return f
}

// addTables adds the names under which a FROM shows its tables. It reports
// false for what is not known.
func addTables(names map[string]bool, from sqlparser.TableExprs) bool {
	for _, e := range from {
		switch t := e.(type) {
		case *sqlparser.AliasedTableExpr:
			name := t.As.String()
			if table, ok := t.Expr.(sqlparser.TableName); ok && name == "" {
				name = table.Name.String()
			}
			names[strings.ToLower(name)] = true
		case *sqlparser.JoinTableExpr:
			if !addTables(names, sqlparser.TableExprs{t.LeftExpr, t.RightExpr}) {
				return false
			}
		case *sqlparser.ParenTableExpr:
			if !addTables(names, t.Exprs) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// rewrite makes the SELECT the one above.
func (g *groupedBelow) rewrite() {
	s := g.s
	outer := make(sqlparser.SelectExprs, len(g.items))
	for i, item := range g.items {
		shown := &sqlparser.AliasedExpr{As: sqlparser.NewColIdent(resultName(item))}
		if !g.asks[i] {
			shown.Expr = g.value(item.Expr)
		}
		outer[i] = shown
	}
	for _, e := range s.GroupBy {
		if c, ok := e.(*sqlparser.ColName); ok && g.item(c) == nil {
			g.value(c)
		}
	}
	for i, item := range g.items {
		if g.asks[i] {
			outer[i].(*sqlparser.AliasedExpr).Expr = g.above(item.Expr)
		}
	}
	above := sqlparser.Select{With: s.With, SelectExprs: outer, OrderBy: s.OrderBy, Limit: s.Limit, QueryOpts: s.QueryOpts}
	if s.Having != nil {
		above.Where = sqlparser.NewWhere(sqlparser.WhereStr, g.above(g.withItems(s.Having.Expr)))
	}
	for _, o := range s.OrderBy {
		if c, ok := o.Expr.(*sqlparser.ColName); ok && g.item(c) != nil {
			continue
		}
		o.Expr = g.above(o.Expr)
	}
	inner := *s
	inner.With, inner.Having, inner.OrderBy, inner.Limit = nil, nil, nil, nil
	inner.QueryOpts.Distinct = false
	inner.SelectExprs = g.inner
	above.From = sqlparser.TableExprs{&sqlparser.AliasedTableExpr{
		Expr: &sqlparser.Subquery{Select: &inner},
		As:   sqlparser.NewTableIdent(g.name),
		Auth: sqlparser.AuthInformation{AuthType: sqlparser.AuthType_IGNORE},
	}}
	*s = above
}

// item is the item of the select list that has a column's name as its alias.
func (g *groupedBelow) item(c *sqlparser.ColName) *sqlparser.AliasedExpr {
	for _, item := range g.items {
		if c.Qualifier.IsEmpty() && !item.As.IsEmpty() && item.As.Equal(c.Name) {
			return item
		}
	}
	return nil
}

// withItems puts the items of the select list in place of their aliases.
func (g *groupedBelow) withItems(e sqlparser.Expr) sqlparser.Expr {
	for _, c := range columnsIn(e) {
		if item := g.item(c); item != nil && !g.keys[sqlparser.String(c)] {
			e = sqlparser.ReplaceExpr(e, c, &sqlparser.ParenExpr{Expr: item.Expr})
		}
	}
	return e
}

func columnsIn(e sqlparser.Expr) []*sqlparser.ColName {
	var list []*sqlparser.ColName
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Subquery:
			return false, nil
		case *sqlparser.ColName:
			list = append(list, n)
		}
		return true, nil
	}, e)
	return list
}

// value is a value of the select list below: one that is there already, or a new
// one. That of a column keeps its name, by which subqueries may call it.
func (g *groupedBelow) value(e sqlparser.Expr) *sqlparser.ColName {
	text := sqlparser.String(e)
	name, ok := g.names[text]
	if !ok {
		name = sqlparser.NewColIdent(fmt.Sprintf("value %d", len(g.inner)))
		if c, ok := e.(*sqlparser.ColName); ok && !g.taken[c.Name.Lowered()] {
			name = c.Name
		}
		g.names[text], g.taken[name.Lowered()] = name, true
		g.inner = append(g.inner, &sqlparser.AliasedExpr{Expr: e, As: name})
	}
	return &sqlparser.ColName{Name: name, Qualifier: sqlparser.TableName{Name: sqlparser.NewTableIdent(g.name)}}
}

// above rewrites an expression for the SELECT above: what it takes of the rows
// and groups is a column there.
func (g *groupedBelow) above(e sqlparser.Expr) sqlparser.Expr {
	var values []sqlparser.Expr
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.SQLVal: // where a GROUP BY has a number it means an item
			return true, nil
		case sqlparser.Expr:
			if g.keys[sqlparser.String(n)] {
				values = append(values, n)
				return false, nil
			}
		}
		switch n := node.(type) {
		case *sqlparser.Subquery:
			g.correlate(n)
			return false, nil
		case *sqlparser.ColName:
			if n.Qualifier.Name.String() != g.name { // already rewritten
				values = append(values, n)
			}
		case *sqlparser.FuncExpr:
			if n.IsAggregate() {
				values = append(values, n)
				return false, nil
			}
		case *sqlparser.GroupConcatExpr:
			values = append(values, n)
			return false, nil
		}
		return true, nil
	}, e)
	for _, v := range values {
		e = sqlparser.ReplaceExpr(e, v, g.value(v))
	}
	return e
}

// correlate puts the columns below in place of those of the tables, in a
// subquery that names them.
func (g *groupedBelow) correlate(n *sqlparser.Subquery) {
	withScopes(n, g.tables, func(node sqlparser.SQLNode, tables map[string]bool) {
		if c, ok := node.(*sqlparser.ColName); ok && tables[tableOf(c)] {
			*c = *g.value(&sqlparser.ColName{Qualifier: c.Qualifier, Name: c.Name})
		}
	})
}

// aggregatesOutside reports whether a subquery has an aggregate of the rows of
// the tables outside.
func aggregatesOutside(n *sqlparser.Subquery, tables map[string]bool) bool {
	found := false
	withScopes(n, tables, func(node sqlparser.SQLNode, tables map[string]bool) {
		if f, ok := node.(*sqlparser.FuncExpr); ok && f.IsAggregate() {
			for _, c := range columnsIn(f) {
				found = found || tables[tableOf(c)]
			}
		}
	})
	return found
}

// withScopes visits the nodes of a subquery with the tables outside that are
// visible there: a table of the same name inside hides one.
func withScopes(n sqlparser.SQLNode, tables map[string]bool, visit func(sqlparser.SQLNode, map[string]bool)) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		s, ok := node.(*sqlparser.Select)
		if !ok {
			visit(node, tables)
			return true, nil
		}
		own, visible := map[string]bool{}, map[string]bool{}
		addTables(own, s.From)
		for name := range tables {
			visible[name] = !own[name]
		}
		for _, part := range []sqlparser.SQLNode{s.SelectExprs, s.From, s.Where, s.GroupBy, s.Having, s.OrderBy} {
			withScopes(part, visible, visit)
		}
		return false, nil
	}, n)
}
