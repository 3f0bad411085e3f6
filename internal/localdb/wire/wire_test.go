package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// shape is a request with a field of each kind.
type shape struct {
	Text   *string
	Enum   types.KeyType
	Small  *int32
	Large  *int64
	Flag   *bool
	List   []string
	Names  map[string]string
	Item   map[string]types.AttributeValue
	Nested *shape
	When   *time.Time
	Rate   *float64
	hidden int
}

func ptr[T any](v T) *T { return &v }

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       shape
	}{
		{"nothing", `{}`, shape{}},
		{"null is absent", `{"Text":null,"List":null,"Item":null,"Nested":null}`, shape{}},
		{"unknown field", `{"Other":[{"a":"b\"}"},1e5,true,null],"Text":"x"}`, shape{Text: ptr("x")}},
		{"scalars", ` { "Text" : "a\u00e9\n\ud83d\ude00" , "Enum":"HASH","Small":7,"Large":-9007199254740991,"Flag":false } `,
			shape{Text: ptr("aé\n😀"), Enum: "HASH", Small: ptr[int32](7), Large: ptr[int64](-9007199254740991), Flag: ptr(false)}},
		{"empty collections are present", `{"Text":"","List":[],"Names":{},"Item":{}}`,
			shape{Text: ptr(""), List: []string{}, Names: map[string]string{}, Item: map[string]types.AttributeValue{}}},
		{"nested", `{"Nested":{"List":["a","b"],"Names":{"#a":"x"}}}`, shape{Nested: &shape{List: []string{"a", "b"}, Names: map[string]string{"#a": "x"}}}},
		{"attribute values", `{"Item":{"a":{"N":"01.50"},"b":{"L":[{"S":"x"}]}}}`, shape{Item: map[string]types.AttributeValue{
			"a": &types.AttributeValueMemberN{Value: "1.5"},
			"b": &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: "x"}}},
		}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got shape
			if err := Decode([]byte(tt.text), &got); err != nil {
				t.Fatal(err)
			}
			if got.Item != nil {
				item, err := attr.FromSDK(got.Item)
				if err != nil {
					t.Fatal(err)
				}
				got.Item = item.SDK()
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, tt := range []struct {
		text, want string
	}{
		{``, ""}, {`{`, ""}, {`{"Text":"x"`, ""}, {`{"Text" "x"}`, ""}, {`{"Text":"x",}`, ""}, {`{}x`, ""}, {`{"Text":"\x"}`, ""}, {`{"Text":"` + "\n" + `"}`, ""},
		{`{"Other":tru}`, ""}, {`{"Other":[1,]}`, ""},
		{`[]`, "Unrecognized collection type class"},
		{`{"Text":1}`, "NUMBER_VALUE cannot be converted to String"},
		{`{"Text":true}`, "TRUE_VALUE cannot be converted to String"},
		{`{"Text":{}}`, "Start of structure or map found where not expected"},
		{`{"Text":[]}`, "Unrecognized collection type class java.lang.String"},
		{`{"Small":"1"}`, "STRING_VALUE cannot be converted to Integer"},
		{`{"Small":3000000000}`, "NUMBER_VALUE cannot be converted to Integer"},
		{`{"Large":1e300}`, "NUMBER_VALUE cannot be converted to Long"},
		{`{"Flag":1}`, "NUMBER_VALUE cannot be converted to Boolean"},
		{`{"List":"a"}`, "Unexpected field type"},
		{`{"List":{}}`, "Start of structure or map found where not expected"},
		{strings.Repeat(`{"Nested":`, 40) + "{}" + strings.Repeat("}", 40), ""},
		{`{"Other":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, ""},
	} {
		var got shape
		err := Decode([]byte(tt.text), &got)
		var refused *attr.Error
		if !errors.As(err, &refused) || !refused.Serialization || refused.Message != tt.want {
			t.Errorf("%s: got %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestAppend(t *testing.T) {
	when := time.UnixMilli(1_700_000_000_250)
	in := shape{
		Text: ptr("a\"é"), Enum: "HASH", Small: ptr[int32](7), Flag: ptr(false), List: []string{}, Names: map[string]string{"b": "2", "a": "1"},
		Item: map[string]types.AttributeValue{"n": &types.AttributeValueMemberN{Value: "1"}}, Nested: &shape{}, When: &when, Rate: ptr(0.5), hidden: 1,
	}
	want := `{"Text":"a\"é","Enum":"HASH","Small":7,"Flag":false,"List":[],"Names":{"a":"1","b":"2"},"Item":{"n":{"N":"1"}},"Nested":{},"When":1700000000.25,"Rate":0.5}`
	if got := Append(nil, &in); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"Text":"a\u00e9","Small":7,"List":["x"],"Item":{"a":{"M":{"b":{"NS":["1"]}}}},"Nested":{"Names":{"#a":"b"}}}`)
	f.Add(`{"Other":[{"a":"b\"}"},1e5,true,null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var first, second shape
		if Decode([]byte(text), &first) != nil {
			return
		}
		again := Append(nil, &first)
		if err := Decode(again, &second); err != nil {
			t.Fatalf("%q was written as %q: %v", text, again, err)
		}
	})
}

func TestItemsAreStored(t *testing.T) {
	var r types.WriteRequest
	text := `{"PutRequest":{"Item":{"b":{"N":"1"},"a":{"S":"x"}}}}`
	if err := Decode([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	_, stored := r.PutRequest.Item[""].(attr.Stored)
	form, err := attr.FromSDK(r.PutRequest.Item)
	if !stored || err != nil || form.Len() != 2 || form.Attribute("b").Text() != "1" {
		t.Errorf("got %v, %v, %v", stored, form, err)
	}
	want := `{"PutRequest":{"Item":{"a":{"S":"x"},"b":{"N":"1"}}}}`
	if again := Append(nil, &r); string(again) != want {
		t.Errorf("written again: got %s, want %s", again, want)
	}
	answer := struct{ Items []attr.Form }{[]attr.Form{form}}
	if got := Append(nil, &answer); string(got) != `{"Items":[{"a":{"S":"x"},"b":{"N":"1"}}]}` {
		t.Errorf("an answer was written as %s", got)
	}
}

func TestRefusedValuesAreLocated(t *testing.T) {
	for text, want := range map[string]string{
		`{"ExpressionAttributeValues":{":a":{"N":"1"},":b":{"N":"x"}}}`: "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :b",
		`{"ExclusiveStartKey":{"a":{"SS":[]}}}`:                         "The provided starting key is invalid: One or more parameter values were invalid: An string set  may not be empty",
		`{"Key":{"a":{"N":"x"}}}`:                                       "The parameter cannot be converted to a numeric value: x",
		`{"Key":{"a":{"N":"x"}},"Limit":"1"}`:                           "STRING_VALUE cannot be converted to Integer",
	} {
		var r struct {
			Key, ExclusiveStartKey, ExpressionAttributeValues map[string]types.AttributeValue
			Limit                                             *int32
		}
		if err := Decode([]byte(text), &r); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
