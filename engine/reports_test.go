package engine_test

import (
	"fmt"
	"strings"
	"testing"
)

// salesOf is the table of MySQL's manual on GROUP BY modifiers, with a sale
// more whose product is NULL.
func salesOf() fixture {
	f := fixture{name: "sales", hash: "id:N"}
	for i, row := range []string{
		`"year":{"N":"2000"},"country":{"S":"Finland"},"product":{"S":"Computer"},"profit":{"N":"1500"}`,
		`"year":{"N":"2000"},"country":{"S":"Finland"},"product":{"S":"Phone"},"profit":{"N":"100"}`,
		`"year":{"N":"2000"},"country":{"S":"India"},"product":{"S":"Calculator"},"profit":{"N":"75"}`,
		`"year":{"N":"2000"},"country":{"S":"India"},"product":{"S":"Calculator"},"profit":{"N":"75"}`,
		`"year":{"N":"2000"},"country":{"S":"India"},"product":{"S":"Computer"},"profit":{"N":"1200"}`,
		`"year":{"N":"2001"},"country":{"S":"Finland"},"product":{"S":"Phone"},"profit":{"N":"10"}`,
		`"year":{"N":"2001"},"country":{"S":"USA"},"product":{"S":"TV"},"profit":{"N":"250.5"}`,
		`"year":{"N":"2001"},"country":{"S":"USA"},"profit":{"N":"50"}`,
	} {
		f.items = append(f.items, fmt.Sprintf(`{"id":{"N":"%d"},%s}`, i+1, row))
	}
	return f
}

func TestRollup(t *testing.T) {
	s := sessionOver(t, salesOf(), fixture{name: "names", hash: "code:S", items: []string{`{"code":{"S":"USA"},"full":{"S":"United States"}}`}})
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT year, SUM(profit) AS profit FROM sales GROUP BY year WITH ROLLUP", []string{"2000|2950", "2001|310.5", "NULL|3260.5"}},
		{"SELECT year, country, product, SUM(profit) FROM sales WHERE year = 2001 GROUP BY year, country, product WITH ROLLUP ORDER BY GROUPING(year), year, GROUPING(country), country, GROUPING(product), product",
			[]string{"2001|Finland|Phone|10", "2001|Finland|NULL|10", "2001|USA|NULL|50", "2001|USA|TV|250.5", "2001|USA|NULL|300.5", "2001|NULL|NULL|310.5", "NULL|NULL|NULL|310.5"}},
		{"SELECT product, GROUPING(product), COUNT(*) FROM sales WHERE country = 'USA' GROUP BY product WITH ROLLUP", []string{"NULL|0|1", "TV|0|1", "NULL|1|2"}},
		{"SELECT year, country, GROUPING(year, country) AS level FROM sales GROUP BY year, country WITH ROLLUP HAVING level > 0 ORDER BY level, year", []string{"2000|NULL|1", "2001|NULL|1", "NULL|NULL|3"}},
		{"SELECT IF(GROUPING(year), 'All years', year) AS year, IF(GROUPING(country), 'All', country) AS country, SUM(profit) AS p FROM sales GROUP BY year, country WITH ROLLUP HAVING GROUPING(year) = 1 OR p > 2000 ORDER BY p",
			[]string{"2000|All|2950", "All years|All|3260.5"}},
		{"SELECT COALESCE(product, 'none') AS product, COUNT(*) FROM sales WHERE year = 2001 GROUP BY product WITH ROLLUP", []string{"none|1", "Phone|1", "TV|1", "none|3"}},
		{"SELECT COALESCE(product, 'none') AS name, COUNT(*) FROM sales WHERE year = 2001 GROUP BY name WITH ROLLUP", []string{"Phone|1", "TV|1", "none|1", "NULL|3"}},
		{"SELECT year % 2, COUNT(*) FROM sales GROUP BY 1 WITH ROLLUP", []string{"0|5", "1|3", "NULL|8"}},
		{"SELECT s.year, COUNT(*) FROM sales s GROUP BY year WITH ROLLUP HAVING s.year IS NULL", []string{"NULL|8"}},
		{"SELECT year + 1, SUM(profit) / 2 + year FROM sales GROUP BY year WITH ROLLUP", []string{"2001|3475.0000", "2002|2156.25000", "NULL|NULL"}},
		{"SELECT DISTINCT country FROM sales GROUP BY country, year WITH ROLLUP", []string{"Finland", "India", "USA", "NULL"}},
		{"SELECT country, COUNT(*) FROM sales GROUP BY country WITH ROLLUP ORDER BY COUNT(*) DESC, country LIMIT 2", []string{"NULL|8", "Finland|3"}},
		{"SELECT country, COUNT(DISTINCT product), GROUP_CONCAT(DISTINCT year ORDER BY 1) FROM sales GROUP BY country WITH ROLLUP", []string{"Finland|2|2000,2001", "India|2|2000", "USA|1|2001", "NULL|4|2000,2001"}},
		{"SELECT country, COUNT(*) FROM sales WHERE id > 99 GROUP BY country WITH ROLLUP", []string{"NULL|0"}},
		{"SELECT * FROM (SELECT country, year, SUM(profit) p FROM sales GROUP BY country, year WITH ROLLUP) q WHERE year IS NULL AND country = 'USA'", []string{"USA|NULL|300.5"}},
		{"SELECT country, (SELECT MAX(full) FROM names n WHERE n.code = s.country) AS name, COUNT(*) FROM sales s GROUP BY country WITH ROLLUP", []string{"Finland|NULL|3", "India|NULL|3", "USA|United States|2", "NULL|NULL|8"}},
		{"WITH r AS (SELECT year, SUM(profit) AS p FROM sales GROUP BY year WITH ROLLUP) SELECT COUNT(*), MAX(p) FROM r", []string{"3|3260.5"}},
		{"SELECT year, SUM(profit) FROM sales GROUP BY year WITH ROLLUP UNION ALL SELECT 1, 2", []string{"1|2", "2000|2950", "2001|310.5", "NULL|3260.5"}},
		{"SELECT country, SUM(profit) p, RANK() OVER (ORDER BY SUM(profit) DESC) r FROM sales GROUP BY country WITH ROLLUP ORDER BY r", []string{"NULL|3260.5|1", "Finland|1610|2", "India|1350|3", "USA|300.5|4"}},
		{"WITH rollup AS (SELECT 1 AS one) SELECT one FROM rollup", []string{"1"}},
		{"SELECT 'GROUP BY year WITH ROLLUP', COUNT(*) FROM sales", []string{"GROUP BY year WITH ROLLUP|8"}},
		{"SELECT country AS year, COUNT(*) FROM sales GROUP BY year WITH ROLLUP", []string{"error: 'sales.year' is not what GROUP BY groups by, which is 'sales.country'"}},
		{"SELECT year, GROUPING(country) FROM sales GROUP BY year WITH ROLLUP", []string{"error: argument 1 of GROUPING is not among"}},
		{"SELECT year, GROUPING(year) FROM sales GROUP BY year", []string{"error: GROUPING() needs GROUP BY .. WITH ROLLUP"}},
		{"SELECT * FROM sales GROUP BY year WITH ROLLUP", []string{"error: SELECT * of groups with WITH ROLLUP"}},
		{"SELECT year, profit FROM sales GROUP BY year WITH ROLLUP", []string{"error: profit"}},
	} {
		expect(t, s, test.query, test.want...)
	}
}

