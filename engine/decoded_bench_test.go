package engine_test

import (
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine"
)

// BenchmarkDecoded runs statements over a million items (DYNASQL_BENCH_ITEMS) that
// were read and decoded before, on typed values and row by row: what operators
// take by themselves. Conditions are such as the store does not know, so that all
// items come. engine/exec/testdata/duckdb runs the same on DuckDB. Compare
// ns/op on an idle machine, and cpu-s, the processor seconds of this process.
//
//	go test -tags gms_pure_go ./engine -run xxx -bench Decoded -benchtime 5x
func BenchmarkDecoded(b *testing.B) {
	client := factsClient(b)
	for _, bb := range []struct{ name, query string }{
		{"group of 100", "SELECT grp, COUNT(*), SUM(amount), AVG(weight) FROM facts GROUP BY grp"},
		{"group of 100,000", "SELECT many, COUNT(*), SUM(amount) FROM facts GROUP BY many"},
		{"filtered count", "SELECT COUNT(*) FROM facts WHERE amount + 0 > 5000 AND IF(flag, 1, 0)"},
		{"filtered group", "SELECT grp, SUM(amount) FROM facts WHERE amount + 0 > 5000 AND IF(flag, 1, 0) GROUP BY grp"},
		{"sum", "SELECT SUM(amount), AVG(weight) FROM facts"},
		{"top 10", "SELECT id, amount FROM facts ORDER BY amount DESC, id LIMIT 10"},
		{"sort", "SELECT id, amount FROM facts ORDER BY amount DESC, id"},
		{"distinct", "SELECT DISTINCT many FROM facts"},
		{"join", "SELECT k.kind, SUM(f.amount) FROM facts f JOIN kinds k ON k.k = f.many GROUP BY k.kind"},
		{"row number", "SELECT id, ROW_NUMBER() OVER (ORDER BY amount) FROM facts"},
	} {
		e, err := engine.New(engine.Config{
			Connections: []engine.Connection{{Client: client}}, Read: read.Options{Recording: &read.Recording{}},
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, typed := range []string{"1", "0"} {
			b.Run(strings.ReplaceAll(bb.name, " ", "_")+"/typed="+typed, func(b *testing.B) {
				s := e.NewSession()
				defer s.Close()
				drain(b, s, "SET ddb_typed = "+typed+", ddb_max_rcu = 0")
				drain(b, s, bb.query) // which records
				measure(b, func() { drain(b, s, bb.query) })
			})
		}
		e.Close()
	}
}
