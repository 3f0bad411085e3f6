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

// TestPlacesInDocuments fetches only the places of a document that the statement
// looks at, and the whole where it is looked at otherwise as well.
func TestPlacesInDocuments(t *testing.T) {
	s := sessionOver(t, fixture{name: "things", hash: "pk:S", items: []string{
		`{"pk":{"S":"a"},"doc":{"M":{"x":{"S":"5"},"in":{"M":{"y":{"N":"7"},"z.z":{"L":[{"N":"1"},{"N":"2"}]}}},"big":{"S":"long"}}}}`,
		`{"pk":{"S":"b"},"doc":{"L":[{"M":{"x":{"S":"no"}}}]}}`,
		`{"pk":{"S":"c"},"doc":{"M":{"big":{"S":"x"}}}}`,
		`{"pk":{"S":"d"}}`,
	}})
	for _, tt := range []struct {
		query   string
		rows    []string
		columns string // of the plan
	}{
		{"SELECT pk, doc->>'$.x' FROM things", []string{"a|5", "b|NULL", "c|NULL", "d|NULL"}, "pk, doc.x"},
		{"SELECT doc->'$.in.y', doc->>'$.in.y' FROM things WHERE doc->>'$.x' = '5'", []string{"7|7"}, "doc.x, doc.in.y, pk"},
		{"SELECT doc->'$.in', doc->>'$.in.y' FROM things WHERE pk = 'a'", []string{`{"y": 7, "z.z": [1, 2]}|7`}, "pk, doc.in"},
		{"SELECT doc->'$.in.\"z.z\"[1]' FROM things WHERE pk = 'a'", []string{"2"}, "pk, doc"},
		{"SELECT JSON_EXTRACT(doc, '$.x', '$.big') FROM things WHERE pk = 'a'", []string{`["5", "long"]`}, "pk, doc.x, doc.big"},
		{"SELECT doc->>'$.x', JSON_KEYS(doc) FROM things WHERE pk = 'c'", []string{`NULL|["big"]`}, "pk, doc"},
		{"SELECT doc->>'$.big' FROM things WHERE doc IS NOT NULL AND pk > 'b'", []string{"x"}, "pk, doc"},
		{"SELECT doc->>'$.big', COUNT(*) FROM things GROUP BY doc->>'$.big'", []string{"NULL|2", "long|1", "x|1"}, "doc.big, pk"},
		{"SELECT d.x FROM (SELECT doc->>'$.x' AS x, doc FROM things) d WHERE d.x > '1'", []string{"5"}, "doc.x, pk"},
		{"SELECT d.k->>'$.x' FROM (SELECT pk, doc AS k FROM things LIMIT 9) d WHERE pk <= 'a'", []string{"5"}, "pk, doc.x"},
		{"SELECT d.y->>'$.x' FROM (SELECT pk, doc FROM things LIMIT 9) d (x, y) WHERE d.x <= 'a'", []string{"5"}, "pk, doc.x"},
		{"SELECT d.pk FROM (SELECT * FROM things LIMIT 9) d WHERE d.pk <= 'a'", []string{"a"}, "pk"},
		{"SELECT d.pk FROM (SELECT DISTINCT pk, doc FROM things) d WHERE d.pk <= 'a'", []string{"a"}, "pk, doc"},
		{"SELECT a.doc->>'$.x' FROM things a JOIN things b ON a.pk = b.doc->>'$.big' OR a.pk = b.pk WHERE b.doc->>'$.x' = 5", []string{"5"}, "pk, doc.x"},
	} {
		t.Run(tt.query, func(t *testing.T) {
			expect(t, s, tt.query, tt.rows...)
			plan := strings.Join(mustAnswer(t, s, "EXPLAIN "+tt.query), "\n")
			if !strings.Contains(plan, "columns   "+tt.columns) {
				t.Errorf("want %q in\n%s", tt.columns, plan)
			}
		})
	}
}
