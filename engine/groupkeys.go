package engine

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exact"
)

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

// correlate replaces the columns of a subquery that are of the tables around it,
// which it names.
func (g *grouping) correlate(q *sqlparser.Subquery) {
	own := tablesIn(q)
	rewriteExpressions(reflect.ValueOf(q), func(e sqlparser.Expr) sqlparser.Expr {
		c, ok := e.(*sqlparser.ColName)
		if !ok || own[tableOf(c)] || !g.tables[tableOf(c)] {
			return nil
		}
		if key := g.keyColumn(c); key != nil {
			return key
		}
		return g.column(c, "column")
	}, nil)
}

// tableOf is the table that a column is written with, in lower case.
func tableOf(c *sqlparser.ColName) string { return strings.ToLower(c.Qualifier.Name.String()) }

// tablesIn are the names, in lower case, by which columns of the tables in a part of a statement
// are called.
func tablesIn(part sqlparser.SQLNode) map[string]bool {
	names := map[string]bool{}
	add := func(name sqlparser.TableIdent) { names[strings.ToLower(name.String())] = true }
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch from := node.(type) {
		case *sqlparser.AliasedTableExpr:
			name := from.As
			if t, plain := from.Expr.(sqlparser.TableName); plain && name.IsEmpty() {
				name = t.Name
			}
			add(name)
		case *sqlparser.JSONTableExpr:
			add(from.Alias)
		case *sqlparser.TableFuncExpr:
			add(from.Alias)
			add(sqlparser.NewTableIdent(from.Name))
		}
		return true, nil
	}, part)
	return names
}
