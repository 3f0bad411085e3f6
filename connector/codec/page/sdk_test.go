package page_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// body answers every request with itself.
type body []byte

func (b body) RoundTrip(q *http.Request) (*http.Response, error) {
	h := http.Header{"Content-Type": {"application/x-amz-json-1.0"}}
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(b)), 10))
	return &http.Response{StatusCode: 200, Header: h, Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)), Request: q}, nil
}

// writer renders random attribute values as DynamoDB does, or less tidily.
type writer struct {
	r *rand.Rand
	bytes.Buffer
	untidy bool // blanks between tokens
}

func (w *writer) token(s string) {
	w.WriteString(s)
	if w.untidy {
		w.WriteString([]string{"", " ", "\n\t", "\r\n"}[w.r.IntN(4)])
	}
}

// list writes n elements.
func (w *writer) list(open, shut string, n int, one func(i int)) {
	w.token(open)
	for i := range n {
		if i > 0 {
			w.token(",")
		}
		one(i)
	}
	w.token(shut)
}

// texts are what stands between the quotes, each as JSON.
var texts = []string{
	``, `a`, `plain`, `exactly8`, `a bit longer than twenty-four bytes, to leave the fast loop`,
	`say \"hi\"`, `back\\slash`, `\/`, `\b\f\n\r\t`, `caf\u00e9`, `\u0000\u001f`, `\u4E2D\u6587`, `\uD83D\uDE00`, `\ud83d\ude00!`,
	`lone \ud800 high`, `lone \udc00 low`, `\ud800\ud800\udc00`, `\ud800\n`, `ends \ud800`, `raw 😀 中文 é`, `trailing \\`, `\\\"`, `{\"S\":\"x\"}`,
	strings.Repeat(`ab\"`, 50), strings.Repeat(`x`, 300), strings.Repeat(`x`, 23) + `\"`, strings.Repeat(`\\`, 40),
}

func (w *writer) text() {
	s := texts[w.r.IntN(len(texts))]
	if w.r.IntN(4) == 0 {
		s += texts[w.r.IntN(len(texts))]
	}
	w.token(`"` + s + `"`)
}

var numbers = []string{
	"0", "1", "-1", "42", "1.5", "-0.001", "0.000000000000000001", "1.50", "007", "-0", "0.0", "123456789012345678", "1234567890123456789",
	"-9223372036854775808", "9223372036854775807", "9223372036854775808", "12345678901234567890123456789012345678",
	"-0.00000000000000000000000000000000000012345678901234567890123456789012345678", "1E+125", "-9.9999999999999999999999999999999999999E-130",
	"1e5", "+5", ".5", "5.", "99.999999999999999", "999999999999999999", "1000000000000000000",
}

func (w *writer) number() { w.token(`"` + numbers[w.r.IntN(len(numbers))] + `"`) }

func (w *writer) binary() {
	w.token([]string{`""`, `"AA=="`, `"AAECAwQF\/v8="`, `"////"`, `"SGVsbG8="`}[w.r.IntN(5)])
}

func (w *writer) value(depth int) {
	w.token("{")
	kind := schema.Kind(1 + w.r.IntN(10))
	if depth == 0 && kind.Document() {
		kind = schema.S
	}
	w.token(`"` + kind.String() + `"`)
	w.token(":")
	few := w.r.IntN(4)
	switch kind {
	case schema.S:
		w.text()
	case schema.N:
		w.number()
	case schema.B:
		w.binary()
	case schema.Bool:
		w.token(strconv.FormatBool(w.r.IntN(2) == 0))
	case schema.Null:
		w.token("true")
	case schema.M:
		w.item([]string{"a", "b", `quo\"te`, "ü"}[:few], depth-1)
	case schema.L:
		w.list("[", "]", few, func(int) { w.value(depth - 1) })
	case schema.SS:
		w.list("[", "]", few, func(int) { w.text() })
	case schema.NS:
		w.list("[", "]", few, func(int) { w.number() })
	case schema.BS:
		w.list("[", "]", few, func(int) { w.binary() })
	}
	w.token("}")
}

func (w *writer) item(names []string, depth int) {
	w.list("{", "}", len(names), func(i int) {
		w.token(`"` + names[i] + `"`)
		w.token(":")
		w.value(depth)
	})
}

var attributes = []string{"pk", "sk", "a", "amount", "a.b", `quo\"te`, `ü`, `\u00fc2`, "empty", "last"}

