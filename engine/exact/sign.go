package exact

import (
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "github.com/dynasql/dynasql/engine/function"
)

// newSign makes SIGN. The library's takes a number between -1 and 1 for 0.
func newSign(ctx *sql.Context, e sql.Expression) sql.Expression {
	if !types.IsDecimal(e.Type(ctx)) {
		return function.NewSign(ctx, e)
	}
	return &scalar{Called: own.Called{Name: "sign", Args: []sql.Expression{e}},
		typ: func(*sql.Context, []sql.Expression) sql.Type { return types.Int64 },
		eval: func(_ *sql.Context, v []*apd.Decimal) (*apd.Decimal, error) {
			return apd.New(int64(v[0].Sign()), 0), nil
		}}
}
