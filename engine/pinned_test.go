package engine_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/schemafile"
	"github.com/dynasql/dynasql/engine"
)

// events has a number of seconds as its sort key.
var events = fixture{
	name: "events", hash: "user:S", sort: "at:N", indexes: []string{"by-day day:S iso:S"},
	items: []string{
		`{"user":{"S":"u1"},"at":{"N":"1788220800"},"ms":{"N":"1788220800123"},"iso":{"S":"2026-09-01T00:00:00Z"},"day":{"S":"d"},"n":{"N":"5"},"f":{"N":"0.1"},"p":{"N":"58.4"},"ok":{"N":"1"},"m":{"M":{"city":{"S":"Rome"},"zip":{"N":"10"},"tags":{"L":[{"S":"x"},{"S":"y"}]}}},"secret":{"S":"s"}}`,
		`{"user":{"S":"u1"},"at":{"N":"1788220799"},"ms":{"N":"1788220799999"},"iso":{"S":"2026-08-31T23:59:59Z"},"day":{"S":"d"},"n":{"N":"6"},"f":{"N":"2.5"},"p":{"N":"7"},"ok":{"N":"0"},"m":{"M":{"city":{"S":"Oslo"}}}}`,
		`{"user":{"S":"u1"},"at":{"N":"1788307200"},"iso":{"S":"2026-09-01T01:00:00+02:00"},"day":{"S":"d"},"n":{"N":"7"}}`,
		`{"user":{"S":"u1"},"at":{"N":"1790812800"},"iso":{"S":"2026-10-01"},"day":{"S":"d"}}`,
	},
}

// drifted has an item more that does not go with the pins.
func drifted() fixture {
	f := events
	f.items = append(slices.Clone(f.items),
		`{"user":{"S":"u2"},"at":{"N":"0"},"n":{"N":"1.5"},"ok":{"N":"7"},"p":{"N":"1.234"},"iso":{"S":"yesterday"},"day":{"S":"e"}}`)
	return f
}

const eventPins = `
tables:
  events:
    columns:
      at: {type: DATETIME, from: epoch_s}
      ms: {type: DATETIME, from: epoch_ms}
      iso: {type: DATETIME, from: iso8601}
      n: BIGINT
      f: DOUBLE
      price: {attribute: p, type: "DECIMAL(10,2)", comment: in euros}
      ok: {type: BOOLEAN, from: number}
      city: {attribute: m, path: $.city, type: VARCHAR(20)}
      zip: {attribute: m, path: $.zip, type: BIGINT}
      tag: {attribute: m, path: "$.tags[1]", type: VARCHAR(9)}
      secret: {hide: true}
`

// pinnedSession opens a session over a fixture with a schema file.
func pinnedSession(t *testing.T, pins string, fixtures ...fixture) *engine.Session {
	t.Helper()
	tables, err := schemafile.Parse([]byte(pins))
	if err != nil {
		t.Fatal(err)
	}
	s := over(t, storeOf(t, fixtures...), catalog.Options{Pins: tables}).NewSession()
	t.Cleanup(s.Close)
	return s
}

