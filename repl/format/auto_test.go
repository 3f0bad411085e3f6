package format

import (
	"fmt"
	"strings"
	"testing"
)

func TestAutoChoosesWhatIsLegible(t *testing.T) {
	wide := []Column{{"id", Number}, {"first", Text}, {"second", Text}, {"third", Text}}
	text := strings.Repeat("x", 30)
	row := []Cell{{Text: "1"}, {Text: text}, {Text: text}, {Text: text}}
	many := func(n int) [][]Cell {
		var rows [][]Cell
		for range n {
			rows = append(rows, row)
		}
		return rows
	}
	const table, vertical = "╭", "*****"
	for _, tt := range []struct {
		name  string
		opt   Options
		rows  [][]Cell
		start string
		whole bool // no value is cut
	}{
		{"no terminal", Options{}, many(1), table, true},
		{"everything fits", Options{Width: 120, Height: 24}, many(1), table, true},
		{"cut a little", Options{Width: 80, Height: 24}, many(1), table, false},
		{"cut too much", Options{Width: 40, Height: 24}, many(1), vertical, true},
		{"longer than the screen", Options{Width: 40, Height: 24}, many(30), vertical, true},
		{"longer than the screen, and it scrolls", Options{Width: 40, Height: 24, Scroll: true}, many(30), table, true},
		{"it scrolls, but the rows fit the screen", Options{Width: 40, Height: 24, Scroll: true}, many(2), vertical, true},
		{"more than one batch that scrolls", Options{Width: 40, Height: 24, Scroll: true, Batch: 20}, many(30), table, true},
		{"no rows", Options{Width: 20, Height: 24}, nil, table, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.opt.Auto = true
			got, cut := drawTable(t, tt.opt, wide, tt.rows)
			if !strings.HasPrefix(got, tt.start) || cut == tt.whole {
				t.Errorf("cut %v, got\n%s\nwant it to start with %q, whole %v", cut, got, tt.start, tt.whole)
			}
			if n := strings.Count(got, text); tt.whole && n != 3*len(tt.rows) {
				t.Errorf("%d values are whole, want %d", n, 3*len(tt.rows))
			}
		})
	}
}

// A column that scrolls is not as wide as a document can be.
func TestScrolledColumnsHaveALimit(t *testing.T) {
	var rows [][]Cell
	for i := range 30 {
		rows = append(rows, []Cell{{Text: fmt.Sprint(i)}, {Text: strings.Repeat("d", 5000)}, {Text: "short"}})
	}
	got, cut := drawTable(t, Options{Auto: true, Scroll: true, Width: 20, Height: 10}, []Column{{"id", Number}, {"document", JSON}, {"note", Text}}, rows)
	line, _, _ := strings.Cut(got, "\n")
	if width := displayWidth(line); !cut || width > maxScrolled+20 {
		t.Errorf("cut %v, %d wide; want it cut to about %d", cut, width, maxScrolled)
	}
}
