package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine"
)

// TestSubqueriesBesideAggregates: a subquery next to aggregates has aggregates
// of its own, and may name the columns that the query groups by.
func TestSubqueriesBesideAggregates(t *testing.T) {
	s := sessionOver(t,
		fixture{name: "sales", hash: "shop:S", sort: "day:N", items: []string{
			`{"shop":{"S":"a"},"day":{"N":"1"},"x":{"N":"10"},"y":{"N":"2"}}`,
			`{"shop":{"S":"a"},"day":{"N":"2"},"x":{"N":"20"},"y":{"N":"2"}}`,
			`{"shop":{"S":"b"},"day":{"N":"1"},"x":{"N":"30"},"y":{"N":"3"}}`,
			`{"shop":{"S":"c"},"day":{"N":"1"},"x":{"N":"1"},"y":{"N":"1"}}`,
		}},
		fixture{name: "goals", hash: "shop:S", items: []string{
			`{"shop":{"S":"a"},"z":{"N":"1"}}`,
			`{"shop":{"S":"b"},"z":{"N":"30"}}`,
		}})
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"SELECT shop FROM sales GROUP BY shop HAVING SUM(x*y) > (SELECT SUM(x*y)*0.5 FROM sales)", []string{"b"}},
		{"SELECT shop, SUM(x*y) AS v FROM sales GROUP BY shop HAVING v > (SELECT SUM(x*y)*0.5 FROM sales)", []string{"b|90"}},
		{"SELECT SUM(x), (SELECT SUM(x) FROM sales) FROM sales WHERE shop = 'a'", []string{"30|61"}},
		{"SELECT shop, SUM(x) - (SELECT SUM(x) FROM sales) AS v FROM sales GROUP BY shop ORDER BY v, shop", []string{"c|-60", "a|-31", "b|-31"}},
		{"SELECT shop, SUM(x) / (SELECT SUM(x) FROM sales) FROM sales GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1", []string{"a|0.4918"}},
		{"SELECT shop, SUM(x) - (SELECT SUM(x) FROM sales b WHERE b.shop = sales.shop) FROM sales GROUP BY shop", []string{"a|0", "b|0", "c|0"}},
		{"SELECT shop, (SELECT z FROM goals WHERE goals.shop = sales.shop) AS goal, COUNT(*) FROM sales GROUP BY shop", []string{"a|1|2", "b|30|1", "c|NULL|1"}},
		{"SELECT shop, COUNT(*) FROM sales GROUP BY shop ORDER BY (SELECT z FROM goals WHERE goals.shop = sales.shop)", []string{"c|1", "a|2", "b|1"}},
		{"SELECT shop AS s, SUM(x) AS v, (SELECT SUM(z) FROM goals) AS w FROM sales GROUP BY shop HAVING w > 3 AND s <> 'b' AND v < w", []string{"a|30|31", "c|1|31"}},
		{"SELECT (SELECT z FROM goals WHERE goals.shop = sales.shop) AS q, COUNT(*) FROM sales GROUP BY q", []string{"NULL|1", "1|2", "30|1"}},
		{"SELECT shop, (SELECT z FROM goals WHERE goals.shop = sales.shop), y FROM sales GROUP BY shop", []string{"error: not in GROUP BY"}},
	} {
		expect(t, s, tt.query, tt.want...)
	}
}

// TestCommonConditionsOfAnOr: what all sides of an OR ask for finds keys.
func TestCommonConditionsOfAnOr(t *testing.T) {
	s := sessionOver(t, fixture{name: "sales", hash: "shop:S", sort: "day:N", items: []string{
		`{"shop":{"S":"a"},"day":{"N":"1"},"x":{"N":"10"}}`,
		`{"shop":{"S":"a"},"day":{"N":"2"},"x":{"N":"20"}}`,
		`{"shop":{"S":"b"},"day":{"N":"1"}}`,
	}})
	expect(t, s, "SELECT day FROM sales WHERE (shop = 'a' AND x = 10) OR (shop = 'a' AND x > 15 AND day = 2)", "1", "2")
	expect(t, s, "SELECT day FROM sales WHERE shop = 'a' OR (shop = 'a' AND x > 15)", "1", "2")
	expect(t, s, "SELECT (x > 5 AND shop = 'b') OR (x > 5 AND shop = 'c') FROM sales WHERE shop = 'b'", "NULL")
	expect(t, s, "SELECT a.day, b.day FROM sales a JOIN sales b ON (a.x = b.x AND a.day = 1) OR (a.x = b.x AND b.day = 2)", "1|1", "2|2")
	plan, err := answer(s, "EXPLAIN SELECT day FROM sales WHERE (shop = 'a' AND x = 10) OR (shop = 'a' AND x > 15)")
	if err != nil || !containsLine(plan, "Query sales") {
		t.Errorf("the key is not found: %v %q", err, plan)
	}
}

func containsLine(lines []string, part string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, part) })
}

