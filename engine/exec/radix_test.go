package exec

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// TestSortsAreTheSame compares the two ways to sort, with keys that differ in
// their first bytes, behind them, or not at all.
func TestSortsAreTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	rows := make([]sql.Row, 2*radixRows)
	for i := range rows {
		text := fmt.Sprint(r.IntN(50))
		if r.IntN(2) == 0 {
			text = "the same first bytes " + text
		}
		rows[i] = sql.Row{text}
	}
	for _, descending := range []bool{false, true} {
		keys, err := newSortKeys(sql.NewEmptyContext(), rows, []term{{expression.NewGetField(0, benchText, "a", true), descending}})
		if err != nil {
			t.Fatal(err)
		}
		entries := keys.entries([]int{len(rows)}, make([]int32, len(rows)))
		want := slices.Clone(entries)
		slices.SortFunc(want, keys.compare)
		keys.sort(entries)
		if !slices.Equal(entries, want) {
			t.Errorf("descending %t: not the same order", descending)
		}
	}
}
