package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine"
)

// large is a table with a thousand items of 1 KB, so that reading it whole takes
// more than a hundred read units, and an index on another attribute.
func large() fixture { return largeOf(500) }

func largeOf(ids int) fixture {
	f := fixture{name: "big", hash: "id:S", sort: "part:N", indexes: []string{"by-owner owner:S"}}
	filler := fmt.Sprintf("%01000d", 0)
	for i := range ids {
		for part := range 2 {
			f.items = append(f.items, fmt.Sprintf(
				`{"id":{"S":"id%d"},"part":{"N":"%d"},"owner":{"S":"owner%d"},"n":{"N":"%d"},"filler":{"S":"%s"}}`,
				i, part, i%100, i, filler))
		}
	}
	return f
}

func few() fixture {
	return fixture{name: "few", hash: "k:S", items: []string{
		`{"k":{"S":"x"},"ref":{"S":"id7"},"part":{"N":"1"},"owner":{"S":"owner3"}}`,
		`{"k":{"S":"y"},"ref":{"S":"id9"},"part":{"N":"0"}}`,
		`{"k":{"S":"z"},"ref":{"S":"id9"},"part":{"N":"7"}}`,
		`{"k":{"S":"v"}}`,
	}}
}

// TestJoinsReadByKeys holds joins to reading their large table by the keys of
// the small one, whatever the kind of join, and to the answer that reading
// everything gives.
// TestJoinByVariable joins by a variable that is shorter than the texts it is
// compared with.
func TestJoinByVariable(t *testing.T) {
	s := sessionOver(t, numbersAndTexts())
	for _, typed := range []string{"1", "0"} {
		mustAnswer(t, s, "SET @v = '9', ddb_typed = "+typed)
		expect(t, s, "SELECT a.id, b.id FROM nums a LEFT JOIN nums b ON @v = a.s", "a|a", "a|b", "a|c", "a|d", "b|NULL", "c|NULL", "d|NULL")
		expect(t, s, "SELECT a.id, b.n FROM nums a LEFT JOIN nums b ON a.id = b.id AND @v = a.s", "a|1", "b|NULL", "c|NULL", "d|NULL")
	}
}

// TestRowsNotIn looks for rows among others with a NULL in them, which may or may
// not be equal.
func TestRowsNotIn(t *testing.T) {
	s := sessionOver(t, fixture{name: "things", hash: "pk:N", items: []string{
		`{"pk":{"N":"0"}}`, `{"pk":{"N":"1"},"s":{"S":"a"},"x":{"S":"b"}}`, `{"pk":{"N":"2"},"s":{"NULL":true},"x":{"S":"c"}}`,
		`{"pk":{"N":"9"},"s":{"S":"01"},"x":{"NULL":true}}`, `{"pk":{"N":"10"},"s":{"S":"b"},"x":{"S":"abc"}}`,
	}})
	for _, set := range []string{"ddb_pushdown = 0", "ddb_pushdown = 1", "ddb_memory_limit = 1"} {
		mustAnswer(t, s, "SET "+set)
		for _, more := range []string{"", " AND r.pk > t.pk - 100"} {
			expect(t, s, "SELECT pk FROM things t WHERE (s, s) NOT IN (SELECT x, s FROM things r WHERE r.pk IN (9, 10)"+more+")", "1", "10")
		}
	}
}

