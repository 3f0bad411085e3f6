package exact

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
)

// A document is a JSON document that a JSON function is given. The library
// reads texts so that integers lose digits, and compares their numbers as
// floating-point ones.
type document struct{ expression.UnaryExpressionStub }

// Type implements sql.Expression.
func (document) Type(*sql.Context) sql.Type { return types.JSON }

// Eval implements sql.Expression. A text that is not JSON stays what it is,
// for the function to refuse it.
func (d *document) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	if text, ok := v.(string); ok {
		if value, err := codec.ParseJSON(text); err == nil {
			return codec.PlainDocument(value), nil
		}
	}
	return v, nil
}

func (d *document) String() string { return d.Child.String() }

// WithChildren implements sql.Expression.
func (d *document) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(d, len(children), 1)
	}
	return newDocument(children[0]), nil
}

func newDocument(e sql.Expression) *document {
	return &document{expression.UnaryExpressionStub{Child: e}}
}

// documents says how many of a JSON function's first arguments are documents.
var documents = map[string]int{
	"json_extract": 1, "json_contains": 2, "json_contains_path": 1, "json_keys": 1, "json_length": 1, "json_search": 1,
	"json_set": 1, "json_insert": 1, "json_replace": 1, "json_remove": 1, "json_array_append": 1, "json_array_insert": 1,
	"json_overlaps": 2, "json_pretty": 1, "json_type": 1, "json_depth": 1, "json_value": 1,
	"json_merge": 99, "json_merge_patch": 99, "json_merge_preserve": 99,
}

// withDocuments makes the documents of a JSON function, or of a cast to JSON,
// ours; nil if there is none.
func withDocuments(ctx *sql.Context, e sql.Expression) sql.Expression {
	count := 0
	switch x := e.(type) {
	case *expression.Convert:
		if types.IsJSON(x.Type(ctx)) {
			count = 1
		}
	case sql.FunctionExpression:
		count = documents[strings.ToLower(x.FunctionName())]
	}
	if count == 0 {
		return nil
	}
	children := append([]sql.Expression(nil), e.Children()...)
	changed := false
	for i := range children[:min(count, len(children))] {
		if types.IsText(children[i].Type(ctx)) {
			children[i], changed = newDocument(children[i]), true
		}
	}
	return rebuilt(ctx, e, children, changed)
}

// rebuilt is an expression with other children; nil if they have not changed.
func rebuilt(ctx *sql.Context, e sql.Expression, children []sql.Expression, changed bool) sql.Expression {
	if !changed {
		return nil
	}
	out, err := e.WithChildren(ctx, children...)
	if err != nil {
		return nil
	}
	return out
}
