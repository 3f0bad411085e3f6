package engine_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// A recorder notes the requests that read items, once it is on.
type recorder struct {
	ddb.Client
	mu       sync.Mutex
	on       bool
	requests []string
}

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on {
		r.requests = append(r.requests, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
	}
}

// record returns the requests of a function, sorted.
func (r *recorder) record(f func()) []string {
	r.mu.Lock()
	r.on, r.requests = true, nil
	r.mu.Unlock()
	f()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on = false
	slices.Sort(r.requests)
	return r.requests
}

func (r *recorder) GetItem(ctx context.Context, in *ddb.GetItemInput, o ...func(*ddb.Options)) (*ddb.GetItemOutput, error) {
	r.note("GetItem %s", *in.TableName)
	return r.Client.GetItem(ctx, in, o...)
}

func (r *recorder) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, o ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	for table, keys := range in.RequestItems {
		r.note("BatchGetItem %s %d keys", table, len(keys.Keys))
	}
	return r.Client.BatchGetItem(ctx, in, o...)
}

func (r *recorder) Query(ctx context.Context, in *ddb.QueryInput, o ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	direction := ""
	if in.ScanIndexForward != nil && !*in.ScanIndexForward {
		direction = "reverse"
	}
	r.note("Query %s %s %s %s %s", place(in.TableName, in.IndexName), direction, limitText(in.Limit), in.Select, filterText(in.FilterExpression))
	return r.Client.Query(ctx, in, o...)
}

func (r *recorder) Scan(ctx context.Context, in *ddb.ScanInput, o ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	r.note("Scan %s %s %s %s", place(in.TableName, in.IndexName), limitText(in.Limit), in.Select, filterText(in.FilterExpression))
	return r.Client.Scan(ctx, in, o...)
}

func place(table, index *string) string {
	if index == nil {
		return *table
	}
	return *table + "." + *index
}

func limitText(limit *int32) string {
	if limit == nil {
		return ""
	}
	return fmt.Sprintf("limit %d", *limit)
}

func filterText(filter *string) string {
	if filter == nil {
		return ""
	}
	return "filtered"
}

var updateRequests = flag.Bool("update-requests", false, "rewrite what is expected in testdata/requests")

// A script is a file of statements, each with the requests that it must send
// and the read units that they take:
//
//	# a row of the table of access paths
//	SELECT ..
//	  Query items
//	  0.5 read units
type script struct {
	path  string
	lines []string
}

