package connector

import (
	"reflect"
	"testing"
)

func TestMapKeys(t *testing.T) {
	for _, tt := range []struct {
		path string
		want []string
		ok   bool
	}{
		{"$.a", []string{"a"}, true},
		{"$.a.b", []string{"a", "b"}, true},
		{`$."a b".c`, []string{"a b", "c"}, true},
		{`$."x.y"`, []string{"x.y"}, true},
		{"$", nil, false},
		{"", nil, false},
		{"a.b", nil, false},
		{"$.a[0]", nil, false},
		{"$[0]", nil, false},
		{"$.*", nil, false},
		{"$**.a", nil, false},
		{"$.", nil, false},
		{"$.a.", nil, false},
		{`$."a`, nil, false},
		{`$."a\"b"`, nil, false},
	} {
		got, ok := mapKeys(tt.path)
		if ok != tt.ok || ok && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("mapKeys(%q) = %q, %v; want %q, %v", tt.path, got, ok, tt.want, tt.ok)
		}
	}
}
