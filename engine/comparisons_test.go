package engine_test

import "testing"

func TestMixedTypes(t *testing.T) {
	s := sessionOver(t, numbersAndTexts())
	for _, tt := range []struct {
		where string
		want  []string
	}{
		{"s BETWEEN '9' AND 11", []string{"a", "b"}},
		{"s BETWEEN 9 AND '11'", []string{"a", "b"}},
		{"s NOT BETWEEN '9' AND 11", []string{"c"}},
		{"s BETWEEN '1' AND '95'", []string{"a", "b"}},
		{"n BETWEEN '-1' AND 2", []string{"a", "b"}},
		{"s BETWEEN '-1' AND -0", []string{"c"}},
		{"s BETWEEN n AND '20'", []string{"a", "b"}},
		{"n BETWEEN s AND 20", []string{"c"}},
		{"n + 9007199254740992 NOT BETWEEN 99 AND '9007199254740993'", []string{"b", "c"}},
		{"n + 9007199254740992 BETWEEN '9007199254740993' AND 9007199254740994", []string{"a", "b"}},
		{"CONCAT(n, 'eb', n) = n", []string{"a", "b", "c"}},
		{"CONCAT(n, 'e') > 1 AND CONCAT(n, 'e+') < 3", []string{"b"}},
		{"'2eb' = n OR n <=> '1e' OR '3e0x' = n", []string{"a", "b", "c"}},
		{"s = 0", []string{"c"}},
		{"s <> 9", []string{"b", "c"}},
		{"s + 0 = n + 8 OR CONCAT(n, 'eb') + 0 = 1", []string{"a", "b"}},
		{"s IN ('9', 10)", []string{"a", "b"}},
		{"s IN (9, 'x')", []string{"a", "c"}},
		{"s NOT IN ('9', 10)", []string{"c"}},
		{"s IN ('9', NULL)", []string{"a"}},
		{"s NOT IN ('9', NULL, 10)", nil},
		{"n IN ('1', 2)", []string{"a", "b"}},
		{"n NOT IN ('1', 2)", []string{"c"}},
		{"(s, n) IN (('9', 1), (10, '2'))", []string{"a", "b"}},
		{"(s, n) IN ((9.0, 1), ('x', '3'))", []string{"a", "c"}},
		{"(s, n) IN (('10', 2), (9.0, 1))", []string{"a", "b"}},
		{"(s, n) NOT IN (('9', 1), (10, '2'))", []string{"c"}},
		{"n = 1 = 1", []string{"a"}},
		{"n LIKE '1' = 1", []string{"a"}},
		{"1 = n LIKE '1'", []string{"a"}},
		{"n = 1 <> 1", []string{"b", "c"}},
		{"n IN (1, 2) = 0", []string{"c"}},
		{"n BETWEEN 1 AND 2 = 0", []string{"c"}},
		{"n = 1 IS NULL", []string{"d"}},
		{"n IS NULL = 0 AND s = 'x' = 0", []string{"a", "b"}},
		{"NOT n = 1 = 1", []string{"b", "c"}},
		{"n = 1 = 1 OR n = 2 = 1", []string{"a", "b"}},
		{"CASE WHEN n = 1 = 1 THEN 1 ELSE n = 2 = 1 END", []string{"a", "b"}},
		{"LEFT(id, 1) = 'a' = 1", []string{"a"}},
		{"1 < n < 3", []string{"a", "b", "c"}},
	} {
		expect(t, s, "SELECT id FROM nums WHERE "+tt.where, tt.want...)
	}
	expect(t, s, "SELECT a.id FROM nums a JOIN nums b ON a.id = b.id = 1 LEFT JOIN nums c ON c.id = a.id", "a", "b", "c", "d")
	expect(t, s, "SELECT * FROM nums IGNORE INDEX (PRIMARY) WHERE id = 'a'", "a|1|9")
	expect(t, s, "SELECT id FROM nums USE KEY (PRIMARY) WHERE id = 'a'", "a")
	expect(t, s, "SELECT id, n FROM nums UNION SELECT id FROM nums", "error: The used SELECT statements have a different number of columns")
	expect(t, s, "SELECT * FROM nums UNION SELECT id FROM nums", "error: The used SELECT statements have a different number of columns")
	expect(t, s, "SELECT id FROM nums UNION SELECT * FROM nums", "error: The used SELECT statements have a different number of columns")
}