func TestJoinsReadByKeys(t *testing.T) {
	s := sessionOver(t, large(), few())
	for _, tt := range []struct {
		name, query string
		requests    map[string]int
	}{
		{"hash key of three constants",
			"SELECT v.id, b.part, b.n FROM (SELECT 'id1' id UNION ALL SELECT 'id2' UNION ALL SELECT 'none') v JOIN big b ON b.id = v.id",
			map[string]int{"Query": 3}},
		{"hash key of a table",
			"SELECT f.k, b.part, b.n FROM few f JOIN big b ON b.id = f.ref",
			map[string]int{"Scan": 1, "Query": 2}},
		{"tables the other way round",
			"SELECT f.k, b.part, b.n FROM big b JOIN few f ON b.id = f.ref",
			map[string]int{"Scan": 1, "Query": 2}},
		{"full key",
			"SELECT f.k, b.n FROM few f JOIN big b ON b.id = f.ref AND b.part = f.part",
			map[string]int{"Scan": 1, "BatchGetItem": 1}},
		{"left join",
			"SELECT f.k, b.n FROM few f LEFT JOIN big b ON b.id = f.ref AND b.part = f.part",
			map[string]int{"Scan": 1, "BatchGetItem": 1}},
		{"left join with a condition on the right",
			"SELECT f.k, b.n FROM few f LEFT JOIN big b ON b.id = f.ref AND b.part = 1",
			map[string]int{"Scan": 1, "BatchGetItem": 1}},
		{"index",
			"SELECT f.k, b.id, b.part FROM few f JOIN big b ON b.owner = f.owner",
			map[string]int{"Scan": 1, "Query": 1}},
		{"EXISTS",
			"SELECT f.k FROM few f WHERE EXISTS (SELECT 1 FROM big b WHERE b.id = f.ref AND b.part = f.part)",
			map[string]int{"Scan": 1, "BatchGetItem": 1}},
		{"NOT EXISTS",
			"SELECT f.k FROM few f WHERE NOT EXISTS (SELECT 1 FROM big b WHERE b.id = f.ref AND b.part = f.part)",
			map[string]int{"Scan": 1, "BatchGetItem": 1}},
		{"IN",
			"SELECT n FROM big WHERE id IN (SELECT ref FROM few WHERE k = 'x')",
			map[string]int{"GetItem": 1, "Query": 1}},
		{"no row on the left",
			"SELECT b.n FROM (SELECT 'id1' id WHERE false) v JOIN big b ON b.id = v.id",
			map[string]int{}},
		{"self-join",
			"SELECT a.n, b.n FROM big a JOIN big b ON b.id = a.id WHERE a.id = 'id5' AND a.part = 0",
			map[string]int{"GetItem": 1, "Query": 1}},
		{"three tables",
			"SELECT f.k, b.n, c.n FROM few f JOIN big b ON b.id = f.ref AND b.part = f.part JOIN big c ON c.id = b.id AND c.part = 0",
			map[string]int{"Scan": 1, "BatchGetItem": 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, usage := run(t, s, tt.query)
			if !reflect.DeepEqual(usage.Requests, tt.requests) {
				t.Errorf("%s\nsent %v, want %v", tt.query, usage.Requests, tt.requests)
			}
			mustAnswer(t, s, "SET ddb_pushdown = 0")
			defer mustAnswer(t, s, "SET ddb_pushdown = 1")
			expect(t, s, tt.query, got...)
		})
	}
}

// TestJoinsUnderLimit holds joins that read their left side in steps to giving
// rows that are rows of the join, as many as are wanted, whether the first steps
// have them or not.
func TestJoinsUnderLimit(t *testing.T) {
	refs := fixture{name: "refs", hash: "k:S"}
	for i := range 400 {
		ref := "none"
		if i%40 == 39 {
			ref = fmt.Sprintf("id%d", i)
		}
		refs.items = append(refs.items, fmt.Sprintf(`{"k":{"S":"k%d"},"ref":{"S":"%s"},"near":{"S":"id%d"},"n":{"N":"%d"}}`, i, ref, i/3, i))
	}
	s := sessionOver(t, large(), refs)
	for _, query := range []string{
		"SELECT r.k, b.part FROM refs r JOIN big b ON b.id = r.ref",
		"SELECT r.k, b.part FROM refs r JOIN big b ON b.id = r.near WHERE r.n > 100",
		"SELECT r.k, b.part FROM refs r LEFT JOIN big b ON b.id = r.ref AND b.n > r.n - 1",
		"SELECT r.k, b.n FROM refs r LEFT JOIN big b ON b.id = r.near AND b.part = 1 WHERE b.n IS NULL OR b.n > 50",
		"SELECT r.k FROM refs r WHERE EXISTS (SELECT 1 FROM big b WHERE b.id = r.ref AND b.n < r.n + 1)",
		"SELECT r.k FROM refs r WHERE NOT EXISTS (SELECT 1 FROM big b WHERE b.id = r.ref AND b.part > 0)",
		"SELECT r.k, b.n, c.n FROM refs r JOIN big b ON b.id = r.near AND b.part = 0 JOIN big c ON c.id = b.id AND c.part = 1",
		"SELECT r.k FROM refs r WHERE r.ref IN (SELECT id FROM big)",
	} {
		for _, memory := range []int{0, 3000} {
			mustAnswer(t, s, fmt.Sprintf("SET ddb_memory_limit = %d", memory))
			all := mustAnswer(t, s, query)
			for _, limit := range []int{1, 7, 9999} {
				rest := map[string]int{}
				for _, row := range all {
					rest[row]++
				}
				got := mustAnswer(t, s, fmt.Sprintf("%s LIMIT %d", query, limit))
				for _, row := range got {
					if rest[row]--; rest[row] < 0 {
						t.Errorf("%s LIMIT %d: %s is no row of the join, or once too often", query, limit, row)
					}
				}
				if len(got) != min(limit, len(all)) {
					t.Errorf("%s LIMIT %d: %d rows of %d", query, limit, len(got), len(all))
				}
			}
		}
	}
	for query, most := range map[string]float64{
		"SELECT r.k, b.part FROM refs r JOIN big b ON b.id = r.near LIMIT 3":   4,
		"SELECT r.k, b.part FROM refs r JOIN big b ON b.id = r.ref LIMIT 9999": 140, // one Scan of big and one of refs
	} {
		if _, usage := run(t, s, query); usage.ReadUnits > most {
			t.Errorf("%s takes %v read units", query, usage.ReadUnits)
		}
	}
}

