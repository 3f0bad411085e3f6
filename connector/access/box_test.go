package access

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/schema"
)

// TestRangesAreMerged wants no more ranges than there are constants, however
// many alternatives name them.
func TestRangesAreMerged(t *testing.T) {
	table := tableOf("table t key pk:S,sk:S items 1M size 400M distinct 10000")
	var conjuncts []string
	for i := range 8 {
		conjuncts = append(conjuncts, fmt.Sprintf("(pk < 'p%d' or pk > 'p%d' or pk < 'a' or pk > 'p9')", i+2, i),
			fmt.Sprintf("(sk < 's%d' or sk > 's%d')", i, i), fmt.Sprintf("(pk < 'q%d' or pk > 'q%d')", i, i))
	}
	_, req := requestOf(table, "plan * where "+strings.Join(conjuncts, " and "))
	b := bind(tableSpace(table), req.Where)
	if n := len(b.all.boxes); n == 0 || n > 100 {
		t.Errorf("%d boxes", n)
	}
	for pk, inside := range map[string]bool{"p3": true, "q3": false, "z": true} {
		if b.all.holds(box{hash: pointSpan(schema.Str(pk)), sort: pointSpan(schema.Str("s"))}, false) != inside {
			t.Errorf("%s is inside: %t", pk, !inside)
		}
	}
}
