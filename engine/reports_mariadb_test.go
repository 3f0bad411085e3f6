package engine_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reportRows are items of one table for reports: groups with ties, missing and
// NULL values, negative numbers and decimals.
func reportRows(d dice, n int) (fixture, []string) {
	f := fixture{name: "sales", hash: "id:N"}
	create := "CREATE TABLE sales (id INT PRIMARY KEY, a VARCHAR(20), b VARCHAR(20), n DECIMAL(20,4), i BIGINT, s VARCHAR(20)) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_nopad_bin"
	rows := []string{}
	for id := range n {
		item, values := []string{fmt.Sprintf(`"id":{"N":"%d"}`, id)}, []string{fmt.Sprint(id)}
		add := func(name, kind, value string) {
			if id > 0 && d.chance(15) { // a column that is always NULL has no type
				values = append(values, "NULL")
				if d.chance(50) {
					item = append(item, fmt.Sprintf(`%q:{"NULL":true}`, name))
				}
				return
			}
			item = append(item, fmt.Sprintf(`%q:{%q:%q}`, name, kind, value))
			values = append(values, "'"+value+"'")
		}
		add("a", "S", pick(d, []string{"x", "y", "Y", "z"}))
		add("b", "S", pick(d, []string{"p", "q", ""}))
		add("n", "N", pick(d, []string{"1", "2", "2.5", "-3.25", "0", "10", "10.0001", "7.5", "100", "-0.5"}))
		add("i", "N", fmt.Sprint(d.IntN(12)-3))
		add("s", "S", pick(d, []string{"a", "A", "b", "bb", "c"}))
		f.items = append(f.items, "{"+strings.Join(item, ",")+"}")
		rows = append(rows, "("+strings.Join(values, ",")+")")
	}
	statements := []string{"DROP DATABASE IF EXISTS reports", "CREATE DATABASE reports", "USE reports", create}
	if n > 0 {
		statements = append(statements, "INSERT INTO sales VALUES "+strings.Join(rows, ","))
	}
	return f, statements
}

// reportStatement is a random statement with windows or WITH ROLLUP.
func reportStatement(d dice) string {
	switch d.IntN(6) {
	case 0, 1:
		return rollupStatement(d)
	case 2:
		return groupedWindows(d)
	case 3:
		return percentiles(d)
	}
	return windowStatement(d)
}

// windowStatement has one window: MariaDB mixes several up.
func windowStatement(d dice) string {
	where := ""
	if d.chance(30) {
		where = " WHERE " + pick(d, []string{"i > 0", "a = 'x'", "n IS NOT NULL", "id < 0", "a <> b OR i < 5"})
	}
	return "SELECT id, " + windowFunction(d) + " FROM sales" + where + " ORDER BY id"
}

