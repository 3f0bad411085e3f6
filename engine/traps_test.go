package engine_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
)

// The traps of the SQL library, each of which would come back unnoticed with
// another version of it or with a rule of ours that no longer runs.

func trapFixture() fixture {
	f := fixture{name: "things", hash: "pk:S", sort: "sk:N"}
	for i, text := range []string{"ab", "ab中", "abÿz", "abc", "aB", "b", "a_b", "<nil>"} {
		f.items = append(f.items, fmt.Sprintf(`{"pk":{"S":"p"},"sk":{"N":"%d"},"t":{"S":"%s"},"doc":{"S":"{"}}`, i, text))
	}
	f.items = append(f.items, `{"pk":{"S":"q"},"sk":{"N":"1"}}`)
	return f
}

// The library has a fast path for plain SELECTs on which no rule of ours would
// run: without them a table cannot be read at all.
func TestTrapFastPath(t *testing.T) {
	r, s := recorded(t, storeOf(t, trapFixture()))
	for text, want := range map[string][]string{
		"SELECT sk FROM things WHERE pk = 'q'":            {"Query things"},
		"SELECT sk FROM things WHERE pk = 'q' AND sk = 1": {"GetItem things"},
		"SELECT sk FROM things":                           {"Scan things"},
		"SELECT * FROM things":                            {"Scan things"},
	} {
		got := r.record(func() {
			if a := collect(context.Background(), s, text); a.err != nil {
				t.Errorf("%s: %v", text, a.err)
			}
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s sent %q, want %q", text, got, want)
		}
	}
}

// LIKE 'ab%' was turned into a range up to 'abÿ', and an escaped wildcard into
// a range that begins with the escape character.
func TestTrapLike(t *testing.T) {
	s := sessionOver(t, trapFixture())
	for pattern, want := range map[string]string{
		"LIKE 'ab%'":                   "0|1|2|3",
		"NOT LIKE 'ab%'":               "4|5|6|7",
		`LIKE 'a\_%'`:                  "6",
		`NOT LIKE 'a\_%'`:              "0|1|2|3|4|5|7",
		"LIKE 'a!_%'":                  "",
		"LIKE 'ab_'":                   "1|3",
		"LIKE '%b'":                    "0|5|6",
		"LIKE CONCAT('a', '\\_', '%')": "6",
	} {
		for _, pushdown := range []int{1, 0} {
			if a := collect(context.Background(), s, fmt.Sprintf("SET ddb_pushdown = %d, ddb_typed = %[1]d", pushdown)); a.err != nil {
				t.Fatal(a.err)
			}
			text := "SELECT sk FROM things WHERE t " + pattern + " ORDER BY sk"
			got, err := answer(s, text)
			if err != nil || strings.Join(got, "|") != want {
				t.Errorf("pushdown %d: %s gives %q, %v, want %q", pushdown, text, got, err, want)
			}
		}
	}
}

// An expression that fails inside a GROUP BY hung for ever, also for KILL.
func TestTrapFailingGroup(t *testing.T) {
	s := sessionOver(t, trapFixture())
	for _, text := range []string{
		"SELECT t, COUNT(JSON_EXTRACT(doc, '$.a')) FROM things GROUP BY t",
		"SELECT COUNT(*) FROM things WHERE pk = 'p' GROUP BY JSON_EXTRACT(doc, '$.a')",
		"SELECT pk, COUNT(JSON_EXTRACT(doc, '$.a')) FROM things WHERE pk = 'p' AND sk = 0 GROUP BY pk",
		"SELECT COUNT(JSON_EXTRACT(doc, '$.a')) FROM things",
		"SELECT DISTINCT JSON_EXTRACT(doc, '$.a') FROM things",
		"SELECT x.c FROM (SELECT t, MAX(JSON_EXTRACT(doc, '$.a')) AS c FROM things GROUP BY t) x",
	} {
		a := inTime(t, s, context.Background(), text)
		if a.err == nil || !strings.Contains(a.err.Error(), "JSON") {
			t.Errorf("%s: %v, want an error about JSON", text, a.err)
		}
	}
}

// A GROUP BY that is cancelled ends.
func TestTrapCancelledGroup(t *testing.T) {
	s := sessionOver(t, trapFixture())
	ctx, cancel := context.WithCancel(context.Background())
	rows, err := s.Query(ctx, "SELECT a.t, COUNT(*) FROM things a, things b, things c, things d, things e, things f, things g GROUP BY a.t")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := rows.Next()
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil || err == io.EOF {
			t.Errorf("a cancelled statement gives %v, want an error", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("a cancelled GROUP BY does not end")
	}
}

// inTime runs a statement that must end by itself.
func inTime(t *testing.T, s *engine.Session, ctx context.Context, text string) outcome {
	t.Helper()
	ended := make(chan outcome, 1)
	go func() { ended <- collect(ctx, s, text) }()
	select {
	case a := <-ended:
		return a
	case <-time.After(30 * time.Second):
		t.Fatalf("%s does not end", text)
	}
	return outcome{}
}

// sql_select_limit was ignored where no projection is on top; tools set it for
// previews, which must read one page of that many items.
func TestTrapSelectLimit(t *testing.T) {
	r, s := recorded(t, storeOf(t, trapFixture()))
	if a := collect(context.Background(), s, "SET sql_select_limit = 2"); a.err != nil {
		t.Fatal(a.err)
	}
	for text, want := range map[string]string{
		"SELECT * FROM things":                "Scan things limit 2",
		"SELECT t FROM things":                "Scan things limit 2",
		"SELECT * FROM things WHERE pk = 'p'": "Query things limit 2",
		"SELECT * FROM things AS x":           "Scan things limit 2",
	} {
		var a outcome
		got := r.record(func() { a = collect(context.Background(), s, text) })
		if a.err != nil || len(a.rows) != 2 || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %d rows by %q, %v; want 2 rows by %q", text, len(a.rows), got, a.err, want)
		}
	}
}

// NULL was one group with the text '<nil>'.
func TestTrapNullGroup(t *testing.T) {
	s := sessionOver(t, trapFixture())
	for text, want := range map[string]string{
		"SELECT t, COUNT(*) FROM things WHERE t IS NULL OR t = '<nil>' GROUP BY t ORDER BY t":              "NULL|1;<nil>|1",
		"SELECT DISTINCT t FROM things WHERE t IS NULL OR t = '<nil>' ORDER BY t":                          "NULL;<nil>",
		"SELECT t FROM things WHERE t IS NULL UNION SELECT t FROM things WHERE t = '<nil>' ORDER BY t":     "NULL;<nil>",
		"SELECT COUNT(*) FROM things a JOIN things b ON a.t = b.t WHERE a.t = '<nil>' OR a.t IS NULL":      "1",
		"SELECT COUNT(*) FROM things WHERE t IN (SELECT t FROM things WHERE t IS NULL)":                    "0",
		"SELECT COUNT(*) OVER (PARTITION BY t) FROM things WHERE t IS NULL OR t = '<nil>'":                 "1;1",
		"SELECT t FROM things WHERE t = '<nil>' EXCEPT SELECT t FROM things WHERE t IS NULL":               "<nil>",
		"SELECT COUNT(DISTINCT t, sk) FROM things WHERE t IS NULL OR t = '<nil>'":                          "1",
		"SELECT COUNT(*) FROM (SELECT t, sk FROM things GROUP BY t, sk) x":                                 "9",
		"SELECT COUNT(*) FROM (SELECT DISTINCT CONCAT('a', t) AS x FROM things WHERE t IS NULL OR sk=7) x": "2",
	} {
		got, err := answer(s, text)
		if err != nil || strings.Join(got, ";") != want {
			t.Errorf("%s gives %q, %v, want %q", text, got, err, want)
		}
	}
}

// A cross join read its right table once for each row of the left.
func TestTrapCrossJoin(t *testing.T) {
	r, s := recorded(t, storeOf(t, trapFixture()))
	for _, text := range []string{
		"SELECT COUNT(*) FROM things a, things b",
		"SELECT COUNT(*) FROM things a CROSS JOIN things b WHERE a.sk < b.sk",
		"SELECT COUNT(*) FROM things a LEFT JOIN things b ON a.sk < b.sk",
		"SELECT COUNT(*) FROM things a JOIN things b ON a.t LIKE CONCAT(b.t, '%')",
	} {
		got := r.record(func() {
			if a := collect(context.Background(), s, text); a.err != nil {
				t.Errorf("%s: %v", text, a.err)
			}
		})
		if len(got) != 2 {
			t.Errorf("%s sent %q, want each table read once", text, got)
		}
	}
}

// A panic of the library must end the statement alone.
func TestTrapPanic(t *testing.T) {
	e := over(t, storeOf(t, trapFixture()), catalog.Options{})
	e.Library().Analyzer.Catalog.RegisterFunction(sql.NewEmptyContext(), sql.FunctionN{
		Name: "panics", Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) { return panics{args[0]}, nil },
	})
	s := e.NewSession()
	defer s.Close()
	for _, text := range []string{
		"SELECT panics(t) FROM things",
		"SELECT pk, COUNT(panics(t)) FROM things GROUP BY pk",
		"SELECT t FROM things ORDER BY panics(t)",
		"SELECT COUNT(*) FROM things a JOIN things b ON panics(a.t) = b.t",
		"SELECT t FROM things WHERE panics(t) = 'a'",
		"SELECT (SELECT MAX(panics(b.t)) FROM things b WHERE b.sk = a.sk) FROM things a",
	} {
		a := inTime(t, s, context.Background(), text)
		if a.err == nil || !strings.Contains(a.err.Error(), "failed on this statement") {
			t.Errorf("%s: %v, want the error of a fault", text, a.err)
		}
		if a := collect(context.Background(), s, "SELECT COUNT(*) FROM things"); a.err != nil || a.rows[0][0] != "9" {
			t.Errorf("after a fault the session gives %v, %v", a.rows, a.err)
		}
	}
}

// panics is an expression with a fault.
type panics struct{ sql.Expression }

func (p panics) Eval(*sql.Context, sql.Row) (any, error) { panic("a fault") }

func (p panics) Children() []sql.Expression { return []sql.Expression{p.Expression} }

func (p panics) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return panics{children[0]}, nil
}
