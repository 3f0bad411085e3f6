package engine_test

import "testing"

// The library fails while it makes joins of these subqueries.
func TestPlannedAgain(t *testing.T) {
	s := sessionOver(t, numbersAndTexts())
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"SELECT id FROM nums a WHERE EXISTS (SELECT 1 FROM nums b) AND NOT EXISTS (SELECT 1 FROM nums c WHERE id = 'z')", []string{"a", "b", "c", "d"}},
		{"SELECT id FROM nums a WHERE EXISTS (SELECT 1 FROM nums b) AND NOT EXISTS (SELECT 1 FROM nums c)", nil},
		{`SELECT id FROM nums a WHERE n <= (SELECT MAX(d.n) FROM (SELECT n, s FROM nums) d
			WHERE d.n <> 9 AND EXISTS (SELECT 1 FROM nums e WHERE e.n > -1) AND EXISTS (SELECT 1 FROM nums f WHERE f.n = d.n) AND a.n = d.n)`, []string{"a", "b", "c"}},
		{"SELECT x.id FROM (SELECT d.id FROM (SELECT id, n, s FROM nums) d WHERE d.id IN (SELECT id FROM nums) AND d.n IN (SELECT n FROM nums)) x", []string{"a", "b", "c"}},
		{"WITH x AS (SELECT d.id FROM (SELECT id, n, s FROM nums) d WHERE d.id IN (SELECT id FROM nums) AND d.n IN (SELECT n FROM nums)) SELECT id FROM x WHERE id > 'a'", []string{"b", "c"}},
		{"SELECT x.id FROM (SELECT d.id FROM (SELECT id, n, s FROM nums) d WHERE d.n NOT IN (SELECT n FROM nums WHERE n > 1)) x", []string{"a"}},
		{"SELECT y.id FROM (SELECT x.id FROM (SELECT d.id, d.s FROM (SELECT id, n, s FROM nums) d WHERE NOT EXISTS (SELECT n FROM nums e WHERE e.n = d.n AND e.n > 1)) x) y", []string{"a", "d"}},
		{"SELECT y.id FROM (SELECT x.id FROM (SELECT id, n, s FROM nums) x WHERE NOT EXISTS (SELECT n FROM nums e WHERE e.s = x.s AND e.n > 1) AND x.n NOT IN (SELECT n FROM nums WHERE n = 7)) y", []string{"a", "d"}},
		{"WITH d AS (SELECT id, n FROM nums), x AS (SELECT id FROM d WHERE NOT (n IN (SELECT n FROM nums WHERE n < 3) OR n = 9)) SELECT * FROM x", []string{"c"}},
	} {
		expect(t, s, tt.query, tt.want...)
	}
}
