package schemafile

import (
	"reflect"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/schema"
)

const example = `
tables:
  orders:
    columns:
      id: VARCHAR(40)
      total: decimal(10, 2)
      created_at: {attribute: createdAt, type: DATETIME, from: epoch_s}
      seen: {attribute: s, type: DATETIME(0), from: epoch_ms, comment: "last seen"}
      city: {attribute: address, path: '$.city."zip code"[0]', type: VARCHAR(60)}
      internal: {hide: true}
      renamed: {attribute: "a.b"}
      open: {type: BOOLEAN, from: number}
  "prod.orders": {columns: {"weird name": BIGINT}}
`

func TestParse(t *testing.T) {
	got, err := Parse([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	want := Tables{
		"orders": {
			{Column: "id", Attribute: "id", Typed: true, Type: schema.Text, Length: 40},
			{Column: "total", Attribute: "total", Typed: true, Type: schema.Decimal, Digits: 10, Scale: 2},
			{Column: "created_at", Attribute: "createdAt", Typed: true, Type: schema.DateTime, Form: schema.EpochSeconds},
			{Column: "seen", Attribute: "s", Typed: true, Type: schema.DateTime, Form: schema.EpochMillis, Comment: "last seen"},
			{Column: "city", Attribute: "address", Path: []any{"city", "zip code", 0}, Typed: true, Type: schema.Text, Length: 60},
			{Column: "internal", Attribute: "internal", Hidden: true},
			{Column: "renamed", Attribute: "a.b"},
			{Column: "open", Attribute: "open", Typed: true, Type: schema.Boolean, Form: schema.ZeroOne},
		},
		"prod.orders": {{Column: "weird name", Attribute: "weird name", Typed: true, Type: schema.BigInt}},
	}
	if line := got["orders"][1].Line; line != 6 {
		t.Errorf("the second column has line %d, want 6", line)
	}
	if !reflect.DeepEqual(withoutLines(got), want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestWriteIsStable writes what was read, reads that, and writes it again.
func TestWriteIsStable(t *testing.T) {
	first, err := Parse([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	one, err := Write(first)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Parse(one)
	if err != nil {
		t.Fatalf("%v\n%s", err, one)
	}
	if !reflect.DeepEqual(withoutLines(first), withoutLines(second)) {
		t.Errorf("read back %+v\nwant %+v", second, first)
	}
	two, err := Write(second)
	if err != nil {
		t.Fatal(err)
	}
	if string(one) != string(two) {
		t.Errorf("written again:\n%s\nfirst:\n%s", two, one)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown type", "tables:\n  t:\n    columns:\n      a: SET\n", "line 4: column 'a': unknown type 'SET'; a type is one of BIGINT, DOUBLE"},
		{"unknown key", "tables:\n  t:\n    columns:\n      a: {typ: BIGINT}\n", "line 4: a column has no 'typ'; it has attribute, path, type, from, comment, hide"},
		{"unknown key of a table", "tables:\n  t:\n    fields: {}\n", "line 3: a table has no 'fields'; it has columns"},
		{"unknown key at the top", "table: {}\n", "line 1: a schema file has no 'table'; it has tables"},
		{"date without form", "tables:\n  t:\n    columns:\n      a: DATETIME\n", "line 4: column 'a': a DATETIME needs 'from', which is one of epoch_s, epoch_ms, iso8601"},
		{"unknown form", "tables:\n  t:\n    columns:\n      a: {type: DATETIME, from: unix}\n", "unknown 'from: unix'; it is one of epoch_s, epoch_ms, iso8601"},
		{"form of a number", "tables:\n  t:\n    columns:\n      a: {type: BIGINT, from: epoch_s}\n", "'from: epoch_s' belongs to DATETIME and BOOLEAN only"},
		{"bad path", "tables:\n  t:\n    columns:\n      a: {path: x.y, type: BIGINT}\n", "line 4: 'x.y' is no path; a path is like $.address.lines[0]"},
		{"path without type", "tables:\n  t:\n    columns:\n      a: {path: $.y}\n", "needs a type: one of BIGINT"},
		{"too many digits", "tables:\n  t:\n    columns:\n      a: DECIMAL(66,2)\n", "1 to 65 digits"},
		{"columns that differ in case", "tables:\n  t:\n    columns:\n      a: BIGINT\n      A: BIGINT\n", "line 5: the columns 'a' and 'A' differ only in case"},
		{"twice", "tables:\n  t:\n    columns:\n      a: BIGINT\n      a: BIGINT\n", "twice"},
		{"name of the item", "tables:\n  t:\n    columns:\n      _item: JSON\n", "line 4: a column cannot be named '_item'"},
		{"no YAML", "tables: [\n", "line"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse([]byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestAllProblemsAreTold(t *testing.T) {
	_, err := Parse([]byte("tables:\n  t:\n    columns:\n      a: SET\n      b: {typ: X}\n"))
	if err == nil || !strings.Contains(err.Error(), "line 4") || !strings.Contains(err.Error(), "line 5") {
		t.Errorf("got %v, want problems of lines 4 and 5", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Add("tables: {t: {columns: {a: {type: DECIMAL(3,1)}}}}")
	f.Fuzz(func(t *testing.T, text string) {
		tables, err := Parse([]byte(text))
		if err != nil {
			return
		}
		out, err := Write(tables)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		withoutLines(tables)
		withoutLines(again)
		for name, pins := range tables {
			if !reflect.DeepEqual(pins, again[name]) {
				t.Fatalf("%+v became %+v", pins, again[name])
			}
		}
	})
}

// withoutLines drops the places in the file.
func withoutLines(tables Tables) Tables {
	for _, pins := range tables {
		for i := range pins {
			pins[i].Line = 0
		}
	}
	return tables
}
