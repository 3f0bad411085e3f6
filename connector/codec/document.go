package codec

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/dolthub/go-mysql-server/sql"
	sqltypes "github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
)

// A Document is a JSON value to the SQL engine, and still knows which
// attribute value it shows, so that a string can be told from a binary value
// and a set from a list. Its numbers keep every digit. It is immutable.
type Document struct {
	tree   page.Document        // a map, list or set, or a whole item
	wire   bool                 // the tree is shown as DynamoDB JSON
	item   bool                 // the tree is a whole item
	scalar types.AttributeValue // an attribute value of another kind
	value  any                  // what is only JSON, where there is neither
}

var (
	_ sql.JSONWrapper         = Document{}
	_ sqltypes.SearchableJSON = Document{}
	_ sqltypes.ComparableJSON = Document{}
	_ sqltypes.JSONBytes      = Document{}
)

// NewDocument shows an attribute value as JSON.
func NewDocument(v types.AttributeValue) Document {
	if tree, ok := page.DocumentOf(v); ok {
		return Document{tree: tree}
	}
	return Document{scalar: v}
}

// PlainDocument is a JSON value: nil, bool, string, number, []any or
// map[string]any.
func PlainDocument(value any) Document { return Document{value: value} }

// ItemJSON is the whole item as one JSON document of plain values.
func ItemJSON(item map[string]types.AttributeValue) Document {
	tree, _ := page.DocumentOf(&types.AttributeValueMemberM{Value: item})
	return Document{tree: tree, item: true}
}

// WireJSON is the whole item as DynamoDB JSON: every value under its type
// descriptor, numbers as strings, so that nothing is lost.
func WireJSON(item map[string]types.AttributeValue) Document {
	d := ItemJSON(item)
	d.wire = true
	return d
}

func (d Document) isTree() bool { return d.tree.Kind() != schema.Missing }

// Attribute returns the attribute value that the document shows; of one that is
// only JSON, the value it would be.
func (d Document) Attribute() types.AttributeValue {
	switch {
	case d.isTree():
		return d.tree.Attribute()
	case d.scalar != nil:
		return d.scalar
	}
	return attributeOrNull(d.value)
}

// Size is the document's size in bytes by DynamoDB's accounting; of an item it
// is what the 400 KB of an item and its read units are counted in.
func (d Document) Size() int64 {
	v := d.Attribute()
	if item, ok := v.(*types.AttributeValueMemberM); ok && d.item {
		return ItemSize(item.Value)
	}
	return ValueSize(v)
}

// plain is the document as the engine's functions take it apart. It is new
// each time unless the document is only JSON.
func (d Document) plain() any {
	switch {
	case d.isTree():
		return plainTree(d.tree, d.wire)
	case d.scalar != nil:
		return plainScalar(d.scalar)
	}
	return d.value
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
func (d Document) GetBytes(context.Context) ([]byte, error) {
	if d.isTree() {
		return appendTree(make([]byte, 0, d.tree.Bytes()), d.tree, d.wire), nil
	}
	return appendJSON(nil, d.plain())
}

func (d Document) String() string {
	text, err := d.GetBytes(context.Background())
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
	if !d.isTree() && d.scalar == nil || d.wire {
		v, ok := stepsInto(d.plain(), steps, childOfPlain)
		if !ok {
			return nil, nil
		}
		return Document{value: v}, nil
	}
	found, ok := stepsInto(d, steps, Document.child)
	if !ok {
		return nil, nil
	}
	return found, nil
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
	if !d.isTree() && d.scalar == nil {
		v, ok := stepsInto(d.value, steps, childOfPlain)
		if !ok {
			return nil, nil
		}
		return attributeOrNull(v), nil
	}
	found, ok := stepsInto(d, steps, Document.child)
	if !ok {
		return nil, nil
	}
	return found.Attribute(), nil
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

// child follows a step into an attribute value. As in MySQL, what is no list and
// no set is its own only element.
func (d Document) child(s step) (Document, bool) {
	kind := d.tree.Kind()
	if s.kind == element {
		if kind == schema.Missing || kind == schema.M {
			_, ok := s.at(1)
			return d, ok
		}
		return d.elementAt(s)
	}
	var found Document
	ok := false
	if kind == schema.M {
		d.tree.Each(func(e page.Element) bool {
			if string(e.Name) == s.name {
				found, ok = documentOf(e), true
			}
			return true
		})
	}
	return found, ok
}

func (d Document) elementAt(s step) (Document, bool) {
	index := s.index
	if index < 0 {
		length := 0
		d.tree.Each(func(page.Element) bool { length++; return true })
		var ok bool
		if index, ok = s.at(length); !ok {
			return Document{}, false
		}
	}
	var found Document
	ok := false
	d.tree.Each(func(e page.Element) bool {
		if index == 0 {
			found, ok = documentOf(e), true
		}
		index--
		return !ok
	})
	return found, ok
}

// documentOf is an element of a document as a document of its own.
func documentOf(e page.Element) Document {
	if tree := e.Document(); tree.Kind() != schema.Missing {
		return Document{tree: tree}
	}
	return Document{scalar: scalarOf(e)}
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
