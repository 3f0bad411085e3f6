package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
)

// catalogQueries are what clients ask about all tables of a server.
var catalogQueries = []struct{ name, query string }{
	{"tables", "SELECT * FROM information_schema.tables"},
	{"tables of one", "SELECT table_name, table_type, table_rows FROM information_schema.tables WHERE table_schema = 'dynamodb' ORDER BY table_name"},
	{"columns", "SELECT * FROM information_schema.columns"},
	{"columns of one", "SELECT table_name, column_name, data_type, column_key FROM information_schema.columns WHERE table_schema = 'dynamodb'"},
	{"columns of a table", "SELECT * FROM information_schema.columns WHERE table_schema = 'dynamodb' AND table_name = 'table_250'"},
	{"statistics", "SELECT * FROM information_schema.statistics"},
	{"keys", "SELECT * FROM information_schema.key_column_usage"},
	{"constraints", "SELECT * FROM information_schema.table_constraints"},
	{"foreign keys", "SELECT * FROM information_schema.referential_constraints"},
	{"views", "SELECT * FROM information_schema.views"},
	{"partitions", "SELECT * FROM information_schema.partitions"},
	{"schemata", "SELECT * FROM information_schema.schemata"},
	{"primary keys", "SELECT k.table_name, k.column_name FROM information_schema.table_constraints t JOIN information_schema.key_column_usage k " +
		"USING (constraint_name, table_schema, table_name) WHERE t.constraint_type = 'PRIMARY KEY' AND t.table_schema = 'dynamodb'"},
	{"SHOW FULL TABLES", "SHOW FULL TABLES"},
	{"SHOW TABLE STATUS", "SHOW TABLE STATUS"},
	{"SHOW COLUMNS", "SHOW FULL COLUMNS FROM table_250"},
	{"SHOW INDEX", "SHOW INDEX FROM table_250"},
	{"SHOW CREATE TABLE", "SHOW CREATE TABLE table_250"},
}

// manyTables are 500 tables of 20 columns and two indexes each.
func manyTables() []fixture {
	var all []fixture
	for i := range 500 {
		item := fmt.Sprintf(`{"id":{"S":"i%d"},"at":{"N":"1"},"state":{"S":"new"},"owner":{"S":"me"}`, i)
		for a := range 16 {
			item += fmt.Sprintf(`,"attribute_%02d":{"S":"value"}`, a)
		}
		all = append(all, fixture{name: fmt.Sprintf("table_%03d", i), hash: "id:S", sort: "at:N",
			indexes: []string{"by-state state:S at:N", "by-owner owner:S at:N"}, items: []string{item + "}"}})
	}
	return all
}

// TestCatalogQueriesSendNothing once the tables are known.
func TestCatalogQueriesSendNothing(t *testing.T) {
	c, e := overCounting(t, catalog.Options{}, manyTables()...)
	s := e.NewSession()
	defer s.Close()
	for _, query := range []string{"SHOW TABLES", "SHOW FULL TABLES", "SELECT * FROM information_schema.schemata", "SELECT * FROM information_schema.views",
		"SELECT * FROM information_schema.partitions", "SELECT * FROM information_schema.triggers", "SELECT * FROM information_schema.routines"} {
		if _, err := answer(s, query); err != nil {
			t.Fatal(err)
		}
		if n := c.Calls()["DescribeTable"]; n > 0 {
			t.Fatalf("%s described %d tables", query, n)
		}
	}
	if _, err := answer(s, "SELECT COUNT(*) FROM information_schema.columns"); err != nil {
		t.Fatal(err)
	}
	if n := c.Calls()["DescribeTable"]; n != 500 {
		t.Errorf("500 tables took %d calls of DescribeTable", n)
	}
	for _, query := range []string{"DESCRIBE table_250", "SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'table_250'"} {
		if _, err := answer(s, query); err != nil {
			t.Fatal(err)
		}
	}
	c.Reset()
	for _, q := range catalogQueries {
		if _, err := answer(s, q.query); err != nil {
			t.Errorf("%s: %v", q.query, err)
		}
		if calls := c.Calls(); len(calls) > 0 {
			t.Fatalf("%s sent %v", q.query, calls)
		}
	}
}

// together is a client whose DescribeTable answers when a number of calls wait.
type together struct {
	ddb.Client
	calls atomic.Int64
	all   sync.WaitGroup
	err   error
}

func (c *together) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, opts ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	c.calls.Add(1)
	if c.err != nil {
		return nil, c.err
	}
	c.all.Done()
	c.all.Wait()
	return c.Client.DescribeTable(ctx, in, opts...)
}

func overTogether(t *testing.T, c *together) *engine.Session {
	t.Helper()
	c.Client = storeOf(t, manyTables()[:8]...).Client()
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: c}}})
	if err != nil {
		t.Fatal(err)
	}
	s := e.NewSession()
	t.Cleanup(func() { s.Close(); e.Close() })
	return s
}

func TestTablesAreDescribedTogether(t *testing.T) {
	c := &together{}
	c.all.Add(8)
	expect(t, overTogether(t, c), "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'dynamodb'", "8")
}

func TestDescribingStopsAfterAnError(t *testing.T) {
	c := &together{err: errors.New("no permission for DescribeTable")}
	if _, err := answer(overTogether(t, c), "SELECT * FROM information_schema.tables"); err == nil || !strings.Contains(err.Error(), "no permission") {
		t.Errorf("the statement ended with %v", err)
	}
	if n := c.calls.Load(); n > 9 {
		t.Errorf("DescribeTable was called %d times for 8 tables", n)
	}
}

// BenchmarkCatalogQueries asks about 500 tables of which every column is known.
func BenchmarkCatalogQueries(b *testing.B) {
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: storeOf(b, manyTables()...).Client()}}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	s := e.NewSession()
	b.Cleanup(s.Close)
	for i := range 500 {
		drain(b, s, fmt.Sprintf("SELECT id FROM table_%03d LIMIT 0", i))
	}
	for _, q := range catalogQueries {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				drain(b, s, q.query)
			}
		})
	}
}
