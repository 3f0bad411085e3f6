package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/internal/ddb"
)

func TestStreamRows(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fake  *fake
		plan  access.Plan
		want  string
		calls string // with their number
	}{
		{
			name:  "nothing",
			fake:  &fake{},
			plan:  access.Plan{Op: access.Nothing},
			calls: "",
		},
		{
			name:  "one item",
			fake:  &fake{items: many(2, 3)},
			plan:  access.Plan{Op: access.GetItem, Keys: []access.KeyCond{full("b", 1)}},
			want:  "b1",
			calls: "GetItem 1",
		},
		{
			name:  "one item that is not there",
			fake:  &fake{items: many(2, 3)},
			plan:  access.Plan{Op: access.GetItem, Keys: []access.KeyCond{full("c", 1)}},
			calls: "GetItem 1",
		},
		{
			name:  "query in three pages, the last short",
			fake:  &fake{items: many(2, 5), perPage: 2},
			plan:  access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}},
			want:  "a0 a1 a2 a3 a4",
			calls: "Query 3",
		},
		{
			name:  "query backwards",
			fake:  &fake{items: many(2, 3)},
			plan:  access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("b")}, Reverse: true},
			want:  "b2 b1 b0",
			calls: "Query 1",
		},
		{
			name: "empty pages before the only match",
			fake: &fake{items: many(1, 6), perPage: 2, keep: func(i ddb.Item) bool { return name(i) == "a5" }},
			plan: access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}},
			want: "a5", calls: "Query 3",
		},
		{
			name: "limit without a filter asks for no more",
			fake: &fake{items: many(1, 6)},
			plan: access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}, Limit: 2, PageLimit: 2},
			want: "a0 a1", calls: "Query 1",
		},
		{
			name: "limit with a filter doubles the page until there are enough",
			fake: &fake{items: many(1, 9), keep: func(i ddb.Item) bool { return name(i) >= "a4" }},
			plan: access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}, Limit: 2, PageLimit: 2,
				Filter: &access.Filter{Op: access.FExists, Path: access.Path{Attribute: "v"}}},
			want: "a4 a5", calls: "Query 2",
		},
		{
			name: "limit stops a scan",
			fake: &fake{items: many(3, 3), perPage: 2},
			plan: access.Plan{Op: access.Scan, Limit: 3},
			want: "a0 a1 a2", calls: "Scan 2",
		},
		{
			name: "keys in their order",
			fake: &fake{items: many(3, 3), perPage: 2},
			plan: access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("b"), hash("x"), hash("a")}, Ordered: true},
			want: "b0 b1 b2 a0 a1 a2", calls: "Query 5",
		},
		{
			name: "merged by sort key",
			fake: &fake{items: append(many(1, 5), item("b", 1), item("b", 7), item("c", -3)), perPage: 2},
			plan: access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("b"), hash("a"), hash("c")}, Ordered: true, Merge: true},
			want: "c-3 a0 b1 a1 a2 a3 a4 b7", calls: "Query 5",
		},
		{
			name: "merged backwards",
			fake: &fake{items: append(many(1, 5), item("b", 1), item("b", 10)), perPage: 2},
			plan: access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a"), hash("b")}, Ordered: true, Merge: true, Reverse: true},
			want: "b10 a4 a3 a2 a1 b1 a0", calls: "Query 4",
		},
		{
			name: "merged with a limit",
			fake: &fake{items: many(2, 9)},
			plan: access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a"), hash("b")}, Ordered: true, Merge: true, Limit: 3, PageLimit: 3},
			want: "a0 b0 a1", calls: "Query 2",
		},
		{
			name: "full keys in their order",
			fake: &fake{items: many(2, 3)},
			plan: access.Plan{Op: access.BatchGetItem, Keys: []access.KeyCond{full("b", 1), full("x", 1), full("a", 2), full("b", 0)}, Ordered: true},
			want: "b1 a2 b0", calls: "BatchGetItem 1",
		},
		{
			name: "unprocessed keys are asked for again",
			fake: &fake{items: many(1, 5), unprocessed: func(n, keys int) int { return keys - 2 }},
			plan: access.Plan{Op: access.BatchGetItem, Keys: []access.KeyCond{full("a", 4), full("a", 3), full("a", 2), full("a", 1)}, Ordered: true},
			want: "a4 a3 a2 a1", calls: "BatchGetItem 2",
		},
		{
			name: "an index is completed in its order",
			fake: &fake{items: many(1, 3), perPage: 2},
			plan: access.Plan{Op: access.Query, Index: "by", Keys: []access.KeyCond{hash("a")}, Complete: true, Reverse: true, Ordered: true},
			want: "a2 a1 a0", calls: "BatchGetItem 2 Query 2",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, st := run(t.Context(), t, tt.fake, tt.plan, Limits{})
				if got.err != nil || got.list() != tt.want {
					t.Errorf("rows %s, %v\nwant %s", got.list(), got.err, tt.want)
				}
				if calls := requests(st); calls != tt.calls {
					t.Errorf("requests %q, want %q", calls, tt.calls)
				}
			})
		})
	}
}

