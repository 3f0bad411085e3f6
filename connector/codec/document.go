package codec

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/dolthub/go-mysql-server/sql"
	sqltypes "github.com/dolthub/go-mysql-server/sql/types"
)

// A Document is a JSON value to the SQL engine, and still knows which
// attribute value it shows, so that a string can be told from a binary value
// and a set from a list. Its numbers keep every digit. It is immutable.
type Document struct {
	attribute types.AttributeValue // nil for a value that is only JSON
	value     any                  // what is only JSON
	item      bool                 // the attribute is a whole item
	wire      bool                 // shown as DynamoDB JSON
}

var (
	_ sql.JSONWrapper         = Document{}
	_ sqltypes.SearchableJSON = Document{}
	_ sqltypes.ComparableJSON = Document{}
	_ sqltypes.JSONBytes      = Document{}
)

// NewDocument shows an attribute value as JSON.
func NewDocument(v types.AttributeValue) Document { return Document{attribute: v} }

// PlainDocument is a JSON value: nil, bool, string, number, []any or
// map[string]any.
func PlainDocument(value any) Document { return Document{value: value} }

// ItemJSON is the whole item as one JSON document of plain values.
func ItemJSON(item map[string]types.AttributeValue) Document {
	return Document{attribute: &types.AttributeValueMemberM{Value: item}, item: true}
}

// WireJSON is the whole item as DynamoDB JSON: every value under its type
// descriptor, numbers as strings, so that nothing is lost.
func WireJSON(item map[string]types.AttributeValue) Document {
	return Document{attribute: &types.AttributeValueMemberM{Value: item}, item: true, wire: true}
}

// Attribute returns the attribute value that the document shows; of one that is
// only JSON, the value it would be.
func (d Document) Attribute() types.AttributeValue {
	if d.attribute != nil {
		return d.attribute
	}
	return attributeOrNull(d.value)
}

// Size is the document's size in bytes by DynamoDB's accounting; of an item it
// is what the 400 KB of an item and its read units are counted in.
func (d Document) Size() int64 {
	if item, ok := d.attribute.(*types.AttributeValueMemberM); ok && d.item {
		return ItemSize(item.Value)
	}
	return ValueSize(d.Attribute())
}

// plain is the document as the engine's functions take it apart. It is new
// each time unless the document is only JSON.
func (d Document) plain() any {
	switch {
	case d.attribute == nil:
		return d.value
	case d.wire:
		if item, ok := d.attribute.(*types.AttributeValueMemberM); ok {
			return wireMap(item.Value)
		}
		return wire(d.attribute)
	}
	return plain(d.attribute)
}

// ToInterface implements sql.JSONWrapper.
func (d Document) ToInterface(context.Context) (any, error) { return d.plain(), nil }

// Clone implements sql.JSONWrapper.
func (d Document) Clone(context.Context) sql.JSONWrapper {
	return sqltypes.JSONDocument{Val: copied(d.plain())}
}

// copied copies maps and lists; the engine's own copy forgets exact numbers.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, e := range v {
			out[name] = copied(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = copied(e)
		}
		return out
	}
	return v
}

// GetBytes implements sqltypes.JSONBytes: the text that MySQL writes.
func (d Document) GetBytes(context.Context) ([]byte, error) { return appendJSON(nil, d.plain()) }

func (d Document) String() string {
	text, err := appendJSON(nil, d.plain())
	if err != nil {
		return ""
	}
	return string(text)
}

// Lookup implements sqltypes.SearchableJSON. A path that finds nothing gives
// no value.
func (d Document) Lookup(ctx context.Context, path string) (sql.JSONWrapper, error) {
	steps, ok := parsePath(path)
	switch {
	case !ok:
		return d.byEngine(ctx, path)
	case !single(steps):
		if found := search(d.plain(), steps); len(found) > 0 {
			return Document{value: found}, nil
		}
		return nil, nil
	}
	if d.attribute == nil || d.wire {
		v, ok := stepsInto(d.plain(), steps, childOfPlain)
		if !ok {
			return nil, nil
		}
		return Document{value: v}, nil
	}
	v, ok := stepsInto(d.attribute, steps, childOfAttribute)
	if !ok {
		return nil, nil
	}
	return Document{attribute: v}, nil
}

// byEngine leaves a path to the engine: a wrong one, for its error.
func (d Document) byEngine(ctx context.Context, path string) (sql.JSONWrapper, error) {
	found, err := (sqltypes.JSONDocument{Val: d.plain()}).Lookup(ctx, path)
	if err != nil {
		return nil, err
	}
	if doc, ok := found.(sqltypes.JSONDocument); ok {
		return Document{value: doc.Val}, nil
	}
	return nil, nil
}

// Find follows a path to an attribute value: a JSON path such as $.a.b[0], or
// the name of an attribute. The error reports a path with wildcards.
func (d Document) Find(path string) (types.AttributeValue, error) {
	steps := []step{{name: path}}
	if strings.HasPrefix(path, "$") {
		var ok bool
		if steps, ok = parsePath(path); !ok || !single(steps) {
			return nil, &PathError{path}
		}
	}
	if d.attribute == nil {
		v, ok := stepsInto(d.value, steps, childOfPlain)
		if !ok {
			return nil, nil
		}
		return attributeOrNull(v), nil
	}
	v, _ := stepsInto(d.attribute, steps, childOfAttribute)
	return v, nil
}

// PathError reports a path that does not lead to one value.
type PathError struct{ Path string }

func (e *PathError) Error() string {
	return "the path '" + e.Path + "' does not name one value; a path is an attribute's name or like $.a.b[0], without wildcards"
}

// stepsInto follows steps down a value.
func stepsInto[T any](v T, steps []step, child func(T, step) (T, bool)) (T, bool) {
	for _, s := range steps {
		var ok bool
		if v, ok = child(v, s); !ok {
			var none T
			return none, false
		}
	}
	return v, true
}

func childOfAttribute(v types.AttributeValue, s step) (types.AttributeValue, bool) {
	if s.kind == element {
		return elementOf(v, s)
	}
	m, ok := v.(*types.AttributeValueMemberM)
	if !ok {
		return nil, false
	}
	child, ok := m.Value[s.name]
	return child, ok
}

// elementOf is an element of a list or a set. As in MySQL, anything else is
// its own only element.
func elementOf(v types.AttributeValue, s step) (types.AttributeValue, bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberL:
		return pick(v.Value, s, func(e types.AttributeValue) types.AttributeValue { return e })
	case *types.AttributeValueMemberSS:
		return pick(v.Value, s, func(e string) types.AttributeValue { return &types.AttributeValueMemberS{Value: e} })
	case *types.AttributeValueMemberNS:
		return pick(v.Value, s, func(e string) types.AttributeValue { return &types.AttributeValueMemberN{Value: e} })
	case *types.AttributeValueMemberBS:
		return pick(v.Value, s, func(e []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: e} })
	}
	_, ok := s.at(1)
	return v, ok && v != nil
}

func pick[T any](list []T, s step, as func(T) types.AttributeValue) (types.AttributeValue, bool) {
	i, ok := s.at(len(list))
	if !ok {
		return nil, false
	}
	return as(list[i]), true
}

func childOfPlain(v any, s step) (any, bool) {
	if s.kind == element {
		if list, ok := v.([]any); ok {
			i, ok := s.at(len(list))
			if !ok {
				return nil, false
			}
			return list[i], true
		}
		_, ok := s.at(1)
		return v, ok
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	child, ok := m[s.name]
	return child, ok
}
