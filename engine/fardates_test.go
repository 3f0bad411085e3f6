package engine_test

import "testing"

// MySQL 8.0 Reference Manual, 14.7, "Date and Time Functions": a date out of
// range is NULL.
func TestDatesFarAway(t *testing.T) {
	s := sessionOver(t, numbersAndTexts())
	expect(t, s, "SELECT DATE '2024-01-01' + INTERVAL 9E125 DAY, DATE_ADD('2024-01-01', INTERVAL -1e30 SECOND), DATE_SUB('2024-01-01', INTERVAL 9000 YEAR), DATE_SUB('2024-01-01', INTERVAL 9223372036854775807 MICROSECOND)", "NULL|NULL|NULL|NULL")
	expect(t, s, "SELECT id, DATE_ADD(CAST('2024-01-01' AS DATE), INTERVAL n * 1e125 DAY), DATE_ADD('2024-01-01', INTERVAL n - 1 DAY) FROM nums",
		"a|NULL|2024-01-01", "b|NULL|2024-01-02", "c|NULL|2024-01-03", "d|NULL|NULL")
	expect(t, s, "SELECT id FROM nums WHERE DATE_ADD('2024-01-01', INTERVAL n * 10000000000000 HOUR) IS NULL", "a", "b", "c", "d")
}
