// Package wire reads and writes the JSON of DynamoDB's protocol into and from
// the SDK's own request and response structs: fields go by their Go names,
// times are seconds, binary is base64, absent fields are not written.
//
// It knows the shapes of values only, not what requests mean.
package wire

import (
	"bytes"
	"math"
	"reflect"
	"strconv"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// maxDepth is how deep a request may nest outside of attribute values.
const maxDepth = 32

// Stored is an item that Decode has brought into its stored form at once, since
// loading does little else. It stands alone in the map of a PutRequest's item,
// under the empty name, which no attribute can have.
type Stored struct {
	types.AttributeValue // nil; makes Stored fit into the map
	Form                 []byte
}

// StoredForm is the stored form of an item that Decode made, if it did.
func StoredForm(item map[string]types.AttributeValue) ([]byte, bool) {
	s, ok := item[""].(Stored)
	return s.Form, ok
}

var (
	putRequest     = reflect.TypeFor[types.PutRequest]()
	attributeValue = reflect.TypeFor[types.AttributeValue]()
	attributeMap   = reflect.TypeFor[map[string]types.AttributeValue]()
)

// Decode reads a request into the struct that into points to. Unknown fields
// are skipped and null counts as absent. Errors are *attr.Error, in the
// service's words.
func Decode(body []byte, into any) error {
	d := &decoder{text: body}
	d.value(reflect.ValueOf(into).Elem(), 0)
	d.space()
	if d.err == nil && d.pos != len(d.text) {
		d.fail("")
	}
	return d.err
}

// decoder reads one pass over the text. After an error it does nothing more.
type decoder struct {
	text    []byte
	pos     int
	scratch []byte
	member  string // of the map of attribute values read last
	err     error
	placed  bool // err says which parameter it is about
}

func (d *decoder) fail(message string) {
	if d.err == nil {
		d.err = &attr.Error{Serialization: true, Message: message}
	}
}

func (d *decoder) space() {
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// peek is the next character behind white space, or 0.
func (d *decoder) peek() byte {
	d.space()
	if d.pos == len(d.text) || d.err != nil {
		return 0
	}
	return d.text[d.pos]
}

func (d *decoder) accept(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.pos++
	return true
}

func (d *decoder) expect(c byte) {
	if !d.accept(c) {
		d.fail("")
	}
}

// value reads one value into a settable v.
func (d *decoder) value(v reflect.Value, depth int) {
	if d.peek() == 'n' {
		d.skip(0)
		return
	}
	if depth > maxDepth {
		d.fail("")
	}
	if d.err != nil {
		return
	}
	switch v.Type() {
	case attributeValue:
		if a := d.attribute(); a != nil {
			v.Set(reflect.ValueOf(a))
		}
		return
	case attributeMap:
		v.Set(reflect.ValueOf(d.attributes()))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.value(p.Elem(), depth)
		v.Set(p)
	case reflect.Struct:
		d.structure(v, depth)
	case reflect.Map:
		d.mapping(v, depth)
	case reflect.Slice:
		d.list(v, depth)
	case reflect.String:
		d.stringInto(v)
	case reflect.Bool:
		d.boolInto(v)
	default:
		d.numberInto(v)
	}
}

// attribute reads an attribute value; nil after an error.
func (d *decoder) attribute() types.AttributeValue {
	text := d.object()
	if d.err != nil {
		return nil
	}
	value, err := attr.DecodeValue(text)
	if err != nil {
		d.err = err
		return nil
	}
	return attr.ToSDKValue(value)
}

// stored reads an item into its stored form.
func (d *decoder) stored() map[string]types.AttributeValue {
	text := d.object()
	if d.err != nil {
		return nil
	}
	item, err := attr.DecodeItem(text)
	if err != nil {
		d.err = err
		return nil
	}
	d.scratch = attr.Encode(d.scratch[:0], item)
	return map[string]types.AttributeValue{"": Stored{Form: bytes.Clone(d.scratch)}}
}

// attributes reads an item, a key or the values of an expression.
func (d *decoder) attributes() map[string]types.AttributeValue {
	m := make(map[string]types.AttributeValue, 8)
	d.members(func(name string) {
		if d.peek() == 'n' {
			d.skip(0)
			return
		}
		d.member = name
		m[name] = d.attribute()
	})
	return m
}

// members reads an object and calls each with every name; each reads the value.
func (d *decoder) members(each func(name string)) {
	if d.peek() != '{' {
		d.failShape()
		return
	}
	d.pos++
	if d.accept('}') {
		return
	}
	for d.err == nil {
		if d.peek() != '"' {
			d.fail("")
			return
		}
		name := d.string()
		d.expect(':')
		each(name)
		if !d.accept(',') {
			d.expect('}')
			return
		}
	}
}

func (d *decoder) structure(v reflect.Value, depth int) {
	fields := fieldsOf(v.Type())
	d.members(func(name string) {
		i, ok := fields[name]
		if !ok {
			d.skip(0)
			return
		}
		if v.Type() == putRequest && name == "Item" && d.peek() == '{' {
			v.Field(i).Set(reflect.ValueOf(d.stored()))
		} else {
			d.value(v.Field(i), depth+1)
		}
		d.place(name)
	})
}

// place tells in the message about a refused value which parameter it is in,
// for those parameters where the service does.
func (d *decoder) place(field string) {
	refused, ok := d.err.(*attr.Error)
	if !ok || refused.Serialization || d.placed {
		return
	}
	d.placed = true
	switch field {
	case "ExpressionAttributeValues":
		d.err = &attr.Error{Message: "ExpressionAttributeValues contains invalid value: " + refused.Message + " for key " + d.member}
	case "ExclusiveStartKey":
		d.err = &attr.Error{Message: "The provided starting key is invalid: " + refused.Message}
	}
}

var fieldCache sync.Map // of map[string]int by reflect.Type

// fieldsOf gives the exported fields of a struct by name.
func fieldsOf(t reflect.Type) map[string]int {
	if m, ok := fieldCache.Load(t); ok {
		return m.(map[string]int)
	}
	m := map[string]int{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Name != "ResultMetadata" {
			m[f.Name] = i
		}
	}
	fieldCache.Store(t, m)
	return m
}

func (d *decoder) mapping(v reflect.Value, depth int) {
	m := reflect.MakeMap(v.Type())
	element := v.Type().Elem()
	d.members(func(name string) {
		e := reflect.New(element).Elem()
		d.value(e, depth+1)
		m.SetMapIndex(reflect.ValueOf(name), e)
	})
	v.Set(m)
}

func (d *decoder) list(v reflect.Value, depth int) {
	if d.peek() != '[' {
		d.failShape()
		return
	}
	d.pos++
	v.Set(reflect.MakeSlice(v.Type(), 0, 4))
	if d.accept(']') {
		return
	}
	for d.err == nil {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(e, depth+1)
		v.Set(reflect.Append(v, e))
		if !d.accept(',') {
			d.expect(']')
			return
		}
	}
}

// failShape refuses a value where a structure, map or list must be.
func (d *decoder) failShape() {
	switch d.peek() {
	case '{':
		d.fail("Start of structure or map found where not expected")
	case '[':
		d.fail("Unrecognized collection type class")
	case 0:
		d.fail("")
	default:
		d.fail("Unexpected field type")
	}
}

// failScalar refuses a value where a scalar of a Java type must be.
func (d *decoder) failScalar(java string) {
	switch c := d.peek(); {
	case c == '{':
		d.fail("Start of structure or map found where not expected")
	case c == '[':
		d.fail("Unrecognized collection type class java.lang." + java)
	case c == '"':
		d.fail("STRING_VALUE cannot be converted to " + java)
	case c == 't':
		d.fail("TRUE_VALUE cannot be converted to " + java)
	case c == 'f':
		d.fail("FALSE_VALUE cannot be converted to " + java)
	case c == '-' || c >= '0' && c <= '9':
		d.fail("NUMBER_VALUE cannot be converted to " + java)
	default:
		d.fail("")
	}
}

func (d *decoder) stringInto(v reflect.Value) {
	if d.peek() != '"' {
		d.failScalar("String")
		return
	}
	v.SetString(d.string())
}

func (d *decoder) boolInto(v reflect.Value) {
	switch d.peek() {
	case 't', 'f':
		v.SetBool(d.word() == "true")
	default:
		d.failScalar("Boolean")
	}
}

func (d *decoder) numberInto(v reflect.Value) {
	c := d.peek()
	java := "Long"
	if v.Kind() == reflect.Int32 {
		java = "Integer"
	}
	if c != '-' && (c < '0' || c > '9') {
		d.failScalar(java)
		return
	}
	x, err := strconv.ParseFloat(d.word(), 64)
	if err != nil || x != x || math.Abs(x) >= 1<<63 || v.Kind() == reflect.Int32 && math.Abs(x) > math.MaxInt32 {
		d.fail("NUMBER_VALUE cannot be converted to " + java)
		return
	}
	v.SetInt(int64(math.Floor(x)))
}

// word reads a literal or number.
func (d *decoder) word() string {
	start := d.pos
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			return string(d.text[start:d.pos])
		}
		d.pos++
	}
	return string(d.text[start:d.pos])
}
