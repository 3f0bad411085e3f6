package engine_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine"
)

// TestSameAsMariaDB asks a MariaDB server and an engine the same generated
// questions over the same generated values.
func TestSameAsMariaDB(t *testing.T) {
	m := startMariaDB(t)
	seed := uint64(20261130)
	if text := os.Getenv("DYNASQL_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	t.Logf("DYNASQL_SEED=%d", seed)
	g := &valueGenerator{rand.New(rand.NewPCG(seed, 4))}
	s, rows := g.load(t, m)
	questions := 600
	if testing.Short() {
		questions = 100
	}
	statements := make([]string, questions)
	for i := range statements {
		statements[i] = g.statement(rows)
	}
	answers, err := m.run(append([]string{"USE test1"}, statements...)...)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range statements {
		compareAnswers(t, s, q, answers[i+1])
	}
}

func compareAnswers(t *testing.T, s *engine.Session, q string, want []string) {
	t.Helper()
	compareRows(t, q, answerOf(s, q), want, sameRow)
}

// answerOf is what the engine answers, as the MariaDB client writes it.
func answerOf(s *engine.Session, q string) []string {
	got, err := answer(s, q)
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	for i, row := range got {
		got[i] = strings.ReplaceAll(row, "|", "\t")
	}
	return got
}

func compareRows(t *testing.T, q string, got, want []string, same func(got, want string) bool) {
	t.Helper()
	if len(want) == 1 && strings.HasPrefix(want[0], "error: ") && len(got) == 1 && strings.HasPrefix(got[0], "error: ") {
		return
	}
	if !strings.Contains(q, "ORDER BY") {
		sort.Strings(got)
		want = append([]string(nil), want...)
		sort.Strings(want)
	}
	all := len(got) == len(want)
	for i := 0; all && i < len(got); i++ {
		all = same(got[i], want[i])
	}
	if !all && !matches(got, want, same) {
		t.Errorf("%s\n     got %q\nMariaDB %q", q, got, want)
	}
}

// matches pairs rows that differ only in how numbers are written, which may
// sort apart.
func matches(got, want []string, same func(got, want string) bool) bool {
	if len(got) != len(want) {
		return false
	}
	left := append([]string(nil), want...)
	for _, g := range got {
		found := -1
		for i, w := range left {
			if same(g, w) {
				found = i
				break
			}
		}
		if found < 0 {
			return false
		}
		left = append(left[:found], left[found+1:]...)
	}
	return true
}

func sameRow(got, want string) bool {
	g, w := strings.Split(got, "\t"), strings.Split(want, "\t")
	if len(g) != len(w) {
		return false
	}
	for i := range g {
		if g[i] != w[i] && !sameNumber(g[i], w[i]) {
			return false
		}
	}
	return true
}

// sameNumber reports whether two texts are the same number as far as the one
// with fewer digits behind the point goes: MariaDB's columns have 30 of them.
func sameNumber(got, want string) bool {
	a, okA := new(big.Rat).SetString(got)
	b, okB := new(big.Rat).SetString(want)
	if !okA || !okB {
		return false
	}
	if strings.ContainsAny(got+want, "eE") {
		x, _ := a.Float64()
		y, _ := b.Float64()
		d := x - y
		return d == 0 || d < 0 && -d <= 1e-14*abs(x) || d > 0 && d <= 1e-14*abs(x)
	}
	scale := min(scaleOf(got), scaleOf(want))
	if a.Cmp(b) == 0 {
		return true
	}
	return scale >= 4 && a.FloatString(scale) == b.FloatString(scale)
}

func abs(f float64) float64 {
	if f < 0 {
		return -f
	}
	return f
}

func scaleOf(number string) int {
	_, fraction, _ := strings.Cut(number, ".")
	return len(fraction)
}

// A valueRow is one item: i an integer, d a number with up to four digits
// behind the point, b one with up to 38 digits, s and t texts; "" is NULL.
type valueRow struct{ id, i, d, b, s, t string }

const nullText = "\x00null"

type valueGenerator struct{ *rand.Rand }

// load makes a table of generated values on both sides.
func (g *valueGenerator) load(t *testing.T, m *mariadb) (*engine.Session, []valueRow) {
	t.Helper()
	rows := make([]valueRow, 60)
	for i := range rows {
		rows[i] = g.row(i)
	}
	if _, err := m.run(valueDefinition(rows)...); err != nil {
		t.Fatal(err)
	}
	return sessionOver(t, valueTable(rows)), rows
}

func (g *valueGenerator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *valueGenerator) row(n int) valueRow {
	r := valueRow{id: fmt.Sprintf("k%03d", n), i: g.integer(), d: g.fixed(), b: g.big(), s: g.text(), t: g.text()}
	for _, v := range []*string{&r.i, &r.d, &r.b, &r.s, &r.t} {
		if g.IntN(6) == 0 {
			*v = nullText
		}
	}
	return r
}

func (g *valueGenerator) sign() string { return g.pick("", "", "-") }

func (g *valueGenerator) integer() string {
	return g.pick("0", "1", "-1", "2", "7", "10", "150", "-150", "255", "1000", "9007199254740993", "123456789012345678",
		g.sign()+strconv.Itoa(1+g.IntN(20)))
}

func (g *valueGenerator) fixed() string {
	return g.pick("0", "0.5", "-0.5", "1.5", "2.5", "150", "58.4", "-58.4", "0.0001", "99.9999", "1.05", "1234567.8901",
		fmt.Sprintf("%s%d.%d", g.sign(), g.IntN(30), 1+g.IntN(9)))
}

func (g *valueGenerator) big() string {
	return g.pick("0", "150", "0.1", "0.30000000000000004", "0.3", "12345678901234567890.123456789012345678",
		"12345678901234567890.123456789012345679", "99999999999999999999999999999999999", "0.000000000000000000000000000001",
		"-0.00000000000000000001", "10200000000000001", "10200000000000000", "9007199254740992", "9007199254740993", "1.1", "-1.1")
}

func (g *valueGenerator) text() string {
	return g.pick("", "a", "A", "b", "ab", "a ", " a", "á", "ß", "ss", "Z", "z", "é", "e", "日本", "10", "10.0", "9", "1e2", "abc", "150", "NULL1", "😀",
		"a%b", "a_b", "<nil>", "0", "-1", "1.5x")
}

func valueTable(rows []valueRow) fixture {
	f := fixture{name: "vals", hash: "id:S"}
	for _, r := range rows {
		parts := []string{`"id":{"S":"` + r.id + `"}`}
		add := func(name, kind, v string) {
			if v != nullText {
				parts = append(parts, fmt.Sprintf(`%q:{%q:%s}`, name, kind, strconv.Quote(v)))
			}
		}
		add("i", "N", r.i)
		add("d", "N", r.d)
		add("b", "N", r.b)
		add("s", "S", r.s)
		add("t", "S", r.t)
		f.items = append(f.items, "{"+strings.Join(parts, ",")+"}")
	}
	return f
}

func valueDefinition(rows []valueRow) []string {
	out := []string{
		"CREATE DATABASE test1 CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin", "USE test1",
		"CREATE TABLE vals (id VARCHAR(10) PRIMARY KEY, i BIGINT, d DECIMAL(30,4), b DECIMAL(65,30), s VARCHAR(50), t VARCHAR(50)) COLLATE utf8mb4_nopad_bin",
	}
	quoted := func(v string) string {
		if v == nullText {
			return "NULL"
		}
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	for _, r := range rows {
		out = append(out, fmt.Sprintf("INSERT INTO vals VALUES (%s,%s,%s,%s,%s,%s)",
			quoted(r.id), quoted(r.i), quoted(r.d), quoted(r.b), quoted(r.s), quoted(r.t)))
	}
	return out
}

func (g *valueGenerator) number() string { return g.pick("i", "d", "b") }

// constant is a number, written in one of several ways.
func (g *valueGenerator) constant() string {
	n := g.pick(g.integer(), g.fixed(), g.big())
	if g.IntN(5) == 0 {
		n = g.pick("150.0", "1.50", "150.00", "58.40", "0.50")
	}
	return n
}

func (g *valueGenerator) operator() string { return g.pick("=", "<", "<=", ">", ">=", "<>", "<=>") }

func (g *valueGenerator) quotedText() string {
	return "'" + strings.ReplaceAll(g.text(), "'", "''") + "'"
}

func (g *valueGenerator) condition(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		a, b := g.condition(depth-1), g.condition(depth-1)
		return g.pick("("+a+" AND "+b+")", "("+a+" OR "+b+")", "NOT ("+a+")")
	}
	switch g.IntN(11) {
	case 0, 1:
		return g.number() + " " + g.operator() + " " + g.constant()
	case 2:
		return g.pick("s", "t") + " " + g.operator() + " " + g.quotedText()
	case 3:
		return fmt.Sprintf("%s %s (%s, %s, %s)", g.number(), g.pick("IN", "NOT IN"), g.constant(), g.constant(), g.pick(g.constant(), "NULL"))
	case 4:
		return fmt.Sprintf("%s %s (%s, %s)", g.pick("s", "t"), g.pick("IN", "NOT IN"), g.quotedText(), g.quotedText())
	case 5:
		return fmt.Sprintf("%s BETWEEN %s AND %s", g.number(), g.constant(), g.constant())
	case 6:
		return g.pick("i", "d", "b", "s", "t") + g.pick(" IS NULL", " IS NOT NULL")
	case 7:
		return g.pick("s", "t") + g.pick(" LIKE ", " NOT LIKE ") + g.pick("'a%'", "'%b'", "'_'", "'%1%'", "''", "'%'", "'A%'")
	case 8:
		return g.number() + " " + g.operator() + " " + g.number()
	case 9:
		return "s " + g.operator() + " t"
	}
	return fmt.Sprintf("%s %s %s", g.scalar(), g.operator(), g.scalar())
}

// scalar is a numeric expression that both servers compute exactly.
func (g *valueGenerator) scalar() string {
	switch g.IntN(8) {
	case 0:
		return g.number() + g.pick(" + ", " - ") + g.constant()
	case 1:
		return g.pick("i", "d") + " * " + g.pick("2", "1.5", "-3", "0.1", "1.00")
	case 2:
		return "COALESCE(" + g.number() + ", " + g.constant() + ")"
	case 3:
		return "CASE WHEN " + g.number() + " > " + g.constant() + " THEN " + g.number() + " ELSE " + g.constant() + " END"
	case 4:
		return "IF(" + g.number() + " > 1, " + g.number() + ", " + g.number() + ")"
	case 5:
		return g.pick("ABS", "FLOOR", "CEIL", "ROUND") + "(" + g.pick("d", "b", "i") + ")"
	case 6:
		return g.pick("GREATEST", "LEAST") + "(" + g.number() + ", " + g.number() + ", " + g.constant() + ")"
	}
	return g.number()
}

func (g *valueGenerator) statement(rows []valueRow) string {
	switch g.IntN(18) {
	case 0:
		return "SELECT " + g.number() + ", COUNT(*), COUNT(s), MIN(id) FROM vals GROUP BY 1"
	case 1:
		return "SELECT s, COUNT(*), SUM(i), MIN(d), MAX(b) FROM vals GROUP BY s"
	case 2:
		return "SELECT DISTINCT " + g.pick("i", "d", "b", "s", "t", "i, s", "d * 1.00", "i IS NULL, s") + " FROM vals WHERE " + g.condition(1)
	case 3:
		return "SELECT id FROM vals ORDER BY " + g.number() + g.pick("", " DESC") + ", id"
	case 4:
		return "SELECT id FROM vals ORDER BY " + g.pick("s", "t") + g.pick("", " DESC") + ", id LIMIT " + strconv.Itoa(1+g.IntN(20)) + g.pick("", " OFFSET 3")
	case 5:
		return "SELECT SUM(" + g.number() + "), AVG(" + g.pick("d", "i") + "), MIN(s), MAX(t), COUNT(DISTINCT " + g.pick("i", "d", "s", "b") + "), SUM(DISTINCT d) FROM vals WHERE " + g.condition(1)
	case 6:
		return "SELECT id, " + g.scalar() + " FROM vals"
	case 7:
		return "SELECT id, CAST(" + g.number() + " AS " + g.pick("SIGNED", "DECIMAL(10,2)", "DECIMAL(40,0)", "DECIMAL(65,30)", "DECIMAL(5,1)") + ") FROM vals WHERE " + g.number() + " BETWEEN -1000000 AND 1000000"
	case 8:
		return "SELECT id, CAST(i AS CHAR), CONCAT(i, ':', s), LENGTH(s), CHAR_LENGTH(s), UPPER(s), HEX(s) FROM vals WHERE s NOT LIKE '%ß%'"
	case 9:
		return "SELECT id, ROUND(d, " + g.pick("0", "1", "2", "3", "-1") + "), TRUNCATE(d, " + g.pick("0", "1", "2") + "), d DIV 2, MOD(d, 0.7), -d FROM vals"
	case 10:
		return "SELECT a.id, b.id FROM vals a JOIN vals b ON a." + g.number() + " = b." + g.number() + g.pick("", " AND a.s = b.s", " AND a.id < b.id")
	case 11:
		return "SELECT " + g.number() + " FROM vals " + g.pick("UNION", "UNION ALL", "INTERSECT", "EXCEPT") + " SELECT " + g.number() + " FROM vals WHERE " + g.condition(0)
	case 12:
		// MariaDB forgets a NULL in the list where the left side does not fit its type.
		n := g.number()
		return "SELECT id FROM vals WHERE " + g.number() + g.pick(" IN", " NOT IN") + " (SELECT " + n + " FROM vals WHERE " + n + " IS NOT NULL AND " + g.condition(0) + ")"
	case 13:
		return "SELECT id, d / " + g.pick("3", "2", "7", "0.3") + ", i / " + g.pick("3", "2", "7") + " FROM vals"
	case 14:
		return "SELECT s, t, SUM(d) AS total FROM vals GROUP BY s, t HAVING total > " + g.pick("0", "1.5", "-1") + ""
	case 15:
		return "SELECT id, " + g.condition(1) + " FROM vals"
	}
	return "SELECT id FROM vals WHERE " + g.condition(2)
}
