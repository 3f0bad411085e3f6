package engine_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/dynasql/dynasql/engine"
)

// TestParams binds values: they reach the key conditions, and a value is never
// part of the statement.
func TestParams(t *testing.T) {
	s := sessionOver(t, orders())
	for _, tt := range []struct {
		name, query string
		params      []engine.Param
		want        []string
		requests    map[string]int
	}{
		{"text to a key", "SELECT total FROM Orders WHERE pk = :p AND sk = :s",
			[]engine.Param{{Name: "p", Text: "a"}, {Name: "s", Text: "2"}}, []string{"20"}, map[string]int{"GetItem": 1}},
		{"number", "SELECT pk FROM Orders WHERE total > :n ORDER BY total",
			[]engine.Param{{Name: "n", Text: "15.5", Number: true}}, []string{"a", "b"}, map[string]int{"Scan": 1}},
		{"NULL", "SELECT pk FROM Orders WHERE pk = :p",
			[]engine.Param{{Name: "p", Null: true}}, nil, map[string]int{}},
		{"a quote in the value", "SELECT pk FROM Orders WHERE pk = :p",
			[]engine.Param{{Name: "p", Text: "a' OR '1'='1"}}, nil, map[string]int{"Query": 1}},
		{"used twice, one left over", "SELECT COUNT(*) FROM Orders WHERE pk = :p OR status = :p",
			[]engine.Param{{Name: "p", Text: "b"}, {Name: "unused", Text: "x"}}, []string{"1"}, map[string]int{"Query": 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows, err := s.Query(context.Background(), tt.query, tt.params...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for {
				row, err := rows.Next()
				if err != nil {
					break
				}
				got = append(got, row[0].Text)
			}
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) || !reflect.DeepEqual(rows.Usage().Requests, tt.requests) {
				t.Errorf("got %q by %v, want %q by %v", got, rows.Usage().Requests, tt.want, tt.requests)
			}
		})
	}
	if _, err := s.Query(context.Background(), "SELECT :missing"); err == nil || err.Error() != "the parameter :missing has no value" {
		t.Errorf("a missing value: %v", err)
	}
}