// TestRollupReadsOnce: all levels are of one reading of the table.
func TestRollupReadsOnce(t *testing.T) {
	s := sessionOver(t, salesOf())
	rows, err := s.Query(t.Context(), "SELECT year, country, product, SUM(profit) FROM sales GROUP BY year, country, product WITH ROLLUP")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for {
		if _, err := rows.Next(); err != nil {
			break
		}
	}
	if u := rows.Usage(); u.Items != 8 {
		t.Errorf("%d items read of 8", u.Items)
	}
}

func TestWindows(t *testing.T) {
	s := sessionOver(t, salesOf(), measures())
	day := "CAST(t AS DATETIME)"
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT id, SUM(profit) OVER w, SUM(profit) OVER (w ROWS 1 PRECEDING), SUM(profit) OVER (v ORDER BY id), SUM(profit) OVER () FROM sales WHERE year = 2001 WINDOW v AS (PARTITION BY country), w AS (v ORDER BY id) ORDER BY id",
			[]string{"6|10|10|10|310.5", "7|250.5|250.5|250.5|310.5", "8|300.5|300.5|300.5|310.5"}},
		{"SELECT id, COUNT(*) OVER (PARTITION BY year), COUNT(*) OVER (PARTITION BY country) FROM sales WHERE id > 4 ORDER BY id", []string{"5|1|1", "6|3|1", "7|3|2", "8|3|2"}},
		{"SELECT id, SUM(product = 'tv') OVER (), SUM(product = 'TV') OVER () FROM sales WHERE id = 7", []string{"7|0|1"}},
		{"SELECT id, COUNT(*) OVER (ORDER BY " + day + " RANGE BETWEEN INTERVAL 1 MONTH PRECEDING AND CURRENT ROW) FROM measures WHERE id < 5 ORDER BY t", []string{"1|1", "2|2", "4|2", "3|3"}},
		{"SELECT id, COUNT(*) OVER (ORDER BY " + day + " DESC RANGE BETWEEN INTERVAL 31 DAY PRECEDING AND INTERVAL 1 DAY PRECEDING) FROM measures WHERE id < 5 ORDER BY t", []string{"1|2", "2|2", "4|1", "3|0"}},
		{"SELECT id, SUM(n) OVER (ORDER BY n RANGE BETWEEN 3 PRECEDING AND 2 FOLLOWING) FROM measures ORDER BY id", []string{"1|1.5000000000000000000000000000000000001", "2|20", "3|-3", "4|1.5000000000000000000000000000000000001", "5|NULL"}},
		{"SELECT id, LAG(n, 1, 'none') OVER (ORDER BY id), LEAD(n, 2, 0) OVER (ORDER BY id), LAG(s) OVER (ORDER BY id) FROM measures WHERE id IN (1, 2, 3) ORDER BY id", []string{"1|none|-3|NULL", "2|1.5|0|b", "3|20|0|a"}},
		{"SELECT id, FIRST_VALUE(s) RESPECT NULLS OVER (ORDER BY id), NTH_VALUE(s, 2) FROM FIRST RESPECT NULLS OVER (ORDER BY id) FROM measures WHERE id < 3 ORDER BY id", []string{"1|b|NULL", "2|b|a"}},
		{"SELECT id, ROW_NUMBER() OVER (ORDER BY doc, id), DENSE_RANK() OVER (ORDER BY doc) FROM measures ORDER BY id", []string{"1|5|2", "2|1|1", "3|2|1", "4|3|1", "5|4|1"}},
		{"SELECT id FROM sales ORDER BY ROW_NUMBER() OVER (ORDER BY profit DESC) LIMIT 2", []string{"1", "5"}},
		{"SELECT country, SUM(SUM(profit)) OVER (ORDER BY country) total FROM sales GROUP BY country HAVING COUNT(*) > 2 ORDER BY country", []string{"Finland|1610", "India|2960"}},
		{"SELECT SUM(profit), RANK() OVER (ORDER BY SUM(profit)) FROM sales", []string{"3260.5|1"}},
		{"SELECT JSON_ARRAYAGG(id) OVER (ORDER BY id ROWS 1 PRECEDING) FROM sales WHERE id < 4 ORDER BY id", []string{"[1]", "[1, 2]", "[2, 3]"}},
		{"SELECT id, (SELECT MAX(q.r) FROM (SELECT ROW_NUMBER() OVER (ORDER BY m.n DESC) AS r FROM measures m WHERE m.id <= s.id) q) FROM sales s WHERE id < 4 ORDER BY id", []string{"1|1", "2|2", "3|3"}},
		{"SELECT id, (SELECT SUM(m.id + s.id) OVER () FROM measures m LIMIT 1) FROM sales s WHERE id < 3 ORDER BY id", []string{"1|20", "2|25"}},
		{"SELECT id, (SELECT GROUP_CONCAT(p ORDER BY p) FROM (SELECT m.g, COUNT(*) + s.id AS p FROM measures m GROUP BY m.g WITH ROLLUP) q) FROM sales s WHERE id < 3 ORDER BY id", []string{"1|2,3,3,6", "2|3,4,4,7"}},
		{"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT n, SUM(n) OVER (ORDER BY n) FROM r ORDER BY n", []string{"1|1", "2|3", "3|6", "4|10"}},
		{"SELECT COUNT(DISTINCT year) OVER () FROM sales", []string{"error: COUNT(DISTINCT ..) OVER (..) is not supported"}},
		{"SELECT LAG(id) IGNORE NULLS OVER (ORDER BY id) FROM sales", []string{"error: IGNORE NULLS is not supported"}},
		{"SELECT NTH_VALUE(id, 1) FROM LAST OVER (ORDER BY id) FROM sales", []string{"error: FROM LAST is not supported"}},
		{"SELECT RANK() OVER w FROM sales", []string{"error: window 'w' is not defined"}},
		{"SELECT RANK() OVER w FROM sales WINDOW w AS (v), v AS (w)", []string{"error: window 'w' refers to itself"}},
		{"SELECT RANK() OVER (w ORDER BY id) FROM sales WINDOW w AS (ORDER BY year)", []string{"error: cannot have an ORDER BY too"}},
		{"SELECT RANK() OVER (w PARTITION BY id) FROM sales WINDOW w AS (ORDER BY year)", []string{"error: cannot have a PARTITION BY"}},
		{"SELECT SUM(id) OVER (w ROWS 1 PRECEDING) FROM sales WINDOW w AS (ROWS 2 PRECEDING)", []string{"error: has a frame"}},
		{"SELECT RANK() OVER w FROM sales WINDOW w AS (ORDER BY year), w AS ()", []string{"error: defined twice"}},
		{"SELECT NTILE(0) OVER (ORDER BY id) FROM sales", []string{"error: NTILE takes a number from 1 on, and not 0"}},
		{"SELECT NTH_VALUE(id, 0) OVER (ORDER BY id) FROM sales", []string{"error: NTH_VALUE takes a number from 1 on"}},
		{"SELECT LAG(id, -1) OVER (ORDER BY id) FROM sales", []string{"error: LAG takes a number from 0 on"}},
		{"SELECT NTILE(NULL) OVER (ORDER BY id) FROM sales WHERE id = 1", []string{"NULL"}},
		{"SELECT SUM(id) OVER (ORDER BY country RANGE 1 PRECEDING) FROM sales", []string{"error: needs one ORDER BY expression, of a number or a time"}},
		{"SELECT SUM(id) OVER (RANGE 1 PRECEDING) FROM sales", []string{"error: needs one ORDER BY expression, of a number or a time"}},
		{"SELECT SUM(id) OVER (ORDER BY year, id RANGE 1 PRECEDING) FROM sales", []string{"error: needs one ORDER BY expression, of a number or a time"}},
		{"SELECT SUM(id) OVER (ORDER BY id RANGE INTERVAL 1 DAY PRECEDING) FROM sales", []string{"error: has a number for its distance"}},
		{"SELECT SUM(id) OVER (ORDER BY " + day + " RANGE 1 PRECEDING) FROM measures", []string{"error: has an INTERVAL for its distance"}},
		{"SELECT id FROM sales WHERE RANK() OVER (ORDER BY id) = 1", []string{"error: RANK, can be in the select list and in ORDER BY only"}},
		{"SELECT country, RANK() OVER (ORDER BY COUNT(*)) r FROM sales GROUP BY country HAVING r = 1", []string{"error: can be in the select list and in ORDER BY only"}},
		{"SELECT RANK() OVER (ORDER BY JSON_EXTRACT('{', '$.a')) FROM sales", []string{"error: JSON"}},
	} {
		expect(t, s, test.query, test.want...)
	}
}

