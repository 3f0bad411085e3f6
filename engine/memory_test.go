package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
)

// wide has fifty texts that differ, of 390 KB each.
func wide() fixture {
	f := fixture{name: "wide", hash: "id:N"}
	for i := range 50 {
		f.items = append(f.items, fmt.Sprintf(`{"id":{"N":"%d"},"pad":{"S":"%d%s"}}`, i, i, strings.Repeat("x", 390_000)))
	}
	return f
}

// TestMemoryOfSubqueriesAndRecursion ends statements of which the library keeps
// rows, or kept them: lists of subqueries, derived tables and joins inside of
// them, and recursive tables.
func TestMemoryOfSubqueriesAndRecursion(t *testing.T) {
	s := sessionOver(t, wide(), few())
	for query, want := range map[string]string{
		"SELECT k, k IN (SELECT pad FROM wide) FROM few":                                                                                                                    "the list of a subquery's values",
		"SELECT k FROM few WHERE (k, part) IN (SELECT pad, id FROM wide) OR part > 99":                                                                                      "the list of a subquery's values",
		"SELECT k FROM few WHERE part > 99 OR k > ALL (SELECT pad FROM wide)":                                                                                               "the list of a subquery's values",
		"SELECT k, k IN (SELECT CONCAT(pad, k) FROM wide WHERE id < 60) FROM few":                                                                                           "",
		"WITH RECURSIVE r AS (SELECT 1 AS n, REPEAT('x', 1000) AS p UNION ALL SELECT n + 1, p FROM r JOIN (SELECT 1 UNION SELECT 2) d WHERE n < 15) SELECT COUNT(*) FROM r": "the recursive table 'r'",
		"SELECT k, (SELECT COUNT(*) FROM few g JOIN (SELECT CONCAT(pad, '') AS p FROM wide LIMIT 90) w ON w.p = g.k WHERE g.part >= f.part) FROM few f":                     "which is kept in memory",
	} {
		mustAnswer(t, s, "SET ddb_memory_limit = 0")
		mustAnswer(t, s, query)
		mustAnswer(t, s, "SET ddb_memory_limit = 1000000")
		_, err := answer(s, query)
		var e *engine.Error
		if want != "" && (!errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.Contains(e.Hint(), "ddb_memory_limit")) {
			t.Errorf("%s: %v, want an error with %q", query, err, want)
		}
	}
	mustAnswer(t, s, "SET ddb_memory_limit = 0") // what the statements held is given back
	mustAnswer(t, s, "SELECT k, k IN (SELECT pad FROM wide) FROM few")
}

// TestMemoryOfDistinctAggregates ends a SUM of more distinct values than there is
// room for, and knows that MIN and MAX need not keep them.
func TestMemoryOfDistinctAggregates(t *testing.T) {
	s := localEngine(t).NewSession()
	t.Cleanup(s.Close)
	mustAnswer(t, s, "SET ddb_memory_limit = 1000000")
	const number = "(SELECT SUBSTRING(a.k, 2) * 1000 + SUBSTRING(b.k, 2) AS n FROM kinds a JOIN kinds b LIMIT 300000) d"
	for _, aggregate := range []string{"SUM(DISTINCT n)", "AVG(DISTINCT n), COUNT(*)"} {
		_, err := answer(s, "SELECT "+aggregate+" FROM "+number)
		if err == nil || !strings.Contains(err.Error(), "or the distinct ones") {
			t.Errorf("%s: %v", aggregate, err)
		}
	}
	expect(t, s, "SELECT MAX(DISTINCT n) - MIN(DISTINCT n) < 1000000 FROM "+number, "1")
}

// TestManyGroupsGoToFiles wants groups that do not fit into memory to be an error
// only where they cannot be put into files: not where an operator holds much.
func TestManyGroupsGoToFiles(t *testing.T) {
	s := sessionOver(t, wide())
	for _, query := range []string{
		"SELECT LEFT(pad, 2) AS p, id, COUNT(*) FROM wide GROUP BY pad, id ORDER BY id",
		"SELECT LEFT(pad, 2) AS p, COUNT(DISTINCT id) FROM wide GROUP BY pad ORDER BY p",
		"SELECT LEFT(pad, 2) AS p, SUM(DISTINCT id) FROM wide GROUP BY pad ORDER BY p",
		"SELECT LEFT(pad, 2) AS p, id, COUNT(*) FROM wide GROUP BY pad, id WITH ROLLUP",
		"SELECT LENGTH(pad) FROM wide UNION ALL SELECT id FROM wide ORDER BY 1",
		"SELECT LEFT(pad, 2) AS p FROM (SELECT pad FROM wide UNION ALL SELECT pad FROM wide WHERE id < 3 ORDER BY pad DESC LIMIT 9) d",
	} {
		mustAnswer(t, s, "SET ddb_memory_limit = 0")
		want := mustAnswer(t, s, query)
		for _, limit := range []int{1_000_000, 8_000_000} {
			mustAnswer(t, s, fmt.Sprintf("SET ddb_memory_limit = %d", limit))
			got, err := answer(s, query)
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s with %d bytes: %v\n got %q\nwant %q", query, limit, err, got, want)
			}
		}
	}
	plan := strings.Join(mustAnswer(t, s, "EXPLAIN ANALYZE SELECT pad FROM wide UNION ALL SELECT pad FROM wide ORDER BY pad"), "\n")
	if !strings.Contains(plan, "temporary files") {
		t.Error(plan)
	}
}

