package exact

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

func jsonType(*sql.Context, []sql.Expression) sql.Type { return types.JSON }

// collected is JSON_ARRAYAGG, or with names JSON_OBJECTAGG, where of equal names
// the last counts. Without rows both are NULL; the library's array is empty.
type collected struct {
	name, of sql.Expression // name is nil for an array
	list     []any
	members  map[string]any
}

func newArray(_ *sql.Context, args []sql.Expression) (sql.AggregationBuffer, error) {
	return &collected{of: args[0]}, nil
}

func newObject(_ *sql.Context, args []sql.Expression) (sql.AggregationBuffer, error) {
	return &collected{name: args[0], of: args[1], members: map[string]any{}}, nil
}

// Update implements sql.AggregationBuffer.
func (c *collected) Update(ctx *sql.Context, row sql.Row) error {
	v, err := c.of.Eval(ctx, row)
	if err != nil {
		return err
	}
	if v, err = insideDocument(ctx, v, c.of.Type(ctx)); err != nil {
		return err
	}
	if c.name == nil {
		c.list = append(c.list, v)
		return nil
	}
	name, err := c.name.Eval(ctx, row)
	if err != nil {
		return err
	}
	if name == nil {
		return sql.ErrJSONObjectAggNullKey.New()
	}
	text, err := textOf(ctx, name, c.name.Type(ctx))
	c.members[text] = v
	return err
}

// insideDocument is a value as a part of a document: a decimal is a number,
// which in a literal of the library is a text.
func insideDocument(ctx *sql.Context, v any, t sql.Type) (any, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, err
	}
	if doc, ok := v.(sql.JSONWrapper); ok {
		return doc.ToInterface(ctx)
	}
	if _, text := v.(string); text && types.IsDecimal(t) {
		return toDecimal(ctx, v)
	}
	return v, nil
}

// Eval implements sql.AggregationBuffer.
func (c *collected) Eval(*sql.Context) (any, error) {
	switch {
	case c.name != nil && len(c.members) > 0:
		return types.JSONDocument{Val: c.members}, nil
	case len(c.list) > 0:
		return types.JSONDocument{Val: c.list}, nil
	}
	return nil, nil
}

// Dispose implements sql.Disposable.
func (c *collected) Dispose(ctx *sql.Context) {
	if c.name != nil {
		expression.Dispose(ctx, c.name)
	}
	expression.Dispose(ctx, c.of)
}