// TestJoinReadsWholeTable holds a join whose left side has too many keys to one
// Scan of the right table: reading by keys would take more.
func TestJoinReadsWholeTable(t *testing.T) {
	s := sessionOver(t, large(), few())
	_, usage := run(t, s, "SELECT COUNT(*) FROM big a JOIN big b ON b.id = a.id AND b.part = a.part")
	if want := map[string]int{"Scan": 2}; !reflect.DeepEqual(usage.Requests, want) {
		t.Errorf("sent %v, want %v", usage.Requests, want)
	}
}

// TestCorrelatedSubquery holds a subquery in a select list to one read for each
// key of the outer rows, and to none for an outer row without a key.
func TestCorrelatedSubquery(t *testing.T) {
	s := sessionOver(t, large(), few())
	_, usage := run(t, s, "SELECT k, (SELECT MAX(n) FROM big b WHERE b.id = f.ref) m FROM few f")
	if want := map[string]int{"Scan": 1, "Query": 2}; !reflect.DeepEqual(usage.Requests, want) {
		t.Errorf("sent %v, want %v", usage.Requests, want)
	}
	expect(t, s, "SELECT k, (SELECT MAX(n) FROM big b WHERE b.id = f.ref) m FROM few f", "v|NULL", "x|7", "y|9", "z|9")
}

// TestKeptRowsAreFoundByColumns: a correlated subquery over a table without a
// key for it does not compare every row, whatever the table is called.
func TestKeptRowsAreFoundByColumns(t *testing.T) {
	s := sessionOver(t, few())
	for _, query := range []string{
		"SELECT (SELECT COUNT(*) FROM few g WHERE g.ref = f.ref) FROM few f",
		"SELECT (SELECT COUNT(*) FROM few WHERE few.ref = f.ref) FROM few f",
	} {
		plan, _ := run(t, s, "EXPLAIN "+query)
		if !strings.Contains(strings.Join(plan, "\n"), "more than once, and finds them by ref") {
			t.Errorf("%s\n%s", query, strings.Join(plan, "\n"))
		}
	}
}

// TestSubqueriesInSortedListsReadOnce holds a subquery whose value the rows are
// sorted by, or filtered, to the same reads as without.
func TestSubqueriesInSortedListsReadOnce(t *testing.T) {
	s := sessionOver(t, few())
	for _, tt := range []struct {
		query string
		rows  []string
	}{
		{"SELECT (SELECT COUNT(*) FROM few g WHERE g.ref = f.ref) n, k FROM few f ORDER BY n DESC, k LIMIT 2", []string{"2|y", "2|z"}},
		{"SELECT (SELECT COUNT(*) FROM few g WHERE g.ref = f.ref) n, k FROM few f ORDER BY n DESC, k", []string{"2|y", "2|z", "1|x", "0|v"}},
		{"SELECT k, (SELECT COUNT(*) FROM few g WHERE g.ref = f.ref) n FROM few f HAVING n > 1 ORDER BY k", []string{"y|2", "z|2"}},
		{"SELECT k, (SELECT COUNT(*) FROM few g WHERE g.ref = f.ref) n, k + 1 FROM few f ORDER BY n, k LIMIT 1 OFFSET 1", []string{"x|1|1"}},
	} {
		got, usage := run(t, s, tt.query)
		if !slices.Equal(got, tt.rows) {
			t.Errorf("%s\n%q, want %q", tt.query, got, tt.rows)
		}
		if want := map[string]int{"Scan": 2}; !reflect.DeepEqual(usage.Requests, want) {
			t.Errorf("%s\nsent %v, want %v", tt.query, usage.Requests, want)
		}
	}
}

