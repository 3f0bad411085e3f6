package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
)

// localItems is the size of the tables of these tests: several pages.
const localItems = 6_000

func localEngine(t testing.TB) *engine.Engine {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	facts := fixture{name: "facts", hash: "id:S"}
	for i := range localItems {
		item := fmt.Sprintf(`{"id":{"S":"i%d"},"grp":{"S":"g%d"},"amount":{"N":"%d.%02d"},"flag":{"BOOL":%t},"note":{"S":"%s"}`,
			i, r.IntN(900), r.IntN(5000)-2500, r.IntN(100), r.IntN(2) == 0, strings.Repeat("é", r.IntN(30)))
		if r.IntN(10) > 0 {
			item += fmt.Sprintf(`,"weight":{"N":"%d"},"ref":{"S":"k%d"}`, r.IntN(40), r.IntN(700))
		}
		if r.IntN(50) == 0 {
			item += `,"huge":{"N":"123456789012345678901234567890.5"}`
		} else {
			item += fmt.Sprintf(`,"huge":{"N":"%d"}`, r.IntN(3))
		}
		if r.IntN(3) == 0 {
			item += `,"doc":{"M":{"a":{"N":"1.50"},"l":{"L":[{"S":"x"}]}}}`
		}
		facts.items = append(facts.items, item+"}")
	}
	kinds := fixture{name: "kinds", hash: "k:S"}
	for i := range 1_000 {
		kinds.items = append(kinds.items, fmt.Sprintf(`{"k":{"S":"k%d"},"name":{"S":"kind %d"},"rank":{"N":"%d.0"}}`, i, i%37, i%11))
	}
	return over(t, storeOf(t, facts, kinds), catalog.Options{})
}

