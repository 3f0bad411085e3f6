package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// Append appends the JSON of one of the SDK's response structs.
func Append(dst []byte, v any) ([]byte, error) {
	return appendValue(dst, reflect.ValueOf(v))
}

func appendValue(dst []byte, v reflect.Value) ([]byte, error) {
	switch x := v.Interface().(type) {
	case time.Time:
		return strconv.AppendFloat(dst, math.Round(float64(x.UnixMilli()))/1000, 'f', -1, 64), nil
	case map[string]types.AttributeValue:
		if form, ok := StoredForm(x); ok {
			return attr.AppendEncodedJSON(dst, form), nil
		}
	case types.AttributeValue:
		value, err := attr.FromSDKValue(x)
		if err != nil {
			return dst, err
		}
		return attr.AppendValueJSON(dst, value), nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return appendValue(dst, v.Elem())
	case reflect.Struct:
		return appendStruct(dst, v)
	case reflect.Map:
		return appendMap(dst, v)
	case reflect.Slice:
		return appendList(dst, v)
	case reflect.String:
		return AppendString(dst, v.String()), nil
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case reflect.Float64:
		return strconv.AppendFloat(dst, v.Float(), 'f', -1, 64), nil
	}
	return dst, fmt.Errorf("no JSON for %s", v.Type())
}

// absent tells whether a field is left out: a nil pointer, map or list, or an
// enumeration without a value.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return v.IsNil()
	case reflect.String:
		return v.Len() == 0
	}
	return false
}

func appendStruct(dst []byte, v reflect.Value) ([]byte, error) {
	dst = append(dst, '{')
	first := true
	var err error
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Name == "ResultMetadata" || absent(v.Field(i)) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = AppendString(dst, f.Name)
		dst = append(dst, ':')
		if dst, err = appendValue(dst, v.Field(i)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func appendMap(dst []byte, v reflect.Value) ([]byte, error) {
	byName := map[string]reflect.Value{}
	for it := v.MapRange(); it.Next(); {
		byName[it.Key().String()] = it.Value()
	}
	dst = append(dst, '{')
	var err error
	for i, name := range slices.Sorted(maps.Keys(byName)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, name)
		dst = append(dst, ':')
		if dst, err = appendValue(dst, byName[name]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func appendList(dst []byte, v reflect.Value) ([]byte, error) {
	dst = append(dst, '[')
	var err error
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendValue(dst, v.Index(i)); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// AppendString appends a JSON string.
func AppendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			quoted, err := json.Marshal(s)
			if err != nil {
				return append(dst, '"', '"')
			}
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
