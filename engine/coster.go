package engine

import (
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/memo"

	"github.com/dynasql/dynasql/connector"
)

// coster tells the library what a join takes in read units, which it knows
// nothing of. It decides which table of a hash join is read first: the other one
// can then be read by the keys found, where that is cheaper.
type coster struct{ memo.Coster }

// never is the cost of joins that must not be chosen: they read one row after
// the other by an index, a request each, or need tables in a global order.
const never = 1e30

// perRow is the weight of handling a row against a read unit.
const perRow = 1e-4

// chance is the weight of reading a table in the hope that keys make it cheaper.
const chance = 0.9

// EstimateCost implements memo.Coster.
func (c coster) EstimateCost(ctx *sql.Context, n memo.RelExpr, s sql.StatsProvider) (float64, error) {
	if losesFilter(ctx, n) {
		return never, nil
	}
	switch n := n.(type) {
	case *memo.LookupJoin, *memo.ConcatJoin, *memo.RangeHeapJoin, *memo.MergeJoin:
		return never, nil
	case *memo.HashJoin:
		if slices.ContainsFunc(n.Filter, func(f sql.Expression) bool { return hasSubquery(ctx, f) }) {
			return never, nil // the library does not know the places of its outer columns
		}
		return joinCost(ctx, n.JoinBase, n.RightAttrs), nil
	case *memo.InnerJoin, *memo.LeftJoin:
		join := n.(memo.JoinRel).JoinPrivate()
		if keys := rightKeys(ctx, join); len(keys) > 0 {
			return joinCost(ctx, join, keys) + perRow, nil // a hash join, if there is one, first
		}
		if either := eitherKeys(ctx, join); len(either) > 0 {
			return joinCost(ctx, join, either...) + perRow, nil
		}
	}
	return c.Coster.EstimateCost(ctx, n, s)
}

// rightKeys are the sides of equalities that are of the right input, of a join
// whose conditions are not all equalities.
func rightKeys(ctx *sql.Context, n *memo.JoinBase) []sql.Expression {
	return keysIn(ctx, n, n.Filter...)
}

func keysIn(ctx *sql.Context, n *memo.JoinBase, conditions ...sql.Expression) (keys []sql.Expression) {
	for _, f := range conditions {
		for _, e := range expression.SplitConjunction(ctx, f) {
			eq, ok := e.(*expression.Equals)
			switch {
			case !ok:
			case isOf(ctx, eq.Left(), n.Left) && isOf(ctx, eq.Right(), n.Right):
				keys = append(keys, eq.Right())
			case isOf(ctx, eq.Right(), n.Left) && isOf(ctx, eq.Left(), n.Right):
				keys = append(keys, eq.Left())
			}
		}
	}
	return keys
}

// eitherKeys are the same of each alternative of an OR among the conditions; none
// where an alternative has none.
func eitherKeys(ctx *sql.Context, n *memo.JoinBase) [][]sql.Expression {
	for _, f := range n.Filter {
		for _, e := range expression.SplitConjunction(ctx, f) {
			var either [][]sql.Expression
			sides := expression.SplitDisjunction(e)
			for _, side := range sides {
				if keys := keysIn(ctx, n, side); len(keys) > 0 {
					either = append(either, keys)
				}
			}
			if len(sides) > 1 && len(either) == len(sides) {
				return either
			}
		}
	}
	return nil
}

// isOf reports whether an expression names columns, all of one input.
func isOf(ctx *sql.Context, e sql.Expression, g *memo.ExprGroup) bool {
	tables := g.RelProps.OutputTables()
	all, some := true, false
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			all, some = all && tables.Contains(int(f.TableId())), true
		}
		return all
	})
	return all && some
}

// joinCost counts both sides as far as they are tables, since the library
// takes reading a table for free; a side that is a join has its own cost. The
// right side may be read by keys of each alternative.
func joinCost(ctx *sql.Context, n *memo.JoinBase, either ...[]sql.Expression) float64 {
	left, right := sideOf(ctx, n.Left), sideOf(ctx, n.Right)
	units, rows := right.units, right.rows
	if right.table {
		perKey, found, ok := 0.0, 0.0, true
		for _, keys := range either {
			units, rows, has := right.estimate.PerKey(ctx, keys)
			perKey, found, ok = perKey+units, found+rows, ok && has
		}
		if ok {
			// Reading by keys is given up as soon as it would be dearer, so
			// that the order which allows it is never the worse one.
			units = math.Min(units*chance, left.rows*perKey)
			rows = math.Min(rows, left.rows*found)
		}
	}
	return left.units + units + (left.rows+rows)*perRow
}

// A side is one input of a join.
type side struct {
	units, rows float64
	table       bool // one of our tables; estimate is set
	estimate    connector.Estimate
}

func sideOf(ctx *sql.Context, g *memo.ExprGroup) side {
	var where []sql.Expression
	for rel := g.First; ; {
		var node sql.Node
		switch x := rel.(type) {
		case *memo.Filter:
			where = append(where, x.Filters...)
			rel = x.Child.First
			continue
		case *memo.Project:
			rel = x.Child.First
			continue
		case *memo.Distinct:
			rel = x.Child.First
			continue
		case *memo.TableScan:
			node = x.Table
		case *memo.TableAlias:
			node = x.Table
		}
		if node != nil {
			if e, ok := connector.EstimateTable(ctx, node, where); ok {
				return side{units: e.ReadUnits, rows: e.Rows, table: true, estimate: e}
			}
		}
		return side{rows: float64(g.RelProps.GetStats().RowCount())}
	}
}
