package codec

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
)

// plainSDK is what JSON shows of the SDK's value, by another way than the
// documents of pages.
func plainSDK(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		out := map[string]any{}
		for name, e := range v.Value {
			out[name] = plainSDK(e)
		}
		return out
	case *types.AttributeValueMemberL:
		return each(v.Value, plainSDK)
	case *types.AttributeValueMemberSS:
		return each(v.Value, func(s string) any { return s })
	case *types.AttributeValueMemberNS:
		return each(v.Value, number)
	case *types.AttributeValueMemberBS:
		return each(v.Value, func(b []byte) any { return base64.StdEncoding.EncodeToString(b) })
	}
	return plainScalar(v)
}

// wireSDK is the same for DynamoDB JSON.
func wireSDK(v types.AttributeValue) any {
	var inner any
	switch v := v.(type) {
	case *types.AttributeValueMemberN:
		inner = v.Value
	case *types.AttributeValueMemberNULL:
		inner = true
	case *types.AttributeValueMemberM:
		members := map[string]any{}
		for name, e := range v.Value {
			members[name] = wireSDK(e)
		}
		inner = members
	case *types.AttributeValueMemberL:
		inner = each(v.Value, wireSDK)
	case *types.AttributeValueMemberNS:
		inner = each(v.Value, func(s string) any { return s })
	default:
		inner = plainSDK(v)
	}
	return map[string]any{KindOf(v).String(): inner}
}

func each[T any](list []T, of func(T) any) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = of(e)
	}
	return out
}

func textOf(v any) string {
	text, _ := appendJSON(nil, v)
	return string(text)
}

// untidy writes an item as JSON with blanks and superfluous escapes, its members
// in any order.
func untidy(r *rand.Rand, item map[string]types.AttributeValue) []byte {
	text, err := json.Marshal(wireSDK(&types.AttributeValueMemberM{Value: item}).(map[string]any)["M"])
	if err != nil {
		panic(err)
	}
	var out []byte
	quoted, escaped := false, false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted && c >= 'a' && c <= 'z' && r.IntN(5) == 0:
			out = fmt.Appendf(out, `\u%04x`, c)
			continue
		case !quoted && strings.IndexByte("{}[]:,", c) >= 0 && r.IntN(4) == 0:
			out = append(out, c, ' ', '\n')
			continue
		}
		out = append(out, c)
	}
	return out
}

// TestTreesAreThoseOfTheSDK reads generated items out of pages and holds what
// their documents show against the SDK's values.
func TestTreesAreThoseOfTheSDK(t *testing.T) {
	columns := []*schema.Column{{Attribute: "doc", Type: schema.JSON}, {Type: schema.WholeItem}, {Type: schema.WireItem}}
	d := page.NewDecoder([]string{"doc"})
	maker := NewRowMaker(columns, []string{"doc"})
	row := make([]any, len(columns))
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		doc := anyTree(r, 3)
		item := map[string]types.AttributeValue{"doc": doc, "other": randomValue(r, 1), `q"ö`: randomValue(r, 1)}
		b := d.Batch()
		body := append(append([]byte(`{"Items":[`), untidy(r, item)...), "]}"...)
		if _, err := d.Decode(body, b); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, body)
		}
		if _, err := maker.Row(b, 0, row); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, body)
		}
		clear(b.Buffer()[:cap(b.Buffer())]) // documents keep nothing of the batch
		whole := &types.AttributeValueMemberM{Value: item}
		for i, want := range []any{plainSDK(doc), plainSDK(whole), wireSDK(whole).(map[string]any)["M"]} {
			got := row[i].(Document)
			if got.String() != textOf(want) {
				t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, textOf(want))
			}
			if textOf(got.plain()) != textOf(want) || ComparePlain(got.plain(), want) != 0 {
				t.Fatalf("seed %d:\n got %s\nwant %s", seed, textOf(got.plain()), textOf(want))
			}
		}
		if got := row[0].(Document).Attribute(); !reflect.DeepEqual(got, doc) {
			t.Fatalf("seed %d:\n got %#v\nwant %#v", seed, got, doc)
		}
		if got := row[1].(Document); got.Size() != ItemSize(item) || NewDocument(doc).String() != row[0].(Document).String() {
			t.Fatalf("seed %d: size %d, want %d", seed, got.Size(), ItemSize(item))
		}
		for _, path := range []string{"$", "$.a", "$.b", "$.a.b", "$[0]", "$[1]", "$[last]", "$[last-1].a", "$.b[0]", "$[1][0]", `$."quo\"te\\"`, "$.a[last]", "$**.b"} {
			samePath(t, seed, doc, row[0].(Document), path)
		}
	}
}

