package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

var (
	form   = reflect.TypeFor[attr.Form]()
	moment = reflect.TypeFor[time.Time]()
)

// Append appends the JSON of a response: one of the SDK's structs, or another
// in which items are attr.Form. It panics on values that no response has.
func Append(dst []byte, v any) []byte { return appendValue(dst, reflect.ValueOf(v)) }

func appendValue(dst []byte, v reflect.Value) []byte {
	switch v.Type() {
	case form:
		return attr.Form(v.String()).AppendJSON(dst)
	case moment:
		return strconv.AppendFloat(dst, float64(v.Interface().(time.Time).UnixMilli())/1000, 'f', -1, 64)
	case attributeMap:
		item, err := attr.FromSDK(v.Interface().(map[string]types.AttributeValue))
		if err != nil {
			panic(err)
		}
		return item.AppendJSON(dst)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return appendValue(dst, v.Elem())
	case reflect.Struct:
		return appendStruct(dst, v)
	case reflect.Map:
		return appendMap(dst, v)
	case reflect.Slice:
		return appendList(dst, v)
	case reflect.String:
		return attr.AppendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	case reflect.Float64:
		return strconv.AppendFloat(dst, v.Float(), 'f', -1, 64)
	}
	panic("no JSON for " + v.Type().String())
}

// absent tells whether a field is left out: a nil pointer, map or list, or an
// enumeration without a value.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return v.IsNil()
	case reflect.String:
		return v.Len() == 0
	}
	return false
}

func appendStruct(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '{')
	first := true
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && f.Name != "ResultMetadata" && !absent(v.Field(i)) {
			dst = appendMember(dst, &first, f.Name, v.Field(i))
		}
	}
	return append(dst, '}')
}

func appendMember(dst []byte, first *bool, name string, v reflect.Value) []byte {
	if !*first {
		dst = append(dst, ',')
	}
	*first = false
	dst = attr.AppendString(dst, name)
	return appendValue(append(dst, ':'), v)
}

func appendMap(dst []byte, v reflect.Value) []byte {
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	dst = append(dst, '{')
	first := true
	for _, name := range names {
		dst = appendMember(dst, &first, name.String(), v.MapIndex(name))
	}
	return append(dst, '}')
}

func appendList(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, v.Index(i))
	}
	return append(dst, ']')
}
