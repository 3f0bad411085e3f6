package connector

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// onlyHashKeys reports whether nothing of the rows but the table's hash key is
// looked at.
func (r *Read) onlyHashKeys() bool {
	hash := r.table.schema.Key.Hash.Name
	for _, c := range r.columns {
		if c != nil && c.Attribute != hash {
			return false
		}
	}
	return r.request.Index == ""
}

// countsOnce reports whether equal rows count once for the nodes above a table.
func countsOnce(ctx *sql.Context, above []sql.Node) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch x := above[i].(type) {
		case *plan.Project:
			if !repeatable(ctx, x.Projections...) {
				return false
			}
		case *plan.SubqueryAlias, *plan.Sort:
		case *plan.Distinct:
			return true
		case *plan.GroupBy:
			return ignoresRepeats(ctx, x)
		default:
			return false
		}
	}
	return false
}

// ignoresRepeats reports whether the groups stay the same when a row comes once
// where it would come more often.
func ignoresRepeats(ctx *sql.Context, g *plan.GroupBy) bool {
	for _, e := range g.SelectDeps {
		switch e.(type) {
		case *aggregation.CountDistinct, *aggregation.Min, *aggregation.Max, *aggregation.AnyValue:
		default:
			if aggregates(ctx, e) {
				return false
			}
		}
	}
	return repeatable(ctx, g.Expressions()...)
}

// repeatable reports whether expressions are the same for rows that are the same.
func repeatable(ctx *sql.Context, exprs ...sql.Expression) bool {
	same := true
	for _, e := range exprs {
		sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
			_, variable := e.(*expression.UserVar)
			same = same && !variable && !varies(e)
			return same
		})
	}
	return same
}

// varies reports whether an expression, apart from those in it, may differ for
// columns with the same values.
func varies(e sql.Expression) bool {
	switch x := e.(type) {
	case *plan.Subquery, Reference:
		return true
	case sql.NonDeterministicExpression:
		return x.IsNonDeterministic()
	}
	return false
}

func aggregates(ctx *sql.Context, e sql.Expression) bool {
	found := false
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		_, is := e.(sql.Aggregation)
		found = found || is
		return !found
	})
	return found
}