// TestNestedLoopReadsOnce holds a join without an equality to reading each of
// its tables once.
func TestNestedLoopReadsOnce(t *testing.T) {
	s := sessionOver(t, few())
	_, usage := run(t, s, "SELECT a.k, b.k FROM few a JOIN few b ON a.k < b.k")
	if want := map[string]int{"Scan": 2}; !reflect.DeepEqual(usage.Requests, want) {
		t.Errorf("sent %v, want %v", usage.Requests, want)
	}
}

// run answers a statement and says what it read.
func run(t *testing.T, s *engine.Session, query string) ([]string, read.Usage) {
	t.Helper()
	rows, err := s.Query(context.Background(), query)
	if err != nil {
		t.Fatalf("%s\n%v", query, err)
	}
	defer rows.Close()
	out := []string{}
	for {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s\n%v", query, err)
		}
		line := ""
		for i, v := range row {
			if i > 0 {
				line += "|"
			}
			if v.Null {
				v.Text = "NULL"
			}
			line += v.Text
		}
		out = append(out, line)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	return out, rows.Usage()
}

// TestLoopsReadOnce holds every shape that goes through a table again and again
// to reading it once, and to the answer without pushdown.
func TestLoopsReadOnce(t *testing.T) {
	s := sessionOver(t, large(), few())
	for _, tt := range []struct {
		query    string
		requests map[string]int
	}{
		{"SELECT COUNT(*) FROM few a JOIN few b ON a.k < b.k JOIN few c ON b.k < c.k", map[string]int{"Scan": 3}},
		{"SELECT COUNT(*) FROM few a, few b, few c WHERE a.k <> CONCAT(b.k, c.k)", map[string]int{"Scan": 3}},
		{"SELECT f.k, (SELECT COUNT(*) FROM few g WHERE g.k < f.k) FROM few f", map[string]int{"Scan": 2}},
		{"SELECT f.k FROM few f WHERE f.k > (SELECT MIN(g.k) FROM few g WHERE g.part <> f.part)", map[string]int{"Scan": 2}},
		{"SELECT f.k, (SELECT COUNT(*) FROM few g JOIN few h ON g.k < h.k WHERE g.k <> f.k) FROM few f", map[string]int{"Scan": 3}},
		{"SELECT f.k, l.n FROM few f LEFT JOIN LATERAL (SELECT COUNT(*) n FROM few g WHERE g.k > f.k) l ON true", map[string]int{"Scan": 2}},
	} {
		got, usage := run(t, s, tt.query)
		if !reflect.DeepEqual(usage.Requests, tt.requests) {
			t.Errorf("%s\nsent %v, want %v", tt.query, usage.Requests, tt.requests)
		}
		mustAnswer(t, s, "SET ddb_pushdown = 0")
		expect(t, s, tt.query, got...)
		mustAnswer(t, s, "SET ddb_pushdown = 1")
	}
}

// TestCancelledLoop ends a nested loop that would run for hours.
func TestCancelledLoop(t *testing.T) {
	s := sessionOver(t, large())
	ctx, cancel := context.WithCancel(context.Background())
	rows, err := s.Query(ctx, "SELECT COUNT(*) FROM big a JOIN big b JOIN big c WHERE a.n + b.n * c.n < 0")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	ended := make(chan error, 1)
	go func() {
		_, err := rows.Next()
		ended <- err
	}()
	cancel()
	select {
	case err := <-ended:
		var e *engine.Error
		if !errors.As(err, &e) || e.Number != 1317 {
			t.Errorf("the statement ended with %v, want error 1317", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the statement goes on")
	}
}

func TestMaxReadUnitsOfConfig(t *testing.T) {
	store := storeOf(t, large())
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: store.Client()}}, MaxReadUnits: 50})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.NewSession()
	defer s.Close()
	if _, err := answer(s, "SELECT COUNT(*) FROM big"); err == nil {
		t.Error("a Scan above the configured bound was run")
	}
}