// TestRowsAndNaturalJoins are faults that the library's own tests showed.
func TestRowsAndNaturalJoins(t *testing.T) {
	s := sessionOver(t,
		fixture{name: "sales", hash: "shop:S", sort: "day:N", items: []string{
			`{"shop":{"S":"a"},"day":{"N":"1"},"x":{"N":"10"}}`,
			`{"shop":{"S":"a"},"day":{"N":"2"},"x":{"N":"20"}}`,
			`{"shop":{"S":"b"},"day":{"N":"1"},"x":{"N":"8528239184798560647"}}`,
		}},
		fixture{name: "goals", hash: "shop:S", items: []string{`{"shop":{"S":"a"},"z":{"N":"1"}}`, `{"shop":{"S":"b"},"z":{"N":"7"}}`}})
	expect(t, s, "SELECT shop, day FROM sales WHERE (shop, day) IN (SELECT shop, z FROM goals)", "a|1")
	expect(t, s, "SELECT shop, day FROM sales WHERE (day, x) NOT IN (SELECT day, x FROM sales WHERE day = 2)", "a|1", "b|1")
	expect(t, s, "SELECT shop, day FROM sales WHERE (day, x) = (SELECT day, x FROM sales WHERE day = 2)", "a|2")
	expect(t, s, "SELECT day, z FROM sales NATURAL JOIN goals", "1|1", "2|1", "1|7")
	expect(t, s, "WITH g AS (SELECT * FROM sales NATURAL JOIN goals) SELECT COUNT(*) FROM g", "3")
	expect(t, s, "SELECT HEX(x), HEX(-x) FROM sales WHERE shop = 'b'", "765A645AA17C3187|89A59BA55E83CE79")
	expect(t, s, "SELECT TRUNCATE(1.223, '1.5abc'), ROUND(1.2555, '2.9')", "1.2|1.26")
}

// TestExistsOverDerivedTables: conditions on the outer row reach the rows of
// derived tables, and conditions that are never true do no harm.
func TestExistsOverDerivedTables(t *testing.T) {
	s := sessionOver(t,
		fixture{name: "sales", hash: "shop:S", items: []string{`{"shop":{"S":"a"}}`, `{"shop":{"S":"b"}}`, `{"shop":{"S":"c"}}`}},
		fixture{name: "goals", hash: "shop:S", items: []string{`{"shop":{"S":"a"},"z":{"N":"1"}}`, `{"shop":{"S":"b"},"z":{"N":"7"}}`}})
	const or = "d.shop = sales.shop AND (d.shop = 'a' OR EXISTS (SELECT 1 FROM goals g WHERE g.shop = d.shop))"
	for _, tt := range []struct {
		where string
		want  []string
	}{
		{"NOT EXISTS (SELECT 1 FROM (SELECT shop FROM goals) d WHERE " + or + ")", []string{"c"}},
		{"EXISTS (SELECT 1 FROM (SELECT shop FROM goals) d WHERE " + or + ")", []string{"a", "b"}},
		{"EXISTS (SELECT 1 FROM goals WHERE goals.shop = sales.shop LIMIT 0)", nil},
		{"NOT EXISTS (SELECT 1 FROM goals WHERE goals.shop = sales.shop LIMIT 1)", []string{"c"}},
		{"EXISTS (SELECT * FROM goals WHERE 0) AND NOT EXISTS (SELECT * FROM goals WHERE 1)", nil},
		{"NOT EXISTS (SELECT * FROM goals WHERE NULL) AND NOT EXISTS (SELECT * FROM goals WHERE z = NULL AND goals.shop = sales.shop)", []string{"a", "b", "c"}},
	} {
		expect(t, s, "SELECT shop FROM sales WHERE "+tt.where, tt.want...)
	}
	expect(t, s, "WITH d AS (SELECT shop FROM goals) SELECT shop FROM sales WHERE NOT EXISTS (SELECT 1 FROM d WHERE "+or+")", "c")
}

// TestNumbersInUnions: numbers of different types stay numbers, in order.
func TestNumbersInUnions(t *testing.T) {
	s := sessionOver(t, fixture{name: "sales", hash: "shop:S", items: []string{`{"shop":{"S":"a"},"x":{"N":"10"}}`, `{"shop":{"S":"b"},"x":{"N":"9.5"}}`}})
	for query, want := range map[string][]string{
		"SELECT 1 UNION SELECT 2.5 UNION SELECT x FROM sales ORDER BY 1":                         {"1", "2.5", "9.5", "10"},
		"SELECT 2.5e0 UNION SELECT 10 ORDER BY 1":                                                {"2.5", "10"},
		"SELECT x FROM sales UNION SELECT n FROM (SELECT COUNT(*) AS n FROM sales) d ORDER BY 1": {"2", "9.5", "10"},
	} {
		expect(t, s, query, want...)
		if a := collect(context.Background(), s, query); a.columns[0].Class != engine.Number {
			t.Errorf("%s: the column is %v", query, a.columns[0])
		}
	}
}
