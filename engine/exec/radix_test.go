package exec

import (
	"bytes"
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

// TestSorterSorts wants rows in the order of their keys, and equal ones as they
// came: keys that differ in their first bytes, or only far behind them, some of a
// few rows and some of many; all rows, and the first of them.
func TestSorterSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	type keyed struct {
		key   string
		place int
	}
	rows := make([]keyed, 3*radixRows)
	for i := range rows {
		k := []string{"", "begins like many", "begins like many others do, and goes on"}[r.IntN(3)]
		rows[i] = keyed{k + fmt.Sprintf("%05d.", r.IntN(9000)), i}
	}
	want := slices.Clone(rows)
	slices.SortStableFunc(want, func(a, b keyed) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
	for _, most := range []int{0, 10, 700} {
		s := newSorter(sql.NewEmptyContext(), nil, most, memoryOf(sql.NewEmptyContext()))
		var kept rowList
		s.row, s.forget = kept.row, kept.forget
		for _, row := range rows {
			if k := []byte(row.key); s.wanted(k) {
				kept.rows = append(kept.rows, sql.Row{row.place})
				if err := s.add(k, nil, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		out, err := s.finish()
		if err != nil {
			t.Fatal(err)
		}
		if most == 0 {
			most = len(rows)
		}
		for i := range most {
			row, err := out.row()
			if err != nil || row[0] != want[i].place {
				t.Fatalf("of %d rows wanted the %d. is %v, %v; want %d", most, i+1, row, err, want[i].place)
			}
		}
		s.close()
	}
}
