package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/dynasql/dynasql/connector"
)

// reuseSubqueries spares the second run of a subquery in a select list. The
// library computes the list twice, one projection above the other, for ORDER BY
// below the sort and above it; for a subquery the upper one asks again instead
// of taking the value from below, which would double the reads.
func reuseSubqueries(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !sel(analyzer.TrackProcessId) {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		upper, ok := n.(*plan.Project)
		if !ok {
			return n, transform.SameTree, nil
		}
		lower := projectionBelow(upper.Child)
		if lower == nil {
			return n, transform.SameTree, nil
		}
		list, changed := reused(ctx, upper.Projections, lower.Projections)
		if !changed {
			return n, transform.SameTree, nil
		}
		out, err := upper.WithExpressions(ctx, list...)
		return out, transform.NewTree, err
	})
}

// projectionBelow is the projection whose rows n gives, some or all, in whatever
// order, or nil.
func projectionBelow(n sql.Node) *plan.Project {
	for {
		switch below := n.(type) {
		case *plan.Project:
			return below
		case *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.Filter, *plan.Having:
			n = below.Children()[0]
		default:
			return nil
		}
	}
}

func reused(ctx *sql.Context, upper, lower []sql.Expression) (list []sql.Expression, changed bool) {
	list = append(list, upper...)
	for i, e := range upper {
		alias, ok := e.(*expression.Alias)
		if !ok || !hasSubquery(ctx, alias) {
			continue
		}
		for j, below := range lower {
			if b, ok := below.(*expression.Alias); ok && b.Name() == alias.Name() && b.String() == alias.String() {
				list[i] = expression.NewAlias(ctx, alias.Name(), &place{fromEnd: len(lower) - j, name: b.Name(), of: b.Child})
				changed = true
			}
		}
	}
	return list, changed
}

func hasSubquery(ctx *sql.Context, e sql.Expression) bool {
	found := false
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		_, sub := e.(*plan.Subquery)
		found = found || sub
		return !found
	})
	return found
}

// A place is a value of the row counted from its end, where the columns of the
// projection below are whatever the row of an enclosing query puts in front.
type place struct {
	fromEnd int
	name    string // of the column below
	of      sql.Expression
}

var (
	_ sql.Expression      = (*place)(nil)
	_ connector.Reference = (*place)(nil)
)

// ColumnBelow implements connector.Reference.
func (p *place) ColumnBelow() string { return p.name }

func (p *place) Resolved() bool                                { return true }
func (p *place) String() string                                { return p.of.String() }
func (p *place) Type(ctx *sql.Context) sql.Type                { return p.of.Type(ctx) }
func (p *place) IsNullable(ctx *sql.Context) bool              { return p.of.IsNullable(ctx) }
func (p *place) Children() []sql.Expression                    { return nil }
func (p *place) Eval(_ *sql.Context, row sql.Row) (any, error) { return row[len(row)-p.fromEnd], nil }

func (p *place) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(p, len(children), 0)
	}
	return p, nil
}
