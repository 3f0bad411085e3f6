package engine_test

import (
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestCastsAndAveragesAsMariaDB asks a MariaDB server and an engine for casts and
// averages of the same generated values.
//
//	DYNASQL_CASTS=n  asks n questions instead of a few hundred
//	DYNASQL_SEED=n   begins elsewhere
func TestCastsAndAveragesAsMariaDB(t *testing.T) {
	m := startMariaDB(t)
	count, seed := 400, uint64(4)
	if n, err := strconv.Atoi(os.Getenv("DYNASQL_CASTS")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("DYNASQL_SEED"), 10, 64); err == nil {
		seed = n
	}
	g := &valueGenerator{rand.New(rand.NewPCG(seed, 5))}
	s, _ := g.load(t, m)
	const atOnce = 1000
	for count > 0 {
		statements := []string{"USE test1"}
		for range min(atOnce, count) {
			statements = append(statements, g.castOrAverage())
		}
		count -= atOnce
		answers, err := m.run(statements...)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range statements[1:] {
			if want := answers[i+1]; !differs(q, want) && !strings.Contains(q, "59.999999' AS TIME)") {
				compareRows(t, q, answerOf(s, q), want, sameAverage(q))
			}
		}
	}
}

func (g *valueGenerator) castOrAverage() string {
	if g.IntN(2) == 0 {
		return g.average()
	}
	return "SELECT id, " + g.cast() + " FROM vals"
}

// cast is a cast of a value to a type. MariaDB does otherwise than MySQL 8 in
// what is left out: a negative number AS UNSIGNED is 0, BINARY(n) does not cut
// inside of HEX, fractions of seconds are cut and not rounded.
func (g *valueGenerator) cast() string {
	of, as := g.castable(), ""
	switch g.IntN(10) {
	case 0, 1:
		as = "SIGNED"
	case 2:
		as = "UNSIGNED"
		of = g.pick("ABS("+g.number()+")", "s", "t", g.quotedText(), g.pick(arguments["bits"]...))
	case 3:
		as = g.pick("DECIMAL", "DECIMAL(5)", "DECIMAL(10,2)", "DECIMAL(40,0)", "DECIMAL(65,30)", "DECIMAL(5,1)", "DECIMAL(2,2)")
	case 4:
		as = "DOUBLE"
	case 5:
		of, as = g.pick("i", "s", "t", g.quotedText(), g.fixed()), g.pick("CHAR", "CHAR(3)", "CHAR(1)", "CHAR(20)")
	case 6:
		return "HEX(CAST(" + g.pick("i", "s", "t", g.quotedText(), g.fixed()) + " AS " + g.pick("BINARY", "BINARY(20)") + "))"
	case 7:
		of, as = g.pick(arguments["date"]...), "DATE"
	case 8:
		of, as = g.pick(arguments["date"]...), "DATETIME"+g.pick("", "(6)")
	default:
		of, as = g.pick(arguments["time"]...), "TIME"+g.pick("", "(6)")
	}
	return "CAST(" + of + " AS " + as + ")"
}

func (g *valueGenerator) castable() string {
	return g.pick("i", "d", "b", "s", "t", g.scalar(), g.quotedText(), g.constant(), "d / 3", "i / 7")
}

// averaged is what an average is taken of. Columns of many digits are left out,
// since MariaDB's averages of them end at 65.
func (g *valueGenerator) averaged() string {
	return g.pick("i", "d", "s", "i + d", "d * 1.5", "i * 2", "d / 3", "i / 7 + d", "-(d / 7)", "-d", "ABS(i)", "CAST(i AS SIGNED)", "CAST(b AS DECIMAL(20,5))",
		"CASE WHEN i > 5 THEN d ELSE i END", "COALESCE(d, 0)", "IF(s IS NULL, d, NULL)", "LENGTH(s)")
}

func (g *valueGenerator) withoutQuotient() string {
	for {
		if of := g.averaged(); !strings.Contains(of, "/") {
			return of
		}
	}
}

func (g *valueGenerator) average() string {
	avg := "AVG(" + g.pick("", "", "DISTINCT ") + g.averaged() + ")"
	where := ""
	if g.IntN(2) == 0 {
		where = " WHERE " + g.condition(1)
	}
	switch g.IntN(8) {
	case 6: // computed with more digits than are shown, but for those of quotients, which MariaDB adds up by turns as shown
		avg = "AVG(" + g.pick("", "DISTINCT ") + g.withoutQuotient() + ")"
		all := g.pick("3 * %", "% * 1000", "% + 0", "-%", "% - d0", "ROUND(%, 8)", "TRUNCATE(%, 7)", "CAST(% AS DECIMAL(40,8))", "IFNULL(%, 0)", "(%) * 7 + 1", "% DIV 1")
		return "SELECT s, " + strings.ReplaceAll(strings.ReplaceAll(all, "d0", "SUM(i)"), "%", avg) + ", COUNT(*) FROM vals" + where + " GROUP BY s" + g.pick("", " HAVING COUNT(*) > 1")
	case 7:
		avg = "AVG(" + g.withoutQuotient() + ")"
		return "SELECT id, " + avg + " OVER (" + g.pick("", "PARTITION BY s ") + "ORDER BY id) * " + g.pick("3", "1000") + " FROM vals" + where
	case 0:
		return "SELECT " + g.pick("s", "i", "t") + " AS k, " + avg + ", COUNT(*) FROM vals" + where + " GROUP BY k"
	case 1:
		return "SELECT s, " + avg + " AS a FROM vals" + where + " GROUP BY s HAVING a " + g.operator() + " " + g.pick("0", "1", "1.5", "10")
	case 2:
		avg = "AVG(" + g.averaged() + ")"
		return "SELECT id, " + avg + " OVER (" + g.pick("", "PARTITION BY s ") + "ORDER BY id " + g.pick("", "ROWS 2 PRECEDING", "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING") + ") FROM vals" + where
	case 3:
		return "SELECT CAST(" + avg + " AS " + g.pick("SIGNED", "DECIMAL(20,2)") + ") FROM vals" + where
	case 4:
		return "SELECT ROUND(" + avg + ", " + g.pick("0", "1", "2", "4") + "), SUM(" + g.averaged() + ") FROM vals" + where
	}
	return "SELECT " + avg + " FROM vals" + where
}

// sameAverage is sameRow, but for the last digit of an average, which MariaDB
// cuts, for the order in which floating-point numbers are added, and for the
// digits of seconds that its types show. Of quotients MariaDB adds up, by turns,
// those it shows and those it computes with, so that four digits are compared.
func sameAverage(q string) func(got, want string) bool {
	digits := 12
	if strings.Contains(q, " / ") {
		digits = 4
	}
	return func(got, want string) bool {
		g, w := strings.Split(got, "\t"), strings.Split(want, "\t")
		if len(g) != len(w) {
			return false
		}
		for i := range g {
			if !sameResult(g[i], w[i]) && !nearly(g[i], w[i], digits) {
				return false
			}
		}
		return true
	}
}

// nearly compares numbers but for one of the last digit behind the point that
// both have, of so many digits at most.
func nearly(got, want string, digits int) bool {
	a, okA := new(big.Rat).SetString(got)
	b, okB := new(big.Rat).SetString(want)
	scale := min(scaleOf(got), scaleOf(want), digits)
	if !okA || !okB || scale < 4 {
		return false
	}
	last := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	difference := a.Sub(a, b)
	return difference.Abs(difference).Cmp(last) <= 0
}
