package engine

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/exec"
)

// separateGroups puts the grouping of a query into a derived table where the
// library cannot plan both: WITH ROLLUP, whose additional rows have NULL in
// place of the expressions that are grouped by, and functions over windows of
// groups.
//
//	SELECT COALESCE(a, '?'), SUM(n), GROUPING(a) FROM t GROUP BY a WITH ROLLUP HAVING SUM(n) > 1 ORDER BY 2
//
// becomes
//
//	SELECT COALESCE(`key 0`, '?'), `aggregate 0`, IF(level <= 0, 1, 0)
//	FROM (SELECT ddb_group_key(0, a) `key 0`, ddb_group_level() level, SUM(n) `aggregate 0` FROM t GROUP BY a, ddb_rollup()) `groups`
//	WHERE `aggregate 0` > 1 ORDER BY 2
func separateGroups(stmt sqlparser.Statement) error {
	return sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		s, ok := node.(*sqlparser.Select)
		if !ok {
			return true, nil
		}
		g := &grouping{rollup: cutRollup(s), tables: tablesIn(s.From)}
		if !g.rollup && contains(s, isGrouping) {
			return false, &Error{Number: 1111, State: "HY000", Offset: -1, Message: "GROUPING() needs GROUP BY .. WITH ROLLUP"}
		}
		if !g.rollup && !(hasWindows(s) && (len(s.GroupBy) > 0 || hasAggregates(s))) {
			return true, nil
		}
		return true, g.separate(s)
	}, stmt)
}

// cutRollup takes the mark of WITH ROLLUP from the end of a list of GROUP BY.
func cutRollup(s *sqlparser.Select) bool {
	last := len(s.GroupBy) - 1
	if last < 0 {
		return false
	}
	c, ok := s.GroupBy[last].(*sqlparser.ColName)
	if !ok || !c.Qualifier.IsEmpty() || c.Name.Lowered() != rollupMark {
		return false
	}
	s.GroupBy = s.GroupBy[:last]
	return true
}

func hasWindows(s *sqlparser.Select) bool {
	return contains(s, isOver)
}

func isOver(e sqlparser.SQLNode) bool {
	f, ok := e.(*sqlparser.FuncExpr)
	return ok && f.Name.Lowered() == exec.OverFunction
}

func hasAggregates(s *sqlparser.Select) bool {
	return contains(s, isAggregate)
}

// contains reports whether the select list, HAVING or ORDER BY has such a part.
func contains(s *sqlparser.Select, is func(sqlparser.SQLNode) bool) bool {
	return has(is, s.SelectExprs, s.Having, s.OrderBy)
}

// has reports whether parts of a statement, apart from subqueries, have such a
// part.
func has(is func(sqlparser.SQLNode) bool, in ...sqlparser.SQLNode) bool {
	found := false
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		_, subquery := node.(*sqlparser.Subquery)
		found = found || is(node)
		return !subquery && !found, nil
	}, in...)
	return found
}

func isGrouping(e sqlparser.SQLNode) bool {
	f, ok := e.(*sqlparser.FuncExpr)
	return ok && f.Name.EqualString("grouping")
}

// grouping is a query whose groups come from a derived table.
type grouping struct {
	rollup bool
	tables map[string]bool          // of FROM, by the names of their columns
	items  []*sqlparser.AliasedExpr // the select list as written
	keys   []groupKey
	named  sqlparser.SelectExprs // items that GROUP BY has the name of
	inner  []innerColumn         // aggregates, and columns outside of them
	failed error
}

// A groupKey is an expression of GROUP BY.
type groupKey struct {
	expr sqlparser.Expr
	text string
	// spelled are other ways of writing it, which have to mean the same.
	spelled []sqlparser.Expr
}

type innerColumn struct {
	expr sqlparser.Expr
	name sqlparser.ColIdent
}

const groupsTable = "groups"

func (g *grouping) separate(s *sqlparser.Select) error {
	for _, e := range s.SelectExprs {
		item, ok := e.(*sqlparser.AliasedExpr)
		if !ok {
			return unsupported("SELECT * of groups with WITH ROLLUP or with functions over windows", "name the columns")
		}
		g.items = append(g.items, item)
	}
	for _, e := range s.GroupBy {
		g.addKey(e)
	}
	outer := sqlparser.Select{With: s.With, Comments: s.Comments, QueryOpts: s.QueryOpts, Limit: s.Limit, Into: s.Into}
	for _, item := range g.items {
		outer.SelectExprs = append(outer.SelectExprs, &sqlparser.AliasedExpr{
			Expr: g.replaced(item.Expr, nil), As: sqlparser.NewColIdent(resultName(item)),
		})
	}
	if s.Having != nil {
		having := g.replaced(s.Having.Expr, g.itemNamed)
		if has(isOver, having) { // by the name of an item
			return misplaced("of the item that HAVING names")
		}
		outer.Where = sqlparser.NewWhere(sqlparser.WhereStr, having)
	}
	for _, o := range s.OrderBy {
		outer.OrderBy = append(outer.OrderBy, &sqlparser.Order{Expr: g.ordered(o.Expr), Direction: o.Direction})
	}
	if g.failed != nil {
		return g.failed
	}
	outer.From = sqlparser.TableExprs{&sqlparser.AliasedTableExpr{
		Expr: &sqlparser.Subquery{Select: g.groups(s)},
		As:   sqlparser.NewTableIdent(groupsTable),
		Auth: sqlparser.AuthInformation{AuthType: sqlparser.AuthType_IGNORE},
	}}
	*s = outer
	return nil
}

