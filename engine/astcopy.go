package engine

import (
	"reflect"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// copied is a copy of an expression, so that changing it changes no other.
func copied(e sqlparser.Expr) sqlparser.Expr {
	return deepCopy(reflect.ValueOf(&e).Elem()).Interface().(sqlparser.Expr)
}

func deepCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		inner := deepCopy(v.Elem())
		out := reflect.New(v.Type()).Elem()
		if v.Kind() == reflect.Interface {
			out.Set(inner)
			return out
		}
		at := reflect.New(v.Type().Elem())
		at.Elem().Set(inner)
		return at
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(deepCopy(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(deepCopy(v.Index(i)))
		}
		return out
	}
	return v
}