// requests are the statement's requests as text, in the order of actions.
func requests(st *Statement) string {
	var parts []string
	for action, n := range st.Usage().Requests {
		parts = append(parts, fmt.Sprintf("%s %d", action, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func TestScanSegmentsReadEveryItemOnce(t *testing.T) {
	f := &fake{items: many(26, 40), perPage: 7}
	four := make(chan struct{})
	f.before = func(ctx context.Context, _ string, n int) error {
		if n == 4 {
			close(four)
		}
		<-four // hangs unless four requests run at a time
		return nil
	}
	checkGoroutines(t)
	got, st := run(t.Context(), t, f, access.Plan{Op: access.Scan, Table: sized(100 << 20)}, Limits{})
	if got.err != nil || !slices.Equal(sorted(got.names), sorted(namesOf(f.items))) {
		t.Fatalf("%d rows, %v; want %d, each once", len(got.names), got.err, len(f.items))
	}
	u := st.Usage()
	if u.Items != 1040 || u.Returned != 1040 || u.ReadUnits != 1040 {
		t.Errorf("usage %+v, want 1040 items and read units", u)
	}
}

// TestRequestsInFlight holds each request until as many as may are in flight,
// and a while after that would show one more.
func TestRequestsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(26, 40), perPage: 3}
		f.before = func(ctx context.Context, _ string, n int) error { return sleep(ctx, time.Second) }
		r := New(f, Options{Requests: 5})
		if got := runOn(t.Context(), t, r, access.Plan{Op: access.Scan, Table: sized(100 << 20)}, NewStatement(Limits{})); got.err != nil {
			t.Fatal(got.err)
		}
		if f.most != 5 {
			t.Errorf("%d requests at a time, want 5", f.most)
		}
	})
}

// TestSegmentsTakeTurns: when the first segment is at its end no other is far
// behind, so that none is read alone at last.
func TestSegmentsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(16, 40), perPage: 5} // a segment has one hash key
		f.before = func(ctx context.Context, _ string, n int) error { return sleep(ctx, time.Second) }
		r := New(f, Options{Requests: 4})
		got := runOn(t.Context(), t, r, access.Plan{Op: access.Scan, Table: sized(100 << 20)}, NewStatement(Limits{}))
		if got.err != nil || len(got.names) != 16*40 {
			t.Fatalf("%d rows, %v", len(got.names), got.err)
		}
		rows := map[byte]int{}
		for _, n := range got.names {
			if rows[n[0]]++; rows[n[0]] == 40 {
				break
			}
		}
		for h := byte('a'); h <= 'p'; h++ {
			if rows[h] < 30 {
				t.Errorf("segment of %c at %d of 40 items", h, rows[h])
			}
		}
	})
}