func TestPinnedColumns(t *testing.T) {
	s := pinnedSession(t, eventPins, events)
	for _, test := range []struct {
		name, query string
		want        []string
	}{
		{"values", "SELECT at, ms, iso, n, f, price, ok, city, zip, tag FROM events WHERE user = 'u1' AND at < '2026-09-01 00:00:01' ORDER BY at", []string{
			"2026-08-31 23:59:59|2026-08-31 23:59:59.999|2026-08-31 23:59:59.000000|6|2.5|7.00|0|Oslo|NULL|NULL",
			"2026-09-01 00:00:00|2026-09-01 00:00:00.123|2026-09-01 00:00:00.000000|5|0.1|58.40|1|Rome|10|y"}},
		{"seconds", "SELECT n FROM events WHERE user = 'u1' AND at >= '2026-09-01' AND at < '2026-09-02'", []string{"5"}},
		{"seconds equal", "SELECT n FROM events WHERE user = 'u1' AND at = '2026-09-02'", []string{"7"}},
		{"seconds between", "SELECT n FROM events WHERE user = 'u1' AND at BETWEEN '2026-08-31' AND '2026-09-01'", []string{"5", "6"}},
		{"seconds in", "SELECT n FROM events WHERE user = 'u1' AND at IN ('2026-09-01', '2026-09-02')", []string{"5", "7"}},
		{"milliseconds", "SELECT n FROM events WHERE ms > '2026-09-01 00:00:00.122'", []string{"5"}},
		{"text, other zone", "SELECT n FROM events WHERE day = 'd' AND iso >= '2026-09-01'", []string{"5", "NULL"}},
		{"text, before", "SELECT n FROM events WHERE day = 'd' AND iso < '2026-09-01'", []string{"6", "7"}},
		{"text, equal", "SELECT n FROM events WHERE day = 'd' AND iso = '2026-08-31 23:00:00'", []string{"7"}},
		{"order by time and not by text", "SELECT n FROM events WHERE day = 'd' ORDER BY iso", []string{"7", "6", "5", "NULL"}},
		{"greatest time", "SELECT MAX(iso), MIN(iso) FROM events WHERE day = 'd'", []string{"2026-10-01 00:00:00.000000|2026-08-31 23:00:00.000000"}},
		{"double", "SELECT n FROM events WHERE user = 'u1' AND f = 0.1", []string{"5"}},
		{"double above", "SELECT n FROM events WHERE user = 'u1' AND f > 0.1", []string{"6"}},
		{"bigint", "SELECT at FROM events WHERE user = 'u1' AND n > 5.5 AND n < 7", []string{"2026-08-31 23:59:59"}},
		{"sum of bigint", "SELECT SUM(n), AVG(n) FROM events WHERE user = 'u1'", []string{"18|6.0000"}},
		{"decimal", "SELECT n FROM events WHERE user = 'u1' AND price = 58.4", []string{"5"}},
		{"more digits than the column has", "SELECT n FROM events WHERE user = 'u1' AND price = 58.401", nil},
		{"boolean", "SELECT n FROM events WHERE user = 'u1' AND ok", []string{"5"}},
		{"not", "SELECT n FROM events WHERE user = 'u1' AND NOT ok", []string{"6"}},
		{"nested", "SELECT n FROM events WHERE user = 'u1' AND city = 'Oslo'", []string{"6"}},
		{"nested missing", "SELECT n FROM events WHERE user = 'u1' AND city IS NULL", []string{"7", "NULL"}},
		{"nested in a list", "SELECT n FROM events WHERE user = 'u1' AND tag = 'y'", []string{"5"}},
		{"group by nested", "SELECT city, COUNT(*) FROM events WHERE user = 'u1' GROUP BY city", []string{"NULL|2", "Oslo|1", "Rome|1"}},
		{"functions of time", "SELECT DATE(at), HOUR(at) FROM events WHERE user = 'u1' AND n = 6", []string{"2026-08-31|23"}},
		{"hidden", "SELECT secret FROM events", []string{"error: unknown column 'secret'"}},
		{"hidden, in the item", "SELECT _item->>'$.secret' FROM events WHERE user = 'u1' AND n = 5", []string{"s"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, pushdown := range []string{"1", "0"} {
				expect(t, s, "SET ddb_pushdown = "+pushdown+", ddb_typed = "+pushdown)
				expect(t, s, test.query, test.want...)
			}
		})
	}
}

// TestPinnedKeys checks that a comparison with a pinned column is a condition on
// the key that it shows.
func TestPinnedKeys(t *testing.T) {
	s := pinnedSession(t, eventPins, events)
	for _, test := range []struct{ query, want string }{
		{"SELECT n FROM events WHERE user = 'u1' AND at >= '2026-09-01'", "user = 'u1' AND at >= 1788220800"},
		{"SELECT n FROM events WHERE user = 'u1' AND at = '2026-09-01 00:00:00'", "user = 'u1' AND at = 1788220800"},
		{"SELECT n FROM events WHERE user = 'u1' AND at BETWEEN '2026-09-01' AND '2026-09-02'", "at BETWEEN 1788220800 AND 1788307200"},
		{"SELECT n FROM events WHERE day = 'd' AND iso >= '2026-09-01'", "iso >= '2026-08-31'"},
		{"SELECT n FROM events WHERE user = 'u1' ORDER BY at DESC LIMIT 1", "limit"},
	} {
		plan, err := answer(s, "EXPLAIN "+test.query)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		if text := strings.Join(plan, "\n"); !strings.Contains(text, test.want) || strings.Contains(text, "Scan") {
			t.Errorf("%s\nthe plan lacks %q:\n%s", test.query, test.want, text)
		}
	}
}

