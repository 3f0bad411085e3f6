package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/exec"
)

// tellApart makes aggregates differ whose texts are the same but for the case of
// a string, as SUM(s = 'a') and SUM(s = 'A'): the library takes them for one.
func tellApart(stmt sqlparser.Statement) {
	variants := map[string][]string{}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if !isAggregate(node) {
			return true, nil
		}
		text := unqualified(node)
		lower := strings.ToLower(text)
		number := slices.Index(variants[lower], text)
		if number < 0 {
			number = len(variants[lower])
			variants[lower] = append(variants[lower], text)
		}
		if number > 0 {
			markArgument(node, number)
		}
		return true, nil
	}, stmt)
}

func markArgument(aggregate sqlparser.SQLNode, number int) {
	var args sqlparser.SelectExprs
	switch x := aggregate.(type) {
	case *sqlparser.GroupConcatExpr:
		args = x.Exprs
	case *sqlparser.FuncExpr:
		args = x.Exprs
	}
	if len(args) == 0 {
		return
	}
	if a, ok := args[0].(*sqlparser.AliasedExpr); ok {
		marked := *a
		marked.Expr = call(exact.SameFunction, integer(number), a.Expr)
		args[0] = &marked
	}
}

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
	return contains(s, func(e sqlparser.SQLNode) bool {
		f, ok := e.(*sqlparser.FuncExpr)
		return ok && f.Name.Lowered() == exec.OverFunction
	})
}

func hasAggregates(s *sqlparser.Select) bool {
	return contains(s, func(e sqlparser.SQLNode) bool { return isAggregate(e) })
}

// contains reports whether the select list, HAVING or ORDER BY has such a part,
// apart from subqueries.
func contains(s *sqlparser.Select, is func(sqlparser.SQLNode) bool) bool {
	found := false
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		_, subquery := node.(*sqlparser.Subquery)
		found = found || is(node)
		return !subquery && !found, nil
	}, s.SelectExprs, s.Having, s.OrderBy)
	return found
}

func isGrouping(e sqlparser.SQLNode) bool {
	f, ok := e.(*sqlparser.FuncExpr)
	return ok && f.Name.EqualString("grouping")
}

func isAggregate(e sqlparser.SQLNode) bool {
	switch x := e.(type) {
	case *sqlparser.GroupConcatExpr:
		return true
	case *sqlparser.FuncExpr:
		name := x.Name.Lowered()
		return x.Over == nil && (x.IsAggregate() || name == "any_value" || exact.IsAggregate(name))
	}
	return false
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
		outer.Where = sqlparser.NewWhere(sqlparser.WhereStr, g.replaced(s.Having.Expr, g.itemNamed))
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

// addKey adds an expression of GROUP BY: a place or a name of the select list
// stands for the expression there, but a column goes before the name. Whether
// there is a column the engine knows, to which both are given.
func (g *grouping) addKey(e sqlparser.Expr) {
	key := groupKey{expr: e}
	switch x := e.(type) {
	case *sqlparser.SQLVal:
		if n, err := strconv.Atoi(string(x.Val)); err == nil && n >= 1 && n <= len(g.items) {
			key.expr = g.items[n-1].Expr
		}
	case *sqlparser.ColName:
		for _, item := range g.items {
			if !x.Qualifier.IsEmpty() || !item.As.Equal(x.Name) || namesColumn(item.Expr, x.Name) {
				continue
			}
			key.expr, key.spelled = item.Expr, []sqlparser.Expr{call(exact.SameFunction, integer(0), x)}
			g.named = append(g.named, item)
			break
		}
	}
	key.text = unqualified(key.expr)
	g.keys = append(g.keys, key)
}

// namesColumn reports whether an expression has a column of that name, which
// then exists.
func namesColumn(e sqlparser.Expr, name sqlparser.ColIdent) bool {
	found := false
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		c, ok := node.(*sqlparser.ColName)
		found = found || ok && c.Name.Equal(name)
		return !found, nil
	}, e)
	return found
}