func readScript(t *testing.T, path string) *script {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return &script{path, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")}
}

// run runs the statements; name gives the statement of a line that is the name
// of one.
func (f *script) run(t *testing.T, statement func(line string) string, run func(sql string) []string) {
	t.Helper()
	var out []string
	title := ""
	for i := 0; i < len(f.lines); i++ {
		line := f.lines[i]
		out = append(out, line)
		switch {
		case strings.HasPrefix(line, "#"):
			title = strings.TrimSpace(line[1:])
			continue
		case strings.TrimSpace(line) == "":
			continue
		}
		var want []string
		for i+1 < len(f.lines) && strings.HasPrefix(f.lines[i+1], "  ") {
			i++
			want = append(want, strings.TrimSpace(f.lines[i]))
		}
		sql := statement(line)
		t.Run(title, func(t *testing.T) {
			got := run(sql)
			if !slices.Equal(got, want) && !*updateRequests {
				t.Errorf("%s\n got %q\nwant %q", sql, got, want)
			}
			for _, g := range got {
				out = append(out, "  "+g)
			}
		})
	}
	if *updateRequests {
		if err := os.WriteFile(f.path, []byte(strings.Join(out, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sent runs a statement and lists its requests and read units.
func (r *recorder) sent(t *testing.T, s *engine.Session, sql string) []string {
	t.Helper()
	var a outcome
	lines := slices.Clone(r.record(func() { a = collect(context.Background(), s, sql) }))
	if a.err != nil {
		return append(lines, "error: "+a.err.Error())
	}
	if strings.HasPrefix(sql, "EXPLAIN") { // how long it is does not matter here
		return append(lines, fmt.Sprintf("%g read units", a.units))
	}
	return append(lines, fmt.Sprintf("%d rows, %g read units", len(a.rows), a.units))
}

// recorded puts an engine over a store whose requests are noted. Tables are
// described beforehand, so that no sample is among the requests.
func recorded(t *testing.T, store *localdb.Store) (*recorder, *engine.Session) {
	t.Helper()
	r := &recorder{Client: store.Client()}
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: r}}, Catalog: catalog.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	c := e.Databases()[0].Catalog()
	names, err := c.Names(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, err := c.Table(context.Background(), name); err != nil {
			t.Fatal(err)
		}
	}
	s := e.NewSession()
	t.Cleanup(s.Close)
	return r, s
}

// TestRequestsOfAccessPaths has cases for every row of the design's table of
// access paths.
func TestRequestsOfAccessPaths(t *testing.T) {
	r, s := recorded(t, storeOf(t, pathFixtures()...))
	readScript(t, "testdata/requests/paths.txt").run(t,
		func(line string) string { return line },
		func(sql string) []string { return r.sent(t, s, sql) })
}

// pathFixtures are a table with the key (pk, sk), an index with the key (gpk,
// gsk) that every item is in, one that one item is not in although it has the
// hash key, and a table to join.
func pathFixtures() []fixture {
	var items []string
	for _, pk := range []string{"a", "b", "c"} {
		for i := range 10 {
			items = append(items, fmt.Sprintf(`{"pk":{"S":"%s"},"sk":{"S":"s%d"},"gpk":{"S":"g%d"},"gsk":{"N":"%d"},"n":{"N":"%d"},"hpk":{"S":"h"},"hsk":{"S":"%s"},"v":{"S":"%s"}}`,
				pk, i, i%2, i, i, pk, strings.Repeat("x", 1000)))
		}
	}
	items = append(items, `{"pk":{"S":"d"},"sk":{"S":"s0"},"hpk":{"S":"h"}}`)
	return []fixture{
		{name: "items", hash: "pk:S", sort: "sk:S", indexes: []string{"by-g gpk:S gsk:N", "by-h hpk:S hsk:S"}, items: items},
		{name: "keyed", hash: "id:N", items: []string{`{"id":{"N":"1"},"x":{"S":"a"}}`, `{"id":{"N":"2"},"x":{"S":"b"}}`}},
		{name: "outer", hash: "id:S", items: []string{
			`{"id":{"S":"1"},"of":{"S":"a"},"at":{"S":"s1"}}`, `{"id":{"S":"2"},"of":{"S":"a"},"at":{"S":"s1"}}`, `{"id":{"S":"3"},"of":{"S":"b"},"at":{"S":"s2"}}`}},
	}
}

// TestRequestsOfDataSets runs the questions whose access hints name requests
// other than a scan; the seed sets' are one request each.
func TestRequestsOfDataSets(t *testing.T) {
	sets := map[string][]question{}
	for _, dir := range dataSets(t) {
		sets[filepath.Base(dir)] = questions(t, dir)
	}
	type opened struct {
		r *recorder
		s *engine.Session
	}
	open := map[string]opened{}
	set := ""
	readScript(t, "testdata/requests/datasets.txt").run(t,
		func(id string) string {
			set = id[:strings.LastIndexByte(id, '-')]
			for _, q := range sets[set] {
				if q.ID == id {
					return q.SQL
				}
			}
			t.Fatalf("no question is named %s", id)
			return ""
		},
		func(sql string) []string {
			o, ok := open[set]
			if !ok {
				o.r, o.s = recorded(t, loaded(t, filepath.Join(dataDir, set)))
				open[set] = o
			}
			return o.r.sent(t, o.s, sql)
		})
}

func loaded(t *testing.T, dir string) *localdb.Store {
	t.Helper()
	data, err := dataset.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	store := localdb.Open(localdb.Options{})
	if _, err := data.Load(context.Background(), store.Client()); err != nil {
		t.Fatal(err)
	}
	return store
}

// TestRequestsOfDerivedTables holds order, limit and count to reach a table
// through derived tables and common table expressions, whatever they call its
// columns.
func TestRequestsOfDerivedTables(t *testing.T) {
	f := fixture{name: "events", hash: "pk:S", sort: "sk:N"}
	for i := range 200 {
		f.items = append(f.items, fmt.Sprintf(`{"pk":{"S":"a"},"sk":{"N":"%d"},"n":{"N":"%d"}}`, i, i%7))
	}
	s := sessionOver(t, f)
	for _, tt := range []struct {
		query string
		want  []string
		items int64 // read at most
	}{
		{"SELECT k FROM (SELECT sk AS k, pk FROM events) d WHERE pk = 'a' ORDER BY k DESC LIMIT 2", []string{"199", "198"}, 2},
		{"WITH d AS (SELECT * FROM events WHERE pk = 'a') SELECT sk FROM d ORDER BY sk DESC LIMIT 1", []string{"199"}, 1},
		{"SELECT MAX(k) FROM (SELECT sk k FROM events WHERE pk = 'a') d", []string{"199"}, 1},
		{"SELECT x.sk FROM (SELECT sk FROM (SELECT sk, n FROM events WHERE pk = 'a') i) x ORDER BY x.sk LIMIT 3", []string{"0", "1", "2"}, 3},
		{"SELECT COUNT(*) FROM (SELECT n FROM events WHERE pk = 'a') d LIMIT 50000", []string{"200"}, 200},
		{"SELECT sk FROM (SELECT sk FROM events WHERE pk = 'a' ORDER BY sk DESC LIMIT 5) d ORDER BY sk LIMIT 1", []string{"195"}, 5},
		{"SELECT k FROM (SELECT n AS sk, sk AS k FROM events WHERE pk = 'a') d ORDER BY sk DESC, k LIMIT 1", []string{"6"}, 200},
		{"SELECT n FROM (SELECT DISTINCT n FROM events WHERE pk = 'a') d ORDER BY n LIMIT 1", []string{"0"}, 200},
	} {
		got, usage := run(t, s, tt.query)
		if !slices.Equal(got, tt.want) || usage.Items > tt.items {
			t.Errorf("%s\n got %q reading %d items, want %q and at most %d", tt.query, got, usage.Items, tt.want, tt.items)
		}
	}
}