// TestNumbersComparedWithTimes has numbers where times are compared, which are
// read as digits of a date.
func TestNumbersComparedWithTimes(t *testing.T) {
	s := pinnedSession(t, eventPins, events)
	const wrong = "error: Incorrect DATETIME value: '1788220800'"
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT n FROM events WHERE user = 'u1' AND at = 20260901", []string{"5"}},
		{"SELECT n FROM events WHERE user = 'u1' AND at >= 20260901000001 AND at < 20260930", []string{"7"}},
		{"SELECT n FROM events WHERE user = 'u1' AND at BETWEEN 20260831 AND 20260901", []string{"5", "6"}},
		{"SELECT n FROM events WHERE user = 'u1' AND at IN (20260901, '2026-09-02')", []string{"5", "7"}},
		{"SELECT n FROM events WHERE user = 'u1' AND 260901 = at", []string{"5"}},
		{"SELECT n FROM events WHERE ms = 20260901000000.123", []string{"5"}},
		{"SELECT COUNT(*) FROM events WHERE user = 'u1' AND at > 0", []string{"4"}},
		{"SELECT n FROM events WHERE user = 'u1' AND at = 1788220800", []string{wrong}},
		{"SELECT n FROM events WHERE user = 'u1' AND at > 1788220700 + 100", []string{wrong}},
		{"SELECT n FROM events WHERE user = 'u1' AND at = FROM_UNIXTIME(1788220800)", []string{"5"}},
		{"SELECT CAST('2026-09-01' AS DATETIME) = 20260901, DATE('1999-12-31') = 991231, DATE('2026-02-28') < 20260301", []string{"1|1|1"}},
		{"SELECT NOW() = 20260230", []string{"error: Incorrect DATETIME value: '20260230'"}},
	} {
		for _, pushdown := range []string{"1", "0"} {
			expect(t, s, "SET ddb_pushdown = "+pushdown)
			expect(t, s, test.query, test.want...)
		}
	}
	plan, err := answer(s, "EXPLAIN SELECT n FROM events WHERE user = 'u1' AND at >= 20260901")
	if text := strings.Join(plan, "\n"); err != nil || !strings.Contains(text, "at >= 1788220800") {
		t.Errorf("no key condition:\n%s\n%v", text, err)
	}
}

func TestPinnedDrift(t *testing.T) {
	s := pinnedSession(t, eventPins, drifted())
	for _, test := range []struct{ query, want string }{
		{"SELECT n FROM events WHERE user = 'u2'", "error: table 'events', item user = 'u2', at = '0': attribute 'n' is 1.5 of type N, which the column 'n' (BIGINT) cannot hold"},
		{"SELECT price FROM events WHERE user = 'u2'", "error: attribute 'p' is 1.234 of type N, which the column 'price' (DECIMAL(10,2)) cannot hold"},
		{"SELECT ok FROM events WHERE user = 'u2'", "error: which the column 'ok' (BOOLEAN) cannot hold"},
		{"SELECT iso FROM events WHERE user = 'u2'", "error: attribute 'iso' is 'yesterday' of type S"},
	} {
		expect(t, s, test.query, test.want)
		expect(t, s, test.query, test.want) // a pinned column is not widened
	}
	expect(t, s, "SET ddb_on_drift = 'null'")
	expect(t, s, "SELECT n, price, ok, iso, at FROM events WHERE user = 'u2'", "NULL|NULL|NULL|NULL|1970-01-01 00:00:00")
	expect(t, s, "SELECT COUNT(*) FROM events WHERE n > 1 AND user = 'u2'", "0")
	rows, err := s.Query(context.Background(), "SELECT n FROM events WHERE user = 'u2'")
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = rows.Next()
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	rows.Close()
	if w := rows.Warnings(); len(w) != 1 || !strings.Contains(w[0].Message, "1 values of 'n' in table 'events' were read as NULL") {
		t.Errorf("warnings are %v", w)
	}
}

func TestPinnedColumnsAreShown(t *testing.T) {
	s := pinnedSession(t, eventPins, events)
	expect(t, s, "SELECT column_name, column_type, is_nullable FROM information_schema.columns WHERE table_schema = 'dynamodb' AND table_name = 'events' ORDER BY ordinal_position",
		"user|varchar(2048)|NO", "at|datetime|NO", "city|varchar(20)|YES", "day|varchar(2048)|YES", "f|double|YES", "iso|datetime(6)|YES", "m|json|YES",
		"ms|datetime(3)|YES", "n|bigint|YES", "ok|tinyint(1)|YES", "price|decimal(10,2)|YES", "tag|varchar(9)|YES", "zip|bigint|YES")
	rows, err := answer(s, "SHOW FULL COLUMNS FROM events LIKE 'price'")
	if err != nil || len(rows) != 1 || !strings.Contains(rows[0], "decimal(10,2)") || !strings.Contains(rows[0], "in euros; attribute 'p'") {
		t.Errorf("price is shown as %q, %v", rows, err)
	}
}

