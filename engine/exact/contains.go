package exact

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
)

// A contains is JSON_CONTAINS(target, candidate[, path]); the library's does
// not know numbers with digits behind the point, and forgets digits.
type contains struct{ args []sql.Expression }

var (
	_ sql.FunctionExpression = (*contains)(nil)
	_ sql.CollationCoercible = (*contains)(nil)
)

func newContains(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) != 2 && len(args) != 3 {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_CONTAINS", "2 or 3", len(args))
	}
	return &contains{args}, nil
}

// FunctionName implements sql.FunctionExpression.
func (c *contains) FunctionName() string { return "json_contains" }

// Description implements sql.FunctionExpression.
func (c *contains) Description() string {
	return "returns whether a JSON document contains another, at a path if one is given."
}

// Type implements sql.Expression.
func (c *contains) Type(*sql.Context) sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (c *contains) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (c *contains) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// Children implements sql.Expression.
func (c *contains) Children() []sql.Expression { return c.args }

// Resolved implements sql.Expression.
func (c *contains) Resolved() bool {
	for _, a := range c.args {
		if !a.Resolved() {
			return false
		}
	}
	return true
}

func (c *contains) String() string { return call("json_contains", c.args) }

func call(name string, args []sql.Expression) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.String()
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(texts, ","))
}

// WithChildren implements sql.Expression.
func (c *contains) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newContains(ctx, children...)
}

// Eval implements sql.Expression.
func (c *contains) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	target, err := c.document(ctx, row, 0)
	if err != nil || target == nil {
		return nil, err
	}
	candidate, err := c.document(ctx, row, 1)
	if err != nil || candidate == nil {
		return nil, err
	}
	if len(c.args) == 3 {
		if target, err = c.at(ctx, row, target); err != nil || target == nil {
			return nil, err
		}
	}
	t, err := target.ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	d, err := candidate.ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	return holds(t, d), nil
}

func (c *contains) document(ctx *sql.Context, row sql.Row, i int) (sql.JSONWrapper, error) {
	v, err := c.args[i].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case sql.JSONWrapper:
		return v, nil
	case string:
		value, err := codec.ParseJSON(v)
		if err != nil {
			return nil, sql.ErrInvalidJSONText.New(i+1, "json_contains", v)
		}
		return codec.PlainDocument(value), nil
	}
	return nil, sql.ErrInvalidJSONArgument.New(i+1, "json_contains")
}

func (c *contains) at(ctx *sql.Context, row sql.Row, target sql.JSONWrapper) (sql.JSONWrapper, error) {
	path, err := c.args[2].Eval(ctx, row)
	if err != nil || path == nil {
		return nil, err
	}
	text, ok := path.(string)
	if !ok {
		return nil, sql.ErrInvalidType.New(path)
	}
	if strings.Contains(text, "*") {
		return nil, fmt.Errorf("a path of JSON_CONTAINS has no wildcards: '%s'", text)
	}
	return types.LookupJSONValue(ctx, target, text)
}

// holds is MySQL's containment: an array holds an array if it holds each of
// its elements, and another value if an element holds it; an object holds an
// object if each of its members is held by that of the same name; a scalar
// holds its equal.
func holds(target, candidate any) bool {
	switch t := target.(type) {
	case []any:
		if list, ok := candidate.([]any); ok {
			for _, e := range list {
				if !anyHolds(t, e) {
					return false
				}
			}
			return true
		}
		return anyHolds(t, candidate)
	case map[string]any:
		members, ok := candidate.(map[string]any)
		if !ok {
			return false
		}
		for name, e := range members {
			own, ok := t[name]
			if !ok || !holds(own, e) {
				return false
			}
		}
		return true
	}
	switch candidate.(type) {
	case []any, map[string]any:
		return false
	}
	return codec.ComparePlain(target, candidate) == 0
}

func anyHolds(list []any, candidate any) bool {
	for _, e := range list {
		if holds(e, candidate) {
			return true
		}
	}
	return false
}
