package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/localdb"
)

// TestExportOfLiveTable takes the key and the indexes of an exported table from
// the table itself, which is described once and not read.
func TestExportOfLiveTable(t *testing.T) {
	store := localdb.Open(localdb.Options{})
	set, err := dataset.Read("testdata/orders")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Load(t.Context(), store.Client()); err != nil {
		t.Fatal(err)
	}
	live := httptest.NewServer(store.Handler())
	defer live.Close()
	ask := func(folder, query string) outcome {
		return runProgram(t, "", "--export", folder, "--endpoint-url", live.URL, "--region", "local", "-q", "-e", query)
	}
	withoutAWS(t)
	got := ask(ordersExport, "EXPLAIN SELECT total FROM orders WHERE paid_on = 5")
	for _, want := range []string{
		"Query orders, index by-payment",
		"source    an export taken 2026-11-01 06:00:00 UTC: no read units; the estimate is that of the table in DynamoDB",
		"3 items, 0 read units",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%s\nwant %q", got, want)
		}
	}
	if got := ask(ordersExport, "SELECT COUNT(*) FROM orders"); got.stdout != "COUNT(*)\n3\n" { // the live table is empty
		t.Errorf("got %s", got)
	}
	if got := ask("none="+ordersExport, "SELECT COUNT(*) FROM none"); got.stdout != "COUNT(*)\n3\n" { // named by its manifest
		t.Errorf("got %s", got)
	}
}
