package engine_test

import "testing"

// TestTextsAsTimes: a text of a row that is compared with a time is one too; one
// that says none is before all others, and a warning, as in MariaDB.
func TestTextsAsTimes(t *testing.T) {
	s := sessionOver(t, few())
	const rows = "(SELECT k, CASE k WHEN 'x' THEN '2026-09-01' WHEN 'y' THEN '2026-09-02 10:00:00' WHEN 'z' THEN 'soon' END d FROM few) t "
	const day = "DATE('2026-09-01')"
	const warning = "Incorrect datetime value: 'soon'"
	for _, tt := range []struct{ where, want, warning string }{
		{"d = " + day, "x", warning},
		{"d > " + day, "y", warning},
		{day + " > d", "z", warning},
		{"d <> " + day, "y\nz", warning},
		{"d BETWEEN " + day + " AND " + day + " + INTERVAL 1 DAY", "x", warning},
		{day + " BETWEEN d AND NOW()", "x\nz", warning},
		{"d IN (" + day + ", TIMESTAMP('2026-09-02 10:00:00'))", "x\ny", warning},
		{day + " IN (d, k)", "x", "Incorrect datetime value"},
		{"d IN (SELECT " + day + ")", "x", warning},
		{"d = ANY (SELECT " + day + ")", "x", warning},
		{"d IS NULL", "v", ""},
		{"d = '2026-09-01'", "x", ""},
	} {
		expectWarning(t, s, "SELECT k FROM "+rows+"WHERE "+tt.where+" ORDER BY k", tt.want, tt.warning)
	}
	expect(t, s, "SELECT k FROM "+rows+"JOIN (SELECT "+day+" x) u ON u.x = t.d", "x")
	expect(t, s, "SELECT k, x FROM "+rows+"LEFT JOIN (SELECT "+day+" x) u ON u.x = t.d ORDER BY k", "v|NULL", "x|2026-09-01", "y|NULL", "z|NULL")
	expect(t, s, "SELECT NOW() > 'soon'", "error: Incorrect datetime value: 'soon'")
}

// TestCallsBesideGroups: what names no column needs no place in GROUP BY.
func TestCallsBesideGroups(t *testing.T) {
	s := sessionOver(t, few())
	expect(t, s, "SELECT COUNT(*), CURDATE() = DATE(NOW()), PI() > 3 FROM few", "4|1|1")
	expect(t, s, "SELECT DATEDIFF(CURDATE(), MAX(CURRENT_DATE)), MAX(k) > UUID() FROM few", "0|1")
	expect(t, s, "SELECT ref, @@autocommit, @nothing, DATABASE() IS NULL, COUNT(*) FROM few GROUP BY ref HAVING COUNT(*) > 1 AND NOW() > '2020-01-01'", "id9|1|NULL|0|2")
	expect(t, s, "SELECT ref, SUM(NOW() > '2020-01-01') FROM few GROUP BY ref ORDER BY MAX(NOW()), 2 DESC LIMIT 1", "id9|2")
	expect(t, s, "SELECT YEAR(NOW()) - YEAR(NOW()) + part y, COUNT(*) FROM few GROUP BY YEAR(NOW()) - YEAR(NOW()) + part ORDER BY y LIMIT 1", "NULL|1")
	expect(t, s, "SELECT ref, COUNT(*) * 2 n FROM few GROUP BY ref HAVING COUNT(*) > 0 ORDER BY n DESC, ref LIMIT 1", "id9|4")
	expect(t, s, "SELECT ref, ROUND(SUM(part) / COUNT(*), 1) a, COUNT(*) n FROM few GROUP BY ref HAVING n > 1 ORDER BY a DESC, n", "id9|3.5|2")
	expect(t, s, "SELECT ref, COUNT(*) n FROM few GROUP BY ref HAVING n > 1 ORDER BY part", "error: nonaggregated column")
	expect(t, s, "SELECT k, NOW() > 1, COUNT(*) FROM few", "error: nonaggregated column")
	expect(t, s, "SELECT k, NOW(), COUNT(*) FROM few GROUP BY ref", "error: nonaggregated column")
}