// TestStatementRefusedWhole refuses a statement whose parts are each within the
// budget, before the first of them is read.
func TestStatementRefusedWhole(t *testing.T) {
	s := sessionOver(t, large())
	mustAnswer(t, s, "SET ddb_max_rcu = 200")
	mustAnswer(t, s, "SELECT COUNT(*) FROM big")
	_, err := answer(s, "SELECT COUNT(*) FROM big UNION ALL SELECT COUNT(*) FROM big")
	var refused *read.RefusedError
	if !errors.As(err, &refused) || len(s.Statement().Usage().Requests) > 0 {
		t.Errorf("two Scans of 126 read units under a budget of 200: %v, after %v", err, s.Statement().Usage().Requests)
	}
}

func TestSampleFunction(t *testing.T) {
	s := sessionOver(t, largeOf(2000))
	got := mustAnswer(t, s, "SELECT COUNT(*), COUNT(DISTINCT id) <= COUNT(*) FROM ddb_sample('big', '100%') x")
	if got[0] != "4000|1" {
		t.Errorf("all of it: %s", got[0])
	}
	for _, query := range []string{
		"SELECT * FROM ddb_sample('big')", "SELECT * FROM ddb_sample('big', 'x')", "SELECT * FROM ddb_sample('big', 0)",
		"SELECT * FROM ddb_sample('big', '101%')", "SELECT * FROM ddb_sample('none', 5)",
	} {
		if _, err := answer(s, query); err == nil {
			t.Errorf("%s is no error", query)
		}
	}
	rows, usage := run(t, s, "SELECT id FROM ddb_sample('big', 100) s WHERE n >= 0")
	if len(rows) < 100 || len(rows) > 2000 || usage.Items > 2000 {
		t.Errorf("a sample of 100: %d rows of %d items read", len(rows), usage.Items)
	}
}

// TestExistsAsksOnce reads the tables of an EXISTS that names no outer column
// once, whether it is run as a join or not.
func TestExistsAsksOnce(t *testing.T) {
	few := fixture{name: "few", hash: "k:S", items: []string{`{"k":{"S":"a"},"v":{"N":"1"}}`, `{"k":{"S":"b"},"v":{"N":"2"}}`}}
	c, e := overCounting(t, catalog.Options{}, many(20), few)
	s := e.NewSession()
	defer s.Close()
	mustAnswer(t, s, "SELECT m.id, f.k FROM many m, few f LIMIT 1")
	for _, condition := range []string{
		"EXISTS (SELECT 1 FROM few f JOIN (SELECT DISTINCT k FROM few) d ON d.k = f.k WHERE f.v > 0)",
		"NOT EXISTS (SELECT 1 FROM few f JOIN (SELECT DISTINCT k FROM few) d ON d.k = f.k WHERE f.v > 5)",
		"v < 0 OR EXISTS (SELECT 1 FROM few f JOIN few g ON f.v = g.v WHERE f.k > '')",
	} {
		c.Reset()
		if got := mustAnswer(t, s, "SELECT COUNT(*) FROM many WHERE "+condition); !slices.Equal(got, []string{"20"}) || c.Calls()["Scan"] > 3 {
			t.Errorf("%s: %v, %v", condition, got, c.Calls())
		}
	}
}

// TestInSubqueryOfNestedTables asks for columns of a derived table that are not
// neighbours in the table below, inside of a further derived table.
func TestInSubqueryOfNestedTables(t *testing.T) {
	s := sessionOver(t, keyed("tab", `"a":{"N":"1"},"b":{"S":"x"},"c":{"N":"10"}`, `"a":{"N":"2"},"b":{"S":"y"},"c":{"N":"20"}`))
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT * FROM (SELECT x.pk FROM (SELECT pk, c FROM tab) x WHERE x.pk IN (SELECT pk FROM tab WHERE a = 2)) y", []string{"2"}},
		{"SELECT * FROM (SELECT x.pk, x.c FROM (SELECT pk, c FROM tab) x WHERE x.pk IN (SELECT pk FROM tab) AND x.c IN (SELECT c FROM tab WHERE b = 'x')) y", []string{"1|10"}},
		{"WITH q AS (SELECT x.c, x.pk FROM (SELECT c, b, pk FROM tab) x WHERE x.c IN (SELECT c FROM tab WHERE a > 1) AND x.b IN (SELECT b FROM tab)) SELECT * FROM q", []string{"20|2"}},
	} {
		expect(t, s, test.query, test.want...)
	}
}