// samePath compares what a path leads to with what it leads to in the plain
// document.
func samePath(t *testing.T, seed uint64, v types.AttributeValue, d Document, path string) {
	t.Helper()
	got, err := d.Lookup(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := PlainDocument(plainSDK(v)).Lookup(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	text := func(w sql.JSONWrapper) string {
		if w == nil {
			return "nothing"
		}
		return fmt.Sprint(w)
	}
	if text(got) != text(want) {
		t.Fatalf("seed %d: %s of %s is %s, want %s", seed, path, d, text(got), text(want))
	}
	if strings.Contains(path, "*") {
		return
	}
	found, err := d.Find(path)
	if err != nil || (found == nil) != (want == nil) || found != nil && textOf(plainSDK(found)) != text(want) {
		t.Fatalf("seed %d: %s of %s is %v, want %s", seed, path, d, found, text(want))
	}
}

func anyTree(r *rand.Rand, depth int) types.AttributeValue {
	for {
		v := randomValue(r, depth)
		if _, ok := page.DocumentOf(v); ok {
			return v
		}
	}
}

// TestNumbersInDocuments compares the texts of numbers that are copied with
// those that are read.
func TestNumbersInDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 200_000 {
		text := []byte(strings.Repeat("-", r.IntN(2)))
		for range r.IntN(17) {
			text = append(text, "0000123456789"[r.IntN(13)])
		}
		if r.IntN(2) == 0 {
			text = append(text, '.')
			for range r.IntN(17) {
				text = append(text, "0000123456789"[r.IntN(13)])
			}
		}
		if want := textOf(number(string(text))); isPlainNumber(text) && string(text) != want {
			t.Fatalf("%s is copied, and would be %s", text, want)
		}
	}
	for _, text := range []string{"0", "-0", "1", "-1.5", "0.1", "58.40", "0.00001", "0.000001", "1E+125", "12345678901234567890123456789012345678", "123456789012345.5"} {
		if got, want := string(appendNumber(nil, []byte(text))), textOf(number(text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestMemberTwice(t *testing.T) {
	d := page.NewDecoder([]string{"doc"})
	b := d.Batch()
	if _, err := d.Decode([]byte(`{"Items":[{"doc":{"M":{"a":{"N":"1"},"b":{"N":"2"},"a":{"N":"3"}}}}]}`), b); err != nil {
		t.Fatal(err)
	}
	tree, err := b.Document(b.Value(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	doc := Document{tree: tree}
	if got, want := doc.String(), `{"a": 3, "b": 2}`; got != want || textOf(doc.plain()) != want {
		t.Errorf("got %s and %s, want %s", got, textOf(doc.plain()), want)
	}
}

func TestDamagedDocuments(t *testing.T) {
	for _, text := range []string{`{"a":1}`, `{"a":{"X":"1"}}`, `{"a":{"S":"x"}`, `{"a":{"L":{}}}`, `{"a":{"B":"?"}}`, `{"a":{"S":"\x"}}`, `{"a":{"BOOL":1}}`, `{"a":{"SS":[1]}}`} {
		d := page.NewDecoder([]string{"doc"})
		b := d.Batch()
		if _, err := d.Decode([]byte(`{"Items":[{"doc":{"M":`+text+`}}]}`), b); err != nil {
			continue
		}
		if _, err := b.Document(b.Value(0, 0)); err == nil {
			t.Errorf("%s is taken for a document", text)
		}
	}
}

func BenchmarkDocument(b *testing.B) {
	d := page.NewDecoder([]string{"doc"})
	batch := d.Batch()
	body := []byte(`{"Items":[{"id":{"S":"k00001"},"doc":{"M":{"city":{"S":"c17"},"zip":{"N":"431"},"tags":{"SS":["a","b"]}}}}]}`)
	if _, err := d.Decode(body, batch); err != nil {
		b.Fatal(err)
	}
	for name, columns := range map[string][]*schema.Column{"column": {{Attribute: "doc", Type: schema.JSON}}, "item": {{Type: schema.WholeItem}}, "wire": {{Type: schema.WireItem}}} {
		b.Run(name, func(b *testing.B) {
			m := NewRowMaker(columns, []string{"doc"})
			row := make([]any, 1)
			var out bytes.Buffer
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Row(batch, 0, row); err != nil {
					b.Fatal(err)
				}
				out.Reset()
				text, _ := row[0].(Document).GetBytes(b.Context())
				out.Write(text)
			}
		})
	}
}