// page renders a page of items whose attributes are mostly in one order.
func (w *writer) page(items int) []byte {
	w.token("{")
	sections := []func(){
		func() { w.token(`"Count":`); w.token(strconv.Itoa(items)) },
		func() { w.token(`"ScannedCount":`); w.token(strconv.Itoa(items + 7)) },
		func() { w.token(`"LastEvaluatedKey":`); w.item([]string{"pk", `s\"k`}, 0) },
		func() {
			w.token(`"ConsumedCapacity":{"TableName":"t","CapacityUnits":128.5,"Table":{"CapacityUnits":1}}`)
		},
		func() {
			w.token(`"Items":`)
			w.list("[", "]", items, func(int) {
				names := slices.Clone(attributes)
				if w.r.IntN(5) == 0 {
					w.r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
				}
				w.item(names[:w.r.IntN(len(names)+1)], 3)
			})
		},
	}
	w.r.Shuffle(len(sections), func(i, k int) { sections[i], sections[k] = sections[k], sections[i] })
	for i, s := range sections {
		if i > 0 {
			w.token(",")
		}
		s()
	}
	w.token("}")
	return w.Bytes()
}

// goNames are the attributes as Go strings.
var goNames = []string{"pk", "sk", "a", "amount", "a.b", `quo"te`, "ü", "ü2", "empty", "last"}

func TestDecodeEqualsSDK(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := writer{r: r, untidy: seed%3 == 0}
		text := w.page(1 + r.IntN(60))
		out, err := ddb.OpenTransport(body(text)).Scan(t.Context(), &ddb.ScanInput{TableName: aws.String("t")})
		if err != nil {
			t.Fatalf("seed %d: the SDK refuses the page: %v", seed, err)
		}
		columns := append([]string{"absent"}, goNames[r.IntN(len(goNames)):]...)
		compare(t, seed, text, columns, out)
	}
}

func compare(t *testing.T, seed uint64, text []byte, columns []string, out *ddb.ScanOutput) {
	t.Helper()
	d := page.NewDecoder(columns)
	b := d.Batch()
	got, err := d.Decode(text, b)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	if got.Count != int64(out.Count) || got.Scanned != int64(out.ScannedCount) || got.Units != 128.5 || !reflect.DeepEqual(got.LastKey, out.LastEvaluatedKey) {
		t.Errorf("seed %d: answer %+v", seed, got)
	}
	if b.Rows() != len(out.Items) {
		t.Fatalf("seed %d: %d rows, want %d", seed, b.Rows(), len(out.Items))
	}
	for row, want := range out.Items {
		for c, name := range columns {
			equal(t, fmt.Sprintf("seed %d row %d %s", seed, row, name), b, b.Value(row, c), want[name])
		}
		if item, err := b.ItemMap(row); err != nil || !reflect.DeepEqual(item, want) {
			t.Errorf("seed %d row %d: item %v, %v\nwant %v", seed, row, item, err, want)
		}
	}
}

// equal compares a value, and every place inside it, with the SDK's.
func equal(t *testing.T, at string, b *page.Batch, v page.Value, want types.AttributeValue) {
	t.Helper()
	got, err := b.Attribute(v)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %#v, %v\nwant %#v", at, got, err, want)
		return
	}
	switch want := want.(type) {
	case *types.AttributeValueMemberM:
		for name, kid := range want.Value {
			inside(t, at, b, v, name, kid)
		}
		inside(t, at, b, v, "absent", nil)
		inside(t, at, b, v, 0, nil)
	case *types.AttributeValueMemberL:
		for i, kid := range want.Value {
			inside(t, at, b, v, i, kid)
		}
		inside(t, at, b, v, len(want.Value), nil)
		inside(t, at, b, v, "a", nil)
	}
}

func inside(t *testing.T, at string, b *page.Batch, v page.Value, elem any, want types.AttributeValue) {
	t.Helper()
	kid, err := b.Path(v, elem)
	if err != nil {
		t.Errorf("%s[%v]: %v", at, elem, err)
		return
	}
	equal(t, fmt.Sprintf("%s[%v]", at, elem), b, kid, want)
}

// Batches made of the SDK's items, or of other batches' rows, are the same.
func TestOtherWaysIntoABatch(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := writer{r: r}
		text := w.page(1 + r.IntN(20))
		out, err := ddb.OpenTransport(body(text)).Scan(t.Context(), &ddb.ScanInput{TableName: aws.String("t")})
		if err != nil {
			t.Fatal(err)
		}
		d := page.NewDecoder(goNames)
		first, second := d.Batch(), d.Batch()
		if err := d.Items(out.Items, first); err != nil {
			t.Fatal(err)
		}
		for row := range first.Rows() {
			second.AppendRow(first, row)
		}
		for row, want := range out.Items {
			for c, name := range goNames {
				equal(t, fmt.Sprintf("seed %d items %d %s", seed, row, name), first, first.Value(row, c), want[name])
				equal(t, fmt.Sprintf("seed %d appended %d %s", seed, row, name), second, second.Value(row, c), want[name])
			}
			if item, err := second.ItemMap(row); err != nil || !reflect.DeepEqual(item, want) {
				t.Errorf("seed %d: appended item %v, %v\nwant %v", seed, item, err, want)
			}
		}
	}
}