// localStatements go through every operator of ours. Those that begin with
// "ordered" have one right order.
var localStatements = []string{
	"SELECT grp, COUNT(*), COUNT(weight), SUM(amount), AVG(amount), MIN(amount), MAX(note), COUNT(DISTINCT weight, flag) FROM facts GROUP BY grp",
	"SELECT weight, flag, SUM(huge), AVG(huge), MIN(huge), MAX(huge) FROM facts GROUP BY weight, flag",
	"SELECT huge, COUNT(*) FROM facts GROUP BY huge",
	"SELECT COUNT(*), SUM(huge) FROM facts WHERE huge",
	"SELECT COUNT(*), MIN(weight) FROM facts WHERE weight AND huge - 1",
	"SELECT LEFT(note, 3) AS p, SUBSTRING(grp, 2, 1) AS q, SUM(amount * 2 - weight), SUM(CASE WHEN flag THEN amount ELSE 0 END) FROM facts WHERE amount BETWEEN -1000 AND 1000.5 GROUP BY p, q",
	"SELECT COUNT(*), SUM(amount), AVG(weight), MIN(id), MAX(id), COUNT(DISTINCT grp) FROM facts WHERE note LIKE 'éé%' AND NOT (weight IN (1, 2, 3.0) OR weight IS NULL)",
	"SELECT COUNT(*), SUM(amount), MAX(note), AVG(weight) FROM facts WHERE amount > 1e9",
	"SELECT flag, IFNULL(weight, -1) AS w, IF(amount > 0, 'up', 'down') AS d, COUNT(*) FROM facts GROUP BY flag, w, d",
	"SELECT ROUND(VAR_POP(amount), 6), ROUND(STDDEV_SAMP(weight), 6), ROUND(VARIANCE(huge) / 1e50, 3) FROM facts",
	"SELECT UPPER(grp) AS g, JSON_EXTRACT(doc, '$.a') AS a, COUNT(*) FROM facts GROUP BY g, a",
	"SELECT grp, BIT_XOR(weight), GROUP_CONCAT(DISTINCT weight ORDER BY weight) FROM facts GROUP BY grp",
	"SELECT n, COUNT(*) FROM (SELECT grp, COUNT(*) AS n FROM facts GROUP BY grp) d GROUP BY n",
	"SELECT DISTINCT weight, flag, huge FROM facts",
	"SELECT DISTINCT note FROM facts WHERE amount < 0",
	"SELECT DISTINCT LEFT(note, 2), doc, amount > 0, huge + 1 FROM facts WHERE weight > 3 OR flag",
	"SELECT COUNT(*), SUM(weight) FROM (SELECT DISTINCT weight, grp FROM facts) d",
	"SELECT COUNT(*), SUM(f.amount), COUNT(DISTINCT k.name) FROM facts f JOIN kinds k ON k.k = f.ref",
	"SELECT f.id, k.name, k.rank FROM facts f LEFT JOIN kinds k ON k.name = f.ref OR k.k = f.ref AND k.rank > 5 WHERE f.weight = 7",
	"SELECT f.id, k.name FROM facts f LEFT JOIN kinds k ON k.k = f.ref AND k.rank > 5 WHERE f.weight = 8",
	"SELECT f.id, k.k FROM facts f JOIN kinds k ON k.rank = f.weight WHERE f.amount > 2300",
	"SELECT id FROM facts f WHERE EXISTS (SELECT 1 FROM kinds k WHERE k.k = f.ref AND k.rank = 3)",
	"SELECT id FROM facts f WHERE NOT EXISTS (SELECT 1 FROM kinds k WHERE k.k = f.ref AND k.rank > 1)",
	"SELECT id FROM facts WHERE ref IN (SELECT k FROM kinds WHERE name = 'kind 3')",
	"SELECT k.name, SUM(f.amount) FROM kinds k JOIN facts f ON f.ref = k.k GROUP BY k.name",
	"SELECT COUNT(*), SUM(f.amount), MIN(k.name), COUNT(DISTINCT g.rank) FROM facts f JOIN kinds k ON k.k = f.ref JOIN kinds g ON g.name = k.name WHERE f.weight > 3 AND k.rank > 4 AND g.rank + f.weight > 20",
	"SELECT k.name, g.n, SUM(f.amount), MAX(f.note), COUNT(g.k) FROM facts f LEFT JOIN kinds k ON k.k = f.ref AND k.rank > f.weight / 4 LEFT JOIN (SELECT MIN(k) AS k, COUNT(*) AS n, `rank` FROM kinds GROUP BY `rank`) g ON g.rank = k.rank GROUP BY k.name, g.n",
	"SELECT f.weight, k.rank, COUNT(*), SUM(f.amount + k.rank) FROM facts f LEFT JOIN kinds k ON k.rank = f.weight AND k.name LIKE 'kind 1%' WHERE f.amount > 2200 GROUP BY f.weight, k.rank",
	"SELECT COUNT(*), SUM(a.amount) FROM facts a JOIN facts b ON b.huge = a.huge WHERE a.amount > 2400 AND b.amount > 2400",
	"SELECT COUNT(*), SUM(f.amount) FROM facts f WHERE EXISTS (SELECT 1 FROM kinds k WHERE k.rank = f.weight AND k.k <> f.ref)",
	"SELECT f.flag, COUNT(*), SUM(f.amount) FROM facts f WHERE NOT EXISTS (SELECT 1 FROM kinds k WHERE k.k = f.ref AND k.rank > f.weight) GROUP BY f.flag",
	"SELECT COUNT(*), COUNT(k.k) FROM facts f LEFT JOIN kinds k ON k.k = f.ref WHERE k.k IS NULL OR k.rank = 3",
	"SELECT COUNT(*) FROM facts f JOIN kinds k ON k.k = f.ref AND k.rank > 1000",
	"SELECT COUNT(*), MAX(k.name) FROM facts f LEFT JOIN kinds k ON k.k = f.ref AND k.rank > 1000",
	"SELECT DISTINCT k.name, f.flag FROM facts f LEFT JOIN kinds k ON k.k = f.ref",
	"SELECT COUNT(*), SUM(f.weight) FROM facts f JOIN kinds k ON CONCAT(k.k, '') = f.ref",
	"ordered SELECT f.id, k.name, k.rank, UPPER(k.name) AS u FROM facts f LEFT JOIN kinds k ON k.k = f.ref ORDER BY k.rank DESC, u, f.id LIMIT 40",
	"ordered SELECT f.id, k.name, f.doc, f.amount * k.rank FROM facts f JOIN kinds k ON k.k = f.ref WHERE f.weight > 30 ORDER BY k.rank DESC, f.amount * k.rank, f.id",
	"SELECT ref FROM facts UNION SELECT k FROM kinds",
	"ordered SELECT id, amount, note FROM facts WHERE weight > 30 UNION ALL SELECT k, `rank`, name FROM kinds UNION ALL SELECT note, huge, id FROM facts",
	"ordered SELECT id, flag, amount FROM facts UNION ALL SELECT k, `rank`, name FROM kinds LIMIT 6200 OFFSET 7",
	"(SELECT id, doc FROM facts ORDER BY amount, id LIMIT 300) UNION ALL SELECT k, name FROM kinds",
	"SELECT ref FROM facts INTERSECT SELECT k FROM kinds WHERE `rank` > 2",
	"SELECT id, note FROM facts INTERSECT ALL SELECT id, note FROM facts WHERE weight > 3",
	"SELECT weight, flag FROM facts EXCEPT ALL SELECT weight, flag FROM facts WHERE amount < 1000",
	"SELECT id FROM facts EXCEPT SELECT id FROM facts WHERE weight IS NULL",
	"SELECT id, ROW_NUMBER() OVER (PARTITION BY grp ORDER BY amount, id), SUM(amount) OVER (PARTITION BY grp), LAG(note) OVER (PARTITION BY grp ORDER BY amount, id) FROM facts",
	"SELECT id, RANK() OVER (PARTITION BY flag, weight ORDER BY huge), COUNT(*) OVER (PARTITION BY ref ORDER BY id ROWS 2 PRECEDING) * 2 FROM facts WHERE amount > 0",
	"SELECT id, DENSE_RANK() OVER (ORDER BY doc), NTILE(7) OVER (PARTITION BY doc ORDER BY note, id), UPPER(note) FROM facts WHERE amount > 1700",
	"ordered SELECT id, ROW_NUMBER() OVER (ORDER BY amount, id), amount FROM facts",
	"ordered SELECT grp, RANK() OVER (PARTITION BY weight, flag ORDER BY huge DESC, note), DENSE_RANK() OVER (PARTITION BY weight, flag ORDER BY huge DESC, note) AS d, ROW_NUMBER() OVER (PARTITION BY weight, flag ORDER BY huge DESC, note), doc, weight, flag FROM facts",
	"ordered SELECT ROW_NUMBER() OVER (), RANK() OVER (), id FROM facts WHERE weight > 3 LIMIT 30 OFFSET 20",
	"SELECT grp, SUM(COUNT(*)) OVER (ORDER BY grp) FROM facts GROUP BY grp",
	"ordered SELECT grp, flag, COUNT(*), SUM(amount), MAX(note) FROM facts GROUP BY grp, flag WITH ROLLUP",
	"ordered SELECT weight, grp, id, SUM(amount), COUNT(DISTINCT flag), GROUPING(grp) FROM facts WHERE amount > 0 GROUP BY weight, grp, id WITH ROLLUP",
	"ordered SELECT * FROM facts",
	"ordered SELECT f.note, f.id, f.doc, amount FROM facts f WHERE weight > 3 AND LENGTH(note) > 10",
	"ordered SELECT id, huge, UPPER(note), flag, amount > 0, -(amount * 0e0), doc->>'$.a' FROM facts WHERE flag LIMIT 100 OFFSET 950",
	"ordered SELECT id FROM facts LIMIT 0",
	"SELECT f.id, k.name, f.doc FROM facts f LEFT JOIN kinds k ON k.k = f.ref",
	"ordered SELECT amount + weight, UPPER(note) FROM facts ORDER BY amount DESC, id",
	"ordered SELECT note, doc FROM facts ORDER BY amount DESC, id LIMIT 20 OFFSET 1000",
	"ordered SELECT amount, k.name, flag FROM facts f JOIN kinds k ON k.k = f.ref ORDER BY k.name, f.id",
	"ordered SELECT id, amount FROM facts ORDER BY amount DESC, id LIMIT 10",
	"ordered SELECT id, note FROM facts WHERE flag ORDER BY note, weight DESC, id DESC LIMIT 700",
	"ordered SELECT * FROM facts ORDER BY weight, huge DESC, id",
	"ordered SELECT id, amount * 2 AS twice FROM facts ORDER BY twice, id",
	"ordered SELECT id, doc FROM facts WHERE doc IS NOT NULL ORDER BY doc, id",
	"ordered SELECT UPPER(note) AS u, id FROM facts ORDER BY u COLLATE utf8mb4_0900_ai_ci DESC, id LIMIT 50",
	"ordered SELECT DISTINCT weight, huge FROM facts ORDER BY weight DESC, huge",
	"ordered SELECT grp, SUM(amount) AS s FROM facts GROUP BY grp ORDER BY s DESC, grp LIMIT 20 OFFSET 5",
	"ordered SELECT f.id, k.name FROM facts f JOIN kinds k ON k.k = f.ref ORDER BY k.name, f.id",
}

