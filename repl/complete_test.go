package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"report.sql", "results.csv"} {
		if err := writeText(filepath.Join(dir, name), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "rest"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		above string // lines typed before
		line  string // | is the cursor
		want  string // what the whole line becomes for each candidate, joined by " / "
	}{
		{name: "statement words", line: "sel|", want: "select"},
		{name: "statement words in upper case", line: "SE|", want: "SELECT / SET"},
		{name: "tables after from", line: "select * from or|", want: "select * from Orders / select * from `order-lines`"},
		{name: "databases after from", line: "select * from pr|", want: "select * from prod"},
		{name: "table with a dash, typed without quotes", line: "select * from order-l|", want: "select * from `order-lines`"},
		{name: "table in back quotes", line: "select * from `Ord|", want: "select * from `Orders` / select * from `order-lines`"},
		{name: "tables of a database", line: "select * from prod.|", want: "select * from prod.Users"},
		{name: "second table of a list", line: "select * from Orders o, ne|", want: "select * from Orders o, never"},
		{name: "table after join", line: "select * from Orders join ne|", want: "select * from Orders join never"},
		{name: "columns of the statement's table", line: "select * from Orders where st|", want: "select * from Orders where status / select * from Orders where start / select * from Orders where status / select * from Orders where straight_join"},
		{name: "columns before from", line: "select tot| from Orders", want: "select total from Orders"},
		{name: "columns while no table is named", line: "select tota|", want: "select total"},
		{name: "columns of an alias", line: "select * from Orders o where o.s|", want: "select * from Orders o where o.SK / select * from Orders o where o.`ship-to` / select * from Orders o where o.status"},
		{name: "columns of a table by its name", line: "select Orders.t| from Orders", want: "select Orders.total from Orders"},
		{name: "column with a dash", line: "select ship-| from Orders", want: "select `ship-to` from Orders"},
		{name: "alias", line: "select * from Orders ordr where ord|", want: "select * from Orders ordr where ordr / select * from Orders ordr where order"},
		{name: "table on a line above", above: "select * from Orders", line: "where tot|", want: "where total"},
		{name: "function", line: "select coal|", want: "select coalesce("},
		{name: "values of a hash key", line: "select * from Orders where PK = |", want: "select * from Orders where PK = 'CUSTOMER#42' / select * from Orders where PK = 'CUSTOMER#7' / select * from Orders where PK = PK / select * from Orders where PK = SK / select * from Orders where PK = `ship-to` / select * from Orders where PK = status / select * from Orders where PK = total"},
		{name: "values in an open string", line: "select * from Orders where status = 'd|", want: "select * from Orders where status = 'delivered'"},
		{name: "values in a list", line: "select * from Orders where status in ('sent', 'p|", want: "select * from Orders where status in ('sent', 'processing'"},
		{name: "database", line: "use p|", want: "use prod"},
		{name: "variable", line: "set ddb_o|", want: "set ddb_on_drift"},
		{name: "variable after @@", line: "select @@ddb_m|", want: "select @@ddb_max_rcu"},
		{name: "values of a variable", line: "set ddb_on_drift = |", want: "set ddb_on_drift = 'error' / set ddb_on_drift = 'null'"},
		{name: "parameter", line: "select * from Orders where PK = :cu|", want: "select * from Orders where PK = :customer"},
		{name: "command", line: `\ti|`, want: `\timing`},
		{name: "table of a command", line: `\d or|`, want: `\d Orders / \d order-lines`},
		{name: "format", line: `\format js|`, want: `\format json / \format jsonl`},
		{name: "connection", line: `\connect p|`, want: `\connect prod`},
		{name: "setting", line: `\pset w|`, want: `\pset width / \pset wrap`},
		{name: "chart kind", line: `\chart l|`, want: `\chart line`},
		{name: "file", line: `\i ` + dir + "/re|", want: `\i ` + dir + `/report.sql / \i ` + dir + `/rest/ / \i ` + dir + "/results.csv"},
		{name: "nothing in a comment", line: "select 1 -- sel|", want: ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sh := New(newFakeSession(), Options{Vars: map[string]string{"customer": "42"}})
			if tt.above != "" {
				sh.split.Feed(tt.above)
			}
			pos := strings.IndexByte(tt.line, '|')
			line := tt.line[:pos] + tt.line[pos+1:]
			start, candidates := sh.complete(line, pos)
			var got []string
			for _, c := range candidates {
				got = append(got, line[:start]+c+line[pos:])
			}
			if joined := strings.Join(got, " / "); joined != tt.want {
				t.Errorf("completing %q\n got %s\nwant %s", tt.line, joined, tt.want)
			}
		})
	}
}

