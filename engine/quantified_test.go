package engine_test

import (
	"testing"
)

// numbersAndTexts has numbers, one of them missing, and texts.
func numbersAndTexts() fixture {
	return fixture{name: "nums", hash: "id:S", items: []string{
		`{"id":{"S":"a"},"n":{"N":"1"},"s":{"S":"9"}}`, `{"id":{"S":"b"},"n":{"N":"2"},"s":{"S":"10"}}`,
		`{"id":{"S":"c"},"n":{"N":"3"},"s":{"S":"x"}}`, `{"id":{"S":"d"}}`,
	}}
}

// MySQL 8.0 Reference Manual, 15.2.15.3, "Subqueries with ANY, IN, or SOME",
// and 15.2.15.4, "Subqueries with ALL".
func TestQuantifiedComparisons(t *testing.T) {
	s := sessionOver(t, numbersAndTexts())
	const values = "(SELECT n FROM nums WHERE n IS NOT NULL)"
	for _, tt := range []struct {
		where string
		want  []string
	}{
		{"n > ALL (SELECT 1)", []string{"b", "c"}},
		{"n >= ALL " + values, []string{"c"}},
		{"n <= ALL " + values, []string{"a"}},
		{"n > ANY " + values, []string{"b", "c"}},
		{"n > SOME " + values, []string{"b", "c"}},
		{"n = ANY (SELECT 2 UNION SELECT 3)", []string{"b", "c"}},
		{"n <> ALL (SELECT 2 UNION SELECT 3)", []string{"a"}},
		{"n <> ANY (SELECT 2 UNION SELECT 3)", []string{"a", "b", "c"}},
		{"n <> SOME (SELECT 2)", []string{"a", "c"}},
		{"n = ALL (SELECT 2)", []string{"b"}},
		{"n != ALL (SELECT 2)", []string{"a", "c"}},
		// Without rows, ALL is true, even of NULL, and ANY is false.
		{"n > ALL (SELECT n FROM nums WHERE n > 100)", []string{"a", "b", "c", "d"}},
		{"n > ANY (SELECT n FROM nums WHERE n > 100)", nil},
		{"NOT n > ANY (SELECT n FROM nums WHERE n > 100)", []string{"a", "b", "c", "d"}},
		// A NULL among the rows leaves open what no other row decides.
		{"n > ALL (SELECT n FROM nums)", nil},
		{"NOT n > ALL (SELECT n FROM nums)", []string{"a", "b", "c"}},
		{"n < ANY (SELECT n FROM nums)", []string{"a", "b"}},
		{"NOT n < ANY (SELECT n FROM nums)", nil},
		{"n <> ALL (SELECT n FROM nums)", nil},
		{"(n > ALL (SELECT NULL)) IS NULL", []string{"a", "b", "c", "d"}},
		{"(n = ALL (SELECT 1 UNION SELECT NULL)) IS NULL", []string{"a", "d"}},
		// Subqueries that look at the row around them.
		{"n >= ALL (SELECT b.n FROM nums b WHERE b.id <= nums.id AND b.n IS NOT NULL)", []string{"a", "b", "c"}},
		{"n = ANY (SELECT b.n FROM nums b WHERE b.id = nums.id)", []string{"a", "b", "c"}},
		{"id >= ALL (SELECT b.id FROM nums b)", []string{"d"}},
		{"n > ALL (SELECT 1) AND id = 'b'", []string{"b"}},
		{"(id, n) = ANY (SELECT id, n FROM nums)", []string{"a", "b", "c"}},
		{"(id, n) <> ALL (SELECT id, n FROM nums WHERE n > 1)", []string{"a", "d"}},
		{"n > /* the least */ any /**/ ( SELECT n FROM nums )", []string{"b", "c"}},
		{"n > ALL (SELECT 1) = 1", []string{"b", "c"}},
	} {
		expect(t, s, "SELECT id FROM nums WHERE "+tt.where, tt.want...)
	}
	expect(t, s, "SELECT id, n > ALL (SELECT 1), n > ANY (SELECT 1 UNION SELECT NULL) FROM nums WHERE id < 'c'", "a|0|NULL", "b|1|1")
	expect(t, s, "SELECT n FROM nums GROUP BY n HAVING COUNT(*) >= ALL (SELECT COUNT(*) FROM nums GROUP BY id)", "1", "2", "3", "NULL")
	expect(t, s, "SELECT COUNT(*) FROM nums a JOIN nums b ON a.id = b.id AND a.n > ALL (SELECT 1)", "2")
	expect(t, s, "WITH q AS (SELECT id FROM nums WHERE n > ALL (SELECT 1)) SELECT id FROM q ORDER BY id", "b", "c")
	expect(t, s, "SELECT id FROM nums WHERE n > ALL (SELECT id, n FROM nums)", "error: operand should have 1 columns")
	expect(t, s, "SELECT id FROM nums WHERE (id, n) > ALL (SELECT id, n FROM nums)", "error: operand should have 1 columns")
	expect(t, s, "SELECT id FROM nums WHERE n > ALL (1, 2)", "error: syntax error")
}
