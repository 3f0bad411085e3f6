package engine_test

import (
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
)

// zeros are n zeros.
func zeros(n int) string { return strings.Repeat("0", n) }

var extremes = fixture{name: "extremes", hash: "id:S", items: []string{
	`{"id":{"S":"huge"},"n":{"N":"9.9E125"},"m":{"N":"1E-130"}}`,
	`{"id":{"S":"less"},"n":{"N":"-9.9E125"},"m":{"N":"3"}}`,
	`{"id":{"S":"long"},"n":{"N":"12345678901234567890.123456789012345678"},"m":{"N":"0.1"}}`,
	`{"id":{"S":"tiny"},"n":{"N":"1E-130"},"m":{"N":"9.9E125"}}`,
}}

// TestArithmeticRange checks what becomes of results that MySQL's types do not
// hold: a decimal one is rounded once, at the end, to 65 significant digits, with
// a warning; an integer or floating-point one is MySQL's error 1690.
func TestArithmeticRange(t *testing.T) {
	s := sessionOver(t, extremes)
	const rounded = "a computed number was rounded to 65 significant digits"
	for _, test := range []struct {
		query, want string
		warning     string
	}{
		{"SELECT n + n FROM extremes WHERE id = 'huge'", "198" + zeros(124), ""},
		{"SELECT n * n * n * n FROM extremes WHERE id = 'huge'", "96059601" + zeros(4*124), ""},
		{"SELECT n * n FROM extremes WHERE id = 'tiny'", "0." + zeros(259) + "1", ""},
		{"SELECT n * n FROM extremes WHERE id = 'long'", "152415787532388367504953515625666819427.83112355403139767652796830", rounded},
		{"SELECT n + m FROM extremes WHERE id = 'huge'", "99" + zeros(124), rounded},
		{"SELECT n + m - n FROM extremes WHERE id = 'huge'", "0." + zeros(129) + "1", ""}, // rounded once
		{"SELECT n + m > n FROM extremes WHERE id = 'huge'", "1", ""},                     // nor in comparisons
		{"SELECT n / 3 FROM extremes WHERE id = 'huge'", "33" + zeros(124), ""},
		{"SELECT n / 7 FROM extremes WHERE id = 'huge'", "14142857142857142857142857142857142857142857142857142857142857143" + zeros(61), rounded},
		{"SELECT n / 3 FROM extremes WHERE id = 'tiny'", "0." + zeros(130) + "3333", ""},
		{"SELECT n / m FROM extremes WHERE id = 'huge'", "99" + zeros(254), ""},
		{"SELECT n % 7, -n FROM extremes WHERE id = 'long'", "1.123456789012345678|-12345678901234567890.123456789012345678", ""},
		{"SELECT SUM(n) FROM extremes WHERE id IN ('huge', 'less')", "0", ""},
		{"SELECT SUM(n) FROM extremes", "12345678901234567890.123456789012345678" + zeros(27), rounded},
		{"SELECT AVG(n) FROM extremes WHERE id IN ('huge', 'less', 'tiny')", "0." + zeros(130) + "3333", ""},
		{"SELECT SUM(n * n) FROM extremes WHERE id = 'tiny'", "0." + zeros(259) + "1", ""},
		{"SELECT SUM(n) OVER () FROM extremes WHERE id IN ('huge', 'tiny')", "99" + zeros(124) + "\n99" + zeros(124), rounded},
		{"SELECT n / 3 + 0.12345678901 FROM extremes WHERE id = 'less'", "-33" + zeros(124), rounded},
		{"SELECT m / 3 + 0.1234567 FROM extremes WHERE id = 'less'", "1.1234567", ""},

		{"SELECT 9223372036854775806 + 1, 3037000500 * -3037000499, 4294967296 * -2147483648", "9223372036854775807|-9223372033963249500|-9223372036854775808", ""},
		{"SELECT 9223372036854775807 + 1", "error: BIGINT value is out of range in '(9223372036854775807 + 1)'", ""},
		{"SELECT -9223372036854775807 - 2", "error: BIGINT value is out of range", ""},
		{"SELECT 4294967296 * 2147483648", "error: BIGINT value is out of range", ""},
		{"SELECT -9223372036854775808 DIV -1", "error: BIGINT value is out of range", ""},
		{"SELECT -CAST(9223372036854775808 AS UNSIGNED)", "-9223372036854775808", ""},
		{"SELECT -CAST(9223372036854775809 AS UNSIGNED)", "error: BIGINT value is out of range", ""},
		{"SELECT CAST(5 AS UNSIGNED) - CAST(6 AS UNSIGNED)", "error: BIGINT UNSIGNED value is out of range", ""},
		{"SELECT CAST(9223372036854775807 AS DECIMAL(65,0)) + 1", "9223372036854775808", ""},
		{"SELECT 7 DIV 2, -7 DIV 2, 7.9 DIV 2, 5 DIV 0, 7 DIV 0.3", "3|-3|3|NULL|23", "Division by 0"},
		{"SELECT n DIV 7 FROM extremes WHERE id = 'huge'", "14142857142857142857142857142857142857142857142857142857142857143" + zeros(61), rounded},
		{"SELECT n DIV m, m DIV n, 7.9 DIV -2, 5.5 DIV 0 FROM extremes WHERE id = 'huge'", "99" + zeros(254) + "|0|-3|NULL", "Division by 0"},
		{"SELECT FORMAT(n * n, 1) FROM extremes WHERE id = 'tiny'", "0.0", ""},
		{"SELECT LENGTH(FORMAT(n * n, 1)), ROUND(1.25, n) FROM extremes WHERE id = 'huge'", "337|1.25" + zeros(28), ""},
		{"SELECT LENGTH(SPACE(m)), LENGTH(SPACE(n)) FROM extremes WHERE id = 'less'", "3|0", ""},
		{"SELECT SPACE(n) FROM extremes WHERE id = 'huge'", "NULL", "Result of space() was larger than max_allowed_packet (67108864) - truncated"},
		{"SELECT SEC_TO_TIME(n) FROM extremes WHERE id = 'huge'", "838:59:59", "Truncated incorrect time value"},
		{"SELECT id FROM extremes WHERE m < 9223372036854775807 + 1", "error: BIGINT value is out of range", ""},
		{"SELECT id FROM extremes WHERE m = 1 / 10", "long", ""},

		{"SELECT 1e308 * 10", "error: DOUBLE value is out of range in '(1e+308 * 10)'", ""},
		{"SELECT n * 1e300 FROM extremes", "error: DOUBLE value is out of range", ""},
		{"SELECT CAST(n * n * n AS DOUBLE) FROM extremes", "error: DOUBLE value is out of range", ""},
		{"SELECT POW(10, 400)", "error: DOUBLE value is out of range", ""},
		{"SELECT SUM(x) FROM (SELECT 1e308 x UNION ALL SELECT 1.1e308) q", "error: DOUBLE value is out of range", ""},
		{"SELECT SUM(x) OVER () FROM (SELECT 1e308 x UNION ALL SELECT 1.1e308) q", "error: DOUBLE value is out of range", ""},
	} {
		for _, pushdown := range []string{"1", "0"} {
			expect(t, s, "SET ddb_pushdown = "+pushdown)
			expectWarning(t, s, test.query, test.want, test.warning)
		}
	}
}