// someLocalStatements are all, or a quarter of them with -short, which is how they
// run with the race detector.
func someLocalStatements() []string {
	if !testing.Short() {
		return localStatements
	}
	var some []string
	for i := 0; i < len(localStatements); i += 4 {
		some = append(some, localStatements[i])
	}
	return some
}

// TestLocalOperators runs statements on typed values, row by row, and with next
// to no memory, and wants the same answers.
func TestLocalOperators(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s := localEngine(t).NewSession()
	t.Cleanup(s.Close)
	for _, text := range someLocalStatements() {
		text, ordered := strings.CutPrefix(text, "ordered ")
		run := func(settings string) []string {
			t.Helper()
			mustAnswer(t, s, "SET "+settings)
			rows, err := answer(s, text)
			if err != nil {
				t.Fatalf("%s: %s\n%v", settings, text, err)
			}
			if !ordered {
				slices.Sort(rows)
			}
			return rows
		}
		want := run("ddb_typed = 0, ddb_memory_limit = 0")
		for _, settings := range []string{
			"ddb_typed = 1, ddb_memory_limit = 0",
			"ddb_typed = 1, ddb_memory_limit = 20000",
			"ddb_typed = 0, ddb_memory_limit = 20000",
		} {
			if got := run(settings); !slices.Equal(got, want) {
				t.Errorf("%s: %s\n%s", settings, text, firstDifference(got, want))
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(temporary, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// TestTypedReadsAsRowsDo wants operators on typed values to read no more than the
// same row by row: nothing of a right side without a left row or by its keys, and
// nothing more once no row can come.
func TestTypedReadsAsRowsDo(t *testing.T) {
	s := localEngine(t).NewSession()
	t.Cleanup(s.Close)
	usage := func(typed int, text string) (units float64, rows int) {
		mustAnswer(t, s, fmt.Sprintf("SET ddb_typed = %d", typed))
		a := collect(context.Background(), s, text)
		if a.err != nil {
			t.Fatalf("%s\n%v", text, a.err)
		}
		return a.units, len(a.rows)
	}
	for text, most := range map[string]float64{
		"SELECT DISTINCT grp FROM facts LIMIT 3":                                                                             70,
		"SELECT k FROM kinds WHERE k = 'k1' UNION ALL SELECT id FROM facts LIMIT 1":                                          0.5,
		"SELECT f.id, k.name FROM facts f JOIN kinds k ON k.k = f.ref LIMIT 1":                                               70,
		"SELECT COUNT(*) FROM facts f JOIN kinds k ON k.k = f.ref WHERE f.id IN ('i1', 'i2', 'i3')":                          2.5,
		"SELECT COUNT(*) FROM facts f JOIN kinds k ON k.k = f.ref JOIN kinds g ON g.k = k.name WHERE f.id = 'i1'":            1.5,
		"SELECT COUNT(*) FROM facts f JOIN kinds k ON k.k = f.ref WHERE f.id = 'none'":                                       0.5,
		"SELECT f.id FROM facts f LEFT JOIN kinds k ON k.k = f.ref WHERE f.id = 'none'":                                      0.5,
		"SELECT DISTINCT k.name FROM facts f JOIN kinds k ON k.k = f.ref WHERE f.id IN ('i1', 'i2', 'i3') AND f.weight > 99": 1.5,
	} {
		rows, n := usage(0, text)
		typed, m := usage(1, text)
		if typed > rows || typed > most || n != m {
			t.Errorf("%s\n%g read units and %d rows on typed values, %g and %d row by row; want at most %g", text, typed, m, rows, n, most)
		}
	}
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("row %d of %d and %d:\n got %s\nwant %s", i, len(got), len(want), got[i], want[i])
		}
	}
	return fmt.Sprintf("%d rows, want %d", len(got), len(want))
}

// TestExplainSaysHowAndWhatWentToFiles wants EXPLAIN to tell typed operators from
// others, and EXPLAIN ANALYZE what did not fit.
func TestExplainSaysHowAndWhatWentToFiles(t *testing.T) {
	s := localEngine(t).NewSession()
	t.Cleanup(s.Close)
	mustAnswer(t, s, "SET ddb_memory_limit = 20000")
	for text, want := range map[string]string{
		"EXPLAIN SELECT grp, SUM(amount) FROM facts GROUP BY grp":                                         "GroupBy, on typed values",
		"EXPLAIN SELECT grp, GROUP_CONCAT(id) FROM facts GROUP BY grp":                                    "GroupBy, row by row",
		"EXPLAIN SELECT id FROM facts ORDER BY amount":                                                    ", on typed values",
		"EXPLAIN ANALYZE SELECT id, note FROM facts ORDER BY amount":                                      "KB of rows were put into temporary files",
		"EXPLAIN ANALYZE SELECT f.id FROM facts f JOIN kinds k ON k.name = f.ref OR FALSE":                "actual:",
		"EXPLAIN ANALYZE SELECT id, SUM(amount) OVER (PARTITION BY grp) FROM facts":                       "KB of rows were put into temporary files",
		"EXPLAIN ANALYZE SELECT grp, id, COUNT(*) FROM facts GROUP BY grp, id WITH ROLLUP":                "KB of rows were put into temporary files",
		"EXPLAIN ANALYZE SELECT id FROM kinds k JOIN facts ON grp = 'g1' EXCEPT ALL SELECT id FROM facts": "KB of rows were put into temporary files",
		"EXPLAIN SELECT DISTINCT grp, doc FROM facts WHERE amount > 3":                                    "Distinct, on typed values",
		"EXPLAIN SELECT DISTINCT grp, RAND() FROM facts":                                                  "Distinct, row by row",
		"EXPLAIN SELECT k.name, SUM(f.amount) FROM facts f JOIN kinds k ON k.k = f.ref GROUP BY k.name":   "GroupBy, on typed values, a part in each reader\n    HashJoin, on typed values",
		"EXPLAIN SELECT f.id FROM facts f LEFT JOIN kinds k ON k.rank = f.ref":                            "Join, row by row",
	} {
		rows, err := answer(s, text)
		if err != nil || !strings.Contains(strings.Join(rows, "\n"), want) {
			t.Errorf("%s: %v, want %q in\n%s", text, err, want, strings.Join(rows, "\n"))
		}
	}
}

// TestFullMemoryIsAnError ends statements whose operators can put nothing into
// files, and says what to do.
func TestFullMemoryIsAnError(t *testing.T) {
	s := localEngine(t).NewSession()
	t.Cleanup(s.Close)
	mustAnswer(t, s, "SET ddb_memory_limit = 1000000")
	const million = "(SELECT a.k AS x, b.k AS y FROM kinds a JOIN kinds b LIMIT 1000000) d"
	for text, want := range map[string]string{
		"SELECT COUNT(*) FROM kinds k LEFT JOIN " + million + " ON d.x < k.k": "the right side of a join that is not by an equality",
		"SELECT SUM(x) OVER () FROM " + million:                               "a partition of a window",
	} {
		_, err := answer(s, text)
		var e *engine.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.Contains(e.Hint(), "ddb_memory_limit") {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

// TestKeptRowsAreBounded ends statements that keep the rows of a large table.
func TestKeptRowsAreBounded(t *testing.T) {
	wide := fixture{name: "wide", hash: "id:N"}
	for i := range 50 {
		wide.items = append(wide.items, fmt.Sprintf(`{"id":{"N":"%d"},"pad":{"S":"%s"}}`, i, strings.Repeat("x", 390_000)))
	}
	s := sessionOver(t, wide, few())
	for query, want := range map[string]string{
		"SELECT f.k, (SELECT MAX(w.pad) FROM wide w WHERE w.id <> f.part + 1000) IS NULL FROM few f": "table 'wide', which is kept in memory",
		"SELECT LENGTH(JSON_ARRAYAGG(pad)) > 1000 FROM wide":                                         "an aggregation that keeps the values of all rows",
		"SELECT id % 1, LENGTH(JSON_ARRAYAGG(pad)) > 1000 FROM wide GROUP BY id % 1 WITH ROLLUP":     "an aggregation that keeps the values of all rows",
		"SELECT COUNT(DISTINCT CONCAT(pad, id), 1 + RAND() * 0) FROM wide":                           "an aggregation that keeps the values of all rows, or the distinct ones",
		"SELECT k FROM few WHERE k NOT IN (SELECT pad FROM wide)":                                    "the right side of NOT IN",
	} {
		mustAnswer(t, s, query)
		mustAnswer(t, s, "SET ddb_memory_limit = 1000000")
		if _, err := answer(s, query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", query, err, want)
		}
		mustAnswer(t, s, "SET ddb_memory_limit = 0") // what the statement held is given back
		mustAnswer(t, s, query)
	}
}

// TestLocalOperatorsEndWhenCancelled cancels statements in the middle and wants
// no file and no goroutine left.
func TestLocalOperatorsEndWhenCancelled(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s := localEngine(t).NewSession()
	t.Cleanup(s.Close)
	mustAnswer(t, s, "SET ddb_memory_limit = 20000")
	mustAnswer(t, s, "SELECT COUNT(*) FROM facts f JOIN kinds k ON k.k = f.ref")
	before := runtime.NumGoroutine()
	for _, text := range someLocalStatements() {
		text, _ = strings.CutPrefix(text, "ordered ")
		ctx, cancel := context.WithCancel(context.Background())
		rows, err := s.Query(ctx, text)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		_, _ = rows.Next() // the first row, for which most of these read everything
		cancel()
		for err == nil {
			_, err = rows.Next()
		}
		_ = rows.Close()
	}
	if left, err := filepath.Glob(filepath.Join(temporary, "*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	if after := runtime.NumGoroutine(); after > before+2 {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, after, buf[:runtime.Stack(buf, true)])
	}
	if _, err := os.Stat(temporary); err != nil {
		t.Fatal(err)
	}
}