// ordered is an expression of ORDER BY over the groups: a place or a name of the
// select list stays.
func (g *grouping) ordered(e sqlparser.Expr) sqlparser.Expr {
	switch x := e.(type) {
	case *sqlparser.SQLVal:
		return e
	case *sqlparser.ColName:
		if g.itemNamed(x) != nil {
			return e
		}
	}
	return g.replaced(e, func(c *sqlparser.ColName) sqlparser.Expr {
		if g.itemNamed(c) != nil {
			return c
		}
		return nil
	})
}

// itemNamed is the expression, over the groups, of the select list that has a
// name, or nil.
func (g *grouping) itemNamed(c *sqlparser.ColName) sqlparser.Expr {
	for _, item := range g.items {
		if c.Qualifier.IsEmpty() && strings.EqualFold(resultName(item), c.Name.String()) {
			if own, ok := item.Expr.(*sqlparser.ColName); ok && own.Name.Equal(c.Name) {
				return nil // the column itself
			}
			return g.replaced(item.Expr, nil)
		}
	}
	return nil
}

// replaced is an expression over the groups. A column that is no key is what
// named gives, else it comes from the groups as any value is.
func (g *grouping) replaced(e sqlparser.Expr, named func(*sqlparser.ColName) sqlparser.Expr) sqlparser.Expr {
	holder := struct{ Expr sqlparser.Expr }{copied(e)}
	rewriteExpressions(reflect.ValueOf(&holder), func(e sqlparser.Expr) sqlparser.Expr {
		if key := g.keyColumn(e); key != nil {
			return key
		}
		switch x := e.(type) {
		case *sqlparser.Subquery:
			g.correlate(x)
			return x
		case *sqlparser.ColName:
			if named != nil {
				if out := named(x); out != nil {
					return out
				}
			}
			if !x.Qualifier.IsEmpty() && !g.tables[tableOf(x)] {
				return x // of a query around this one
			}
			return g.column(x, "column")
		case *sqlparser.FuncExpr:
			if isGrouping(x) {
				return g.levels(x)
			}
		}
		if isAggregate(e) {
			return g.column(e, "aggregate")
		}
		return nil
	}, nil)
	return holder.Expr
}

func groupsColumn(name sqlparser.ColIdent) sqlparser.Expr {
	return &sqlparser.ColName{Name: name, Qualifier: sqlparser.TableName{Name: sqlparser.NewTableIdent(groupsTable)}}
}

// keyColumn is the column of the groups that has the value of a key; nil if the
// expression is none.
func (g *grouping) keyColumn(e sqlparser.Expr) sqlparser.Expr {
	switch e.(type) {
	case *sqlparser.SQLVal, *sqlparser.NullVal, sqlparser.BoolVal:
		return nil
	}
	text := unqualified(e)
	for i := range g.keys {
		key := &g.keys[i]
		if key.text != text {
			continue
		}
		if sqlparser.String(e) != sqlparser.String(key.expr) {
			key.spelled = append(key.spelled, e)
		}
		return groupsColumn(keyName(i))
	}
	return nil
}

func keyName(i int) sqlparser.ColIdent { return sqlparser.NewColIdent(fmt.Sprintf("key %d", i)) }

// column is a column of the groups that has the value of an expression.
func (g *grouping) column(e sqlparser.Expr, what string) sqlparser.Expr {
	for _, c := range g.inner {
		if reflect.DeepEqual(c.expr, e) {
			return groupsColumn(c.name)
		}
	}
	c := innerColumn{e, sqlparser.NewColIdent(fmt.Sprintf("%s %d", what, len(g.inner)))}
	g.inner = append(g.inner, c)
	return groupsColumn(c.name)
}

// groups is the query of the groups.
func (g *grouping) groups(s *sqlparser.Select) *sqlparser.Select {
	inner := &sqlparser.Select{From: s.From, Where: s.Where, SelectExprs: g.named}
	add := func(e sqlparser.Expr, name sqlparser.ColIdent) {
		inner.SelectExprs = append(inner.SelectExprs, &sqlparser.AliasedExpr{Expr: e, As: name})
	}
	for i, key := range g.keys {
		args := append([]sqlparser.Expr{integer(i), key.expr}, key.spelled...)
		add(call(exact.GroupKeyFunction, args...), keyName(i))
		inner.GroupBy = append(inner.GroupBy, key.expr)
	}
	for _, c := range g.inner {
		add(c.expr, c.name)
	}
	if g.rollup {
		add(call(exact.GroupLevelFunction), levelName)
		inner.GroupBy = append(inner.GroupBy, call(exec.RollupFunction))
	}
	return inner
}
