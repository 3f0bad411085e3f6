package dataset

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// maxNesting is how deep DynamoDB lets lists and maps nest.
const maxNesting = 32

// itemReader reads items.json.
type itemReader struct {
	cursor
	table *Table
	item  int            // number of the item at hand
	seen  map[string]int // number of the item with a key
	path  []string       // of the attribute at hand
	named bool           // the error names its attribute
}

func (s *Set) parseItems(text []byte) error {
	r := &itemReader{cursor: cursor{text: text}}
	r.object(func(name string) {
		i := slices.IndexFunc(s.Tables, func(t Table) bool { return t.Name == name })
		if i < 0 {
			r.fail("%s defines no table %q; it has %s", tablesFile, name, strings.Join(s.Names(), ", "))
			return
		}
		r.readTable(&s.Tables[i])
	})
	r.end()
	if r.err == nil {
		return nil
	}
	e := &Error{File: itemsFile, Line: lineAt(text, r.at), Item: r.item, Problem: r.err.Error()}
	if r.table != nil {
		e.Table = r.table.Name
	}
	return e
}

func (r *itemReader) readTable(t *Table) {
	r.table, r.seen = t, map[string]int{}
	if t.Items != nil {
		r.fail("the items of table %q are given twice", t.Name)
		return
	}
	t.Items = []ddb.Item{}
	r.array(func() {
		r.item++
		if item := r.request(); r.err == nil && r.check(item) {
			t.Items = append(t.Items, item)
		}
	})
	if r.err == nil {
		r.table, r.item = nil, 0
	}
}

// request reads {"PutRequest":{"Item":{..}}}.
func (r *itemReader) request() (item ddb.Item) {
	r.only("PutRequest", func() {
		r.only("Item", func() { item = r.attributes(0) })
	})
	return item
}

// only reads an object with exactly one member of a given name.
func (r *itemReader) only(name string, read func()) {
	n := 0
	r.object(func(got string) {
		if n++; got != name || n > 1 {
			r.fail("found %q where {%q: ..} must be", got, name)
			return
		}
		read()
	})
	if n == 0 {
		r.fail("found {} where {%q: ..} must be", name)
	}
}

func (r *itemReader) attributes(depth int) ddb.Item {
	item := ddb.Item{}
	r.object(func(name string) {
		if _, twice := item[name]; twice {
			r.fail("attribute %q is there twice", name)
			return
		}
		r.path = append(r.path, name)
		item[name] = r.value(depth)
		if r.err != nil && !r.named {
			r.named = true
			r.err = fmt.Errorf("attribute %q: %w", strings.Join(r.path, "."), r.err)
		}
		r.path = r.path[:len(r.path)-1]
	})
	return item
}

// value reads one attribute value, {"S": "text"} and so on.
func (r *itemReader) value(depth int) types.AttributeValue {
	var v types.AttributeValue
	if depth > maxNesting {
		r.fail("nested deeper than %d levels", maxNesting)
		return nil
	}
	n := 0
	r.object(func(tag string) {
		if n++; n > 1 {
			r.fail("a value has more than one type")
			return
		}
		v = r.content(tag, depth)
	})
	if n == 0 {
		r.fail("a value has no type; write {\"S\": \"text\"}, {\"N\": \"1\"} and so on")
	}
	return v
}

func (r *itemReader) content(tag string, depth int) types.AttributeValue {
	switch tag {
	case "S":
		return &types.AttributeValueMemberS{Value: r.string()}
	case "N":
		return &types.AttributeValueMemberN{Value: r.number()}
	case "B":
		return &types.AttributeValueMemberB{Value: r.binary()}
	case "BOOL":
		return &types.AttributeValueMemberBOOL{Value: r.bool()}
	case "NULL":
		if !r.bool() {
			r.fail("NULL must be true")
		}
		return &types.AttributeValueMemberNULL{Value: true}
	case "M":
		return &types.AttributeValueMemberM{Value: r.attributes(depth + 1)}
	case "L":
		list := []types.AttributeValue{}
		r.array(func() { list = append(list, r.value(depth+1)) })
		return &types.AttributeValueMemberL{Value: list}
	case "SS":
		return &types.AttributeValueMemberSS{Value: set(r, r.string, func(s string) string { return s })}
	case "NS":
		return &types.AttributeValueMemberNS{Value: set(r, r.number, numberKey)}
	case "BS":
		return &types.AttributeValueMemberBS{Value: set(r, r.binary, func(b []byte) string { return string(b) })}
	}
	r.fail("%q is no type of DynamoDB; the types are S, N, B, BOOL, NULL, M, L, SS, NS, BS", tag)
	return nil
}

// set reads the members of a set, of which there is at least one and none twice.
func set[T any](r *itemReader, read func() T, identity func(T) string) []T {
	var members []T
	seen := map[string]bool{}
	r.array(func() {
		m := read()
		if r.err == nil && seen[identity(m)] {
			r.fail("a set has the member %v twice", m)
			return
		}
		seen[identity(m)] = true
		members = append(members, m)
	})
	if len(members) == 0 {
		r.fail("a set has no members")
	}
	return members
}

func (r *itemReader) number() string {
	text := r.string()
	if r.err == nil {
		if problem := numberProblem(text); problem != "" {
			r.failBack("%q %s", text, problem)
		}
	}
	return text
}

func (r *itemReader) binary() []byte {
	text := r.string()
	b, err := base64.StdEncoding.DecodeString(text)
	if r.err == nil && err != nil {
		r.failBack("a binary value is not base64")
	}
	return b
}

// check tells whether an item has a key of its table that no item before it has.
func (r *itemReader) check(item ddb.Item) bool {
	identity := r.identity(item)
	if r.err != nil {
		return false
	}
	if first, twice := r.seen[identity]; twice {
		r.fail("has the same key as item %d, which it would replace", first)
		return false
	}
	r.seen[identity] = r.item
	return true
}

// identity is a text that is the same for items with equal keys of the table.
func (r *itemReader) identity(item ddb.Item) string {
	var identity strings.Builder
	for _, a := range r.table.key() {
		text, kind := keyText(item[a.name])
		switch {
		case kind == "":
			r.fail("key attribute %q is missing", a.name)
		case kind != a.kind:
			r.fail("key attribute %q is %s, the table has it as %s", a.name, kind, a.kind)
		case text == "":
			r.fail("key attribute %q is empty", a.name)
		case !utf8.ValidString(text) && kind == "S":
			r.fail("key attribute %q is not valid UTF-8", a.name)
		}
		fmt.Fprintf(&identity, "%d:%s", len(text), text)
	}
	return identity.String()
}

// keyText is a value as text that is the same for equal values, and its type.
func keyText(v types.AttributeValue) (text, kind string) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value, "S"
	case *types.AttributeValueMemberN:
		return numberKey(v.Value), "N"
	case *types.AttributeValueMemberB:
		return string(v.Value), "B"
	case nil:
		return "", ""
	}
	return "-", "of a type that cannot be in a key"
}
