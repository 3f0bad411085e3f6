package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
)

func overCounting(t *testing.T, opts catalog.Options, fixtures ...fixture) (*ddb.Counted, *engine.Engine) {
	t.Helper()
	c := ddb.Count(storeOf(t, fixtures...).Client())
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: c}}, Catalog: opts})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return c, e
}

// many is a table of n items, the last of which has the attribute late.
func many(n int) fixture {
	f := fixture{name: "many", hash: "id:S"}
	for i := range n {
		late := ""
		if i == n-1 {
			late = `,"late":{"N":"1"}`
		}
		f.items = append(f.items, fmt.Sprintf(`{"id":{"S":"k%05d"},"v":{"N":"%d"},"pad":{"S":"%s"}%s}`, i, i, strings.Repeat("x", 400), late))
	}
	return f
}

func TestMetadataReadsNoItems(t *testing.T) {
	c, e := overCounting(t, catalog.Options{}, fixture{name: "one", hash: "a:S", items: []string{`{"a":{"S":"x"},"b":{"N":"1"}}`}}, events)
	s := e.NewSession()
	defer s.Close()
	for _, query := range []string{
		"SHOW TABLES", "SHOW FULL TABLES", "SHOW TABLE STATUS", "SELECT * FROM information_schema.tables", "SELECT * FROM information_schema.columns",
		"SELECT * FROM information_schema.statistics", "SELECT * FROM information_schema.key_column_usage", "SELECT * FROM information_schema.table_constraints",
		"SHOW DATABASES", "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'dynamodb'",
	} {
		if _, err := answer(s, query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if c.Calls()["Scan"] != 0 {
			t.Fatalf("%s has read items", query)
		}
	}
	expect(t, s, "SELECT column_name FROM information_schema.columns WHERE table_schema = 'dynamodb'", "a", "user", "at", "day", "iso")
	expect(t, s, "SELECT table_comment FROM information_schema.tables WHERE table_name = 'one' AND table_schema = 'dynamodb'",
		"DynamoDB table; about 1 items, 5 bytes; columns inferred from 1 sampled items")
	if n := c.Calls()["Scan"]; n != 1 {
		t.Errorf("asking for one table by name took %d scans, want 1", n)
	}
	expect(t, s, "SELECT column_name FROM information_schema.columns WHERE table_name = 'one'", "a", "b")
	expect(t, s, "SELECT column_name FROM information_schema.columns WHERE table_schema = 'dynamodb'", "a", "b", "user", "at", "day", "iso")
	if n := c.Calls()["Scan"]; n != 1 {
		t.Errorf("%d scans, want the one", n)
	}
	if n := c.Calls()["DescribeTable"]; n > 3 {
		t.Errorf("%d times DescribeTable for two tables", n)
	}
}

func TestDescribeSamplesItsTable(t *testing.T) {
	c, e := overCounting(t, catalog.Options{}, events, many(10))
	s := e.NewSession()
	defer s.Close()
	if rows, err := answer(s, "DESCRIBE events"); err != nil || len(rows) != 11 {
		t.Errorf("%q, %v", rows, err)
	}
	other := e.NewSession() // shares what is known
	defer other.Close()
	if _, err := answer(other, "DESCRIBE events"); err != nil {
		t.Error(err)
	}
	if n := c.Calls()["Scan"]; n != 1 {
		t.Errorf("%d scans, want one", n)
	}
	expect(t, s, "SHOW STATUS LIKE 'ddb_sampling_requests'", "ddb_sampling_requests|1")
}

// TestSampleIsSharedAndShown has sessions that need a table at the same time:
// one sample is taken, which EXPLAIN and the status variables show.
func TestSampleIsSharedAndShown(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	c, e := overCounting(t, catalog.Options{SampleItems: 50, Now: func() time.Time { return now }}, many(4000))
	var sessions sync.WaitGroup
	for _, query := range []string{
		"SELECT v FROM many WHERE id = 'k00001'", "EXPLAIN SELECT * FROM many", "DESCRIBE many", "SHOW CREATE TABLE many", "SHOW INDEX FROM many",
		"SHOW COLUMNS FROM many", "SELECT * FROM information_schema.columns WHERE table_name = 'many'", "SELECT * FROM ddb_schema('many')",
	} {
		sessions.Go(func() {
			s := e.NewSession()
			defer s.Close()
			if _, err := answer(s, query); err != nil {
				t.Errorf("%s: %v", query, err)
			}
		})
	}
	sessions.Wait()
	if n := c.Calls()["Scan"]; n != 10 {
		t.Errorf("%d scans, want the 10 of one sample", n)
	}
	s := e.NewSession()
	defer s.Close()
	expect(t, s, "SHOW STATUS LIKE 'ddb_sampling%'", "ddb_sampling_items_read|50", "ddb_sampling_read_units|5", "ddb_sampling_requests|10")
	for query, want := range map[string]string{
		"EXPLAIN SELECT * FROM many":             "  sampled   50 items, 5 read units, at 2026-11-30 12:00:00",
		"EXPLAIN FORMAT=JSON SELECT * FROM many": `"taken": "2026-11-30T12:00:00Z"`,
	} {
		plan, err := answer(s, query)
		if text := strings.Join(plan, "\n"); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s\n%v", query, want, text, err)
		}
	}
	if n := c.Calls()["Scan"]; n != 10 {
		t.Errorf("EXPLAIN has read items")
	}
}