// expectWarning checks the rows of an answer, one a line, and that it has
// warnings, of which one has the text, or none if that is empty.
func expectWarning(t *testing.T, s *engine.Session, query, want, warning string) {
	t.Helper()
	expect(t, s, query, strings.Split(want, "\n")...)
	warnings, err := answer(s, "SHOW WARNINGS")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(warnings, "; "); warning == "" != (got == "") || !strings.Contains(got, warning) {
		t.Errorf("%s: warnings %q, want %q", query, got, warning)
	}
}

// TestArithmeticOverTheWire checks that results beyond DECIMAL(65,30) reach
// clients whole, as DECIMAL, and that their columns have the type of all others.
func TestArithmeticOverTheWire(t *testing.T) {
	db := dial(t, over(t, storeOf(t, extremes), catalog.Options{}))
	const query = `SELECT n * n, m / n, n / m, n DIV m, SUM(n * n), AVG(n / m), n + n FROM extremes WHERE id = ? GROUP BY n, m`
	// Of a quotient the four digits behind those of its dividend are shown.
	want := []string{"9801" + zeros(248), "0." + zeros(134), "99" + zeros(254), "99" + zeros(254), "9801" + zeros(248), "99" + zeros(254), "198" + zeros(124)}
	for _, test := range []struct {
		name string
		ask  func() (*sql.Rows, error)
	}{
		{"as text", func() (*sql.Rows, error) { return db.Query(strings.ReplaceAll(query, "?", "'huge'")) }},
		{"prepared", func() (*sql.Rows, error) { return db.Query(query, "huge") }},
	} {
		rows, err := test.ask()
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.ColumnTypes()
		if err != nil {
			t.Fatal(err)
		}
		got, targets := make([]string, len(want)), make([]any, len(want))
		for i, c := range columns {
			targets[i] = &got[i]
			if c.DatabaseTypeName() != "DECIMAL" {
				t.Errorf("%s: %s is %s, want DECIMAL", test.name, c.Name(), c.DatabaseTypeName())
			}
		}
		if !rows.Next() {
			t.Fatalf("%s: no row: %v", test.name, rows.Err())
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, want)
		}
	}
}

