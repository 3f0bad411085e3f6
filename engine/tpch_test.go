package engine_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
)

// TestTPCH asks the 22 questions of TPC-H, over tables of its shape in the
// embedded store, and compares the answers, in their order, with MariaDB's.
// Time and read units are logged.
func TestTPCH(t *testing.T) {
	m := startMariaDB(t)
	g := &tpchGenerator{rand.New(rand.NewPCG(22, 1)), 7500}
	if testing.Short() {
		g.orders = 1500
	}
	var fixtures []fixture
	setup := []string{"CREATE DATABASE tpch CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin", "USE tpch"}
	for _, table := range g.tables() {
		fixtures = append(fixtures, table.fixture())
		setup = append(setup, table.definition()...)
	}
	if _, err := m.run(setup...); err != nil {
		t.Fatal(err)
	}
	e := over(t, storeOf(t, fixtures...), catalog.Options{})
	files, err := filepath.Glob("testdata/tpch/q*.sql")
	if err != nil || len(files) != 22 {
		t.Fatalf("%d files of queries: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sql"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := m.run("USE tpch", strings.ReplaceAll(string(text), "\n", " "))
			if err != nil {
				t.Fatal(err)
			}
			compareInOrder(t, e, string(text), theirs[1])
		})
	}
}

// compareInOrder compares an answer with the rows of another, in their order.
func compareInOrder(t *testing.T, e *engine.Engine, query string, want []string) {
	t.Helper()
	s := e.NewSession()
	defer s.Close()
	began := time.Now()
	got, err := answer(s, query)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows, %.1f s, %.1f read units", len(got), time.Since(began).Seconds(), s.Statement().Usage().ReadUnits)
	if len(got) != len(want) {
		t.Fatalf("%d rows against %d\n     got %q\nMariaDB %q", len(got), len(want), got, want)
	}
	if !testing.Short() && (len(want) == 0 || len(want) == 1 && strings.Trim(want[0], "NUL0\t") == "") {
		t.Error("the answer is empty and shows nothing: change the data or the constants")
	}
	for i := range got {
		if got[i] = strings.ReplaceAll(got[i], "|", "\t"); !sameRow(got[i], want[i]) {
			t.Fatalf("row %d\n     got %q\nMariaDB %q", i+1, got[i], want[i])
		}
	}
}