func TestSampleIsSpreadAndBounded(t *testing.T) {
	c, e := overCounting(t, catalog.Options{SampleItems: 50, SampleUnits: 20}, many(4000))
	first, err := e.Databases()[0].Catalog().Table(context.Background(), "many")
	if err != nil {
		t.Fatal(err)
	}
	if n := c.Calls()["Scan"]; n != 10 || first.Sampled != 50 {
		t.Errorf("%d scans for %d items, want 10 for 50", n, first.Sampled)
	}
	if first.SampleUnits <= 0 || first.SampleUnits > 20 {
		t.Errorf("the sample took %g read units", first.SampleUnits)
	}
	_, again := overCounting(t, catalog.Options{SampleItems: 50, SampleUnits: 20}, many(4000))
	second, err := again.Databases()[0].Catalog().Table(context.Background(), "many")
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(first.Columns) != fmt.Sprint(second.Columns) {
		t.Errorf("two samples of one table differ:\n%v\n%v", first.Columns, second.Columns)
	}
}

// TestRareAttribute asks for an attribute that the sample does not show, then
// samples more.
func TestRareAttribute(t *testing.T) {
	_, e := overCounting(t, catalog.Options{SampleItems: 20}, many(3000))
	s := e.NewSession()
	defer s.Close()
	expect(t, s, "SELECT id FROM many WHERE late = 1", "error: unknown column 'late' in table 'many'")
	expect(t, s, "SELECT COUNT(*) FROM many WHERE _item->>'$.late' = '1'", "1")
	if rows, err := answer(s, "CALL ddb_refresh('many', 5000)"); err != nil || len(rows) != 1 || !strings.HasPrefix(rows[0], "many|3000|4|") {
		t.Errorf("refresh gave %q, %v", rows, err)
	}
	expect(t, s, "SELECT id FROM many WHERE late = 1", "k02999")
	expect(t, s, "SELECT kinds, seen, sampled FROM ddb_schema('many') WHERE attribute = 'late'", "N 1|1|3000")
}

// TestColumnsStay changes the items between two samples: a column that was
// known does not vanish, and does not become narrower.
func TestColumnsStay(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	store := storeOf(t, fixture{name: "changing", hash: "id:S", items: []string{`{"id":{"S":"a"},"x":{"N":"1"},"y":{"S":"s"}}`}})
	e := over(t, store, catalog.Options{Now: func() time.Time { return now }})
	s := e.NewSession()
	defer s.Close()
	expect(t, s, "SELECT id, x, y FROM changing", "a|1|s")
	put(t, store.Client(), "changing", `{"id":{"S":"a"},"y":{"N":"7"}}`)
	now = now.Add(time.Hour)
	expect(t, s, "SELECT id, x, y FROM changing", "a|NULL|7")
	expect(t, s, "SELECT column_name, column_type FROM information_schema.columns WHERE table_name = 'changing'",
		"id|varchar(2048)", "x|decimal(65,30)", "y|longtext")
	expect(t, s, "CALL ddb_refresh('changing')", "changing|1|2|0.5")
	expect(t, s, "SELECT * FROM changing", "a|7")
}

func put(t *testing.T, c ddb.Client, table, item string) {
	t.Helper()
	parsed, err := parseItem(item)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutItem(context.Background(), &ddb.PutItemInput{TableName: &table, Item: parsed}); err != nil {
		t.Fatal(err)
	}
}

func TestDrift(t *testing.T) {
	store := storeOf(t, fixture{name: "drifting", hash: "id:S", items: []string{`{"id":{"S":"a"},"x":{"N":"1"},"b":{"BOOL":true}}`}})
	s := over(t, store, catalog.Options{}).NewSession()
	defer s.Close()
	expect(t, s, "SELECT x FROM drifting", "1")
	put(t, store.Client(), "drifting", `{"id":{"S":"b"},"x":{"S":"one"},"b":{"NULL":true}}`)
	expect(t, s, "SET ddb_on_drift = 'null'")
	expect(t, s, "SELECT id, x, b FROM drifting", "a|1|1", "b|NULL|NULL")
	expect(t, s, "SET ddb_on_drift = 'error'")
	expect(t, s, "SELECT id, x FROM drifting",
		"error: table 'drifting', item id = 'b': attribute 'x' is 'one' of type S, which the column 'x' (DECIMAL) cannot hold")
	expect(t, s, "SELECT id, x FROM drifting", "a|1", "b|one")
	put(t, store.Client(), "drifting", `{"id":{"S":"c"},"x":{"M":{"k":{"N":"1"}}}}`)
	expect(t, s, "SELECT id, x FROM drifting WHERE id = 'c'", "error: attribute 'x' is of type M, which the column 'x' (TEXT) cannot hold")
	expect(t, s, "SELECT id, x FROM drifting", "a|1", `b|"one"`, `c|{"k": 1}`)
}

func TestSizesOfTables(t *testing.T) {
	for _, n := range []int{0, 1, 2, 15, 16, 1000} {
		f := many(n)
		s := sessionOver(t, f)
		expect(t, s, "SELECT COUNT(*), COUNT(id) FROM many", fmt.Sprintf("%d|%d", n, n))
		columns := "4"
		if n == 0 {
			columns = "1"
		}
		expect(t, s, "SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'many'", columns)
	}
}
