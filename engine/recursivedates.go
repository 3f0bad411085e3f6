package engine

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// recursiveDates lets columns of WITH RECURSIVE that begin as dates be dates, as
// in MySQL, where the first SELECT gives the types. The library makes them
// moments, so that a list of days has a midnight each.
func recursiveDates(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	dates := false
	transform.InspectWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) bool {
		if r, ok := n.(*plan.RecursiveCte); ok {
			own := r.Schema(ctx) // the one of its recursive table too
			for i, c := range r.Left().Schema(ctx) {
				if i < len(own) && c.Type.Equals(types.Date) {
					own[i].Type, dates = types.Date, true
				}
			}
		}
		return true
	})
	if !dates {
		return n, transform.SameTree, nil
	}
	return typesFromBelow(ctx, n)
}

// typesFromBelow gives references to columns that are dates below that type.
func typesFromBelow(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		var below sql.Schema
		for _, child := range n.Children() {
			below = append(below, child.Schema(ctx)...)
		}
		return transform.OneNodeExpressions(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			switch e := e.(type) {
			case *expression.GetField:
				if types.IsTime(e.Type(ctx)) && dateBelow(below, e) {
					return expression.NewGetFieldWithTable(int(e.Id()), int(e.TableId()), types.Date, e.Database(), e.Table(), e.Name(), e.IsNullable(ctx)), transform.NewTree, nil
				}
			case *plan.Subquery:
				query, same, err := typesFromBelow(ctx, e.Query)
				if err != nil || same == transform.SameTree {
					return e, transform.SameTree, err
				}
				return e.WithQuery(query), transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
	})
}

// dateBelow reports whether the column of the field is a date.
func dateBelow(below sql.Schema, f *expression.GetField) bool {
	for _, c := range below {
		if strings.EqualFold(c.Name, f.Name()) && strings.EqualFold(c.Source, f.Table()) {
			return c.Type.Equals(types.Date)
		}
	}
	return false
}
