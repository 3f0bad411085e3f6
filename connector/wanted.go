package connector

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// wanted are the names of the columns, in lower case and without their tables,
// that the nodes above use of a node's rows; nil stands for all of them. The
// engine prunes columns too, but not below a subquery.
type wanted map[string]bool

// A Reference is an expression, other than the engine's own column reference,
// that stands for a column of the rows below it.
type Reference interface{ ColumnBelow() string }

// has reports whether a column may be used.
func (w wanted) has(column string) bool { return w == nil || w[strings.ToLower(column)] }

// and adds the columns of expressions, those inside their subqueries as well.
func (w wanted) and(ctx *sql.Context, exprs ...sql.Expression) wanted {
	if w == nil {
		return nil
	}
	out := wanted{}
	for name := range w {
		out[name] = true
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
			w[strings.ToLower(x.Name())] = true
		case *plan.Subquery:
			w.addQuery(ctx, x.Query)
		case Reference:
			w[strings.ToLower(x.ColumnBelow())] = true
		}
		return true
	})
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
		for _, p := range x.Projections {
			if w.uses(p) {
				out.add(ctx, p)
			}
		}
		return out
	case *plan.GroupBy:
		return wanted{}.and(ctx, x.Expressions()...)
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
	}
	return nil
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
