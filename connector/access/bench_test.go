package access

import (
	"fmt"
	"testing"

	"github.com/dynasql/dynasql/connector/schema"
)

func benchTable(columns int) *schema.Table {
	t := tableOf(`table orders key pk:S,sk:S items 10M size 4G distinct 100K sampled 1000 samplebytes 400K
index by_status key status:S,placed:S items 10M size 4G distinct 10 sparse 0
index by_email key email:S keys-only items 10M size 1G distinct 1M
index by_total key pk:S,total:N local items 10M size 4G distinct 100K`)
	for i := range columns {
		t.Columns = append(t.Columns, schema.Column{Name: fmt.Sprint("c", i), Attribute: fmt.Sprint("c", i)})
	}
	return t
}

func BenchmarkChoose(b *testing.B) {
	for _, bb := range []struct{ name, question string }{
		{"point", "plan * where pk = 'a' and sk = 'b'"},
		{"point with columns", "plan c1, c2, c3 where pk = 'a' and sk = 'b'"},
		{"range", "plan c1, c2 where pk = 'a' and sk >= '2024' and sk < '2025-07' order by sk desc limit 10"},
		{"index", "plan * where status = 'x' and placed > '2025' and c1 = 5"},
		{"scan", "plan c1, c2 where c1 = 5 and c2 <> 'x' and c3 is not null"},
		{"alternatives", "plan c1 where pk = 'a' and (sk = 'x' or c1 = 5 or c2 = 6)"},
	} {
		for _, columns := range []int{10, 1000} {
			b.Run(fmt.Sprintf("%s/%d columns", bb.name, columns), func(b *testing.B) {
				_, req := requestOf(benchTable(columns), bb.question)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Choose(req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkChooseKeys plans the lookups of a batch of outer rows of a join.
func BenchmarkChooseKeys(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := Pred{Op: Tuple, Paths: []Path{{Attribute: "pk"}, {Attribute: "sk"}}}
			for i := range n {
				p.Rows = append(p.Rows, []schema.Scalar{schema.Str(fmt.Sprint("k", i)), schema.Str("x")})
			}
			req := Request{Table: benchTable(10), All: true, Where: []Pred{p}}
			b.ReportAllocs()
			for b.Loop() {
				if p, err := Choose(req); err != nil || len(p.Keys) != n {
					b.Fatal(err, len(p.Keys))
				}
			}
		})
	}
}

func BenchmarkExpression(b *testing.B) {
	_, req := requestOf(benchTable(10), "plan c1, c2 where pk = 'a' and sk >= '2024' and sk < '2025-07' and c3 = 7")
	p, err := Choose(req)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Expression(0)
	}
}

// TestChooseAllocations: planning a point query costs the same for any number
// of columns.
func TestChooseAllocations(t *testing.T) {
	allocations := func(columns int) float64 {
		_, req := requestOf(benchTable(columns), "plan c1 where pk = 'a' and sk = 'b'")
		return testing.AllocsPerRun(100, func() { _, _ = Choose(req) })
	}
	few, many := allocations(1), allocations(2000)
	if few != many || few > 60 {
		t.Errorf("%v allocations with one column, %v with 2000", few, many)
	}
}
