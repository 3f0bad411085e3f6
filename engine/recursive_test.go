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
