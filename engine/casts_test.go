package engine_test

import "testing"

// TestCasts has answers of MySQL 8, where MariaDB's differ in part, and the
// warnings for whatever a cast changes beyond rounding.
func TestCasts(t *testing.T) {
	s := sessionOver(t, fixture{name: "casts", hash: "id:S", items: []string{
		`{"id":{"S":"a"},"n":{"N":"9.9E125"},"s":{"S":"日本語"},"d":{"N":"-0.1"},"l":{"L":[{"N":"3"}]}}`,
	}})
	const (
		complement = "Cast to unsigned converted negative integer to its positive complement"
		truncated  = "Truncated incorrect "
	)
	for _, test := range []struct{ query, want, warning string }{
		{"SELECT CAST(2.5 AS SIGNED), CAST(-2.5 AS SIGNED), CAST(2.5e0 AS SIGNED), CAST(3.5e0 AS SIGNED), CAST(TRUE AS UNSIGNED)", "3|-3|2|4|1", ""},
		{"SELECT CAST(d AS UNSIGNED), CAST(d AS SIGNED), CAST(l->'$[0]' AS SIGNED) FROM casts", "0|0|3", ""},
		{"SELECT CAST(' 12' AS SIGNED), CAST('+7 ' AS UNSIGNED), CAST(NULL AS SIGNED)", "12|7|NULL", ""},
		{"SELECT CAST('12abc' AS SIGNED)", "12", truncated + "INTEGER value: '12abc'"},
		{"SELECT CAST('1.9' AS UNSIGNED)", "1", truncated + "INTEGER value: '1.9'"},
		{"SELECT CAST('' AS SIGNED)", "0", truncated + "INTEGER value: ''"},
		{"SELECT CAST('99999999999999999999' AS UNSIGNED)", "18446744073709551615", truncated + "INTEGER value: '99999999999999999999'"},
		{"SELECT CAST('-99999999999999999999' AS SIGNED)", "-9223372036854775808", truncated + "INTEGER value"},
		{"SELECT CAST(n AS SIGNED) FROM casts", "9223372036854775807", truncated + "DECIMAL value: '99000"},
		{"SELECT CAST(-n AS SIGNED) FROM casts", "-9223372036854775808", truncated + "DECIMAL value: '-99000"},
		{"SELECT CAST(n AS UNSIGNED) FROM casts", "18446744073709551615", truncated + "DECIMAL value: '99000"},
		{"SELECT CAST(-1.5 AS UNSIGNED)", "18446744073709551614", complement},
		{"SELECT CAST(-1 AS UNSIGNED), CAST('-5' AS UNSIGNED)", "18446744073709551615|18446744073709551611", complement},
		{"SELECT CAST(18446744073709551615 AS SIGNED)", "-1", "Cast to signed converted positive out-of-range integer to its negative complement"},
		{"SELECT CAST(1e19 AS UNSIGNED)", "10000000000000000000", ""},
		{"SELECT CAST(x'ff' AS UNSIGNED)", "255", ""},
		{"SELECT CAST(s AS CHAR(2)), CHAR_LENGTH(CAST(s AS CHAR(2))) FROM casts", "日本|2", truncated + "CHAR(2) value: '日本語'"},
		{"SELECT CAST(s AS CHAR(3)), CAST(s AS CHAR), CAST('ab' AS CHAR(5)), HEX(CAST('ab' AS BINARY(3))) FROM casts", "日本語|日本語|ab|616200", ""},
		{"SELECT CAST('😀x' AS CHAR(1))", "😀", truncated + "CHAR(1) value: '😀x'"},

		// of a quotient, four digits more than its dividend are shown, and nine computed with
		{"SELECT 1 / 3, ROUND(1 / 3, 6), TRUNCATE(2 / 3, 5), 1 / 3 * 3, FLOOR(1 / 3 * 3), CAST(1 / 3 AS DECIMAL(10,6)), CAST(1 / 3 AS DOUBLE), CONCAT(1 / 3)",
			"0.3333|0.333333|0.66666|1.0000|0|0.333333|0.333333333|0.3333", ""},
		{"SELECT ROUND(d / 3, 6), SUM(d / 3), AVG(d / 3) FROM casts GROUP BY d", "-0.033333|-0.03333|-0.033333333", ""},
		{"SELECT SUM(x / 3), AVG(x / 3), SUM(-(x / 3)) FROM (SELECT 1 x UNION ALL SELECT 1 UNION ALL SELECT 1) q", "1.0000|0.33333333|-1.0000", ""},
		{"SELECT SUM(x / 3) OVER (ORDER BY x ROWS 1 PRECEDING) FROM (SELECT 1 x UNION ALL SELECT 1) q", "0.3333\n0.6667", ""},
		{"SELECT SUM(DISTINCT x), AVG(DISTINCT x), COUNT(DISTINCT x) FROM (SELECT '2' x UNION ALL SELECT '2.0' UNION ALL SELECT '4') q", "6|3|3", ""},
	} {
		expectWarning(t, s, test.query, test.want, test.warning)
	}
}
