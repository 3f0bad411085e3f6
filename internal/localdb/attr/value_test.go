package attr

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestCompare(t *testing.T) {
	tests := []struct {
		name string
		a, b Value
		want int
		ok   bool
	}{
		{"text by bytes", Scalar(S, "Z"), Scalar(S, "a"), -1, true},
		{"text beyond ASCII", Scalar(S, "z"), Scalar(S, "é"), -1, true},
		{"prefix", Scalar(S, "a"), Scalar(S, "a\x00"), -1, true},
		{"binary unsigned", Scalar(B, "\x7f"), Scalar(B, "\x80"), -1, true},
		{"numbers by value", Scalar(N, "10"), Scalar(N, "9"), 1, true},
		{"negative numbers", Scalar(N, "-10"), Scalar(N, "-9.5"), -1, true},
		{"equal", Scalar(N, "1.5"), Scalar(N, "1.5"), 0, true},
		{"different kinds", Scalar(S, "1"), Scalar(N, "1"), 0, false},
		{"no order", value(t, `{"BOOL":true}`), value(t, `{"BOOL":true}`), 0, false},
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
			ka, kb = AppendKey(ka, Scalar(B, a[i])), AppendKey(kb, Scalar(B, b[i]))
		}
		if got, want := bytes.Compare(ka, kb), slices.Compare(a[:], b[:]); got != want {
			t.Fatalf("keys of %q and %q order %d, want %d", a, b, got, want)
		}
		prefix := AppendKeyPrefix(nil, Scalar(B, b[0]))
		if got, want := bytes.HasPrefix(ka, prefix), strings.HasPrefix(a[0], b[0]); got != want {
			t.Fatalf("key of %q begins with that of %q: %v, want %v", a[0], b[0], got, want)
		}
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"kinds", `{"S":"1"}`, `{"N":"1"}`, false},
		{"numbers", `{"N":"1.0"}`, `{"N":"1"}`, true},
		{"sets without order", `{"SS":["a","b"]}`, `{"SS":["b","a"]}`, true},
		{"sets of numbers", `{"NS":["10","9","-1.50"]}`, `{"NS":["-1.5","9.0","1e1"]}`, true},
		{"sets of binaries", `{"BS":["/w==","AA=="]}`, `{"BS":["AA==","/w=="]}`, true},
		{"sets differ", `{"SS":["a","b"]}`, `{"SS":["a","c"]}`, false},
		{"set within set", `{"SS":["a"]}`, `{"SS":["a","b"]}`, false},
		{"lists in order", `{"L":[{"N":"1"},{"N":"2"}]}`, `{"L":[{"N":"1"},{"N":"2"}]}`, true},
		{"lists out of order", `{"L":[{"N":"1"},{"N":"2"}]}`, `{"L":[{"N":"2"},{"N":"1"}]}`, false},
		{"sets in lists", `{"L":[{"SS":["x","y"]}]}`, `{"L":[{"SS":["y","x"]}]}`, true},
		{"maps", `{"M":{"a":{"SS":["x","y"]},"b":{"N":"1"}}}`, `{"M":{"b":{"N":"1"},"a":{"SS":["y","x"]}}}`, true},
		{"maps differ by name", `{"M":{"a":{"N":"1"}}}`, `{"M":{"b":{"N":"1"}}}`, false},
		{"null", `{"NULL":true}`, `{"NULL":true}`, true},
		{"booleans", `{"BOOL":true}`, `{"BOOL":false}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Equal(value(t, tt.a), value(t, tt.b)); got != tt.want {
				t.Errorf("Equal = %v, want %v", got, tt.want)
			}
		})
	}
}

func value(t *testing.T, json string) Value {
	t.Helper()
	v, err := decodeValue(json)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestValuesMade(t *testing.T) {
	one, two, ten := Scalar(N, "1"), Scalar(N, "2"), Scalar(N, "10")
	for want, v := range map[string]Value{
		`{"NS":["10","1","2"]}`:              Collection(NS, []Value{ten, one, two}),
		`{"L":[{"N":"10"},{"N":"1"}]}`:       Collection(L, []Value{ten, one}),
		`{"M":{"a":{"N":"1"},"b":{"M":{}}}}`: Map(map[string]Value{"b": Map(nil), "a": one}),
	} {
		if v != value(t, want) {
			t.Errorf("%q is not %s", v, want)
		}
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
			if got := it.Size(); got != tt.want {
				t.Errorf("size = %d, want %d", got, tt.want)
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
	it, err := decodeItem(`{"b":{"B":"YWJj"},"s":{"SS":["x"]},"bs":{"BS":["eQ=="]}}`)
	if err != nil {
		t.Fatal(err)
	}
	was := string(it.AppendJSON(nil))
	sdk := it.SDK()
	sdk["b"].(*types.AttributeValueMemberB).Value[0] = 'z'
	sdk["s"].(*types.AttributeValueMemberSS).Value[0] = "z"
	sdk["bs"].(*types.AttributeValueMemberBS).Value[0][0] = 'z'
	if is := string(it.AppendJSON(nil)); is != was {
		t.Errorf("a change of the SDK's values reached the item: %s", is)
	}
}

func TestFromSDKReplacesWhatIsNotUTF8(t *testing.T) {
	it, err := FromSDK(map[string]types.AttributeValue{"a": &types.AttributeValueMemberS{Value: "x\xff"}})
	if got := it.Attribute("a").Text(); err != nil || got != "x\uFFFD" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestSelect(t *testing.T) {
	it := benchItem(3)
	tests := []struct {
		names []string
		want  string
	}{
		{nil, `{}`},
		{[]string{"absent"}, `{}`},
		{[]string{"amount", "gone", "pk", "zzz"}, `{"amount":{"N":"3.25"},"pk":{"S":"customer-000003"}}`},
	}
	for _, tt := range tests {
		got := Form(it.Select(nil, tt.names))
		if text := string(got.AppendJSON(nil)); text != tt.want {
			t.Errorf("Select(%q) = %s, want %s", tt.names, text, tt.want)
		}
		if want := Encode(maps.Collect(got.Attributes())); got != want {
			t.Errorf("Select(%q): stored as %q, want %q", tt.names, got, want)
		}
	}
}

// benchItem is an item of 8 attributes and about 230 bytes.
func benchItem(i int) Form {
	paid := Value([]byte{byte(BOOL), byte(i % 2)})
	return Encode(map[string]Value{
		"pk":      Scalar(S, fmt.Sprintf("customer-%06d", i)),
		"sk":      Scalar(S, fmt.Sprintf("order#2026-11-%02d#%08d", i%28+1, i)),
		"amount":  Scalar(N, fmt.Sprintf("%d.25", i)),
		"count":   Scalar(N, fmt.Sprint(i%17+1)),
		"status":  Scalar(S, "shipped"),
		"paid":    paid,
		"comment": Scalar(S, strings.Repeat("lorem ipsum ", 8)),
		"tags":    Collection(SS, []Value{Scalar(S, "red"), Scalar(S, "green"), Scalar(S, "blue")}),
	})
}

func BenchmarkFromSDK(b *testing.B) {
	it := benchItem(7).SDK()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FromSDK(it); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSDK(b *testing.B) {
	it := benchItem(7)
	b.ReportAllocs()
	for b.Loop() {
		it.SDK()
	}
}

func BenchmarkAttribute(b *testing.B) {
	it := benchItem(7)
	b.ReportAllocs()
	for b.Loop() {
		if it.Attribute("status") == "" {
			b.Fatal("no status")
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	it := benchItem(7)
	dst := it.AppendJSON(nil)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		dst = it.AppendJSON(dst[:0])
	}
}

func BenchmarkScannerItem(b *testing.B) {
	text := benchItem(7).AppendJSON(nil)
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
	v := Scalar(N, "12345.678")
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendKey(dst[:0], v)
	}
}
