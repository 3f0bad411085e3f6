package key

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
)

// TestOrderIsThatOfTheType compares pairs of values by their bytes and by their
// type, in each direction.
func TestOrderIsThatOfTheType(t *testing.T) {
	number := func(text string) any {
		d, _, err := apd.NewFromString(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	text := func(c sql.CollationID) sql.Type { return types.MustCreateString(sqltypes.VarChar, 100, c) }
	texts := []any{nil, "", "a", "A", "ab", "a\x00", "a\x00b", "\x00", "\x00\x00", "b", "é", "e", "東京", "z", "a b"}
	for name, tt := range map[string]struct {
		typ    sql.Type
		values []any
	}{
		"decimal": {types.MustCreateDecimalType(65, 30), []any{nil, number("0"), number("-0"), number("1"), number("1.0"), number("1.5"),
			number("-1.5"), number("-1.50"), number("10"), number("9.99"), number("0.001"), number("-0.001"), number("123456789012345678"),
			number("1234567890123456789"), number("12345678901234567890"), number("12345678901234567890.5"), number("-12345678901234567890.5"),
			number("99999999999999999999999999999999999999"), number("1E+125"), number("-1E+125"), number("1E-130"), number("100000000000000000000"),
			number("1.00000000000000000000000000000000000001"), number("1.000000000000000001"), number("1.0000000000000000010")}},
		"integer": {types.Int64, []any{nil, int64(0), int64(math.MinInt64), int64(math.MaxInt64), int64(-1), int64(1), int64(1e18), int64(999999999999999999)}},
		"uint":    {types.Uint64, []any{nil, uint64(0), uint64(math.MaxUint64), uint64(math.MaxUint64 - 1), uint64(1e19)}},
		"double":  {types.Float64, []any{nil, 0.0, math.Copysign(0, -1), 1.5, -1.5, math.MaxFloat64, -math.MaxFloat64, 5e-324}},
		"bytes":   {text(sql.Collation_utf8mb4_0900_bin), texts},
		"ci":      {text(sql.Collation_utf8mb4_0900_ai_ci), texts},
		"blob":    {types.LongBlob, []any{nil, []byte{}, []byte{0}, []byte{0, 0}, []byte{255}, []byte{0, 255}, []byte{1}}},
		"time": {types.DatetimeMaxPrecision, []any{nil, time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC),
			time.Date(2026, 1, 2, 3, 4, 5, 7000, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}},
		"timespan": {types.Time, []any{nil, types.Timespan(0), types.Timespan(-1), types.Timespan(1 << 40)}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, direction := range []sql.SortOrder{sql.Ascending, sql.Descending} {
				f := sql.SortField{Column: expression.NewLiteral(nil, tt.typ), Order: direction}
				checkOrder(t, OrderOf(sql.NewEmptyContext(), f), tt.values)
			}
		})
	}
}

func checkOrder(t *testing.T, o Order, values []any) {
	t.Helper()
	ctx := sql.NewEmptyContext()
	for _, a := range values {
		for _, b := range values {
			want, err := o.Compare(ctx, a, b)
			if err != nil {
				t.Fatal(err)
			}
			x, okX := o.Append(nil, a)
			y, okY := o.Append(nil, b)
			if got := bytes.Compare(x, y); !okX || !okY || got != cmp.Compare(want, 0) {
				t.Errorf("%v and %v: bytes say %d (%t, %t), the type says %d", a, b, got, okX, okY, want)
			}
			if !bytes.Equal(x, y) && (bytes.HasPrefix(x, y) || bytes.HasPrefix(y, x)) {
				t.Errorf("the bytes of %v begin those of %v, or the other way round", a, b)
			}
		}
	}
}

// TestOrderOfRandomNumbers compares numbers of all magnitudes.
func TestOrderOfRandomNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	o := OrderOf(sql.NewEmptyContext(), sql.SortField{Column: expression.NewLiteral(nil, types.MustCreateDecimalType(65, 30))})
	var values []any
	for range 300 {
		d := apd.New(r.Int64N(1<<r.IntN(62)+1), int32(r.IntN(60)-30))
		if r.IntN(3) == 0 {
			d.Coeff.Mul(&d.Coeff, apd.NewBigInt(r.Int64()))
		}
		d.Negative = r.IntN(2) == 0
		values = append(values, d)
	}
	checkOrder(t, o, values)
	for _, v := range values { // digits are written as the decimal is
		d := v.(*apd.Decimal)
		if d.Coeff.IsInt64() && d.Exponent <= 0 && d.Exponent > -18 {
			n := d.Coeff.Int64()
			if d.Negative {
				n = -n
			}
			want, _ := o.Append(nil, d)
			if got := o.AppendDigits(nil, n, uint8(-d.Exponent)); !bytes.Equal(got, want) {
				t.Errorf("%v: %x, want %x", d, got, want)
			}
		}
	}
}
