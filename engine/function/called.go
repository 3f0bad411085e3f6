package function

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// Called is what calls of functions have in common: a name and arguments.
type Called struct {
	Name string
	Args []sql.Expression
}

// FunctionName implements sql.FunctionExpression.
func (c Called) FunctionName() string { return c.Name }

// IsNullable implements sql.Expression.
func (c Called) IsNullable(*sql.Context) bool { return true }

// Children implements sql.Expression.
func (c Called) Children() []sql.Expression { return c.Args }

// Resolved implements sql.Expression.
func (c Called) Resolved() bool {
	for _, a := range c.Args {
		if !a.Resolved() {
			return false
		}
	}
	return true
}

func (c Called) String() string {
	texts := make([]string, len(c.Args))
	for i, a := range c.Args {
		texts[i] = a.String()
	}
	return c.Name + "(" + strings.Join(texts, ",") + ")"
}

// With is the call with other arguments, of which there must be as many.
func (c Called) With(args []sql.Expression) (Called, error) {
	if len(args) != len(c.Args) {
		return c, sql.ErrInvalidChildrenNumber.New(c, len(args), len(c.Args))
	}
	return Called{c.Name, args}, nil
}
