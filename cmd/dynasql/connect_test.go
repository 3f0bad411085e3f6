package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/localdb"
)

// TestSampleBesideLocal reads tables of a connection in AWS as little beside
// --local, of whose tables every item is sampled, as without it.
func TestSampleBesideLocal(t *testing.T) {
	store := localdb.Open(localdb.Options{})
	folder := t.TempDir()
	tables, err := os.ReadFile("testdata/orders/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	var items []string
	for i := range 1500 {
		items = append(items, fmt.Sprintf(`{"PutRequest":{"Item":{"customer":{"S":"c%d"},"placed":{"N":"%d"}}}}`, i, i))
	}
	write(t, filepath.Join(folder, "tables.json"), string(tables))
	write(t, filepath.Join(folder, "items.json"), `{"orders":[`+strings.Join(items, ",")+`]}`)
	set, err := dataset.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Load(t.Context(), store.Client()); err != nil {
		t.Fatal(err)
	}
	live := httptest.NewServer(store.Handler())
	defer live.Close()
	config := filepath.Join(t.TempDir(), "config.yaml")
	write(t, config, "connections: {live: {region: local, endpoint_url: '"+live.URL+"'}}\n")
	got := runProgram(t, "", "--local", "testdata/two", "--config", config, "-q", "-e", "EXPLAIN SELECT * FROM live.orders")
	if !strings.Contains(got.stdout, "sampled   1000 items") {
		t.Errorf("got %s", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
