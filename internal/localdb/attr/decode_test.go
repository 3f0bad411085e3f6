package attr

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestDecodeItem(t *testing.T) {
	tests := []struct {
		name, json string
		want       Item
	}{
		{"empty", `{}`, Item{}},
		{"every kind", `{"s":{"S":"x"},"n":{"N":"01.50"},"b":{"B":"AAE="},"t":{"BOOL":true},"u":{"NULL":true},` +
			`"m":{"M":{"k":{"L":[{"S":"y"},{"L":[]}]}}},"ss":{"SS":["b","a"]},"ns":{"NS":["1","2.0"]},"bs":{"BS":["AA==","/w=="]}}`,
			Item{
				"s": {Kind: S, Text: "x"}, "n": {Kind: N, Text: "1.5"}, "b": {Kind: B, Text: "\x00\x01"},
				"t": {Kind: BOOL, Bool: true}, "u": {Kind: NULL},
				"m":  {Kind: M, Map: Item{"k": {Kind: L, List: []Value{{Kind: S, Text: "y"}, {Kind: L, List: []Value{}}}}}},
				"ss": {Kind: SS, Set: []string{"b", "a"}}, "ns": {Kind: NS, Set: []string{"1", "2"}},
				"bs": {Kind: BS, Set: []string{"\x00", "\xff"}},
			}},
		{"empty string, binary, map", `{"s":{"S":""},"b":{"B":""},"m":{"M":{}}}`,
			Item{"s": {Kind: S}, "b": {Kind: B}, "m": {Kind: M, Map: Item{}}}},
		{"white space", " {\n\t\"a\" : { \"S\" : \"x\" } , \"b\":{\"BOOL\" :false}\r\n} ",
			Item{"a": {Kind: S, Text: "x"}, "b": {Kind: BOOL}}},
		{"escapes", `{"a\n":{"S":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx"}}`,
			Item{"a\n": {Kind: S, Text: "\"\\/\b\f\n\r\té😀\uFFFDx"}}},
		{"unknown tag and null tag", `{"a":{"X":{"y":[1,null,"z"]},"N":null,"S":"x"}}`, Item{"a": {Kind: S, Text: "x"}}},
		{"boolean as text", `{"a":{"BOOL":"TRUE"},"b":{"BOOL":"no"}}`, Item{"a": {Kind: BOOL, Bool: true}, "b": {Kind: BOOL}}},
		{"names out of order", `{"c":{"S":"3"},"a":{"M":{"y":{"N":"2"},"x":{"N":"1"}}},"b":{"S":"2"}}`, Item{
			"a": {Kind: M, Map: Item{"x": {Kind: N, Text: "1"}, "y": {Kind: N, Text: "2"}}}, "b": {Kind: S, Text: "2"}, "c": {Kind: S, Text: "3"}}},
		{"name twice", `{"a":{"S":"x"},"a":{"S":"y"}}`, Item{"a": {Kind: S, Text: "y"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := decodeItem(tt.json)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v\nwant %v", got, tt.want)
			}
			s := NewScanner([]byte(tt.json))
			if form, _ := StoredForm(s.Item()); !bytes.Equal(form, Encode(nil, tt.want)) {
				t.Errorf("stored as %q, want %q", form, Encode(nil, tt.want))
			}
		})
	}
}

func decodeItem(json string) (Item, error) {
	s := NewScanner([]byte(json))
	it := s.Item()
	if err := s.End(); err != nil {
		return nil, err
	}
	return FromSDK(it)
}

func decodeValue(json string) (Value, error) {
	s := NewScanner([]byte(json))
	v := s.Value()
	if err := s.End(); err != nil {
		return Value{}, err
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

// checkForms holds the stored form, both ways of rendering and the SDK's types
// against each other.
func checkForms(t *testing.T, it Item) {
	t.Helper()
	enc := Encode(nil, it)
	back, err := Decode(enc)
	if err != nil || !EqualItems(back, it) {
		t.Fatalf("Decode(Encode) = %v, %v; want %v", back, err, it)
	}
	text := AppendEncodedJSON(nil, enc)
	if !json.Valid(text) {
		t.Fatalf("invalid JSON %s", text)
	}
	if again, err := decodeItem(string(text)); err != nil || !EqualItems(again, it) {
		t.Fatalf("%s decodes as %v, %v; want %v", text, again, err, it)
	}
	for _, sdk := range []func() (Item, error){
		func() (Item, error) { return FromSDK(ToSDK(it)) },
		func() (Item, error) { return FromSDK(EncodedToSDK(enc)) },
	} {
		if again, err := sdk(); err != nil || !EqualItems(again, it) {
			t.Fatalf("through the SDK: %v, %v; want %v", again, err, it)
		}
	}
	var names []string
	for name, v := range it {
		names = append(names, name)
		if got, ok := Lookup(enc, name); !ok || !Equal(got, v) {
			t.Fatalf("Lookup(%q) = %v, %v; want %v", name, got, ok, v)
		}
	}
	if len(names) > 0 {
		one, err := Decode(Select(nil, enc, names[:1]))
		if err != nil || !EqualItems(one, Item{names[0]: it[names[0]]}) {
			t.Fatalf("Select(%q) = %v, %v", names[0], one, err)
		}
	}
}

// Damage must neither panic nor loop.
func FuzzDecodeDamaged(f *testing.F) {
	it, err := decodeItem(`{"a":{"M":{"k":{"L":[{"S":"y"}]}}},"b":{"SS":["b","a"]},"c":{"BOOL":true},"d":{"N":"1"}}`)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(Encode(nil, it))
	f.Add([]byte{0, 0, 0, 0, 1, 'a', byte(M), 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0x7F})
	f.Add([]byte{0, 0, 0, 0, 1, 'a', byte(N), 0})
	f.Add([]byte{0, 0, 0, 0, 1, 'a', byte(N)})
	f.Fuzz(func(t *testing.T, enc []byte) {
		if it, err := Decode(enc); err == nil && it == nil {
			t.Fatal("no item and no error")
		}
		AppendEncodedJSON(nil, enc)
		EncodedToSDK(enc)
		Lookup(enc, "b")
		Select(nil, enc, []string{"a", "d"})
	})
}
