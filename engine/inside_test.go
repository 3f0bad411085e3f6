package engine_test

import (
	"strings"
	"testing"
)

// TestPartsOfColumns pushes equalities on the start of a column and on a place
// in a document, without losing what SQL holds equal and DynamoDB does not.
func TestPartsOfColumns(t *testing.T) {
	s := sessionOver(t, fixture{name: "things", hash: "pk:S", sort: "sk:S", items: []string{
		`{"pk":{"S":"a"},"sk":{"S":"ORDER#1"},"doc":{"M":{"x":{"S":"5"},"in":{"M":{"y":{"N":"7"}}}}},"rare":{"S":"v"}}`,
		`{"pk":{"S":"a"},"sk":{"S":"ORDER#22"},"doc":{"M":{"x":{"N":"5"}}},"tags":{"SS":["p","q"]}}`,
		`{"pk":{"S":"a"},"sk":{"S":"ITEM#1"},"doc":{"L":[{"S":"z"}]},"tags":{"L":[{"S":"p"}]}}`,
		`{"pk":{"S":"a"},"sk":{"S":"ÖRDER"}}`,
	}})
	for _, tt := range []struct {
		where  string
		rows   string // sort keys
		pushed string // part of the plan
	}{
		{"pk = 'a' AND LEFT(sk, 6) = 'ORDER#'", "ORDER#1 ORDER#22", "begins_with(sk, 'ORDER#')"},
		{"pk = 'a' AND SUBSTRING(sk, 1, 6) = 'ORDER#'", "ORDER#1 ORDER#22", "begins_with(sk, 'ORDER#')"},
		{"pk = 'a' AND LEFT(sk, 1) = 'Ö'", "ÖRDER", "begins_with(sk, 'Ö')"},
		{"pk = 'a' AND LEFT(sk, 9) = 'ORDER#1'", "ORDER#1", "sk = 'ORDER#1'"},
		{"pk = 'a' AND LEFT(sk, 2) = 'ORDER'", "", "nothing is sent"},
		{"NOT (LEFT(sk, 6) = 'ORDER#')", "ITEM#1 ÖRDER", ""},
		{"doc->>'$.x' = '5'", "ORDER#1 ORDER#22", "doc.x = '5'"},
		{"doc->>'$.in.y' = '7'", "ORDER#1", "doc.in.y = '7'"},
		{"JSON_EXTRACT(doc, '$.in.y') = 7", "ORDER#1", "doc.in.y = 7"},
		{"doc->>'$[0]' = 'z'", "ITEM#1", ""},
		{"tags->>'$[0]' = 'p'", "ITEM#1 ORDER#22", ""},
		{"_item->>'$.rare' = 'v'", "ORDER#1", "rare = 'v'"},
		{"_item->>'$.sk' = 'ORDER#1'", "ORDER#1", ""},
	} {
		t.Run(tt.where, func(t *testing.T) {
			query := "SELECT sk FROM things WHERE " + tt.where
			var want []string
			if tt.rows != "" {
				want = strings.Split(tt.rows, " ")
			}
			expect(t, s, query, want...)
			plan := strings.Join(mustAnswer(t, s, "EXPLAIN "+query), "\n")
			if !strings.Contains(plan, tt.pushed) {
				t.Errorf("want %q in\n%s", tt.pushed, plan)
			}
		})
	}
}
