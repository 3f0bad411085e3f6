package codec

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/schema"
)

// A generator makes attribute values of every kind, with the edges of each.
type generator struct{ *rand.Rand }

func (g generator) item() map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: g.text() + "k"}}
	for range g.IntN(12) {
		item[g.name()] = g.value(3)
	}
	return item
}

func (g generator) name() string {
	return []string{"a", "A", "a.b", "a-b", "#", "sp ace", `quo"te`, "日本", "select", "x\x00y", strings.Repeat("n", 255), "$", ""}[g.IntN(12)]
}

func (g generator) text() string {
	return []string{"", "a", "\x00", "a\x00b", "日本語", "😀", `"`, `\`, "\u2028", "<nil>", "NULL", "line\nbreak", "\x7f", strings.Repeat("x", 3000)}[g.IntN(14)]
}

func (g generator) number() string {
	list := []string{"0", "1", "-1", "1.5", "150", "58.4", "9900" + strings.Repeat("0", 122), "0." + strings.Repeat("0", 129) + "1",
		"-0." + strings.Repeat("0", 129) + "1", "12345678901234567890123456789012345678", "-99999999999999999999999999999999999999",
		"0.12345678901234567890123456789012345678", "9007199254740993", "18446744073709551615", "-9223372036854775808", "0.1", "1e2"[:1]}
	if g.IntN(2) == 0 {
		return list[g.IntN(len(list))]
	}
	d := new(apd.Decimal)
	d.Coeff.SetUint64(g.Uint64())
	d.Exponent, d.Negative = int32(g.IntN(60)-40), g.IntN(2) == 0
	text, ok := NumberText(d)
	if !ok {
		return "7"
	}
	return text
}

func (g generator) bytes() []byte {
	b := make([]byte, g.IntN(5))
	for i := range b {
		b[i] = byte(g.IntN(256))
	}
	return b
}

func (g generator) value(depth int) types.AttributeValue {
	n := 10
	if depth == 0 {
		n = 8
	}
	switch g.IntN(n) {
	case 0:
		return &types.AttributeValueMemberS{Value: g.text()}
	case 1:
		return &types.AttributeValueMemberN{Value: g.number()}
	case 2:
		return &types.AttributeValueMemberB{Value: g.bytes()}
	case 3:
		return &types.AttributeValueMemberBOOL{Value: g.IntN(2) == 0}
	case 4:
		return &types.AttributeValueMemberNULL{Value: true}
	case 5:
		return &types.AttributeValueMemberSS{Value: []string{g.text(), g.text() + "2"}}
	case 6:
		return &types.AttributeValueMemberNS{Value: []string{g.number(), "42"}}
	case 7:
		return &types.AttributeValueMemberBS{Value: [][]byte{g.bytes(), {0, 255}}}
	case 8:
		m := map[string]types.AttributeValue{}
		for range g.IntN(4) {
			m[g.name()] = g.value(depth - 1)
		}
		return &types.AttributeValueMemberM{Value: m}
	}
	list := make([]types.AttributeValue, 0)
	for range g.IntN(4) {
		list = append(list, g.value(depth-1))
	}
	return &types.AttributeValueMemberL{Value: list}
}

// TestRoundTrip writes items as DynamoDB JSON, as the column _ddb does, and
// reads them back.
func TestRoundTrip(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 1))}
	for range 3000 {
		item := g.item()
		text := WireJSON(item).String()
		back, err := ParseItem(text)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		if !reflect.DeepEqual(back, item) {
			t.Fatalf("read back\n%#v\nwant\n%#v\nfrom %s", back, item, text)
		}
		checkPlain(t, item)
	}
}

// checkPlain checks the item as plain JSON: valid, stable, every number with
// its digits, every text as it is.
func checkPlain(t *testing.T, item map[string]types.AttributeValue) {
	t.Helper()
	doc := ItemJSON(item)
	if doc.String() != ItemJSON(item).String() {
		t.Fatal("two texts of one item differ")
	}
	d := json.NewDecoder(strings.NewReader(doc.String()))
	d.UseNumber()
	var got map[string]any
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%s\n%v", doc, err)
	}
	for name, v := range item {
		if want := expected(v); !reflect.DeepEqual(got[name], want) {
			t.Fatalf("%s is %#v, want %#v", name, got[name], want)
		}
	}
}

func expected(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return json.Number(v.Value)
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case *types.AttributeValueMemberM:
		out := map[string]any{}
		for name, e := range v.Value {
			out[name] = expected(e)
		}
		return out
	case *types.AttributeValueMemberL:
		out := []any{}
		for _, e := range v.Value {
			out = append(out, expected(e))
		}
		return out
	case *types.AttributeValueMemberNS:
		out := []any{}
		for _, e := range v.Value {
			out = append(out, json.Number(e))
		}
		return out
	case *types.AttributeValueMemberNULL:
		return nil
	}
	text, _ := json.Marshal(plainSDK(v))
	var out any
	_ = json.Unmarshal(text, &out)
	return out
}

// TestScalarRoundTrip converts scalars to values of their columns and back.
func TestScalarRoundTrip(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(2, 2))}
	for range 3000 {
		text, number, b := g.text(), g.number(), g.bytes()
		if v, ok := Value(schema.Text, &types.AttributeValueMemberS{Value: text}); !ok || v != text {
			t.Fatalf("text %q became %#v", text, v)
		}
		if v, ok := Value(schema.Bytes, &types.AttributeValueMemberB{Value: b}); !ok || string(v.([]byte)) != string(b) {
			t.Fatalf("binary %v became %#v", b, v)
		}
		v, ok := Value(schema.Decimal, &types.AttributeValueMemberN{Value: number})
		if !ok {
			t.Fatalf("number %s does not fit", number)
		}
		back, ok := NumberText(v.(*apd.Decimal))
		if !ok || back != number {
			t.Fatalf("number %s became %s", number, back)
		}
		if shown := v.(*apd.Decimal).Text('f'); shown != number {
			t.Fatalf("number %s is shown as %s", number, shown)
		}
	}
}

func TestNumberText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"1.5E2", "150"}, {"150.0", "150"}, {"150", "150"}, {"-0", "0"}, {"0.000", "0"}, {"1E-130", "0." + strings.Repeat("0", 129) + "1"},
		{"9.9E+125", "99" + strings.Repeat("0", 124)}, {"1.5E-130", "0." + strings.Repeat("0", 129) + "15"},
		{"1E126", ""}, {"1E-131", ""}, {strings.Repeat("9", 39), ""}, {strings.Repeat("9", 38), strings.Repeat("9", 38)},
		{"100000000000000000000000000000000000000000", "1" + strings.Repeat("0", 41)},
	} {
		d, _, err := apd.NewFromString(test.in)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := NumberText(d); got != test.want || ok != (test.want != "") {
			t.Errorf("NumberText(%s) = %q, %v; want %q", test.in, got, ok, test.want)
		}
	}
}

func TestDocumentLookup(t *testing.T) {
	item, err := ParseItem(`{"a":{"M":{"b":{"L":[{"N":"1"},{"SS":["x","y"]}]},"c.d":{"S":"dot"},"n":{"NULL":true}}},"s":{"S":"t"},"bin":{"B":"AAE="}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, want string }{
		{"$.a.b[0]", "1"}, {"$.a.b[1][1]", `"y"`}, {"$.a.b[last]", `["x", "y"]`}, {"$.a.b[last-1]", "1"}, {`$.a."c.d"`, `"dot"`},
		{"$.a.n", "null"}, {"$.missing", ""}, {"$.a.b[7]", ""}, {"$.s[0]", `"t"`}, {"$.s.x", ""}, {"$.a.b[*]", `[1, ["x", "y"]]`},
		{"$.*", `[{"b": [1, ["x", "y"]], "n": null, "c.d": "dot"}, "t", "AAE="]`}, {"$**.b", `[[1, ["x", "y"]]]`}, {"$ . s", `"t"`},
		{"$.a.b[0 to 1]", `[1, ["x", "y"]]`}, {"$.a.b[last-1 to last]", `[1, ["x", "y"]]`}, {"$.a.b[1 to 9][0]", `["x"]`}, {"$.a.b[5 to 7]", ""}, {"$.s[0 to 1]", `["t"]`},
	} {
		got, err := ItemJSON(item).Lookup(context.Background(), test.path)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		text := ""
		if got != nil {
			text = fmt.Sprint(got)
		}
		if text != test.want {
			t.Errorf("%s leads to %s, want %s", test.path, text, test.want)
		}
	}
	if v, err := ItemJSON(item).Find("$.a.b[1]"); err != nil || KindOf(v) != schema.SS {
		t.Errorf("$.a.b[1] is %v, %v; want a string set", v, err)
	}
	if _, err := ItemJSON(item).Find("$.a.*"); err == nil {
		t.Error("a path with a wildcard names one value")
	}
}

func TestCompareDocuments(t *testing.T) {
	big, bigger := number("12345678901234567890123456789012345678"), number("12345678901234567890123456789012345679")
	ordered := []any{nil, number("-1"), int64(0), number("0.5"), int64(1), int64(9007199254740992), int64(9007199254740993), big, bigger,
		"", "a", "b", map[string]any{}, map[string]any{"a": int64(1)}, map[string]any{"a": int64(2)}, []any{}, []any{int64(1)}, []any{int64(1), int64(2)}, []any{int64(2)}, false, true}
	for i, a := range ordered {
		for j, b := range ordered {
			got, err := PlainDocument(a).Compare(context.Background(), b)
			if want := sign(i - j); err != nil || got != want {
				t.Errorf("compare %v with %v: %d, %v; want %d", a, b, got, err, want)
			}
		}
	}
	var _ sql.JSONWrapper = PlainDocument(nil)
	if c, _ := PlainDocument(number("1.5")).Compare(context.Background(), apd.New(150, -2)); c != 0 {
		t.Error("1.5 is not 1.50")
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func FuzzParseItem(f *testing.F) {
	g := generator{rand.New(rand.NewPCG(3, 3))}
	for range 30 {
		f.Add(WireJSON(g.item()).String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		item, err := ParseItem(text)
		if err != nil {
			return
		}
		again, err := ParseItem(WireJSON(item).String())
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !reflect.DeepEqual(again, item) {
			t.Fatalf("%q read back as %v and not %v", text, again, item)
		}
		_ = ItemJSON(item).String()
	})
}

func TestWrongPaths(t *testing.T) {
	for _, path := range []string{"", "a", "$.", "$[", "$[x]", "$[-1]", "$[2 to 1]", "$[last to last-1]", "$[0 to ]", "$[0 to *]", "$**", "$.a.**"} {
		if steps, ok := parsePath(path); ok {
			t.Errorf("%q is read as %v", path, steps)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, path := range []string{"$", "$.a", `$."a b"[0]`, "$**.x", "$[last-1]", "$.*", "$[", "$.", `$."`} {
		f.Add(path)
	}
	doc := PlainDocument(map[string]any{"a": []any{int64(1), map[string]any{"b": "c"}}})
	f.Fuzz(func(t *testing.T, path string) {
		if steps, ok := parsePath(path); ok {
			search(doc.plain(), steps)
		}
	})
}
