package function

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/dynasql/dynasql/connector/codec"
)

// Names of functions that the parser puts in place of what has a syntax of its
// own.
const (
	MemberOf  = "ddb_member_of"  // (value, document): value MEMBER OF(document)
	JSONValue = "ddb_json_value" // (document, path, type, on empty, default, on error, default)
)

// documents are functions of JSON documents.
var documents = map[string]definition{
	"json_contains": {least: 2, most: 3, typ: boolean, eval: contains},
	"json_pretty":   {least: 1, most: 1, typ: text, eval: pretty},
	MemberOf:        {least: 2, most: 2, typ: boolean, eval: memberOf},
	"json_overlaps": {least: 2, most: 2, typ: boolean, eval: overlaps},
	"json_value":    {least: 2, most: 2, typ: text, eval: jsonValue},
	JSONValue:       {least: 7, most: 7, typ: jsonValueType, eval: jsonValueAs, takesNull: true},
}

// document is an argument as a JSON document: one, or a text that is one.
func (c *call) document(i int) (codec.Document, error) {
	switch v := c.values[i].(type) {
	case codec.Document:
		return v, nil
	case sql.JSONWrapper:
		value, err := v.ToInterface(c.ctx)
		return codec.PlainDocument(value), err
	case string:
		value, err := codec.ParseJSON(v)
		if err != nil {
			return codec.Document{}, invalidText(i+1, c.scalar.shownName(), err)
		}
		return codec.PlainDocument(value), nil
	}
	return codec.Document{}, mysql.NewSQLError(3146, "22032",
		"Invalid data type for JSON data in argument %d to function %s; a JSON string or JSON type is required.", i+1, c.scalar.shownName())
}

func invalidText(argument int, function string, err error) error {
	return mysql.NewSQLError(3141, "22032", "Invalid JSON text in argument %d to function %s: %s", argument, function, err)
}

// shownName is the name of a function in messages.
func (s *scalar) shownName() string {
	switch s.Name {
	case MemberOf:
		return "member of"
	case JSONValue:
		return "json_value"
	}
	return s.Name
}

// plain is an argument as a value of a JSON document.
func (c *call) plain(i int) (any, error) {
	d, err := c.document(i)
	if err != nil {
		return nil, err
	}
	return d.ToInterface(c.ctx)
}

// scalarValue is an argument as a JSON value, where a text is a string and no
// document.
func (c *call) scalarValue(i int) (any, error) {
	switch v := c.values[i].(type) {
	case sql.JSONWrapper:
		return v.ToInterface(c.ctx)
	case []byte:
		return string(v), nil
	case int8:
		if types.IsBoolean(c.typeOf(i)) {
			return v != 0, nil
		}
	}
	if t := c.typeOf(i); types.IsTime(t) || types.IsTimespan(t) {
		return c.text(i)
	}
	return c.values[i], nil
}

// memberOf is value MEMBER OF(document): whether the value is an element of the
// array, or the document itself if it is none.
func memberOf(c *call) (any, error) {
	value, err := c.scalarValue(0)
	if err != nil {
		return nil, err
	}
	document, err := c.plain(1)
	if err != nil {
		return nil, err
	}
	for _, e := range elements(document) {
		if codec.ComparePlain(e, value) == 0 {
			return true, nil
		}
	}
	return false, nil
}

// elements are those of an array; any other value is its own only one.
func elements(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// overlaps is JSON_OVERLAPS: whether two arrays have an element in common, two
// objects a member, or two scalars are equal. A scalar or an object beside an
// array is an array of one.
func overlaps(c *call) (any, error) {
	a, err := c.plain(0)
	if err != nil {
		return nil, err
	}
	b, err := c.plain(1)
	if err != nil {
		return nil, err
	}
	x, isObject := a.(map[string]any)
	y, areObjects := b.(map[string]any)
	if isObject && areObjects {
		for name, e := range x {
			if other, ok := y[name]; ok && codec.ComparePlain(e, other) == 0 {
				return true, nil
			}
		}
		return false, nil
	}
	for _, e := range elements(a) {
		for _, other := range elements(b) {
			if codec.ComparePlain(e, other) == 0 {
				return true, nil
			}
		}
	}
	return false, nil
}
