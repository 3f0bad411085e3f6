package engine_test

import (
	"context"
	"testing"
)

// TestAveragesInsideOfExpressions computes with more digits than an average shows,
// as MariaDB does (TestCastsAndAveragesAsMariaDB compares).
func TestAveragesInsideOfExpressions(t *testing.T) {
	s := sessionOver(t, fixture{name: "tab", hash: "id:N", items: []string{
		`{"id":{"N":"1"},"g":{"N":"0"},"x":{"N":"1"},"d":{"N":"1.25"},"s":{"S":"1"}}`,
		`{"id":{"N":"2"},"g":{"N":"0"},"x":{"N":"1"},"d":{"N":"2.11"},"s":{"S":"b"}}`,
		`{"id":{"N":"3"},"g":{"N":"0"},"x":{"N":"2"},"d":{"N":"3.38"},"s":{"S":"a"}}`,
	}})
	for query, want := range map[string]string{
		"SELECT AVG(x), AVG(x) * 3, 3 * (AVG(x)), AVG(x) + 0, -AVG(x), ROUND(AVG(x), 10), AVG(x) / 3 FROM tab": "1.3333|4.0000|4.0000|1.3333|-1.3333|1.3333333330|0.44444444",
		"SELECT AVG(d), AVG(d) * 3, AVG(DISTINCT d) * 3, TRUNCATE(AVG(d), 8), CAST(AVG(d) AS CHAR) FROM tab":   "2.246667|6.740000|6.740000|2.24666666|2.246667",
		"SELECT AVG(s) * 3, AVG(DISTINCT s) * 3, AVG(DISTINCT s) FROM tab":                                     "1|1.5|0.5",
		"SELECT g, AVG(x) * 3 AS y FROM tab GROUP BY g HAVING y = 4":                                           "0|4.0000",
		"SELECT g FROM tab GROUP BY g HAVING AVG(x) = 1.3333":                                                  "0",
		"SELECT g FROM tab GROUP BY g HAVING ROUND(AVG(x), 8) = 1.33333333 ORDER BY AVG(x) * 3":                "0",
		"SELECT AVG(x) OVER () * 3 FROM tab LIMIT 1":                                                           "4.0000",
		"SELECT AVG(x) * 3, COUNT(*) FROM tab WHERE g = 9":                                                     "NULL|0",
		"SELECT COUNT(*) FROM tab GROUP BY g WITH ROLLUP HAVING AVG(x) * 3 < 5 LIMIT 1":                        "3",
		"SELECT AVG(CASE WHEN x > 1 THEN d END) * 2 FROM tab":                                                  "6.760000",
	} {
		expect(t, s, query, want)
	}
	rows, err := s.Query(context.Background(), "SELECT AVG(x)*3, ROUND(AVG(d), 3) FROM tab WHERE g = 9")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if c := rows.Columns(); c[0].Name != "AVG(x)*3" || c[1].Name != "ROUND(AVG(d), 3)" {
		t.Errorf("%+v", c)
	}
	for err == nil {
		_, err = rows.Next()
	}
	if w := mustAnswer(t, s, "SHOW WARNINGS"); len(w) > 0 {
		t.Errorf("an average of nothing warns: %q", w)
	}
}
