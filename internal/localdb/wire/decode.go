// Package wire reads and writes the JSON of DynamoDB's protocol into and from
// the SDK's own request and response structs: fields go by their Go names,
// times are seconds, binary is base64, absent fields are not written.
//
// It knows the shapes of values only, not what requests mean.
package wire

import (
	"math"
	"reflect"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// maxDepth is how deep a request may nest outside of attribute values.
const maxDepth = 32

var (
	attributeValue = reflect.TypeFor[types.AttributeValue]()
	attributeMap   = reflect.TypeFor[map[string]types.AttributeValue]()
)

// Decode reads a request into the struct that into points to. Unknown fields
// are skipped and null counts as absent; attribute values are attr.Stored.
// Errors are *attr.Error, in the service's words. What is read shares body's
// memory, so body must never change afterwards.
func Decode(body []byte, into any) error {
	d := &decoder{Scanner: attr.NewScanner(body)}
	d.value(reflect.ValueOf(into).Elem(), 0)
	if err := d.End(); err != nil {
		return Located(err, d.parameter)
	}
	return nil
}

// Located tells in the message about a refused value which parameter it is in,
// for those parameters where the service does.
func Located(err error, parameter string) error {
	refused, ok := err.(*attr.Error)
	if !ok || refused.Serialization {
		return err
	}
	switch parameter {
	case "ExpressionAttributeValues":
		return &attr.Error{Message: "ExpressionAttributeValues contains invalid value: " + refused.Message + " for key " + refused.Attribute}
	case "ExclusiveStartKey":
		return &attr.Error{Message: "The provided starting key is invalid: " + refused.Message}
	}
	return err
}

type decoder struct {
	attr.Scanner
	parameter string // in which the first value was refused
}

// value reads one value into a settable v.
func (d *decoder) value(v reflect.Value, depth int) {
	switch {
	case d.Literal("null"):
		return
	case depth > maxDepth:
		d.Fail("")
		return
	case v.Type() == attributeValue:
		v.Set(reflect.ValueOf(d.Value()))
		return
	case v.Type() == attributeMap:
		v.Set(reflect.ValueOf(d.Item()))
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
		v.SetString(d.Text())
	case reflect.Bool:
		d.boolean(v)
	default:
		d.number(v)
	}
}

func (d *decoder) structure(v reflect.Value, depth int) {
	if !d.Shape('{') {
		return
	}
	fields := fieldsOf(v.Type())
	d.Members(func(name string) {
		i, ok := fields[name]
		if !ok {
			d.Skip()
			return
		}
		d.value(v.Field(i), depth+1)
		if d.parameter == "" && d.Invalid() {
			d.parameter = name
		}
	})
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
	if !d.Shape('{') {
		return
	}
	m := reflect.MakeMap(v.Type())
	d.Members(func(name string) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(e, depth+1)
		m.SetMapIndex(reflect.ValueOf(name), e)
	})
	v.Set(m)
}

func (d *decoder) list(v reflect.Value, depth int) {
	if !d.Shape('[') {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 4))
	d.Elements(func() {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(e, depth+1)
		v.Set(reflect.Append(v, e))
	})
}

func (d *decoder) boolean(v reflect.Value) {
	if d.Literal("true") {
		v.SetBool(true)
	} else if !d.Literal("false") {
		d.FailConversion("Boolean")
	}
}

func (d *decoder) number(v reflect.Value) {
	java, limit := "Long", float64(1<<63)
	if v.Kind() == reflect.Int32 {
		java, limit = "Integer", math.MaxInt32+1
	}
	x := d.Number(java)
	if math.Abs(x) >= limit {
		d.Fail("NUMBER_VALUE cannot be converted to " + java)
	}
	v.SetInt(int64(math.Floor(x)))
}
