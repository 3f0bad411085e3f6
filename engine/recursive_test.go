package engine_test

import "testing"

// TestRecursiveDates: the first SELECT of WITH RECURSIVE gives a column its type,
// wherever it is looked at.
func TestRecursiveDates(t *testing.T) {
	s := sessionOver(t, few())
	const days = "WITH RECURSIVE d AS (SELECT DATE('2026-02-27') AS x UNION ALL SELECT x + INTERVAL 1 DAY FROM d WHERE x < '2026-03-01') "
	expect(t, s, days+"SELECT x FROM d", "2026-02-27", "2026-02-28", "2026-03-01")
	expect(t, s, days+"SELECT MIN(x), MAX(x), CONCAT(MAX(x), '!') FROM d", "2026-02-27|2026-03-01|2026-03-01!")
	expect(t, s, days+"SELECT e.x, f.x FROM d e JOIN d f ON f.x = e.x + INTERVAL 1 DAY", "2026-02-27|2026-02-28", "2026-02-28|2026-03-01")
	expect(t, s, days+"SELECT y, (SELECT MAX(x) FROM d) FROM (SELECT x AS y FROM d) t WHERE y > '2026-02-28'", "2026-03-01|2026-03-01")
	expect(t, s, days+"SELECT x, COUNT(k) FROM d LEFT JOIN few ON k = x GROUP BY x HAVING x < '2026-03-01' ORDER BY x DESC", "2026-02-28|0", "2026-02-27|0")
	expect(t, s, "WITH RECURSIVE d (x, n) AS (SELECT CURDATE(), 1 UNION ALL SELECT x + INTERVAL 1 DAY, n + 1 FROM d WHERE n < 2) SELECT MAX(x) = CURDATE() + INTERVAL 1 DAY, LENGTH(MAX(x)) FROM d", "1|10")
	expect(t, s, "WITH RECURSIVE d AS (SELECT TIMESTAMP('2026-02-27 10:00:00') AS x UNION ALL SELECT x + INTERVAL 1 HOUR FROM d WHERE x < '2026-02-27 11:00:00') SELECT MAX(x) FROM d", "2026-02-27 11:00:00.000000")
}

// TestRecursiveTypes: values of later rounds have the types of the first SELECT,
// but lose nothing of a text or of a decimal's digits.
func TestRecursiveTypes(t *testing.T) {
	s := sessionOver(t, few())
	expect(t, s, "WITH RECURSIVE d AS (SELECT 1 AS x UNION ALL SELECT x + 0.5 FROM d WHERE x < 3) SELECT x, x = ROUND(x) FROM d", "1|1", "2|1", "3|1")
	expect(t, s, "WITH RECURSIVE d AS (SELECT 1.5 AS x UNION ALL SELECT x * 1.25 FROM d WHERE x < 2) SELECT x FROM d", "1.5", "1.875", "2.34375")
	expect(t, s, "WITH RECURSIVE d AS (SELECT 'a' AS x UNION ALL SELECT CONCAT(x, LENGTH(x)) FROM d WHERE LENGTH(x) < 3) SELECT x FROM d", "a", "a1", "a12")
	expect(t, s, "WITH RECURSIVE d AS (SELECT 'k' AS x, 1 AS n UNION ALL SELECT n, n + 1 FROM d WHERE n < 2) SELECT CONCAT(x, '!') FROM d", "k!", "1!")
	expect(t, s, "WITH RECURSIVE d AS (SELECT 1 AS x, NULL AS p UNION ALL SELECT x + 1, NULL FROM d WHERE x < 2) SELECT x, p FROM d", "1|NULL", "2|NULL")
	expect(t, s, "WITH RECURSIVE d AS (SELECT 1 AS x, NULL AS p UNION ALL SELECT x + 1, x FROM d WHERE x < 2) SELECT x, p FROM d",
		"error: column 'p' of the recursive table 'd' begins with NULL, which has no type")
	expect(t, s, "WITH RECURSIVE d AS (SELECT 1 AS x UNION ALL SELECT '7abc' FROM d WHERE x < 2) SELECT x FROM d", "error: Truncated incorrect bigint value: 7abc")
	expect(t, s, "WITH RECURSIVE d AS (SELECT '{\"a\": 1}' AS j, 1 AS n UNION ALL SELECT JSON_SET(j, '$.a', n + 1), n + 1 FROM d WHERE n < 2) SELECT j->'$.a' FROM d", "1", "2")
}
