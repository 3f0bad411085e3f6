package key

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/dynasql/dynasql/connector/codec"
)

func decimal(t testing.TB, text string) *apd.Decimal {
	t.Helper()
	d, _, err := apd.NewFromString(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func keyOf(t testing.TB, typ sql.Type, v any) string {
	t.Helper()
	var b bytes.Buffer
	if err := For(typ).Append(sql.NewEmptyContext(), &b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestKeys(t *testing.T) {
	number := types.MustCreateDecimalType(65, 30)
	bin := types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_utf8mb4_0900_bin)
	caseless := types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_utf8mb4_0900_ai_ci)
	doc := codec.PlainDocument
	for _, test := range []struct {
		name string
		typ  sql.Type
		a, b any
		same bool
	}{
		{"decimals of different scale", number, decimal(t, "1.50"), decimal(t, "1.5"), true},
		{"decimals with exponents", number, decimal(t, "15E1"), decimal(t, "150.000"), true},
		{"zeros", number, decimal(t, "-0.00"), decimal(t, "0"), true},
		{"decimal and integer", number, decimal(t, "150.0"), int64(150), true},
		{"decimal and float", number, decimal(t, "0.10"), 0.1, true},
		{"integers of different width", types.Int64, int8(-7), int64(-7), true},
		{"signs", number, decimal(t, "1"), decimal(t, "-1"), false},
		{"long decimals", number, decimal(t, "12345678901234567890123456789012345678"), decimal(t, "12345678901234567890123456789012345679"), false},
		{"long decimals of different scale", number, decimal(t, "12345678901234567890123456789012345678.0"), decimal(t, "12345678901234567890123456789012345678"), true},
		{"far apart", number, decimal(t, "1E-130"), decimal(t, "1E+125"), false},
		{"floats", types.Float64, 0.0, negativeZero(), true},
		{"texts by bytes", bin, "a", "A", false},
		{"texts without case", caseless, "a", "A", true},
		{"trailing space", bin, "a", "a ", false},
		{"NULL and its text", bin, nil, "<nil>", false},
		{"NULL and an empty text", bin, nil, "", false},
		{"times", types.DatetimeMaxPrecision, time.Unix(5, 0).UTC(), time.Unix(5, 0), true},
		{"documents", types.JSON, doc(map[string]any{"a": int64(1), "b": []any{1.5}}), doc(map[string]any{"b": []any{decimal(t, "1.50")}, "a": decimal(t, "1.0")}), true},
		{"document and text", types.JSON, doc("1"), doc(int64(1)), false},
		{"documents nested apart", types.JSON, doc([]any{[]any{"a"}, "b"}), doc([]any{[]any{"a", "b"}}), false},
		{"bool and number", types.JSON, doc(true), doc(int64(1)), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if same := keyOf(t, test.typ, test.a) == keyOf(t, test.typ, test.b); same != test.same {
				t.Errorf("%v and %v are the same: %v, want %v", test.a, test.b, same, test.same)
			}
		})
	}
}

func negativeZero() float64 {
	zero := 0.0
	return -zero
}

// TestRowsDoNotRunTogether has rows whose values, put one after the other, are
// the same.
func TestRowsDoNotRunTogether(t *testing.T) {
	text := types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_utf8mb4_0900_bin)
	encoders := []Encoder{For(text), For(text)}
	key := func(row sql.Row) string {
		var b bytes.Buffer
		if err := AppendRow(sql.NewEmptyContext(), &b, encoders, row); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	rows := []sql.Row{{"a", "bc"}, {"ab", "c"}, {"abc", ""}, {"", "abc"}, {"a\x00", "b"}, {"a", "\x00b"}, {nil, "a"}, {"a", nil}, {nil, nil}, {"", ""}}
	for i, a := range rows {
		for j, b := range rows {
			if (key(a) == key(b)) != (i == j) {
				t.Errorf("%q and %q: same key", a, b)
			}
		}
	}
}

// TestNumberKeys compares the keys of generated numbers with their values.
func TestNumberKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	typ := types.MustCreateDecimalType(65, 30)
	var numbers []*apd.Decimal
	for range 200 {
		d := apd.New(r.Int64N(2000)-1000, int32(r.IntN(7)-4))
		if r.IntN(4) == 0 {
			d.Coeff.Mul(&d.Coeff, apd.NewBigInt(1_000_000_000_000_000_000))
			d.Exponent -= int32(r.IntN(3)) + 17
		}
		numbers = append(numbers, d)
	}
	for _, a := range numbers {
		for _, b := range numbers {
			if (keyOf(t, typ, a) == keyOf(t, typ, b)) != (a.Cmp(b) == 0) {
				t.Fatalf("%s and %s", a, b)
			}
		}
	}
}

// TestKeysOfTypedValues wants the bytes that the encoders write.
func TestKeysOfTypedValues(t *testing.T) {
	number := types.MustCreateDecimalType(65, 30)
	for _, digits := range []int64{0, 1, -1, 150, -1500, 999_999_999_999_999_999, -999_999_999_999_999_999} {
		for _, scale := range []uint8{0, 1, 2, 18} {
			if got, want := string(AppendDigits(nil, digits, scale)), keyOf(t, number, apd.New(digits, -int32(scale))); got != want {
				t.Errorf("%d with %d digits behind the point: %x, want %x", digits, scale, got, want)
			}
		}
	}
	bin := types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_utf8mb4_0900_bin)
	for _, text := range []string{"", "a", "a\x00é"} {
		if got, want := string(AppendText(nil, []byte(text))), keyOf(t, bin, text); got != want {
			t.Errorf("%q: %x, want %x", text, got, want)
		}
	}
}

func BenchmarkDecimal(b *testing.B) {
	encoder, d := For(types.MustCreateDecimalType(65, 30)), decimal(b, "1234.5600")
	ctx := sql.NewEmptyContext()
	var key bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		key.Reset()
		if err := encoder.Append(ctx, &key, d); err != nil {
			b.Fatal(err)
		}
	}
}
