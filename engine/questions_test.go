package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/localdb"
)

const dataDir = "../../shared/data"

// A question is one of the data sets' questions.json.
type question struct {
	ID      string           `json:"id"`
	SQL     string           `json:"sql"`
	Ordered bool             `json:"ordered"`
	Rows    []map[string]any `json:"expected_rows"`
	Hint    string           `json:"access_hint"`
}

// TestQuestions loads each data set and asks its questions.
func TestQuestions(t *testing.T) {
	for _, dir := range dataSets(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e := open(t, dir)
			for _, q := range questions(t, dir) {
				t.Run(q.ID, func(t *testing.T) { ask(t, e, q) })
			}
		})
	}
}

func dataSets(t *testing.T) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dataDir, "*", "questions.json"))
	if len(files) == 0 {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatalf("no data sets in %s", dataDir)
		}
		t.Skipf("no data sets in %s", dataDir)
	}
	dirs := make([]string, len(files))
	for i, f := range files {
		dirs[i] = filepath.Dir(f)
	}
	return dirs
}

func questions(t *testing.T, dir string) []question {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "questions.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var qs []question
	if err := d.Decode(&qs); err != nil {
		t.Fatal(err)
	}
	return qs
}

// open loads data sets into an embedded store and puts an engine over it.
func open(t *testing.T, dirs ...string) *engine.Engine {
	t.Helper()
	store := localdb.Open(localdb.Options{})
	for _, dir := range dirs {
		set, err := dataset.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := set.Load(context.Background(), store.Client()); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: store.Client()}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func ask(t *testing.T, e *engine.Engine, q question) {
	t.Helper()
	s := e.NewSession()
	defer s.Close()
	got, err := rowsOf(s, q.SQL)
	if err != nil {
		t.Fatalf("%s\n%v", q.SQL, err)
	}
	compare(t, q, got)
}

// compare holds an answer against the expected one.
func compare(t *testing.T, q question, got []string) {
	t.Helper()
	want := make([]string, len(q.Rows))
	for i, row := range q.Rows {
		cells := []string{}
		for name, v := range row {
			cells = append(cells, name+"="+canonical(v))
		}
		sort.Strings(cells)
		want[i] = strings.Join(cells, " ")
	}
	if !q.Ordered {
		sort.Strings(got)
		sort.Strings(want)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\n got %d rows:\n%s\nwant %d rows:\n%s", q.SQL, len(got), strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
	}
}

// rowsOf runs a statement; each row becomes a line of name=value, sorted.
func rowsOf(s *engine.Session, query string) ([]string, error) {
	return linesOf(s, query, func(columns []engine.Column, row []engine.Value) string {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = columns[i].Name + "=" + canonicalText(v)
		}
		sort.Strings(cells)
		return strings.Join(cells, " ")
	})
}

// canonical writes an expected value so that 2 and 2.00, true and 1, and two
// spellings of one document are the same.
func canonical(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool:
		if v {
			return "1"
		}
		return "0"
	case json.Number:
		return number(v.String())
	case string:
		return canonicalText(engine.Value{Text: v})
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

func canonicalText(v engine.Value) string {
	if v.Null {
		return "NULL"
	}
	if n := number(v.Text); n != "" {
		return n
	}
	if strings.HasPrefix(v.Text, "{") || strings.HasPrefix(v.Text, "[") {
		d := json.NewDecoder(strings.NewReader(v.Text))
		d.UseNumber()
		var doc any
		if d.Decode(&doc) == nil {
			text, _ := json.Marshal(doc)
			return string(text)
		}
	}
	return v.Text
}

func number(text string) string {
	r, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "/_xX") {
		return ""
	}
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(40), "0"), ".")
}