func windowFunction(d dice) string {
	partition := pick(d, []string{"", "", "PARTITION BY a ", "PARTITION BY a, b ", "PARTITION BY b IS NULL ", "PARTITION BY i % 3 "})
	direction := pick(d, []string{"", " DESC"})
	by := pick(d, []string{"n", "i", "a", "s", "n + i"})
	total := "ORDER BY " + by + direction + ", id"
	ties := "ORDER BY " + by + direction
	value := pick(d, []string{"n", "i", "n * i", "COALESCE(i, -1)"})
	switch d.IntN(8) {
	case 0:
		return pick(d, []string{"RANK()", "DENSE_RANK()", "PERCENT_RANK()", "CUME_DIST()"}) + " OVER (" + partition + ties + ")"
	case 1:
		return pick(d, []string{"ROW_NUMBER()", "NTILE(1)", "NTILE(3)", "NTILE(50)"}) + " OVER (" + partition + total + ")"
	case 2:
		return fmt.Sprintf("%s(%s, %d) OVER (%s%s)", pick(d, []string{"LAG", "LEAD"}), pick(d, []string{value, "s"}), d.IntN(4), partition, total)
	case 3:
		f := pick(d, []string{"FIRST_VALUE(%s)", "LAST_VALUE(%s)", "NTH_VALUE(%s, 2)"})
		return fmt.Sprintf(f, pick(d, []string{value, "s", "a"})) + " OVER (" + partition + total + rowsFrame(d) + ")"
	case 4:
		return windowAggregate(d, value) + " OVER (" + partition + ")"
	case 5:
		return windowAggregate(d, value) + " OVER (" + partition + ties + pick(d, []string{"", " RANGE UNBOUNDED PRECEDING", " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " RANGE BETWEEN CURRENT ROW AND CURRENT ROW"}) + ")"
	case 6:
		return windowAggregate(d, value) + " OVER (" + partition + "ORDER BY " + pick(d, []string{"n", "i"}) + direction + rangeFrame(d) + ")"
	}
	return windowAggregate(d, value) + " OVER (" + partition + total + rowsFrame(d) + ")"
}

func windowAggregate(d dice, value string) string {
	f := pick(d, []string{"SUM", "AVG", "COUNT", "COUNT", "MIN", "MAX", "STDDEV", "VAR_SAMP"})
	if f == "COUNT" && d.chance(50) {
		value = "*"
	}
	return f + "(" + value + ")"
}

func rowsFrame(d dice) string {
	return pick(d, []string{"", " ROWS UNBOUNDED PRECEDING", " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", " ROWS BETWEEN 1 PRECEDING AND 3 FOLLOWING",
		" ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
		" ROWS BETWEEN 4 PRECEDING AND 2 PRECEDING", " ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING", " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING",
		" ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING", " ROWS 3 PRECEDING"})
}

func rangeFrame(d dice) string {
	return pick(d, []string{" RANGE 2 PRECEDING", " RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING", " RANGE BETWEEN 3 PRECEDING AND 1 PRECEDING",
		" RANGE BETWEEN 1 FOLLOWING AND 3 FOLLOWING", " RANGE BETWEEN CURRENT ROW AND 2 FOLLOWING", " RANGE BETWEEN UNBOUNDED PRECEDING AND 2 FOLLOWING",
		" RANGE BETWEEN 2 PRECEDING AND UNBOUNDED FOLLOWING", " RANGE BETWEEN 0 PRECEDING AND 0 FOLLOWING", " RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"})
}

// rollupStatement has no keys that are NULL in the table: MariaDB has no
// GROUPING() by which to tell them from those of sums.
func rollupStatement(d dice) string {
	keys := [][]string{{"a"}, {"a", "b"}, {"b", "a", "i"}, {"i % 3", "a"}, {"COALESCE(a, '-')", "b"}}
	by := pick(d, keys)
	items := append([]string{}, by...)
	for range 1 + d.IntN(3) {
		items = append(items, pick(d, []string{"COUNT(*)", "COUNT(n)", "SUM(n)", "AVG(i)", "MIN(s)", "MAX(n)", "COUNT(DISTINCT s)", "GROUP_CONCAT(s ORDER BY s SEPARATOR '-')",
			"SUM(n * i)", "COUNT(s = 'a')", "SUM(s = 'a')", "SUM(s = 'A')", "SUM(n) / COUNT(*)",
			"BIT_XOR(i)", "BIT_OR(n)", "BIT_AND(n)", "STDDEV_SAMP(n)", "VARIANCE(i)", "GROUP_CONCAT(DISTINCT s ORDER BY s DESC)"}))
	}
	where, having := "", ""
	if d.chance(70) {
		var present []string
		for _, column := range []string{"a", "b", "i"} {
			present = append(present, column+" IS NOT NULL")
		}
		where = " WHERE " + strings.Join(present, " AND ")
	}
	if d.chance(30) {
		having = " HAVING " + pick(d, []string{"COUNT(*) > 1", "SUM(n) > 3", "MAX(i) > 2 OR COUNT(*) = 1"})
	}
	distinct := ""
	if having == "" { // with both, MariaDB gives rows for which HAVING does not hold
		distinct = pick(d, []string{"", "", "DISTINCT "})
	}
	return "SELECT " + distinct + strings.Join(items, ", ") + " FROM sales" + where + " GROUP BY " + strings.Join(by, ", ") + " WITH ROLLUP" + having
}

func groupedWindows(d dice) string {
	by := pick(d, []string{"a", "b", "i % 3"})
	return "SELECT " + by + ", COUNT(*), " + pick(d, []string{"RANK() OVER (ORDER BY COUNT(*))", "SUM(SUM(n)) OVER (ORDER BY " + by + ")", "COUNT(*) OVER ()",
		"ROW_NUMBER() OVER (ORDER BY MAX(i), " + by + ")", "SUM(COUNT(*)) OVER () - SUM(i)"}) + " FROM sales GROUP BY " + by + pick(d, []string{"", " HAVING COUNT(*) > 2"}) + " ORDER BY " + by
}

func percentiles(d dice) string {
	p := pick(d, []string{"0", "0.25", "0.5", "0.9", "1"})
	f := pick(d, []string{"MEDIAN(%[2]s)", "PERCENTILE_CONT(%[1]s) WITHIN GROUP (ORDER BY %[2]s)", "PERCENTILE_CONT(%[1]s) WITHIN GROUP (ORDER BY %[2]s DESC)",
		"PERCENTILE_DISC(%[1]s) WITHIN GROUP (ORDER BY %[2]s)", "PERCENTILE_DISC(%[1]s) WITHIN GROUP (ORDER BY %[2]s DESC)"})
	f = fmt.Sprintf(f, p, pick(d, []string{"n", "i"}))
	if strings.HasPrefix(f, "MEDIAN") {
		f = strings.Split(f, ")")[0] + ")"
	}
	return "SELECT id, " + f + " OVER (PARTITION BY " + pick(d, []string{"a", "b", "a, b"}) + ") FROM sales ORDER BY id"
}

// TestReportsAgainstMariaDB runs random statements with windows, WITH ROLLUP and
// percentiles here and on MariaDB.
//
//	DYNASQL_REPORTS=n       runs n statements instead of a few hundred
//	DYNASQL_REPORTS_SEED=s  begins with seed s, a multiple of 50
func TestReportsAgainstMariaDB(t *testing.T) {
	m := startMariaDB(t)
	count := 400
	if n, err := strconv.Atoi(os.Getenv("DYNASQL_REPORTS")); err == nil {
		count = n
	}
	start, err := strconv.Atoi(os.Getenv("DYNASQL_REPORTS_SEED"))
	if err != nil {
		start = 0
	}
	const perTable = 50
	compared, refused := 0, map[string]int{}
	for first := start; first < start+count && !t.Failed(); first += perTable {
		d := diceOf(uint64(first))
		table, statements := reportRows(d, pick(d, []int{1, 5, 20, 60}))
		if first == 0 {
			table, statements = reportRows(d, 40)
		}
		s := sessionOver(t, table)
		if first/perTable%2 == 1 { // what goes to files is compared as well
			mustAnswer(t, s, "SET ddb_memory_limit = 1000")
		}
		loading := len(statements)
		var queries []string
		for range perTable {
			queries = append(queries, reportStatement(d))
		}
		theirs, err := m.run(append(statements, queries...)...)
		if err != nil {
			t.Fatal(err)
		}
		for i, query := range queries {
			ours, err := answer(s, query)
			if err != nil {
				if table.items == nil || strings.HasPrefix(strings.Join(theirs[loading+i], ""), "error") {
					refused[err.Error()]++
					continue // a table without items has no columns but its key
				}
				t.Errorf("%s\n%v\nMariaDB: %q", query, err, theirs[loading+i])
				continue
			}
			want := theirs[loading+i]
			for j := range want {
				want[j] = strings.ReplaceAll(want[j], "\t", "|")
			}
			if strings.Contains(query, "SELECT DISTINCT") {
				slices.SortFunc(ours, compareReports)
				slices.SortFunc(want, compareReports)
			}
			if strings.Contains(query, "WITH ROLLUP") && len(want) == 0 && len(ours) == 1 {
				continue // of no rows, MySQL 8 gives the sum, and MariaDB nothing
			}
			compared++
			if difference := reportsDiffer(ours, want); difference != "" {
				t.Errorf("%d: %s\n%s\n   ours %q\nMariaDB %q", first, query, difference, ours, want)
			}
		}
	}
	t.Logf("%d answers compared, both refused %v", compared, refused)
}

// TestSeveralWindows runs statements with several windows, whose answers are
// those of statements with one each.
func TestSeveralWindows(t *testing.T) {
	for seed := range uint64(20) {
		d := diceOf(seed)
		table, _ := reportRows(d, pick(d, []int{5, 20, 60}))
		s := sessionOver(t, table)
		functions := make([]string, 2+d.IntN(4))
		var alone [][]string
		for i := range functions {
			functions[i] = windowFunction(d)
			one, err := answer(s, "SELECT id, "+functions[i]+" FROM sales ORDER BY id")
			if err != nil {
				t.Fatalf("%s: %v", functions[i], err)
			}
			alone = append(alone, one)
		}
		query := "SELECT id, " + strings.Join(functions, ", ") + " FROM sales ORDER BY id"
		all, err := answer(s, query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for row := range all {
			want := strings.Split(alone[0][row], "|")[:1]
			for i := range functions {
				want = append(want, strings.SplitN(alone[i][row], "|", 2)[1])
			}
			if all[row] != strings.Join(want, "|") {
				t.Fatalf("%s\n got %s\nwant %s", query, all[row], want)
			}
		}
	}
}

// compareReports orders rows that are the same but for digits that do not count.
func compareReports(a, b string) int {
	plain := func(row string) string {
		cells := strings.Split(row, "|")
		for i, c := range cells {
			if f, err := strconv.ParseFloat(c, 64); err == nil {
				cells[i] = fmt.Sprintf("%.3f", f)
			}
		}
		return strings.Join(cells, "|")
	}
	return strings.Compare(plain(a), plain(b))
}

// reportsDiffer compares rows: numbers may differ in digits that the server cuts
// off behind the point.
func reportsDiffer(ours, theirs []string) string {
	if len(ours) != len(theirs) {
		return fmt.Sprintf("%d rows against %d", len(ours), len(theirs))
	}
	for i := range ours {
		a, b := strings.Split(ours[i], "|"), strings.Split(theirs[i], "|")
		if len(a) != len(b) {
			return fmt.Sprintf("row %d has %d values against %d", i+1, len(a), len(b))
		}
		for j := range a {
			if a[j] == b[j] {
				continue
			}
			x, errX := strconv.ParseFloat(a[j], 64)
			y, errY := strconv.ParseFloat(b[j], 64)
			if errX != nil || errY != nil || math.Abs(x-y) > 1e-4*max(1, math.Abs(x)) {
				return fmt.Sprintf("row %d, value %d: %s against %s", i+1, j+1, a[j], b[j])
			}
		}
	}
	return ""
}
