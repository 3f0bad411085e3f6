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
	if !ok {
		return nil
	}
	sides := []sql.Expression{c.Left(), c.Right()}
	if len(e.Children()) != 2 {
		return nil
	}
	changed := false
	for i, other := range []sql.Expression{sides[1], sides[0]} {
		if types.IsTextOnly(sides[i].Type(ctx)) && types.IsNumber(other.Type(ctx)) && !saysNumber(sides[i]) {
			sides[i], changed = own.AsExactNumber(ctx, sides[i]), true
		}
	}
	return rebuilt(ctx, e, sides, changed)
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
