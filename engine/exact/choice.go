package exact

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
)

// A choice is CASE, IF, IFNULL or COALESCE with a decimal result. The library
// converts what is chosen to DECIMAL(65,30), by which it loses digits.
type choice struct{ sql.Expression }

var _ sql.CollationCoercible = choice{}

func isChoice(e sql.Expression) bool {
	switch e.(type) {
	case *expression.Case, *function.If, *function.IfNull, *function.Coalesce:
		return true
	}
	return false
}

// Eval implements sql.Expression.
func (c choice) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	chosen, err := c.chosen(ctx, row)
	if err != nil || chosen == nil {
		return nil, err
	}
	v, err := chosen.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return toDecimalOrNil(ctx, v)
}

// toDecimalOrNil is toDecimal with NULL as an untyped nil.
func toDecimalOrNil(ctx *sql.Context, v any) (any, error) {
	d, err := toDecimal(ctx, v)
	if d == nil || err != nil {
		return nil, err
	}
	return d, nil
}

// chosen is the expression whose value is the result; nil stands for NULL.
func (c choice) chosen(ctx *sql.Context, row sql.Row) (sql.Expression, error) {
	args := c.Children()
	switch e := c.Expression.(type) {
	case *expression.Case:
		return chosenCase(ctx, e, row)
	case *function.If:
		ok, err := truth(ctx, args[0], row)
		if ok {
			return args[1], err
		}
		return args[2], err
	}
	for _, arg := range args {
		v, err := arg.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if v != nil {
			return expression.NewLiteral(v, arg.Type(ctx)), nil
		}
	}
	return nil, nil
}

func chosenCase(ctx *sql.Context, c *expression.Case, row sql.Row) (sql.Expression, error) {
	for _, b := range c.Branches {
		condition := b.Cond
		if c.Expr != nil {
			condition = expression.NewEquals(c.Expr, b.Cond)
		}
		ok, err := truth(ctx, condition, row)
		if err != nil {
			return nil, err
		}
		if ok {
			return b.Value, nil
		}
	}
	return c.Else, nil
}

func truth(ctx *sql.Context, e sql.Expression, row sql.Row) (bool, error) {
	v, err := sql.EvaluateCondition(ctx, e, row)
	return sql.IsTrue(v), err
}

// WithChildren implements sql.Expression.
func (c choice) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := c.Expression.WithChildren(ctx, children...)
	return choice{e}, err
}

// CollationCoercibility implements sql.CollationCoercible.
func (c choice) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, c.Expression)
}

func (c choice) String() string { return fmt.Sprint(c.Expression) }
