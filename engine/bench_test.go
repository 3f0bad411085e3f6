package engine_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// benchItems is the size of the benchmarks' table: 8 attributes an item.
const benchItems = 100_000

// BenchmarkStatements runs statements end to end over the embedded store, in
// process: what a user waits for beside the network. A point read is followed by
// statements over all items, so that ns/op of those is for 100,000 items.
func BenchmarkStatements(b *testing.B) {
	s := over(b, benchStore(b), catalog.Options{}).NewSession()
	b.Cleanup(s.Close)
	for _, bb := range []struct{ name, query string }{
		{"point", "SELECT amount FROM facts WHERE id = 'i77'"},
		{"count", "SELECT COUNT(*) FROM facts"},
		{"filtered count", "SELECT COUNT(*) FROM facts WHERE amount > 5000 AND flag = 1"},
		{"sum", "SELECT SUM(amount), AVG(weight) FROM facts"},
		{"group of 100", "SELECT grp, COUNT(*), SUM(amount), AVG(weight) FROM facts GROUP BY grp"},
		{"top 10", "SELECT id, amount FROM facts ORDER BY amount DESC LIMIT 10"},
		{"distinct", "SELECT COUNT(DISTINCT grp) FROM facts"},
		{"all columns", "SELECT * FROM facts"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				drain(b, s, bb.query)
			}
		})
	}
}

func benchStore(b *testing.B) *localdb.Store {
	b.Helper()
	store := localdb.Open(localdb.Options{})
	if err := loadTable(store.Client(), "facts", "id", benchItems, benchItem); err != nil {
		b.Fatal(err)
	}
	return store
}

func benchItem(i int) ddb.Item {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	number := func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }
	return ddb.Item{
		"id":     text(fmt.Sprintf("i%d", i)),
		"grp":    text(fmt.Sprintf("group %02d", i%100)),
		"name":   text(fmt.Sprintf("name of the item %d", i)),
		"city":   text([]string{"Oslo", "Lisboa", "København", "東京"}[i%4]),
		"amount": number(fmt.Sprintf("%d.%02d", i%10_000, i%100)),
		"weight": number(fmt.Sprint(i % 977)),
		"serial": number(fmt.Sprint(1_000_000_000 + i)),
		"flag":   &types.AttributeValueMemberBOOL{Value: i%3 == 0},
	}
}
