package connector

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/json"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// wanted are the names of the columns, in lower case and without their tables,
// that the nodes above use of a node's rows, each with the places in its
// document that are looked at; no place stands for the whole column, and nil for
// all columns. The engine prunes columns too, but not below a subquery.
type wanted map[string][]place

// A place is a way down into a document, by keys of maps.
type place []string

// A Reference is an expression, other than the engine's own column reference,
// that stands for a column of the rows below it.
type Reference interface{ ColumnBelow() string }

// has reports whether a column may be used.
func (w wanted) has(column string) bool {
	_, has := w[strings.ToLower(column)]
	return w == nil || has
}

// places are the only places in a column's document that are looked at; none if
// it is used as a whole.
func (w wanted) places(column string) []place { return w[strings.ToLower(column)] }

// and adds the columns of expressions, those inside their subqueries as well.
func (w wanted) and(ctx *sql.Context, exprs ...sql.Expression) wanted {
	if w == nil {
		return nil
	}
	out := wanted{}
	for name, places := range w {
		out[name] = places
	}
	for _, e := range exprs {
		out.add(ctx, e)
	}
	return out
}

func (w wanted) add(ctx *sql.Context, e sql.Expression) {
	sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
		switch x := e.(type) {
		case *expression.GetField:
			w.use(x.Name(), nil)
		case *json.JSONExtract:
			return !w.addPlaces(x)
		case *plan.Subquery:
			w.addQuery(ctx, x.Query)
		case Reference:
			w.use(x.ColumnBelow(), nil)
		}
		return true
	})
}

// use adds a column, or places of its document.
func (w wanted) use(column string, places []place) {
	column = strings.ToLower(column)
	if before, used := w[column]; used && (before == nil || places == nil) {
		places = nil
	} else {
		places = append(slices.Clip(places), before...)
	}
	w[column] = places
}

// addPlaces adds the places of a column's document that x gives, and reports
// whether x uses nothing else. Positions in lists are none: the list would have
// other ones if DynamoDB sent a part of it.
func (w wanted) addPlaces(x *json.JSONExtract) bool {
	f, ok := x.JSON.(*expression.GetField)
	if !ok {
		return false
	}
	places := make([]place, len(x.Paths))
	for i, p := range x.Paths {
		literal, isLiteral := p.(*expression.Literal)
		if !isLiteral {
			return false
		}
		text, _ := literal.Value().(string)
		if places[i], ok = mapKeys(text); !ok {
			return false
		}
	}
	w.use(f.Name(), places)
	return true
}

func (w wanted) addQuery(ctx *sql.Context, n sql.Node) {
	if e, ok := n.(sql.Expressioner); ok {
		for _, expr := range e.Expressions() {
			w.add(ctx, expr)
		}
	}
	for _, child := range n.Children() {
		w.addQuery(ctx, child)
	}
}

// below returns what a node uses of the rows of its children.
func (w wanted) below(ctx *sql.Context, n sql.Node) wanted {
	switch x := n.(type) {
	case *plan.Project:
		out := wanted{}
		w.pass(ctx, x.Projections, out)
		return out
	case *plan.GroupBy:
		out := wanted{}.and(ctx, x.GroupByExprs...)
		w.pass(ctx, x.SelectDeps, out)
		return out
	case *plan.JoinNode:
		out := w.and(ctx, x.Expressions()...)
		if lookup, ok := x.Right().(*plan.HashLookup); ok {
			out = out.and(ctx, lookup.Expressions()...)
		}
		if out != nil && lateral(x.Right()) {
			out.addQuery(ctx, x.Right())
		}
		return out
	case *plan.Filter, *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.Having, *plan.HashLookup:
		return w.and(ctx, n.(sql.Expressioner).Expressions()...)
	case *plan.TableAlias, *plan.CachedResults:
		return w
	case *plan.SubqueryAlias:
		return w.inside(ctx, x)
	}
	return nil
}

// pass adds what the terms of a projection use, as far as they are used above.
func (w wanted) pass(ctx *sql.Context, terms []sql.Expression, below wanted) {
	for _, p := range terms {
		if !w.uses(p) {
			continue
		}
		if field, ok := plainField(p); ok {
			below.use(field.Name(), w.places(p.(sql.Nameable).Name()))
		} else {
			below.add(ctx, p)
		}
	}
}

// inside are the columns of a derived table by the names that they have in it.
func (w wanted) inside(ctx *sql.Context, x *plan.SubqueryAlias) wanted {
	if w == nil || len(x.ColumnNames) == 0 {
		return w
	}
	out := wanted{}
	for i, c := range x.Child.Schema(ctx) {
		if w.has(x.ColumnNames[i]) {
			out.use(c.Name, w.places(x.ColumnNames[i]))
		}
	}
	return out
}

// plainField is the column that a term of a projection is, under whatever name.
func plainField(p sql.Expression) (*expression.GetField, bool) {
	if a, ok := p.(*expression.Alias); ok {
		p = a.Child
	}
	f, ok := p.(*expression.GetField)
	return f, ok
}

// lateral reports whether the right side of a join may look at the columns of
// its left side: whatever is not just a table or a join of tables.
func lateral(n sql.Node) bool {
	switch x := n.(type) {
	case *plan.ResolvedTable:
		return false
	case *plan.TableAlias, *plan.Filter, *plan.HashLookup, *plan.CachedResults:
		return lateral(x.Children()[0])
	case *plan.JoinNode:
		return lateral(x.Left()) || lateral(x.Right())
	}
	return true
}

// uses reports whether a term of a projection is used above it.
func (w wanted) uses(p sql.Expression) bool {
	switch x := p.(type) {
	case *expression.GetField:
		return w.has(x.Name())
	case *expression.Alias:
		return w.has(x.Name())
	}
	return true
}
