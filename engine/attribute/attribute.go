// Package attribute has the SQL functions that tell what JSON cannot show of
// an attribute value: ddb_type, ddb_exists and ddb_size. They work on _item and
// _ddb alike, on columns of documents, and on what -> takes out of these.
package attribute

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
	engine "github.com/dynasql/dynasql/engine/function"
)

// Function returns the function of a name.
func Function(name string) (sql.Function, bool) {
	d, ok := described[strings.ToLower(name)]
	if !ok {
		return nil, false
	}
	return sql.FunctionN{Name: d.name, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < d.least || len(args) > 2 {
			return nil, sql.ErrInvalidArgumentNumber.New(d.name, d.arguments, len(args))
		}
		return &function{engine.Called{Name: d.name, Args: args}, d}, nil
	}}, true
}

// A description is what the functions differ in. Find looks at the value at
// the path, which is nil if there is none; size at the document without a path.
type description struct {
	name, about, arguments string
	least                  int
	typ                    sql.Type
	of                     func(codec.Document, string, bool) (any, error)
}

var described = map[string]*description{
	"ddb_type": {
		"ddb_type", "returns the DynamoDB type of a value, such as S, N, SS or NULL; missing if there is no such attribute", "1 or 2", 1,
		types.MustCreateStringWithDefaults(sqltypes.VarChar, 7), typeOf,
	},
	"ddb_exists": {
		"ddb_exists", "returns 1 if there is an attribute at the path, even one of type NULL, and 0 if there is none", "2", 2,
		types.Boolean, exists,
	},
	"ddb_size": {
		"ddb_size", "returns the size of an item or a value in bytes, as DynamoDB counts it", "1 or 2", 1,
		types.Int64, sizeOf,
	},
}

func typeOf(d codec.Document, path string, hasPath bool) (any, error) {
	v := d.Attribute()
	if hasPath {
		var err error
		if v, err = d.Find(path); err != nil {
			return nil, err
		}
	}
	return codec.KindOf(v).String(), nil
}

func exists(d codec.Document, path string, _ bool) (any, error) {
	v, err := d.Find(path)
	return codec.KindOf(v) != schema.Missing, err
}

func sizeOf(d codec.Document, path string, hasPath bool) (any, error) {
	if !hasPath {
		return d.Size(), nil
	}
	v, err := d.Find(path)
	if err != nil || v == nil {
		return nil, err
	}
	return codec.ValueSize(v), nil
}

// A function is a call of one of them.
type function struct {
	engine.Called
	*description
}

var (
	_ sql.FunctionExpression = (*function)(nil)
	_ sql.CollationCoercible = (*function)(nil)
)

// Description implements sql.FunctionExpression.
func (f *function) Description() string { return f.about }

// Type implements sql.Expression.
func (f *function) Type(*sql.Context) sql.Type { return f.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (f *function) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (f *function) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	c, err := f.With(children)
	return &function{c, f.description}, err
}

// Eval implements sql.Expression. The result is NULL if an argument is.
func (f *function) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := f.Args[0].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	doc, err := f.document(ctx, v)
	if err != nil {
		return nil, err
	}
	if len(f.Args) == 1 {
		return f.of(doc, "", false)
	}
	path, err := f.Args[1].Eval(ctx, row)
	if err != nil || path == nil {
		return nil, err
	}
	if path, err = sql.UnwrapAny(ctx, path); err != nil {
		return nil, err
	}
	text, ok := path.(string)
	if !ok {
		return nil, fmt.Errorf("the path of %s is a text: an attribute's name or a JSON path such as '$.a.b'", f.Name)
	}
	return f.of(doc, text, true)
}

// document is the first argument as a document. A column of scalars has lost
// what the function is to tell.
func (f *function) document(ctx *sql.Context, v any) (codec.Document, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return codec.Document{}, err
	}
	switch v := v.(type) {
	case codec.Document:
		return v, nil
	case sql.JSONWrapper:
		value, err := v.ToInterface(ctx)
		return codec.PlainDocument(value), err
	}
	return codec.Document{}, fmt.Errorf("the first argument of %s is a JSON document, such as _item; write %s(_item, 'attribute')", f.Name, f.Name)
}
