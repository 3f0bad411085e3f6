package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// A fixture is one table of a test: its key as "name:kind", an index as
// "name hash:kind sort:kind", and items in DynamoDB JSON.
type fixture struct {
	name    string
	hash    string
	sort    string
	indexes []string
	items   []string
}

type object = map[string]any

func (f fixture) definition() object {
	declared := map[string]string{}
	key := func(parts ...string) []object {
		var schema []object
		for i, p := range parts {
			if p == "" {
				continue
			}
			at := strings.LastIndex(p, ":")
			declared[p[:at]] = p[at+1:]
			schema = append(schema, object{"AttributeName": p[:at], "KeyType": [...]string{"HASH", "RANGE"}[i]})
		}
		return schema
	}
	out := object{"TableName": f.name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key(f.hash, f.sort)}
	var indexes []object
	for _, x := range f.indexes {
		parts := strings.Fields(x)
		indexes = append(indexes, object{
			"IndexName": parts[0], "KeySchema": key(parts[1:]...), "Projection": object{"ProjectionType": "ALL"},
		})
	}
	if indexes != nil {
		out["GlobalSecondaryIndexes"] = indexes
	}
	var attributes []object
	for name, kind := range declared {
		attributes = append(attributes, object{"AttributeName": name, "AttributeType": kind})
	}
	sort.Slice(attributes, func(i, j int) bool {
		return attributes[i]["AttributeName"].(string) < attributes[j]["AttributeName"].(string)
	})
	out["AttributeDefinitions"] = attributes
	return out
}

// storeOf puts the fixtures into an embedded store.
func storeOf(t testing.TB, fixtures ...fixture) *localdb.Store {
	t.Helper()
	return storeWith(t, localdb.Options{}, fixtures...)
}

func storeWith(t testing.TB, opts localdb.Options, fixtures ...fixture) *localdb.Store {
	t.Helper()
	var tables []object
	items := map[string][]json.RawMessage{}
	for _, f := range fixtures {
		tables = append(tables, f.definition())
		for _, item := range f.items {
			items[f.name] = append(items[f.name], json.RawMessage(`{"PutRequest":{"Item":`+item+`}}`))
		}
	}
	set, err := dataset.ReadFS(fstest.MapFS{
		"tables.json": {Data: encoded(t, tables)},
		"items.json":  {Data: encoded(t, items)},
	})
	if err != nil {
		t.Fatal(err)
	}
	store := localdb.Open(opts)
	if _, err := set.Load(context.Background(), store.Client()); err != nil {
		t.Fatal(err)
	}
	return store
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// over puts an engine over a store.
func over(t testing.TB, store *localdb.Store, opts catalog.Options) *engine.Engine {
	t.Helper()
	return overClient(t, store.Client(), opts)
}

func overClient(t testing.TB, client ddb.Client, opts catalog.Options) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: client}}, Catalog: opts})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// sessionOver opens a session on an engine over fixtures.
func sessionOver(t testing.TB, fixtures ...fixture) *engine.Session {
	t.Helper()
	s := over(t, storeOf(t, fixtures...), catalog.Options{}).NewSession()
	t.Cleanup(s.Close)
	return s
}

// answer runs a statement; each row becomes a line of its values between bars.
func answer(s *engine.Session, query string) ([]string, error) {
	return linesOf(s, query, func(_ []engine.Column, row []engine.Value) string {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = v.Text
			if v.Null {
				cells[i] = "NULL"
			}
		}
		return strings.Join(cells, "|")
	})
}

// linesOf runs a statement and makes a line of each row.
func linesOf(s *engine.Session, query string, line func([]engine.Column, []engine.Value) string) ([]string, error) {
	rows, err := s.Query(context.Background(), query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []string{}
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return out, rows.Close()
		}
		if err != nil {
			return nil, err
		}
		out = append(out, line(rows.Columns(), row))
	}
}

// expect compares the answer of a statement with the rows wanted, in order if
// the statement orders them. A wanted row "error: text" stands for an error
// with that text in it.
func expect(t *testing.T, s *engine.Session, query string, want ...string) {
	t.Helper()
	got, err := answer(s, query)
	if err != nil {
		got = []string{"error: " + err.Error()}
		if len(want) == 1 && strings.HasPrefix(want[0], "error: ") && strings.Contains(got[0], strings.TrimPrefix(want[0], "error: ")) {
			return
		}
	}
	if !strings.Contains(strings.ToUpper(query), "ORDER BY") {
		sort.Strings(got)
		want = append([]string(nil), want...)
		sort.Strings(want)
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%s\n got %q\nwant %q", query, got, want)
	}
}

func parseItem(text string) (ddb.Item, error) { return codec.ParseItem(text) }

func optionsOf(sampleItems int) catalog.Options { return catalog.Options{SampleItems: sampleItems} }