func TestPinsThatDoNotFitKeys(t *testing.T) {
	for _, test := range []struct{ pins, want string }{
		{"{at: {hide: true}}", "error: schema file, line 1: table 'events', column 'at': the attribute 'at' is a key and cannot be hidden"},
		{"{user: BIGINT}", "error: the attribute 'user' is a key of type S, which BIGINT does not show; a type that does is one of VARCHAR(n)"},
		{"{at: {type: DATETIME, from: iso8601}}", "error: a key of type N, which DATETIME from iso8601 does not show"},
		{"{x: {attribute: day, path: $.a, type: BIGINT}}", "error: there is no place inside it"},
	} {
		s := pinnedSession(t, "tables: {events: {columns: "+test.pins+"}}", events)
		expect(t, s, "SELECT * FROM events", test.want)
	}
}

// TestSaveSchema saves what was inferred, opens an engine with the file and
// saves again: nothing changes, whatever the items have become.
func TestSaveSchema(t *testing.T) {
	store := storeOf(t, events)
	path := filepath.Join(t.TempDir(), "schema.yaml")
	open := func() *engine.Session {
		e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: store.Client(), Schema: path}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		s := e.NewSession()
		t.Cleanup(s.Close)
		return s
	}
	save := func(s *engine.Session) string {
		expect(t, s, "SELECT COUNT(*) FROM events", "4")
		expect(t, s, "CALL ddb_save_schema()", path+"|1|11")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := save(open())
	s := open()
	if second := save(s); second != first {
		t.Errorf("saved again:\n%s\nfirst:\n%s", second, first)
	}
	expect(t, s, "SELECT attribute, drift FROM ddb_schema('events') WHERE drift IS NOT NULL")
	expect(t, s, "SELECT column_type FROM ddb_schema('events') WHERE attribute = 'n' AND pinned", "DECIMAL")
}

func TestDriftReport(t *testing.T) {
	s := pinnedSession(t, "tables: {events: {columns: {n: BIGINT, gone: VARCHAR(5), at: {type: DATETIME, from: epoch_s}}}}", drifted())
	expect(t, s, "SELECT attribute, drift FROM ddb_schema('events') WHERE attribute IN ('n', 'gone', 'f', 'at')",
		"at|NULL", "f|new: the schema file does not have it", "gone|no sampled item has it", "n|1 of 4 sampled values do not fit BIGINT")
}

func TestWrongSchemaFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "schema.yaml")
	if err := os.WriteFile(path, []byte("tables:\n  t:\n    columns:\n      a: SET\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: storeOf(t, events).Client(), Schema: path}}})
	if err == nil || !strings.Contains(err.Error(), path+": line 4: column 'a': unknown type 'SET'; a type is one of BIGINT") {
		t.Errorf("got %v", err)
	}
}

// TestSchemaFileOfNoTable warns once a session of a table that does not exist,
// as soon as the tables are known.
func TestSchemaFileOfNoTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "schema.yaml")
	text := "tables:\n  evnets: {columns: {n: BIGINT}}\n  Events: {columns: {n: BIGINT}}\n  events: {columns: {n: BIGINT}}\n  other: {columns: {a: BIGINT}}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: storeOf(t, drifted()).Client(), Schema: path}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.NewSession()
	defer s.Close()
	expect(t, s, "SELECT 1", "1")
	expect(t, s, "SHOW WARNINGS") // no table has been asked for
	expect(t, s, "SELECT COUNT(*) FROM events", "5")
	why := "schema file " + path + ": there is no table '%s' in 'dynamodb', so that what the file says of it has no effect%s"
	expect(t, s, "SHOW WARNINGS",
		"Warning|1146|"+fmt.Sprintf(why, "Events", "; did you mean 'events'?"),
		"Warning|1146|"+fmt.Sprintf(why, "evnets", "; did you mean 'events'?"), "Warning|1146|"+fmt.Sprintf(why, "other", ""))
	expect(t, s, "SELECT COUNT(*) FROM events", "5")
	expect(t, s, "SHOW WARNINGS")
	if got := e.SchemaWarnings(); len(got) != 3 {
		t.Errorf("a server would say %q", got)
	}
}
