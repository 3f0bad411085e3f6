package format

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func drawTable(t *testing.T, o Options, columns []Column, rows [][]Cell) (string, bool) {
	t.Helper()
	var b bytes.Buffer
	w, err := New(Table, &b, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(columns); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.(Truncater).Truncated()
}

func TestTable(t *testing.T) {
	columns := []Column{{"id", Number}, {"name", Text}}
	rows := [][]Cell{{{Text: "1"}, {Text: "日本語"}}, {{Text: "10"}, Null}, {{Text: "2"}, {Text: "NULL"}}, {{Text: "3"}, {Text: "a\x1b[31mb\u202e"}}}
	for _, tt := range []struct {
		name string
		opt  Options
		rows [][]Cell
		want string
		cut  bool
	}{
		{name: "plain", rows: rows, want: `
╭────┬──────────────────╮
│ id │ name             │
├────┼──────────────────┤
│  1 │ 日本語           │
│ 10 │ NULL             │
│  2 │ 'NULL'           │
│  3 │ a\x1B[31mb\u202E │
╰────┴──────────────────╯
`},
		{name: "ascii without header", opt: Options{ASCII: true, NoHeader: true, Null: "-"}, rows: rows[:2], want: `
+----+--------+
|  1 | 日本語 |
| 10 | -      |
+----+--------+
`},
		{name: "cut to the terminal", opt: Options{Width: 18}, rows: [][]Cell{{{Text: "1"}, {Text: "a long text"}}}, cut: true, want: `
╭────┬───────────╮
│ id │ name      │
├────┼───────────┤
│  1 │ a long t… │
╰────┴───────────╯
`},
		{name: "wrapped", opt: Options{Width: 18, Wrap: true}, rows: [][]Cell{{{Text: "1"}, {Text: "a long text"}}}, want: `
╭────┬───────────╮
│ id │ name      │
├────┼───────────┤
│  1 │ a long te │
│    │ xt        │
╰────┴───────────╯
`},
		{name: "wide characters are cut whole", opt: Options{Width: 18}, rows: [][]Cell{{{Text: "1"}, {Text: "日本語日本語"}}}, cut: true, want: `
╭────┬───────────╮
│ id │ name      │
├────┼───────────┤
│  1 │ 日本語日… │
╰────┴───────────╯
`},
		{name: "null is dim in colour", opt: Options{Color: true, NoHeader: true, ASCII: true}, rows: [][]Cell{{{Text: "1"}, Null}}, want: "\n+----+------+\n|  1 | \x1b[2mNULL\x1b[0m |\n+----+------+\n"},
		{name: "no rows", want: `
╭────┬──────╮
│ id │ name │
├────┼──────┤
╰────┴──────╯
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := drawTable(t, tt.opt, columns, tt.rows)
			want := strings.TrimPrefix(tt.want, "\n")
			if got != want || cut != tt.cut {
				t.Errorf("cut %v, want %v\n got\n%s\nwant\n%s", cut, tt.cut, got, want)
			}
		})
	}
}

func TestTableStreams(t *testing.T) {
	var b bytes.Buffer
	w, err := New(Table, &b, Options{Batch: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin([]Column{{"n", Number}}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := w.Row([]Cell{{Text: fmt.Sprint(i)}}); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); i >= 1 && lines != 3+(i+1)/2*2 {
			t.Errorf("after row %d the output has %d lines", i, lines)
		}
	}
	if err := w.Row([]Cell{{Text: "1234567"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	want := `╭───╮
│ n │
├───┤
│ 0 │
│ 1 │
│ 2 │
│ 3 │
│       4 │
│ 1234567 │
╰─────────╯
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableStaysStraightOnATerminal(t *testing.T) {
	got, cut := drawTable(t, Options{Batch: 1, Width: 80}, []Column{{"n", Text}}, [][]Cell{{{Text: "ab"}}, {{Text: "abcdef"}}})
	if want := "╭────╮\n│ n  │\n├────┤\n│ ab │\n│ a… │\n╰────╯\n"; got != want || !cut {
		t.Errorf("cut %v, got\n%s\nwant\n%s", cut, got, want)
	}
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		name   string
		widths []int
		total  int
		want   []int
	}{
		{"all fit", []int{3, 5}, 10, []int{3, 5}},
		{"the widest shrinks", []int{3, 50, 5}, 20, []int{3, 12, 5}},
		{"equal shares for two wide ones", []int{40, 50, 4}, 24, []int{10, 10, 4}},
		{"what is left goes to the first", []int{40, 50}, 21, []int{11, 10}},
		{"never below the least", []int{40, 50, 60}, 10, []int{6, 6, 6}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fit(tt.widths, tt.total); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("fit(%v, %d) = %v, want %v", tt.widths, tt.total, got, tt.want)
			}
		})
	}
}

func TestUniqueNames(t *testing.T) {
	got := uniqueNames([]Column{{Name: "id"}, {Name: "id"}, {Name: "id_2"}, {Name: "id"}, {Name: "x"}})
	if want := []string{"id", "id_3", "id_2", "id_4", "x"}; !reflect.DeepEqual(got, want) {
		t.Errorf("uniqueNames = %q, want %q", got, want)
	}
}

func FuzzTable(f *testing.F) {
	f.Add("some text", 30)
	f.Add("日本語🙂\x1b[2J\n", 12)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = width&127 + 14
		got, _ := drawTable(t, Options{Width: width}, []Column{{"c", Text}}, [][]Cell{{{Text: s}}})
		for _, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
			if displayWidth(line) > width {
				t.Fatalf("a line is %d wide on a terminal of %d: %q", displayWidth(line), width, line)
			}
			if strings.ContainsAny(line, "\x1b\r\t") {
				t.Fatalf("a control character came through: %q", line)
			}
		}
	})
}
