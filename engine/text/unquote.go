package text

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/json"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// unquoted is JSON_UNQUOTE, and so ->>. Of a document that is no string the
// library takes the escapes out as well, which leaves no document.
type unquoted struct{ *json.JSONUnquote }

// Unquoted returns what stands in place of the library's JSON_UNQUOTE.
func Unquoted(library *json.JSONUnquote) sql.Expression { return unquoted{library} }

// WithChildren implements sql.Expression.
func (u unquoted) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := u.JSONUnquote.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return unquoted{e.(*json.JSONUnquote)}, nil
}

// Eval implements sql.Expression.
func (u unquoted) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if !types.IsJSON(u.Child.Type(ctx)) {
		return u.JSONUnquote.Eval(ctx, row)
	}
	v, err := u.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	w, ok := v.(sql.JSONWrapper)
	if !ok {
		return u.JSONUnquote.Eval(ctx, row)
	}
	value, err := w.ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	if s, ok := value.(string); ok {
		return s, nil
	}
	return types.JsonToMySqlString(ctx, types.JSONDocument{Val: value})
}
