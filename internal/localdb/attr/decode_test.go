package attr

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
)

func TestDecodeItem(t *testing.T) {
	tests := []struct{ name, json, want string }{
		{"empty", `{}`, `{}`},
		{"every kind", `{"s":{"S":"x"},"n":{"N":"01.50"},"b":{"B":"AAE="},"t":{"BOOL":true},"u":{"NULL":true},` +
			`"m":{"M":{"k":{"L":[{"S":"y"},{"L":[]}]}}},"ss":{"SS":["b","a"]},"ns":{"NS":["10","2.0"]},"bs":{"BS":["/w==","AA=="]}}`,
			`{"b":{"B":"AAE="},"bs":{"BS":["/w==","AA=="]},"m":{"M":{"k":{"L":[{"S":"y"},{"L":[]}]}}},"n":{"N":"1.5"},` +
				`"ns":{"NS":["10","2"]},"s":{"S":"x"},"ss":{"SS":["b","a"]},"t":{"BOOL":true},"u":{"NULL":true}}`},
		{"empty string, binary, map", `{"s":{"S":""},"b":{"B":""},"m":{"M":{}}}`, `{"b":{"B":""},"m":{"M":{}},"s":{"S":""}}`},
		{"white space", " {\n\t\"a\" : { \"S\" : \"x\" } , \"b\":{\"BOOL\" :false}\r\n} ", `{"a":{"S":"x"},"b":{"BOOL":false}}`},
		{"escapes", `{"a\n":{"S":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx"}}`, `{"a\n":{"S":"\"\\/\u0008\u000c\n\r\té😀�x"}}`},
		{"unknown tag and null tag", `{"a":{"X":{"y":[1,null,"z"]},"N":null,"S":"x"}}`, `{"a":{"S":"x"}}`},
		{"boolean as text", `{"a":{"BOOL":"TRUE"},"b":{"BOOL":"no"}}`, `{"a":{"BOOL":true},"b":{"BOOL":false}}`},
		{"names out of order", `{"c":{"S":"3"},"a":{"M":{"y":{"N":"2"},"x":{"N":"1"}}},"b":{"S":"2"}}`,
			`{"a":{"M":{"x":{"N":"1"},"y":{"N":"2"}}},"b":{"S":"2"},"c":{"S":"3"}}`},
		{"name twice", `{"a":{"S":"x"},"a":{"S":"y"}}`, `{"a":{"S":"y"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := decodeItem(tt.json)
			if err != nil {
				t.Fatal(err)
			}
			if text := string(got.AppendJSON(nil)); text != tt.want {
				t.Errorf("got %s\nwant %s", text, tt.want)
			}
			if want := Encode(maps.Collect(got.Attributes())); got != want {
				t.Errorf("stored as %q, want %q", got, want)
			}
		})
	}
}

func decodeItem(json string) (Form, error) {
	s := NewScanner([]byte(json))
	it := s.Item()
	if err := s.End(); err != nil {
		return "", err
	}
	return FromSDK(it)
}

func decodeValue(json string) (Value, error) {
	s := NewScanner([]byte(json))
	v := s.Value()
	if err := s.End(); err != nil {
		return "", err
	}
	return FromSDKValue(v)
}

func nested(levels int) string {
	return strings.Repeat(`{"L":[`, levels-1) + `{"S":"x"}` + strings.Repeat(`]}`, levels-1)
}

func TestDecodeValueRefuses(t *testing.T) {
	tests := []struct {
		name, json    string
		serialization bool
		want          string
	}{
		{"no type", `{}`, false, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{"null", `null`, false, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{"unknown type", `{"X":"y"}`, false, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{"two types", `{"S":"a","N":"1"}`, false, "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
		{"NULL false", `{"NULL":false}`, false, "One or more parameter values were invalid: Null attribute value types must have the value of true"},
		{"empty SS", `{"SS":[]}`, false, "One or more parameter values were invalid: An string set  may not be empty"},
		{"empty NS", `{"NS":[]}`, false, "One or more parameter values were invalid: An number set  may not be empty"},
		{"empty BS", `{"BS":[]}`, false, "One or more parameter values were invalid: Binary sets should not be empty"},
		{"SS twice", `{"SS":["b","a","b"]}`, false, "One or more parameter values were invalid: Input collection [b, a, b] contains duplicates."},
		{"NS twice", `{"NS":["1","1.0"]}`, false, "Input collection contains duplicates"},
		{"BS twice", `{"BS":["AA==","AA=="]}`, false, "One or more parameter values were invalid: Input collection [AA==, AA==]of type BS contains duplicates."},
		{"number", `{"N":"x"}`, false, "The parameter cannot be converted to a numeric value: x"},
		{"nested set", `{"M":{"a":{"L":[{"SS":[]}]}}}`, false, "One or more parameter values were invalid: An string set  may not be empty"},
		{"too deep", nested(33), false, "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
		{"N as number", `{"N":5}`, true, "NUMBER_VALUE cannot be converted to String"},
		{"N as decimal", `{"N":5.5}`, true, "DECIMAL_VALUE cannot be converted to String"},
		{"S as boolean", `{"S":true}`, true, "TRUE_VALUE cannot be converted to String"},
		{"S as list", `{"S":[]}`, true, "Unrecognized collection type class java.lang.String"},
		{"S as map", `{"S":{}}`, true, "Start of structure or map found where not expected"},
		{"BOOL as number", `{"BOOL":1}`, true, "NUMBER_VALUE cannot be converted to Boolean"},
		{"B as number", `{"B":1}`, true, "only base-64-encoded strings are convertible to bytes"},
		{"B of three", `{"B":"abc"}`, true, "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{"B with loose bits", `{"B":"AB=="}`, true, "Invalid last non-pad Base64 character dectected"},
		{"L as map", `{"L":{}}`, true, "Start of structure or map found where not expected"},
		{"L as text", `{"L":"x"}`, true, "Unexpected field type"},
		{"M as list", `{"M":[]}`, true, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"value as text", `"x"`, true, "Unexpected value type in payload"},
		{"value as list", `[]`, true, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
		{"serialization first", `{"L":[{"N":"x"},{"N":5}]}`, true, "NUMBER_VALUE cannot be converted to String"},
		{"boolean as word", `{"BOOL":"maybe"}`, true, "Unexpected token received from parser"},
		{"cut", `{"S":"x"`, true, ""},
		{"cut string", `{"S":"x`, true, ""},
		{"trailing", `{"S":"x"} 1`, true, ""},
		{"control character", "{\"S\":\"a\nb\"}", true, ""},
		{"bad escape", `{"S":"\x"}`, true, ""},
		{"endless depth", strings.Repeat(`{"L":[`, 100000), true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := decodeValue(tt.json)
			var refused *Error
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, %v; want an *Error", v, err)
			}
			if refused.Message != tt.want || refused.Serialization != tt.serialization {
				t.Errorf("got %q (serialization %v)\nwant %q (%v)", refused.Message, refused.Serialization, tt.want, tt.serialization)
			}
		})
	}
	if _, err := decodeValue(nested(32)); err != nil {
		t.Errorf("32 levels refused: %v", err)
	}
}

// An item that decodes must survive every form it can take.
func FuzzDecodeItem(f *testing.F) {
	f.Add([]byte(`{"s":{"S":"x\u0000\ud83d\ude00"},"n":{"N":"-1.50e3"},"b":{"B":"AAE="},"t":{"BOOL":true},"u":{"NULL":true}}`))
	f.Add([]byte(`{"m":{"M":{"k":{"L":[{"S":"y"},{"L":[]}]}}},"ss":{"SS":["b","a"]},"ns":{"NS":["1","2.0"]},"bs":{"BS":["AA==","/w=="]}}`))
	f.Add([]byte(`{"a":{"X":1,"S":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		it, err := decodeItem(string(data))
		if err != nil {
			var refused *Error
			if !errors.As(err, &refused) || refused.Message == "" && !refused.Serialization {
				t.Fatalf("error without message: %v", err)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted invalid JSON %q", data)
		}
		checkForms(t, it)
	})
}

// checkForms holds the form, JSON and the SDK's types against each other.
func checkForms(t *testing.T, it Form) {
	t.Helper()
	if back := Encode(maps.Collect(it.Attributes())); back != it {
		t.Fatalf("made again it is %q, not %q", back, it)
	}
	text := it.AppendJSON(nil)
	if !json.Valid(text) {
		t.Fatalf("invalid JSON %s", text)
	}
	if again, err := decodeItem(string(text)); err != nil || again != it {
		t.Fatalf("%s decodes as %q, %v; want %q", text, again, err, it)
	}
	if again, err := FromSDK(it.SDK()); err != nil || again != it {
		t.Fatalf("through the SDK: %q, %v; want %q", again, err, it)
	}
	for name, v := range it.Attributes() {
		if got := it.Attribute(name); got != v {
			t.Fatalf("attribute %q = %q, want %q", name, got, v)
		}
		if one := Form(it.Select(nil, []string{name})); one != Encode(map[string]Value{name: v}) {
			t.Fatalf("Select(%q) = %q", name, one)
		}
	}
}