func TestBatchGetItemAnswer(t *testing.T) {
	text := `{"ConsumedCapacity":[{"CapacityUnits":2,"TableName":"t"},{"CapacityUnits":0.5}],
		"Responses":{"t":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}]},
		"UnprocessedKeys":{"t":{"ConsistentRead":true,"Keys":[{"pk":{"S":"c"}}]}}}`
	d := page.NewDecoder([]string{"pk"})
	b := d.Batch()
	a, err := d.Decode([]byte(text), b)
	want := []map[string]types.AttributeValue{{"pk": &types.AttributeValueMemberS{Value: "c"}}}
	if err != nil || b.Rows() != 2 || a.Units != 2.5 || !reflect.DeepEqual(a.Unprocessed, want) {
		t.Errorf("%d rows, %+v, %v", b.Rows(), a, err)
	}
}

func TestGetItemAnswer(t *testing.T) {
	d := page.NewDecoder([]string{"pk"})
	b := d.Batch()
	for text, rows := range map[string]int{`{"Item":{"pk":{"S":"a"}}}`: 1, `{}`: 0, `{"ConsumedCapacity":{"CapacityUnits":0.5}}`: 0, `{"Item":null}`: 0} {
		if _, err := d.Decode([]byte(text), b); err != nil || b.Rows() != rows {
			t.Errorf("%s: %d rows, %v", text, b.Rows(), err)
		}
	}
}

func TestMalformed(t *testing.T) {
	d := page.NewDecoder([]string{"pk"})
	for _, text := range []string{
		``, `{`, `[]`, `{"Items":[}`, `{"Items":[{"pk":{"S":"a"}}]`, `{"Items":[{"pk":{"X":"a"}}]}`, `{"Items":[{"pk":"a"}]}`, `{"Items":[{"pk":{"S":"\x"}}]}`,
		`{"Items":[{"pk":{"S":"\ud8"}}]}`, `{"Items":[{"pk":{"BOOL":"true"}}]}`, `{"Items":[{"pk":{"M":[]}}]}`, `{"Items":[]} x`, `{"Count":x}`, `{"Items":[{"pk":{"S":"a`,
	} {
		b := d.Batch()
		if _, err := d.Decode([]byte(text), b); err == nil || b.Rows() != 0 {
			t.Errorf("%s: accepted, %d rows", text, b.Rows())
		}
	}
}

func FuzzDecode(f *testing.F) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := writer{r: r, untidy: seed%2 == 0}
		f.Add(w.page(r.IntN(4)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := page.NewDecoder(goNames)
		b := d.Batch()
		if _, err := d.Decode(text, b); err != nil {
			return
		}
		other := d.Batch()
		for row := range b.Rows() {
			for c := range goNames {
				use(b, b.Value(row, c), 3)
			}
			sameTree(t, b, b.Item(row))
			_, _ = b.ItemMap(row)
			other.AppendRow(b, row)
			_, _ = other.ItemMap(row)
		}
	})
}

// sameTree holds a document against the SDK's form of it.
func sameTree(t *testing.T, b *page.Batch, v page.Value) {
	want, err := b.Attribute(v)
	d, damaged := b.Document(v)
	if damaged != nil {
		return // more is refused than the SDK's form needs
	}
	if err != nil || !reflect.DeepEqual(d.Attribute(), want) {
		t.Fatalf("%s: got %#v, want %#v, %v", b.Span(v), d.Attribute(), want, err)
	}
	walk(d)
}

func walk(d page.Document) {
	d.Each(func(e page.Element) bool {
		_, _, _ = e.Text(), e.True(), e.Binary()
		walk(e.Document())
		return true
	})
}

// use does with a value all that can be done.
func use(b *page.Batch, v page.Value, depth int) {
	_, _ = b.Attribute(v)
	_ = page.Compare(b, v, b, v)
	_ = b.AppendKey(nil, v)
	if depth == 0 {
		return
	}
	for _, elem := range []any{"a", "b", 0, 1} {
		if kid, err := b.Path(v, elem); err == nil {
			use(b, kid, depth-1)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	ordered := []string{"-1E+125", "-100", "-99.5", "-1", "-0.5", "-1E-130", "0", "1E-130", "0.001", "0.01", "0.1", "1", "1.5", "9", "10", "10.01",
		"99999999999999999999999999999999999999", "1E+38", "1E+125"}
	for i, a := range ordered {
		for k, b := range ordered {
			want := min(1, max(-1, i-k))
			if got := page.CompareNumbers(a, b); got != want {
				t.Errorf("CompareNumbers(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
	for _, pair := range [][2]string{{"1.50", "1.5"}, {"-0", "0"}, {"1E+2", "100"}, {"007", "7"}, {"0.00", "0"}, {".5", "0.5"}} {
		if page.CompareNumbers(pair[0], pair[1]) != 0 {
			t.Errorf("%s and %s are not equal", pair[0], pair[1])
		}
	}
}
