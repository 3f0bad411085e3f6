package engine_test

import (
	"testing"
)

// measures has numbers with scales of their own, texts that differ in case, a
// document, and an item without any of them.
func measures() fixture {
	return fixture{name: "measures", hash: "id:N", items: []string{
		`{"id":{"N":"1"},"g":{"S":"a"},"n":{"N":"1.5"},"s":{"S":"b"},"t":{"S":"2024-01-31"},"flag":{"BOOL":true},"doc":{"M":{"k":{"N":"2.5"}}}}`,
		`{"id":{"N":"2"},"g":{"S":"a"},"n":{"N":"20"},"s":{"S":"a"},"t":{"S":"2024-02-29"},"flag":{"BOOL":false}}`,
		`{"id":{"N":"3"},"g":{"S":"b"},"n":{"N":"-3"},"s":{"S":"B"},"t":{"S":"2024-03-31"}}`,
		`{"id":{"N":"4"},"g":{"S":"b"},"n":{"N":"0.0000000000000000000000000000000000001"},"s":{"S":"A"},"t":{"S":"2024-03-01"}}`,
		`{"id":{"N":"5"}}`,
	}}
}

func TestAggregates(t *testing.T) {
	s := sessionOver(t, measures())
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT JSON_ARRAYAGG(n), JSON_ARRAYAGG(flag), JSON_ARRAYAGG(doc), JSON_ARRAYAGG(2.50) FROM measures WHERE id IN (1, 2)", []string{"[1.5, 20]|[1, 0]|[{\"k\": 2.5}, null]|[2.50, 2.50]"}},
		{"SELECT JSON_OBJECTAGG(s, n), JSON_OBJECTAGG(id, s) FROM measures WHERE id IN (1, 2)", []string{`{"a": 20, "b": 1.5}|{"1": "b", "2": "a"}`}},
		{"SELECT JSON_OBJECTAGG(s, n) FROM measures", []string{"error: NULL member names"}},
		{"SELECT JSON_ARRAYAGG(n), JSON_OBJECTAGG(s, n), GROUP_CONCAT(s), BIT_AND(n), BIT_OR(n), BIT_XOR(n), STDDEV(n), VAR_SAMP(n), MEDIAN(n), SUM(n), MAX(s) FROM measures WHERE id > 9",
			[]string{"NULL|NULL|NULL|18446744073709551615|0|0|NULL|NULL|NULL|NULL|NULL"}},
		{"SELECT STDDEV_POP(n), STDDEV_SAMP(n), VAR_POP(n), VAR_SAMP(n), VARIANCE(n), STD(n) FROM measures WHERE id = 1", []string{"0|NULL|0|NULL|0|0"}},
		{"SELECT STD(id), VAR_POP(id), VAR_SAMP(id) FROM measures WHERE id < 5", []string{"1.118033988749895|1.25|1.6666666666666667"}},
		{"SELECT BIT_OR(n), BIT_AND(n), BIT_XOR(n) FROM measures WHERE id < 4", []string{"18446744073709551615|0|18446744073709551595"}},
		{"SELECT BIT_OR(s) FROM measures", []string{"0"}},
		{"SELECT BIT_OR(1e30), BIT_OR(-1e30)", []string{"18446744073709551615|9223372036854775808"}},
		{"SELECT GROUP_CONCAT(s ORDER BY s DESC SEPARATOR '/'), GROUP_CONCAT(DISTINCT UPPER(s) ORDER BY 1 DESC), GROUP_CONCAT(id, s ORDER BY 1 DESC) FROM measures", []string{"b/a/B/A|B,A|4A,3B,2a,1b"}},
		{"SELECT GROUP_CONCAT(s ORDER BY 2) FROM measures", []string{"error: ORDER BY 2 in GROUP_CONCAT, which has 1"}},
		{"SELECT COUNT(s = 'a' OR NULL), COUNT(s = 'A' OR NULL), SUM(s = 'b'), SUM(s = 'B'), MAX(s = 'x'), MAX(s = 'X') FROM measures WHERE id < 4", []string{"1|0|1|1|0|0"}},
		{"SELECT GROUP_CONCAT(IF(s = 'a', 'y', 'n') ORDER BY id), GROUP_CONCAT(IF(s = 'A', 'y', 'n') ORDER BY id) FROM measures WHERE id < 5", []string{"n,y,n,n|n,n,n,y"}},
		{"SELECT MEDIAN(n), PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY n), PERCENTILE_CONT(n, 0.25) FROM measures WHERE id < 4", []string{"1.5|-0.750|-0.750"}},
		{"SELECT g, MEDIAN(n) FROM measures WHERE g IS NOT NULL GROUP BY g ORDER BY g", []string{"a|10.75", "b|-1.49999999999999999999999999999999999995"}},
		{"SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s), PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s DESC), PERCENTILE_DISC(s, 1) FROM measures", []string{"B|a|b"}},
		{"SELECT MEDIAN(DISTINCT v) FROM (SELECT 1 AS v UNION ALL SELECT 1 UNION ALL SELECT 5) q", []string{"3.0"}},
		{"SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s, n) FROM measures", []string{"error: one ORDER BY expression"}},
		{"SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s, n DESC) FROM measures", []string{"error: one ORDER BY expression"}},
		{"SELECT MEDIAN/* of n */ (n) OVER (PARTITION BY g), PERCENTILE_DISC (0.5)  WITHIN GROUP (ORDER BY n ASC) OVER (PARTITION BY g) FROM measures WHERE id = 2", []string{"20|20"}},
		{"SELECT PERCENTILE_DISC(s, 0.5, n) FROM measures", []string{"error: PERCENTILE_DISC takes a value and a fraction"}},
		{"SELECT MEDIAN(s) FROM measures", []string{"error: MEDIAN needs numbers"}},
		{"SELECT PERCENTILE_CONT(1.5) WITHIN GROUP (ORDER BY n) FROM measures", []string{"error: from 0 to 1"}},
		{"SELECT PERCENTILE_CONT(n) WITHIN GROUP (ORDER BY n) FROM measures", []string{"error: from 0 to 1"}},
		{"SELECT id, MEDIAN(n) OVER (PARTITION BY g) FROM measures WHERE id < 4 ORDER BY id", []string{"1|10.75", "2|10.75", "3|-3"}},
		{"SELECT MEDIAN(n) OVER (ORDER BY id) FROM measures", []string{"error: MEDIAN over a window with ORDER BY or a frame"}},
		{"SELECT APPROX_COUNT_DISTINCT(g), APPROX_COUNT_DISTINCT(g, s), COUNT(DISTINCT LOWER(s)) FROM measures", []string{"2|4|2"}},
		{"SELECT g, ANY_VALUE(s) IN ('a', 'b') FROM measures WHERE g = 'a' GROUP BY g", []string{"a|1"}},
	} {
		expect(t, s, test.query, test.want...)
	}
}

// TestCutConcatenation has a result that is longer than group_concat_max_len.
func TestCutConcatenation(t *testing.T) {
	s := sessionOver(t, measures())
	expect(t, s, "SET group_concat_max_len = 5")
	expect(t, s, "SELECT GROUP_CONCAT(s ORDER BY id SEPARATOR 'é') FROM measures", "béa") // the second é does not fit
	expect(t, s, "SHOW WARNINGS", "Warning|1260|a result of GROUP_CONCAT() was cut to 5 bytes, the value of group_concat_max_len")
}
