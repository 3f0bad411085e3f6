package engine_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/schemafile"
	"github.com/dynasql/dynasql/engine"
)

// BenchmarkValues compares the ways to a value inside of a document, and what
// items of several kinds cost as rows.
func BenchmarkValues(b *testing.B) {
	const items = 5000
	f := fixture{name: "bench", hash: "id:S"}
	for i := range items {
		f.items = append(f.items, fmt.Sprintf(
			`{"id":{"S":"k%05d"},"n":{"N":"%d.5"},"s":{"S":"text %d"},"doc":{"M":{"city":{"S":"c%d"},"zip":{"N":"%d"},"tags":{"SS":["a","b"]}}}}`, i, i, i, i%50, i%900))
	}
	pins, err := schemafile.Parse([]byte("tables: {bench: {columns: {city: {attribute: doc, path: $.city, type: VARCHAR(20)}, fast: {attribute: n, type: DOUBLE}}}}"))
	if err != nil {
		b.Fatal(err)
	}
	s := over(b, storeOf(b, f), catalog.Options{Pins: pins}).NewSession()
	b.Cleanup(s.Close)
	for _, c := range []struct{ name, query string }{
		{"text", "SELECT s FROM bench"},
		{"double", "SELECT fast FROM bench"},
		{"document", "SELECT doc FROM bench"},
		{"whole item", "SELECT _item FROM bench"},
		{"path in a document", "SELECT doc->>'$.city' FROM bench"},
		{"virtual column", "SELECT city FROM bench"},
		{"group by a path", "SELECT doc->>'$.city' AS c, COUNT(*) FROM bench GROUP BY c"},
		{"group by a virtual column", "SELECT city, COUNT(*) FROM bench GROUP BY city"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				drain(b, s, c.query)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/items, "ns/item")
		})
	}
}

func drain(b *testing.B, s *engine.Session, query string) {
	rows, err := s.Query(context.Background(), query)
	for err == nil {
		_, err = rows.Next()
	}
	if err != io.EOF {
		b.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		b.Fatal(err)
	}
}
