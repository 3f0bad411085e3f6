package engine_test

import (
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
)

// TestJoinsAgainstOptimum holds the read units of joins against the fewest that
// any order of the tables with any legal way of reading each takes on the items
// that are there, found by trying them all. A plan is made before the items are
// known; where it cannot know better, the case says by how much and why.
func TestJoinsAgainstOptimum(t *testing.T) {
	fixtures := shop()
	b := bruteOf(t, fixtures)
	e := over(t, storeOf(t, fixtures...), catalog.Options{})
	s := e.NewSession()
	t.Cleanup(s.Close)
	for _, f := range fixtures {
		if _, usage := run(t, s, "SELECT * FROM `"+f.name+"`"); usage.ReadUnits > b.tables[f.name][0].units(func(stored) bool { return true })+2 {
			t.Fatalf("a Scan of %s takes %v read units", f.name, usage.ReadUnits)
		}
	}
	ours, least := 0.0, 0.0
	for _, c := range joinCases {
		got, usage := run(t, s, c.query)
		best := b.optimum(specOf(c.spec, c.limit))
		ratio := usage.ReadUnits / best
		ours, least = ours+usage.ReadUnits, least+best
		t.Logf("%6.1f %6.1f %5.2f  %v  %s", usage.ReadUnits, best, ratio, usage.Requests, c.query)
		if ratio > max(c.above, 1.005) {
			t.Errorf("%s\ntakes %.1f read units, the best way %.1f: %v", c.query, usage.ReadUnits, best, usage.Requests)
		}
		if c.above > 0 && ratio < c.above-0.1 {
			t.Errorf("%s\ntakes %.2f of the best way, and no longer %.2f because %s", c.query, ratio, c.above, c.why)
		}
		if c.limit == 0 {
			mustAnswer(t, s, "SET ddb_pushdown = 0")
			expect(t, s, c.query, got...)
			mustAnswer(t, s, "SET ddb_pushdown = 1")
		}
	}
	t.Logf("%d statements: %.1f read units, optimum %.1f, ratio %.3f", len(joinCases), ours, least, ours/least)
}