// unqualified is the text of an expression without the tables of its columns.
func unqualified(e sqlparser.SQLNode) string {
	if p, ok := e.(*sqlparser.ParenExpr); ok {
		return unqualified(p.Expr)
	}
	buf := sqlparser.NewTrackedBuffer(func(buf *sqlparser.TrackedBuffer, node sqlparser.SQLNode) {
		switch n := node.(type) {
		case *sqlparser.ColName:
			buf.WriteString("`" + n.Name.Lowered() + "`")
		case *sqlparser.FuncExpr:
			lower := *n
			lower.Name = sqlparser.NewColIdent(n.Name.Lowered())
			lower.Format(buf)
		default:
			node.Format(buf)
		}
	})
	buf.Myprintf("%v", e)
	return buf.String()
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

// correlate replaces the columns of a subquery that are of the tables around it,
// which it names.
func (g *grouping) correlate(q *sqlparser.Subquery) {
	own := tablesIn(q)
	rewriteExpressions(reflect.ValueOf(q), func(e sqlparser.Expr) sqlparser.Expr {
		c, ok := e.(*sqlparser.ColName)
		if !ok || own[c.Qualifier.Name.String()] || !g.tables[c.Qualifier.Name.String()] {
			return nil
		}
		if key := g.keyColumn(c); key != nil {
			return key
		}
		return g.column(c, "column")
	}, nil)
}

// tablesIn are the names by which columns of the tables in a part of a statement
// are called.
func tablesIn(part sqlparser.SQLNode) map[string]bool {
	names := map[string]bool{}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		from, ok := node.(*sqlparser.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		name := from.As
		if t, plain := from.Expr.(sqlparser.TableName); plain && name.IsEmpty() {
			name = t.Name
		}
		names[name.String()] = true
		return true, nil
	}, part)
	return names
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

var levelName = sqlparser.NewColIdent("level")

// levels is GROUPING(..): a bit for each argument, the last the lowest, that is
// set in rows that sum the argument up.
func (g *grouping) levels(f *sqlparser.FuncExpr) sqlparser.Expr {
	var sum sqlparser.Expr
	for i, arg := range f.Exprs {
		key := -1
		if a, ok := arg.(*sqlparser.AliasedExpr); ok {
			key = g.keyOf(a.Expr)
		}
		if !g.rollup || key < 0 {
			g.failed = &Error{Number: 3148, State: "HY000", Offset: -1,
				Message: fmt.Sprintf("argument %d of GROUPING is not among the expressions of GROUP BY .. WITH ROLLUP", i+1)}
			return f
		}
		summed := &sqlparser.ComparisonExpr{Operator: sqlparser.LessEqualStr, Left: groupsColumn(levelName), Right: integer(key)}
		var bit sqlparser.Expr = call("if", summed, integer(1<<(len(f.Exprs)-1-i)), integer(0))
		if sum == nil {
			sum = bit
			continue
		}
		sum = &sqlparser.BinaryExpr{Operator: sqlparser.PlusStr, Left: sum, Right: bit}
	}
	return sum
}

// keyOf is the place of an expression, or of an item's name, among the keys.
func (g *grouping) keyOf(e sqlparser.Expr) int {
	if c, ok := e.(*sqlparser.ColName); ok && g.keyColumn(e) == nil {
		for _, item := range g.items {
			if c.Qualifier.IsEmpty() && item.As.Equal(c.Name) {
				e = item.Expr
			}
		}
	}
	text := unqualified(e)
	for i, key := range g.keys {
		if key.text == text {
			return i
		}
	}
	return -1
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

// copied is a copy of an expression, so that changing it changes no other.
func copied(e sqlparser.Expr) sqlparser.Expr {
	return deepCopy(reflect.ValueOf(&e).Elem()).Interface().(sqlparser.Expr)
}

func deepCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		inner := deepCopy(v.Elem())
		out := reflect.New(v.Type()).Elem()
		if v.Kind() == reflect.Interface {
			out.Set(inner)
			return out
		}
		at := reflect.New(v.Type().Elem())
		at.Elem().Set(inner)
		return at
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(deepCopy(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(deepCopy(v.Index(i)))
		}
		return out
	}
	return v
}