func TestCommonPrefix(t *testing.T) {
	for _, tt := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"one", []string{"Orders"}, "Orders"},
		{"case of the first", []string{"Orders", "order-lines"}, "Order"},
		{"back quotes of some", []string{"Orders", "`order-lines`"}, "Order"},
		{"back quotes of all", []string{"`a-b`", "`a-c`"}, "`a-"},
		{"nothing in common", []string{"a", "b"}, ""},
		{"wide characters", []string{"日本", "日光"}, "日"},
		{"one is the start of another", []string{"json", "jsonl"}, "json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := commonPrefix(tt.candidates); got != tt.want {
				t.Errorf("commonPrefix(%q) = %q, want %q", tt.candidates, got, tt.want)
			}
		})
	}
}

func TestPaintAddsOnlyColours(t *testing.T) {
	sh := New(newFakeSession(), Options{})
	sh.split.Feed("select 'open")
	for _, line := range []string{"still'; select `x`, 12 -- c", `a\tb`, "日本 from :x", ""} {
		painted := sh.paint(line)
		var plain strings.Builder
		for i := 0; i < len(painted); i++ {
			if painted[i] == 0x1b {
				i += strings.IndexByte(painted[i:], 'm')
				continue
			}
			plain.WriteByte(painted[i])
		}
		if plain.String() != line {
			t.Errorf("paint(%q) shows %q", line, plain.String())
		}
	}
	if got, want := sh.paint("still' from"), "\x1b[32mstill'\x1b[0m \x1b[1;34mfrom\x1b[0m"; got != want {
		t.Errorf("paint of a string that began above = %q, want %q", got, want)
	}
}

func bigSession() *fakeSession {
	s := newFakeSession()
	s.catalog = &Catalog{Databases: []string{"dynamodb"}}
	for i := range 500 {
		table := Table{Database: "dynamodb", Name: fmt.Sprintf("table%03d", i), Described: true}
		for j := range 100 {
			table.Columns = append(table.Columns, Column{Name: fmt.Sprintf("column%d_%d", j, i), Type: "longtext"})
		}
		s.catalog.Tables = append(s.catalog.Tables, table)
	}
	return s
}

// BenchmarkComplete answers over 500 tables of 100 columns each, 50,000 names.
func BenchmarkComplete(b *testing.B) {
	for _, bb := range []struct{ name, line string }{
		{"column of any table", "select column7"},
		{"column of a table", "select * from table123 where column4"},
		{"table", "select * from table1"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			sh := New(bigSession(), Options{})
			sh.complete(bb.line, len(bb.line))
			b.ReportAllocs()
			for b.Loop() {
				if _, list := sh.complete(bb.line, len(bb.line)); len(list) == 0 {
					b.Fatal("no candidates")
				}
			}
		})
	}
	b.Run("first answer", func(b *testing.B) {
		session := bigSession()
		for b.Loop() {
			sh := New(session, Options{})
			sh.complete("select column7", 14)
		}
	})
}

func TestColumnsOf(t *testing.T) {
	got := columnsOf([]string{"a", "bb", "ccc", "dddd", "e"}, 14)
	want := "a     dddd\nbb    e\nccc\n"
	if got != want {
		t.Errorf("columnsOf\n got %q\nwant %q", got, want)
	}
	many := make([]string, maxListed+5)
	if got := columnsOf(many, 80); !strings.HasSuffix(got, "and 5 more\n") {
		t.Errorf("a list too long ends with %q", got[max(0, len(got)-20):])
	}
}

func TestWords(t *testing.T) {
	got, err := words(`a "b c" 'd e' > f`)
	if want := []string{"a", "b c", "'d e'", ">", "f"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("words = %q, %v, want %q", got, err, want)
	}
	if _, err := words(`a "b`); err == nil {
		t.Error("an open quote is accepted")
	}
}
