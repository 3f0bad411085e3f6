package exact

import (
	"bytes"
	"encoding/json"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
)

// A pretty is JSON_PRETTY; the library's writes exact numbers as strings.
type pretty struct{ expression.UnaryExpressionStub }

var _ sql.FunctionExpression = (*pretty)(nil)

func newPretty(_ *sql.Context, e sql.Expression) sql.Expression {
	return &pretty{expression.UnaryExpressionStub{Child: e}}
}

// FunctionName implements sql.FunctionExpression.
func (p *pretty) FunctionName() string { return "json_pretty" }

// Description implements sql.FunctionExpression.
func (p *pretty) Description() string { return "prints a JSON document with line breaks." }

// Type implements sql.Expression.
func (p *pretty) Type(*sql.Context) sql.Type { return types.LongText }

func (p *pretty) String() string { return call("json_pretty", p.Children()) }

// WithChildren implements sql.Expression.
func (p *pretty) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(p, len(children), 1)
	}
	return newPretty(ctx, children[0]), nil
}

// Eval implements sql.Expression.
func (p *pretty) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	c := contains{[]sql.Expression{p.Child}}
	doc, err := c.document(ctx, row, 0)
	if err != nil || doc == nil {
		return nil, err
	}
	v, err := doc.ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(codec.PlainDocument(v).String()), "", "  "); err != nil {
		return nil, err
	}
	return out.String(), nil
}
