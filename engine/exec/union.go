package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
)

// unionAll is UNION ALL of two sides whose rows can be had as texts. Nothing of the
// right side is read before the left one has ended.
type unionAll struct {
	sides [2]writer
	at    int   // of the sides
	left  int64 // rows that will still be asked for; 0 for all
}

// unionOf returns nil where the rows of a set operation have to be made.
func unionOf(ctx *sql.Context, library sql.NodeExecBuilder, n *plan.SetOp) writer {
	if n.SetOpType != plan.UnionType || n.Distinct || len(n.SortFields) > 0 || n.Offset != nil {
		return nil
	}
	left, right := n.Left().Schema(ctx), n.Right().Schema(ctx)
	if len(left) != len(right) {
		return nil
	}
	for i, c := range left {
		if texts := types.IsTextOnly(c.Type) && types.IsTextOnly(right[i].Type); !texts && !c.Type.Equals(right[i].Type) {
			return nil
		}
	}
	u := &unionAll{}
	for i, side := range []sql.Node{n.Left(), n.Right()} {
		if u.sides[i] = writerOf(ctx, library, side); u.sides[i] == nil {
			return nil
		}
	}
	if n.Limit == nil {
		return u
	}
	limit, ok := connector.Count(ctx, n.Limit)
	if !ok {
		return nil
	}
	return newCut(u, 0, limit)
}

func (u *unionAll) stopAfter(rows int64) {
	if u.left = rows; rows > 0 {
		u.sides[u.at].stopAfter(rows)
	}
}

// NextValueRow implements writer.
func (u *unionAll) NextValueRow(ctx *sql.Context) (sql.ValueRow, error) {
	row, err := u.sides[u.at].NextValueRow(ctx)
	if err == io.EOF && u.at == 0 {
		if err := u.sides[0].Close(ctx); err != nil {
			return nil, err
		}
		u.at, u.sides[0] = 1, nil
		u.stopAfter(u.left)
		row, err = u.sides[1].NextValueRow(ctx)
	}
	if u.left > 0 {
		u.left--
	}
	return row, err
}

// Close implements writer.
func (u *unionAll) Close(ctx *sql.Context) error {
	var failed error
	for _, side := range u.sides {
		if side != nil {
			failed = errOr(failed, side.Close(ctx))
		}
	}
	return failed
}
