package exact

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	own "github.com/dynasql/dynasql/engine/function"
)

// A joined is CONCAT or CONCAT_WS, of which the library makes texts of any length:
// beyond that of max_allowed_packet they are NULL, as in MySQL.
type joined struct{ sql.Expression }

func isConcat(e sql.Expression) bool {
	switch e.(type) {
	case *function.Concat, *function.ConcatWithSeparator:
		return true
	}
	return false
}

// Eval implements sql.Expression.
func (j joined) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := j.Expression.Eval(ctx, row)
	if s, ok := v.(string); ok && len(s) > own.MostBytes {
		own.TooLong(ctx, j.Expression.(sql.FunctionExpression).FunctionName())
		return nil, err
	}
	return v, err
}

// WithChildren implements sql.Expression.
func (j joined) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := j.Expression.WithChildren(ctx, children...)
	return joined{e}, err
}

// CollationCoercibility implements sql.CollationCoercible.
func (j joined) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, j.Expression)
}

func (j joined) String() string { return fmt.Sprint(j.Expression) }
