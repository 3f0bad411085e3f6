package connector

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector/access"
)

// permissions tells the request which order and how many rows are wanted, as
// far as nothing in between changes the rows.
func (c *chain) permissions(ctx *sql.Context, r *Read, above []sql.Node) {
	offset := int64(0)
	column := func(e sql.Expression) (string, bool) {
		col, ok := r.lowerer(ctx, nil).column(e)
		if !ok || !col.Ordered() {
			return "", false
		}
		return col.Attribute, true
	}
	var projects []sql.Node
	for i := len(above) - 1; i >= 0; i-- {
		switch x := above[i].(type) {
		case *plan.Project:
			if hasSubquery(ctx, x) {
				return
			}
			projects = append(projects, x)
		case *plan.SubqueryAlias:
			projects = append(projects, x)
		case *plan.Sort:
			if c.sort != nil || !r.wantOrder(ctx, x.SortFields, projects, column) {
				return
			}
			c.sort = x
		case *plan.TopN:
			if c.sort != nil || x.CalcFoundRows || !r.wantOrder(ctx, x.Fields, projects, column) {
				return
			}
			c.sort = x
			if n, ok := Count(ctx, x.Limit); ok {
				r.request.Limit = n
			}
			return
		case *plan.Offset:
			n, ok := Count(ctx, x.Offset)
			if !ok {
				return
			}
			offset += n
		case *plan.Limit:
			n, ok := Count(ctx, x.Limit)
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
				r.wantExtreme(ctx, e, desc, projects, column)
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

// Count evaluates a LIMIT or OFFSET. It reports false for what is no number of rows.
func Count(ctx *sql.Context, e sql.Expression) (int64, bool) {
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
func (r *Read) wantExtreme(ctx *sql.Context, e sql.Expression, greatest bool, projects []sql.Node, column func(sql.Expression) (string, bool)) {
	e, ok := r.through(ctx, e, projects)
	if !ok {
		return
	}
	if attribute, ok := column(e); ok {
		r.request.Order = []access.Order{{Attribute: attribute, Desc: greatest}}
		r.request.Limit = 1
		isNull := access.Pred{Op: access.IsNull, Path: access.Path{Attribute: attribute}}
		r.also = append(r.also, access.Pred{Op: access.Not, Kids: []access.Pred{isNull}})
	}
}

// wantOrder asks for the order of a Sort, if all of it is by plain columns. It
// looks through the projections between the Sort and the table.
func (r *Read) wantOrder(ctx *sql.Context, fields sql.SortFields, projects []sql.Node, column func(sql.Expression) (string, bool)) bool {
	var order []access.Order
	for _, f := range fields {
		e, ok := r.through(ctx, f.Column, projects)
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

// through follows a column down through projections and derived tables, of
// which the topmost is the last.
func (r *Read) through(ctx *sql.Context, e sql.Expression, layers []sql.Node) (sql.Expression, bool) {
	for i := len(layers) - 1; i >= 0; i-- {
		f, ok := e.(*expression.GetField)
		if !ok {
			return nil, false
		}
		switch x := layers[i].(type) {
		case *plan.Project:
			e, ok = projected(f, x)
		case *plan.SubqueryAlias:
			var below *plan.Project
			if i > 0 {
				below, _ = layers[i-1].(*plan.Project)
			}
			if e, ok = r.derived(ctx, f, x, below); below != nil {
				i--
			}
		}
		if !ok {
			return nil, false
		}
	}
	return e, true
}

// projected is what a projection shows as a column.
func projected(f *expression.GetField, p *plan.Project) (sql.Expression, bool) {
	for _, e := range p.Projections {
		if sameColumn(f, e) {
			return unaliased(e), true
		}
	}
	return nil, false
}

func unaliased(e sql.Expression) sql.Expression {
	if a, ok := e.(*expression.Alias); ok {
		return a.Child
	}
	return e
}

// derived is what stands for a column of a derived table: a term of the
// projection below it, or else a column of the table itself.
func (r *Read) derived(ctx *sql.Context, f *expression.GetField, x *plan.SubqueryAlias, below *plan.Project) (sql.Expression, bool) {
	if !strings.EqualFold(f.Table(), x.Name()) {
		return nil, false
	}
	at := -1
	for i, c := range x.Schema(ctx) {
		if strings.EqualFold(c.Name, f.Name()) {
			if at >= 0 {
				return nil, false
			}
			at = i
		}
	}
	inner := x.Child.Schema(ctx)
	if at < 0 || at >= len(inner) {
		return nil, false
	}
	if below != nil {
		if at >= len(below.Projections) {
			return nil, false
		}
		return unaliased(below.Projections[at]), true
	}
	return expression.NewGetFieldWithTable(at, 0, inner[at].Type, "", r.alias, inner[at].Name, inner[at].Nullable), true
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
