package engine

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// assignFunction is what @a := x becomes, which the grammar lacks.
const assignFunction = "ddb_assign"

// assignments writes @a := x as a call of assignFunction. An assignment binds
// less than any operator; it ends where its list, its brackets, its CASE or its
// clause does.
func assignments(query string) string {
	tokens := lex(query)
	var out strings.Builder
	var open []int // for each assignment not yet closed, its depth
	depth := 0
	closeTo := func(d int) {
		for len(open) > 0 && open[len(open)-1] >= d {
			out.WriteByte(')')
			open = open[:len(open)-1]
		}
	}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch word := strings.ToUpper(t); {
		case word == "CASE", t == "(":
			depth++
		case word == "END", t == ")":
			closeTo(depth)
			depth--
		case t == ";": // the next statement is not this one's business
			closeTo(0)
			return out.String() + strings.Join(tokens[i:], "")
		case t == ",", endsExpression[word]:
			closeTo(depth)
		case strings.HasPrefix(t, "@") && !strings.HasPrefix(t, "@@") && followedByAssign(tokens, i):
			out.WriteString(assignFunction + "('" + strings.ReplaceAll(variableName(t), "'", "''") + "',")
			open = append(open, depth)
			for tokens[i] != ":=" {
				i++
			}
			continue
		}
		out.WriteString(t)
	}
	closeTo(0)
	return out.String()
}

// endsExpression are the words at which an expression in a list or a clause is
// over.
var endsExpression = map[string]bool{
	"AS": true, "WHEN": true, "THEN": true, "ELSE": true, "FROM": true, "WHERE": true, "GROUP": true, "ORDER": true,
	"HAVING": true, "LIMIT": true, "UNION": true, "INTO": true, "FOR": true, "ASC": true, "DESC": true, "WINDOW": true,
}

func followedByAssign(tokens []string, i int) bool {
	for i++; i < len(tokens); i++ {
		if strings.TrimSpace(tokens[i]) != "" {
			return tokens[i] == ":="
		}
	}
	return false
}

func variableName(token string) string { return strings.Trim(token[1:], "`'\"") }

// assign sets a user variable and gives its value.
type assign struct {
	expression.BinaryExpressionStub
}

var (
	_ sql.FunctionExpression         = (*assign)(nil)
	_ sql.NonDeterministicExpression = (*assign)(nil)
)

func newAssign(_ *sql.Context, name, value sql.Expression) sql.Expression {
	return &assign{expression.BinaryExpressionStub{LeftChild: name, RightChild: value}}
}

// FunctionName implements sql.FunctionExpression.
func (a *assign) FunctionName() string { return assignFunction }

// Description implements sql.FunctionExpression.
func (a *assign) Description() string { return "sets a user variable and returns its value" }

// IsNonDeterministic implements sql.NonDeterministicExpression.
func (a *assign) IsNonDeterministic() bool { return true }

// Type implements sql.Expression.
func (a *assign) Type(ctx *sql.Context) sql.Type { return a.RightChild.Type(ctx) }

// String implements sql.Expression.
func (a *assign) String() string {
	return fmt.Sprintf("@%s := %s", strings.Trim(a.LeftChild.String(), "'"), a.RightChild)
}

// Eval implements sql.Expression.
func (a *assign) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	name, err := a.LeftChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	v, err := a.RightChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	return v, ctx.SetUserVariable(ctx, fmt.Sprint(name), v, a.Type(ctx))
}

// WithChildren implements sql.Expression.
func (a *assign) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(a, len(children), 2)
	}
	return newAssign(ctx, children[0], children[1]), nil
}