func TestRecursion(t *testing.T) {
	s := sessionOver(t, few())
	for query, want := range map[string][]string{
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 1000) SELECT COUNT(*), MAX(n) FROM r":                                              {"1000|1000"},
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT (n + 1) % 5 FROM r) SELECT n FROM r ORDER BY n":                                                               {"0", "1", "2", "3", "4"},
		"WITH RECURSIVE r AS (SELECT 1.50 AS n UNION SELECT n + 0.0 FROM r) SELECT n FROM r":                                                                           {"1.50"},
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r LIMIT 3) SELECT n FROM r":                                                                    {"1", "2", "3"},
		"WITH RECURSIVE r AS (SELECT 1 AS n, CAST(NULL AS CHAR(5)) AS t UNION SELECT n, 'b' FROM r) SELECT n, t FROM r ORDER BY t":                                     {"1|NULL", "1|b"},
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT a.n, b.n FROM r a JOIN r b ON a.n = b.n + 1 ORDER BY 1":                  {"2|1", "3|2"},
		"SELECT x.n, (WITH RECURSIVE r AS (SELECT x.n AS m UNION ALL SELECT m + 1 FROM r WHERE m < 4) SELECT SUM(m) FROM r) FROM (SELECT 2 AS n UNION ALL SELECT 3) x": {"2|9", "3|7"},
	} {
		expect(t, s, query, want...)
	}
	const endless = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r) SELECT COUNT(*) FROM r"
	_, err := answer(s, endless)
	var e *engine.Error
	if !errors.As(err, &e) || e.Number != 3636 || !strings.Contains(err.Error(), "'r' was given up after 1000 rounds, the value of cte_max_recursion_depth") {
		t.Errorf("%v", err)
	}
	mustAnswer(t, s, "SET cte_max_recursion_depth = 20000")
	expect(t, s, "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 15000) SELECT COUNT(*) FROM r", "15000")
	if _, err := answer(s, endless); err == nil || !strings.Contains(err.Error(), "20000 rounds") {
		t.Errorf("%v", err)
	}
}

// TestSubqueryOfOneValueEndsWithTheSecondRow reads no more of a subquery that is a
// value than tells that it has two.
func TestSubqueryOfOneValueEndsWithTheSecondRow(t *testing.T) {
	c, e := overCounting(t, catalog.Options{}, many(12_000), few())
	s := e.NewSession()
	t.Cleanup(s.Close)
	mustAnswer(t, s, "SELECT COUNT(*) FROM many LIMIT 1")
	mustAnswer(t, s, "SELECT id FROM many LIMIT 1")
	for query, want := range map[string]string{
		"SELECT k, (SELECT v FROM many) FROM few": "more than 1 row",
		"SELECT v INTO @v FROM many":              "more than one row",
	} {
		c.Reset()
		_, err := answer(s, query)
		if err == nil || !strings.Contains(err.Error(), want) || c.Calls()["Scan"] > 5 {
			t.Errorf("%s: %v, after %v", query, err, c.Calls())
		}
	}
	mustAnswer(t, s, "SELECT v + 1 INTO @v FROM many WHERE id = 'k00007'")
	expect(t, s, "SELECT @v", "8")
}

// TestLongTextsAreNull bounds the results of functions as MySQL does, before they
// take the memory.
func TestLongTextsAreNull(t *testing.T) {
	s := sessionOver(t, few())
	for query, want := range map[string]string{
		"SELECT CONCAT(REPEAT('x', 40000000), REPEAT('y', 40000000))":                                                                                                 "concat",
		"SELECT CONCAT_WS('-', REPEAT('x', 40000000), REPEAT('y', 40000000))":                                                                                         "concat_ws",
		"SELECT REPLACE(REPEAT('x', 60000000), 'x', REPEAT('y', 1000))":                                                                                               "replace",
		"SELECT REGEXP_REPLACE(REPEAT('x', 100000), 'x', REPEAT('y', 1000))":                                                                                          "regexp_replace",
		"SELECT INSERT(REPEAT('x', 100), 3, 2, REPEAT('y', 67108864))":                                                                                                "insert",
		"WITH RECURSIVE r AS (SELECT 1 AS n, CAST('x' AS CHAR(100)) AS t UNION ALL SELECT n + 1, CONCAT(t, t) FROM r WHERE n < 30) SELECT MAX(t) FROM r WHERE n = 30": "concat",
	} {
		mustAnswer(t, s, "SET ddb_memory_limit = 2000000000")
		expect(t, s, query, "NULL")
		if w := strings.Join(mustAnswer(t, s, "SHOW WARNINGS"), ""); !strings.Contains(w, "1301") || !strings.Contains(strings.ToLower(w), want+"()") {
			t.Errorf("%s: %s", query, w)
		}
	}
	mustAnswer(t, s, "SET SESSION sql_mode = REPLACE(@@SESSION.sql_mode, 'ONLY_FULL_GROUP_BY', '')") // as clients do
	expect(t, s, "SELECT LOCATE('FULL', @@sql_mode), REPLACE(@@sql_mode, 'STRICT', '') <> @@sql_mode", "0|1")
	expect(t, s, "SELECT REPLACE('aXbX', 'X', 'yy'), REPLACE('abc', '', 'y'), REPLACE('abc', 'b', ''), REPLACE(NULL, 'b', ''), REPLACE('aAa', 'A', 'é'), REPLACE(12.50, '.', ','), HEX(REPLACE(X'0102', X'01', 'a')), CONCAT('a', 1, NULL), CONCAT_WS('-', 1, NULL, 'b')",
		"ayybyy|abc|ac|NULL|aéa|12,50|6102|NULL|1-b")
}
