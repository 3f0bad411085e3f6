package read

import (
	"testing"

	"github.com/dynasql/dynasql/connector/access"
)

// TestRecordingStandsInForRequests runs plans again and wants the same rows without
// a request; one that was not read to its end is not kept.
func TestRecordingStandsInForRequests(t *testing.T) {
	f := &fake{items: many(4, 20), perPage: 3}
	r := New(f, Options{Recording: &Recording{}})
	scan := access.Plan{Op: access.Scan, Table: sized(50 << 20)}
	query := access.Plan{Op: access.Query, Table: table, Keys: []access.KeyCond{hash("a"), hash("b")}}
	early, err := r.Open(t.Context(), scan, NewStatement(Limits{}))
	if err == nil {
		_, _, err = early.NextBatch()
	}
	if err != nil {
		t.Fatal(err)
	}
	early.Close()
	for _, p := range []access.Plan{scan, query} {
		before := f.total()
		first := runOn(t.Context(), t, r, p, NewStatement(Limits{}))
		sent := f.total()
		again := runOn(t.Context(), t, r, p, NewStatement(Limits{}))
		if first.err != nil || again.err != nil || first.list() != again.list() || len(first.names) == 0 {
			t.Errorf("%s: %v, %v: %s, then %s", p.Op, first.err, again.err, first.list(), again.list())
		}
		if sent == before || f.total() != sent {
			t.Errorf("%s: %d requests, then %d", p.Op, sent-before, f.total()-sent)
		}
	}
}
