package exact

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "github.com/dynasql/dynasql/engine/function"
)

// withTextsAsNumbers makes a text that is compared with a number the number at
// its beginning: the library takes '92eb5' for 0, since it stops at no exponent.
// It is nil for all other expressions.
func withTextsAsNumbers(ctx *sql.Context, e sql.Expression) sql.Expression {
	c, ok := e.(expression.Comparer)
	if !ok || len(e.Children()) != 2 {
		return nil
	}
	left, right := c.Left(), c.Right()
	switch l, r := left.Type(ctx), right.Type(ctx); {
	case types.IsTextOnly(l) && types.IsNumber(r) && !saysNumber(left):
		left = own.AsExactNumber(ctx, left)
	case types.IsNumber(l) && types.IsTextOnly(r) && !saysNumber(right):
		right = own.AsExactNumber(ctx, right)
	default:
		return nil
	}
	return rebuilt(ctx, e, []sql.Expression{left, right}, true)
}

// saysNumber reports whether an expression is a text that is a number as a whole.
func saysNumber(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	if !ok {
		return false
	}
	text, ok := l.Value().(string)
	return ok && own.NumberPrefix(text) == strings.TrimSpace(text)
}
