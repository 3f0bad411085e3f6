package engine_test

import "testing"

// MySQL 8.0 Reference Manual, 13.5, "Comparison and Ordering of JSON Values": a
// value that is none is taken for one, so that a text equals a text alone.
func TestDocumentsInLists(t *testing.T) {
	s := sessionOver(t, fixture{name: "docs", hash: "pk:N", items: []string{
		`{"pk":{"N":"0"},"any":{"M":{"a":{"S":"x"}}}}`,
		`{"pk":{"N":"1"},"any":{"S":"a"}}`,
		`{"pk":{"N":"2"},"any":{"N":"5"}}`,
		`{"pk":{"N":"3"},"any":{"S":"5"}}`,
		`{"pk":{"N":"4"}}`,
	}})
	for _, tt := range []struct {
		where string
		want  []string
	}{
		{"any IN ('a')", []string{"1"}},
		{"any IN ('5')", []string{"3"}},
		{"any IN (5)", []string{"2"}},
		{"any IN ('a', 5.0)", []string{"1", "2"}},
		{"any NOT IN ('a', 5)", []string{"0", "3"}},
		{"any IN ('5', NULL)", []string{"3"}},
		{"any NOT IN ('5', NULL)", nil},
		{"(any, pk) IN (('a', 1), ('5', 2))", []string{"1"}},
		{"(any, pk) NOT IN (('a', 1), ('5', 2))", []string{"0", "2", "3", "4"}},
		{"any->'$.a' IN ('x', 'y')", []string{"0"}},
		{"any IN (CAST('{\"a\": \"x\"}' AS JSON), 'y')", []string{"0"}},
		{"any IN ('a', pk + 3)", []string{"1", "2"}},
	} {
		expect(t, s, "SELECT pk FROM docs WHERE "+tt.where, tt.want...)
		expect(t, s, "SELECT pk FROM (SELECT pk, "+tt.where+" AS found FROM docs) d WHERE found", tt.want...)
	}
}