// TestWindowsReadTheirColumns: a window in a subquery reads the attributes that
// it needs.
func TestWindowsReadTheirColumns(t *testing.T) {
	s := sessionOver(t, salesOf())
	plan, err := answer(s, "EXPLAIN SELECT 2 IN (SELECT ROW_NUMBER() OVER (PARTITION BY year ORDER BY profit) FROM sales) AS found")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(plan, "\n")
	if !strings.Contains(text, "profit") || strings.Contains(text, "product") {
		t.Error(text)
	}
}

// TestPreparedReport: the text of PREPARE is read as any other.
func TestPreparedReport(t *testing.T) {
	s := sessionOver(t, salesOf())
	expect(t, s, "PREPARE p FROM 'SELECT year, SUM(profit) FROM sales WHERE id > ? GROUP BY year WITH ROLLUP'")
	expect(t, s, "SET @from = 6")
	expect(t, s, "EXECUTE p USING @from", "2001|300.5", "NULL|300.5")
}

// TestPlacesInReports: a fault behind what is rewritten is shown where it stands.
func TestPlacesInReports(t *testing.T) {
	s := sessionOver(t, salesOf())
	for query, want := range map[string]string{
		"SELECT year FROM sales GROUP BY year WITH  ROLLUP HAVIN 1":                                               "syntax error near 'HAVIN 1'",
		"SELECT year FROM sales GROUP BY year WITH ROLLUP ORDER":                                                  "the statement ends too soon",
		"SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY profit DESC) OVER (PARTITION BY year) x y FROM sales": "syntax error near 'y FROM sales'",
	} {
		_, err := answer(s, query)
		if err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", query, err, want)
		}
	}
}

// TestNamesOfReports: columns have the names that the statement gives them,
// although it is rewritten before it is parsed.
func TestNamesOfReports(t *testing.T) {
	s := sessionOver(t, salesOf())
	for _, query := range []string{
		"SELECT year, sum( profit ), GROUPING(year) FROM sales GROUP BY year WITH  ROLLUP",
		"SELECT PERCENTILE_CONT(0.5) within group (order by profit DESC) OVER (PARTITION BY year), Median(profit) OVER (), id FROM sales",
		"SELECT year, RANK() OVER (ORDER BY COUNT(*)) FROM sales GROUP BY year",
	} {
		rows, err := s.Query(t.Context(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		var names []string
		for _, c := range rows.Columns() {
			names = append(names, c.Name)
		}
		if got := "SELECT " + strings.Join(names, ", ") + " FROM"; !strings.HasPrefix(query, got) {
			t.Errorf("%s has the columns %q", query, names)
		}
		rows.Close()
	}
}
