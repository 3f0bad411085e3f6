package page_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dynasql/dynasql/connector/codec/page"
)

// Values that are copied without their items are the same, and the items empty.
func TestAppendValues(t *testing.T) {
	for seed := range uint64(50) {
		w := writer{r: rand.New(rand.NewPCG(seed, 4))}
		d := page.NewDecoder(goNames)
		first, second := d.Batch(), d.Batch()
		if _, err := d.Decode(w.page(1+w.r.IntN(20)), first); err != nil {
			t.Fatal(err)
		}
		second.Reserve(first)
		for row := range first.Rows() {
			second.AppendValues(first, row)
		}
		for row := range first.Rows() {
			for c := range goNames {
				want, err := first.Attribute(first.Value(row, c))
				if err != nil {
					t.Fatal(err)
				}
				equal(t, fmt.Sprintf("seed %d row %d", seed, row), second, second.Value(row, c), want)
			}
			if second.Item(row).Size() != 0 {
				t.Errorf("seed %d row %d: the item was copied", seed, row)
			}
		}
	}
}
