package engine

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exec"
)

// sortedAndCut sorts and then cuts where a limit is large; nil leaves the node as
// it is. The library's operator fails on LIMIT 10, 18446744073709551615, by which
// MySQL's manual skips rows.
func sortedAndCut(ctx *sql.Context, n *plan.TopN) (sql.Node, error) {
	v, err := n.Limit.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	converted, _, err := types.Int64.Convert(ctx, v)
	limit, ok := converted.(int64)
	if err != nil || !ok || limit >= 0 && limit <= exec.MostTop {
		return nil, err
	}
	if limit < 0 { // the sum of limit and offset went beyond 64 bits
		limit = math.MaxInt64
	}
	cut := plan.NewLimit(expression.NewLiteral(limit, types.Int64), plan.NewSort(n.Fields, n.Child))
	return cut.WithCalcFoundRows(n.CalcFoundRows), nil
}