// TestAnswersFreeTheirPlace: the next request leaves before an answer is
// decoded, which takes processor time, and not when it has failed.
func TestAnswersFreeTheirPlace(t *testing.T) {
	j := newJob(New(&fake{}, Options{}), access.Plan{Op: access.Scan, Table: table}, NewStatement(Limits{}))
	batch := page.NewBatch(j.columns)
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"answer", nil, "sent came 0 rows"},
		{"failure", errors.New("no"), "sent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var events []string
			q := request{
				send: func(context.Context, ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error) {
					events = append(events, "sent")
					return []ddb.Item{item("a", 1)}, page.Answer{}, tt.err
				},
				came: func() { events = append(events, "came", fmt.Sprint(batch.Rows()), "rows") },
			}
			if _, err := j.send(t.Context(), q, j.newReply(), batch); err != tt.err {
				t.Fatal(err)
			}
			if got := strings.Join(events, " "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestQueriesOfManyKeys(t *testing.T) {
	f := &fake{items: many(26, 10), perPage: 3}
	var keys []access.KeyCond
	for h := range 26 {
		keys = append(keys, hash(string(rune('a'+h))))
	}
	for _, merged := range []bool{false, true} {
		got, _ := run(t.Context(), t, f, access.Plan{Op: access.Query, Keys: keys, Merge: merged, Ordered: merged}, Limits{})
		if got.err != nil || !slices.Equal(sorted(got.names), sorted(namesOf(f.items))) {
			t.Errorf("merged %v: %d rows, %v; want %d, each once", merged, len(got.names), got.err, len(f.items))
		}
	}
	if f.most > queryWorkers {
		t.Errorf("%d requests at a time, want at most %d", f.most, queryWorkers)
	}
}

func TestBatchGetItemInHundreds(t *testing.T) {
	f := &fake{items: many(1, 1000)}
	var keys []access.KeyCond
	for sk := range 950 {
		keys = append(keys, full("a", 949-sk))
	}
	got, st := run(t.Context(), t, f, access.Plan{Op: access.BatchGetItem, Keys: keys, Ordered: true}, Limits{})
	if got.err != nil || len(got.names) != 950 || got.names[0] != "a949" || got.names[949] != "a0" {
		t.Errorf("%d rows, %v; want a949 to a0", len(got.names), got.err)
	}
	if r := requests(st); r != "BatchGetItem 10" {
		t.Errorf("requests %s, want 10", r)
	}
}

func TestCount(t *testing.T) {
	f := &fake{items: many(2, 5), perPage: 2}
	for _, tt := range []struct {
		name string
		plan access.Plan
		want int64
	}{
		{"one key", access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}, Count: true}, 5},
		{"two keys", access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a"), hash("b")}, Count: true}, 10},
		{"segments", access.Plan{Op: access.Scan, Count: true, Table: sized(50 << 20)}, 10},
		{"limit", access.Plan{Op: access.Scan, Count: true, Limit: 3}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := run(t.Context(), t, f, tt.plan, Limits{})
			if got.err != nil || got.count != tt.want || len(got.names) != 0 {
				t.Errorf("%d rows, %v; want %d and no items", got.count, got.err, tt.want)
			}
		})
	}
}

func TestOpenSendsNothing(t *testing.T) {
	f := &fake{items: many(1, 5)}
	checkGoroutines(t)
	r := New(f, Options{})
	s, err := r.Open(t.Context(), access.Plan{Op: access.Scan, Table: sized(50 << 20)}, NewStatement(Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.total(); n != 0 {
		t.Errorf("%d calls before the first Next", n)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := s.NextBatch(); err != io.EOF {
		t.Errorf("NextBatch after Close: %v, want EOF", err)
	}
}

func TestCloseEndsWorkers(t *testing.T) {
	for _, p := range []access.Plan{
		{Op: access.Scan, Table: sized(50 << 20)},
		{Op: access.Query, Table: table, Keys: []access.KeyCond{hash("a"), hash("b"), hash("c")}},
		{Op: access.Query, Table: table, Keys: []access.KeyCond{hash("a"), hash("b"), hash("c")}, Merge: true},
		{Op: access.Query, Table: table, Index: "by", Keys: []access.KeyCond{hash("a")}, Complete: true},
		{Op: access.BatchGetItem, Table: table, Keys: []access.KeyCond{full("a", 1), full("a", 2)}},
	} {
		t.Run(p.Op.String(), func(t *testing.T) {
			checkGoroutines(t)
			s, err := New(&fake{items: many(20, 50), perPage: 3}, Options{}).Open(t.Context(), p, NewStatement(Limits{}))
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := s.NextBatch(); err != nil {
				t.Fatal(err)
			}
			s.Close()
			s.Close()
		})
	}
}

func TestCancelStopsRequests(t *testing.T) {
	checkGoroutines(t)
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{items: many(26, 100), perPage: 3}
	f.before = func(ctx context.Context, _ string, n int) error {
		if n == 20 {
			cancel()
		}
		if n > 20 {
			<-ctx.Done()
		}
		return ctx.Err()
	}
	got, _ := run(ctx, t, f, access.Plan{Op: access.Scan, Table: sized(100 << 20)}, Limits{})
	if !errors.Is(got.err, context.Canceled) {
		t.Errorf("error %v, want canceled", got.err)
	}
	if n := f.total(); n > 20+32 {
		t.Errorf("%d requests after the cancellation", n-20)
	}
}
