package text

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// field is FIELD(text, ..) of texts: the place of the first that is equal, from
// 1, or 0. The library ignores case whatever the collation.
type field struct{ *function.Field }

func newField(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	e, err := function.NewField(ctx, args...)
	if err != nil {
		return nil, err
	}
	return field{e.(*function.Field)}, nil
}

// WithChildren implements sql.Expression.
func (f field) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newField(ctx, children...)
}

// Eval implements sql.Expression.
func (f field) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	args := f.Children()
	for _, a := range args {
		if !types.IsTextOnly(a.Type(ctx)) || ignoresCase(ctx, args[0], a) {
			return f.Field.Eval(ctx, row)
		}
	}
	text, null, err := textOf(ctx, args[0], row)
	if null || err != nil {
		return int64(0), err
	}
	for i, a := range args[1:] {
		other, null, err := textOf(ctx, a, row)
		if err != nil {
			return nil, err
		}
		if !null && other == text {
			return int64(i + 1), nil
		}
	}
	return int64(0), nil
}