// TestArithmeticIsExact compares generated expressions over numbers of the
// whole range with fractions, which lose nothing.
func TestArithmeticIsExact(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 4))
	f := fixture{name: "many", hash: "id:S"}
	type pair struct{ a, b *big.Rat }
	rows := map[string]pair{}
	for i := range 60 {
		id := fmt.Sprintf("k%02d", i)
		a, b := anyNumber(g), anyNumber(g)
		f.items = append(f.items, fmt.Sprintf(`{"id":{"S":"%s"},"a":{"N":"%s"},"b":{"N":"%s"}}`, id, a, b))
		rows[id] = pair{fraction(t, a), fraction(t, b)}
	}
	s := sessionOver(t, f)
	rat := func() *big.Rat { return new(big.Rat) }
	for _, test := range []struct {
		expression string
		of         func(a, b *big.Rat) *big.Rat
	}{
		{"a + b", func(a, b *big.Rat) *big.Rat { return rat().Add(a, b) }},
		{"a - b", func(a, b *big.Rat) *big.Rat { return rat().Sub(a, b) }},
		{"a * b", func(a, b *big.Rat) *big.Rat { return rat().Mul(a, b) }},
		{"a / b", func(a, b *big.Rat) *big.Rat { return rat().Quo(a, b) }},
		{"(a + b) * (a - b)", func(a, b *big.Rat) *big.Rat { return rat().Mul(rat().Add(a, b), rat().Sub(a, b)) }},
		{"-(a + 2 * b) - 5", func(a, b *big.Rat) *big.Rat {
			return rat().Sub(rat().Neg(rat().Add(a, rat().Add(b, b))), big.NewRat(5, 1))
		}},
	} {
		lines, err := answer(s, "SELECT id, "+test.expression+" FROM many")
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != len(rows) {
			t.Fatalf("%s: %d rows, want %d", test.expression, len(lines), len(rows))
		}
		for _, line := range lines {
			id, text, _ := strings.Cut(line, "|")
			want := test.of(rows[id].a, rows[id].b)
			difference := rat().Sub(fraction(t, text), want)
			if difference.Abs(difference).Cmp(tolerance(text)) > 0 {
				t.Errorf("%s: %s is %s, want %s", id, test.expression, text, want.FloatString(160))
			}
		}
	}
}

// tolerance is one of the last digit that a number shows, of 65 significant
// ones at most: a quotient may be cut there.
func tolerance(text string) *big.Rat {
	digits, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	at := len(fraction)
	if significant := len(strings.TrimLeft(digits+fraction, "0")); significant > 65 {
		at -= significant - 65
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(at, -at))), nil)
	if at < 0 {
		return new(big.Rat).SetInt(unit)
	}
	return new(big.Rat).SetFrac(big.NewInt(1), unit)
}

func fraction(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return r
}

// anyNumber is a number that DynamoDB holds, and not zero.
func anyNumber(g *rand.Rand) string {
	n := 1 + g.IntN(38)
	digits := fmt.Sprint(1 + g.IntN(9))
	for range n - 1 {
		digits += fmt.Sprint(g.IntN(10))
	}
	exponent := g.IntN(20) - 15
	if g.IntN(3) == 0 {
		exponent = g.IntN(126-n+130-n) - 130 + n
	}
	return [...]string{"", "-"}[g.IntN(2)] + digits + fmt.Sprintf("E%d", exponent)
}

// TestArithmeticOfParameters has the numbers as values of a prepared statement.
func TestArithmeticOfParameters(t *testing.T) {
	db := dial(t, over(t, storeOf(t, extremes), catalog.Options{}))
	stmt, err := db.Prepare("SELECT ? + 1, ? / 3 FROM extremes WHERE id = 'huge' AND n > ? * 2")
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	var sum, third string
	if err := stmt.QueryRow(int64(41), int64(1), int64(5)).Scan(&sum, &third); err != nil || sum != "42" || third != "0.3333" {
		t.Errorf("got %s, %s, %v", sum, third, err)
	}
	if err := stmt.QueryRow(int64(math.MaxInt64), int64(1), int64(5)).Scan(&sum, &third); err == nil || !strings.Contains(err.Error(), "BIGINT value is out of range") {
		t.Errorf("got %s, %v", sum, err)
	}
}
