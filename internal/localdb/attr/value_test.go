package attr

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestCompare(t *testing.T) {
	text := func(k Kind, s string) Value { return Value{Kind: k, Text: s} }
	tests := []struct {
		name string
		a, b Value
		want int
		ok   bool
	}{
		{"text by bytes", text(S, "Z"), text(S, "a"), -1, true},
		{"text beyond ASCII", text(S, "z"), text(S, "é"), -1, true},
		{"prefix", text(S, "a"), text(S, "a\x00"), -1, true},
		{"binary unsigned", text(B, "\x7f"), text(B, "\x80"), -1, true},
		{"numbers by value", text(N, "10"), text(N, "9"), 1, true},
		{"negative numbers", text(N, "-10"), text(N, "-9.5"), -1, true},
		{"equal", text(N, "1.5"), text(N, "1.5"), 0, true},
		{"different kinds", text(S, "1"), text(N, "1"), 0, false},
		{"no order", Value{Kind: BOOL}, Value{Kind: BOOL}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Compare(tt.a, tt.b)
			if got != tt.want || ok != tt.ok {
				t.Errorf("Compare = %d, %v; want %d, %v", got, ok, tt.want, tt.ok)
			}
			if !ok {
				return
			}
			if got := bytes.Compare(AppendKey(nil, tt.a), AppendKey(nil, tt.b)); got != tt.want {
				t.Errorf("keys order %d, want %d", got, tt.want)
			}
		})
	}
}

// Keys joined from two parts must order part by part.
func TestAppendKeyJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		b := make([]byte, r.IntN(4))
		for i := range b {
			b[i] = "\x00\x01\xff"[r.IntN(3)]
		}
		return string(b)
	}
	for range 20000 {
		a, b := [2]string{text(), text()}, [2]string{text(), text()}
		var ka, kb []byte
		for i := range a {
			ka, kb = AppendKey(ka, Value{Kind: B, Text: a[i]}), AppendKey(kb, Value{Kind: B, Text: b[i]})
		}
		if got, want := bytes.Compare(ka, kb), slices.Compare(a[:], b[:]); got != want {
			t.Fatalf("keys of %q and %q order %d, want %d", a, b, got, want)
		}
		prefix := AppendKeyPrefix(nil, Value{Kind: B, Text: b[0]})
		if got, want := bytes.HasPrefix(ka, prefix), strings.HasPrefix(a[0], b[0]); got != want {
			t.Fatalf("key of %q begins with that of %q: %v, want %v", a[0], b[0], got, want)
		}
	}
}

