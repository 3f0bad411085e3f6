package engine_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
)

// TestEstimates holds what EXPLAIN estimates against what statements take:
// within 20 % where a table or an index is read as a whole, exactly where it is
// read by keys and the size of the items is known. DYNASQL_ESTIMATE_ITEMS=1000000 makes the
// table larger than its 20,000 items.
func TestEstimates(t *testing.T) {
	items := 20_000
	if n, err := strconv.Atoi(os.Getenv("DYNASQL_ESTIMATE_ITEMS")); err == nil {
		items = n
	}
	store := storeOf(t, fixture{name: "uneven", hash: "pk:S", sort: "sk:N", indexes: []string{"by-city city:S sk:N"}},
		fixture{name: "even", hash: "id:N"})
	fill(t, store.Client(), "uneven", items, unevenItem)
	fill(t, store.Client(), "even", 1000, func(_ *rand.Rand, i int) string {
		return fmt.Sprintf(`{"id":{"N":"%d"},"v":{"S":"%s"}}`, 100+i, strings.Repeat("x", 5000))
	})
	s := over(t, store, catalog.Options{}).NewSession()
	defer s.Close()
	expect(t, s, "SET ddb_max_rcu = 1000000000")
	for _, test := range []struct {
		query string
		most  float64 // by which estimate and actual read units may differ, as a share of these
	}{
		{"SELECT * FROM uneven", 0.2},
		{"SELECT COUNT(*) FROM uneven", 0.2},
		{"SELECT city, SUM(n) FROM uneven WHERE n > 500 GROUP BY city", 0.2},
		{"SELECT pk FROM `uneven.by-city`", 0.2},
		{"SELECT COUNT(*) FROM uneven a JOIN uneven b ON a.n = b.n WHERE a.sk = 1 AND a.n < 3 AND b.sk = 2", 0.2},
		{"SELECT * FROM even", 0.2},
		{"SELECT * FROM even WHERE id = 500", 0},
		{"SELECT * FROM even WHERE id IN (150, 250, 350)", 0},
		{"SELECT * FROM even WHERE id = 777 UNION ALL SELECT * FROM even WHERE id = 888", 0},
	} {
		estimate := estimated(t, s, test.query)
		if _, err := linesOf(s, test.query, func([]engine.Column, []engine.Value) string { return "" }); err != nil {
			t.Fatalf("%s: %v", test.query, err)
		}
		rows, err := answer(s, "SHOW STATUS LIKE 'ddb_read_units'")
		if err != nil || len(rows) != 1 {
			t.Fatal(rows, err)
		}
		actual, err := strconv.ParseFloat(strings.TrimPrefix(rows[0], "ddb_read_units|"), 64)
		if err != nil {
			t.Fatal(err)
		}
		off := math.Abs(estimate-actual) / actual
		t.Logf("%-90s estimate %10.1f, actual %10.1f: %.1f %%", test.query, estimate, actual, 100*off)
		if !(off <= test.most) {
			t.Errorf("%s: estimated %v read units, took %v", test.query, estimate, actual)
		}
	}
}

// estimated is the sum of the read units that EXPLAIN gives for a statement.
func estimated(t *testing.T, s *engine.Session, query string) float64 {
	t.Helper()
	text, err := answer(s, "EXPLAIN FORMAT=JSON "+query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var plan struct {
		Reads []struct {
			Estimate struct {
				ReadUnits float64 `json:"read_units"`
			} `json:"estimate"`
		} `json:"reads"`
	}
	if err := json.Unmarshal([]byte(strings.Join(text, "\n")), &plan); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, r := range plan.Reads {
		sum += r.Estimate.ReadUnits
	}
	return sum
}

// unevenItem has a size between 60 bytes and 4 KB, mostly small, and is larger
// the later it is in the order of its hash key's numbers.
func unevenItem(g *rand.Rand, i int) string {
	size := int(math.Exp(g.Float64() * 6))
	if g.IntN(50) == 0 {
		size = 4000
	}
	return fmt.Sprintf(`{"pk":{"S":"customer#%d"},"sk":{"N":"%d"},"city":{"S":"city %d"},"n":{"N":"%d"},"note":{"S":"%s"}}`,
		i/20, i%20, g.IntN(100), g.IntN(1000), strings.Repeat("n", size))
}

// fill puts generated items into a table.
func fill(t testing.TB, c ddb.Client, table string, n int, item func(*rand.Rand, int) string) {
	t.Helper()
	g := rand.New(rand.NewPCG(6, 6))
	var batch []types.WriteRequest
	for i := range n {
		parsed, err := parseItem(item(g, i))
		if err != nil {
			t.Fatal(err)
		}
		batch = append(batch, types.WriteRequest{PutRequest: &types.PutRequest{Item: parsed}})
		if len(batch) < 25 && i < n-1 {
			continue
		}
		if _, err := c.BatchWriteItem(t.Context(), &ddb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: batch}}); err != nil {
			t.Fatal(err)
		}
		batch = batch[:0]
	}
}