func TestEqual(t *testing.T) {
	set := func(members ...string) Value { return Value{Kind: SS, Set: members} }
	list := func(members ...Value) Value { return Value{Kind: L, List: members} }
	one, two := Value{Kind: N, Text: "1"}, Value{Kind: N, Text: "2"}
	tests := []struct {
		name string
		a, b Value
		want bool
	}{
		{"kinds", Value{Kind: S, Text: "1"}, one, false},
		{"sets without order", set("a", "b"), set("b", "a"), true},
		{"sets differ", set("a", "b"), set("a", "c"), false},
		{"set within set", set("a"), set("a", "b"), false},
		{"lists in order", list(one, two), list(one, two), true},
		{"lists out of order", list(one, two), list(two, one), false},
		{"maps", Value{Kind: M, Map: Item{"a": set("x", "y")}}, Value{Kind: M, Map: Item{"a": set("y", "x")}}, true},
		{"maps differ by name", Value{Kind: M, Map: Item{"a": one}}, Value{Kind: M, Map: Item{"b": one}}, false},
		{"null", Value{Kind: NULL}, Value{Kind: NULL}, true},
		{"booleans", Value{Kind: BOOL, Bool: true}, Value{Kind: BOOL}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Equal(tt.a, tt.b); got != tt.want {
				t.Errorf("Equal = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestItemSize(t *testing.T) {
	tests := []struct {
		name, json string
		want       int
	}{
		{"empty", `{}`, 0},
		{"text counts UTF-8", `{"é":{"S":"äx"}}`, 2 + 3},
		{"binary counts raw bytes", `{"b":{"B":"AAEC"}}`, 1 + 3},
		{"boolean and null", `{"t":{"BOOL":true},"u":{"NULL":true}}`, 1 + 1 + 1 + 1},
		{"list", `{"l":{"L":[{"S":"ab"},{"N":"1"}]}}`, 1 + 3 + (1 + 2) + (1 + 2)},
		{"map", `{"m":{"M":{"ab":{"S":"c"}}}}`, 1 + 3 + (1 + 2 + 1)},
		{"sets", `{"s":{"SS":["ab","c"]},"n":{"NS":["1","-12"]},"b":{"BS":["AA=="]}}`, 1 + 3 + 1 + 2 + 3 + 1 + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			it, err := decodeItem(tt.json)
			if err != nil {
				t.Fatal(err)
			}
			if got := EncodedSize(Encode(nil, it)); got != tt.want {
				t.Errorf("encoded size = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestFromSDKRefuses(t *testing.T) {
	deep := types.AttributeValue(&types.AttributeValueMemberS{Value: "x"})
	for range 32 {
		deep = &types.AttributeValueMemberL{Value: []types.AttributeValue{deep}}
	}
	tests := []struct {
		name  string
		value types.AttributeValue
		want  string
	}{
		{"nil", nil, "Supplied AttributeValue is empty"},
		{"number", &types.AttributeValueMemberN{Value: "x"}, "The parameter cannot be converted"},
		{"number in set", &types.AttributeValueMemberNS{Value: []string{"1", ""}}, "The parameter cannot be converted"},
		{"empty set", &types.AttributeValueMemberSS{}, "One or more parameter values were invalid: An string set"},
		{"duplicate", &types.AttributeValueMemberBS{Value: [][]byte{{1}, {1}}}, "One or more parameter values were invalid: Input collection"},
		{"null false", &types.AttributeValueMemberNULL{}, "One or more parameter values were invalid: Null"},
		{"depth", deep, "Nesting Levels have exceeded"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nested := &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"a": tt.value}}
			for _, v := range []types.AttributeValue{tt.value, nested} {
				if got, err := FromSDKValue(v); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
					t.Errorf("got %v, %v; want error %q", got, err, tt.want)
				}
			}
		})
	}
}

func TestSDKValuesAreTheCallersOwn(t *testing.T) {
	it := Item{"b": {Kind: B, Text: "abc"}, "s": {Kind: SS, Set: []string{"x"}}, "bs": {Kind: BS, Set: []string{"y"}}}
	enc := Encode(nil, it)
	for _, sdk := range []map[string]types.AttributeValue{ToSDK(it), EncodedToSDK(enc)} {
		sdk["b"].(*types.AttributeValueMemberB).Value[0] = 'z'
		sdk["s"].(*types.AttributeValueMemberSS).Value[0] = "z"
		sdk["bs"].(*types.AttributeValueMemberBS).Value[0][0] = 'z'
	}
	back, err := Decode(enc)
	if err != nil || back["b"].Text != "abc" || back["s"].Set[0] != "x" || back["bs"].Set[0] != "y" || it["s"].Set[0] != "x" {
		t.Errorf("a change of the SDK's values reached the item: %v, %v", back, err)
	}
}

func TestFromSDKReplacesWhatIsNotUTF8(t *testing.T) {
	it, err := FromSDK(map[string]types.AttributeValue{"a": &types.AttributeValueMemberS{Value: "x\xff"}})
	if err != nil || it["a"].Text != "x\uFFFD" {
		t.Errorf("got %q, %v", it["a"].Text, err)
	}
}

func TestSelect(t *testing.T) {
	enc := Encode(nil, benchItem(3))
	tests := []struct {
		names []string
		want  string
	}{
		{nil, `{}`},
		{[]string{"absent"}, `{}`},
		{[]string{"amount", "gone", "pk", "zzz"}, `{"amount":{"N":"3.25"},"pk":{"S":"customer-000003"}}`},
	}
	for _, tt := range tests {
		got := Select(nil, enc, tt.names)
		if text := string(AppendEncodedJSON(nil, got)); text != tt.want {
			t.Errorf("Select(%q) = %s, want %s", tt.names, text, tt.want)
		}
		if it, err := Decode(got); err != nil || !bytes.Equal(Encode(nil, it), got) {
			t.Errorf("Select(%q): stored as %q, want %q (%v)", tt.names, got, Encode(nil, it), err)
		}
	}
}

// benchItem is an item of 8 attributes and about 230 bytes.
func benchItem(i int) Item {
	return Item{
		"pk":      {Kind: S, Text: fmt.Sprintf("customer-%06d", i)},
		"sk":      {Kind: S, Text: fmt.Sprintf("order#2026-11-%02d#%08d", i%28+1, i)},
		"amount":  {Kind: N, Text: fmt.Sprintf("%d.25", i)},
		"count":   {Kind: N, Text: fmt.Sprint(i%17 + 1)},
		"status":  {Kind: S, Text: "shipped"},
		"paid":    {Kind: BOOL, Bool: i%2 == 0},
		"comment": {Kind: S, Text: strings.Repeat("lorem ipsum ", 8)},
		"tags":    {Kind: SS, Set: []string{"red", "green", "blue"}},
	}
}

func BenchmarkEncode(b *testing.B) {
	it := benchItem(7)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = Encode(dst[:0], it)
	}
}

func BenchmarkEncodeSDK(b *testing.B) {
	it := ToSDK(benchItem(7))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = EncodeSDK(dst[:0], it); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	enc := Encode(nil, benchItem(7))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(enc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodedToSDK(b *testing.B) {
	enc := Encode(nil, benchItem(7))
	b.ReportAllocs()
	for b.Loop() {
		EncodedToSDK(enc)
	}
}

func BenchmarkLookup(b *testing.B) {
	enc := Encode(nil, benchItem(7))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Lookup(enc, "status"); !ok {
			b.Fatal("no status")
		}
	}
}

func BenchmarkAppendEncodedJSON(b *testing.B) {
	enc := Encode(nil, benchItem(7))
	dst := AppendEncodedJSON(nil, enc)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendEncodedJSON(dst[:0], enc)
	}
}

func BenchmarkScannerItem(b *testing.B) {
	text := AppendEncodedJSON(nil, Encode(nil, benchItem(7)))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := NewScanner(text)
		s.Item()
		if err := s.End(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompareNumbers(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if CompareNumbers("12345.678", "12345.679") >= 0 {
			b.Fatal("order")
		}
	}
}

func BenchmarkAppendKeyNumber(b *testing.B) {
	v := Value{Kind: N, Text: "12345.678"}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendKey(dst[:0], v)
	}
}
