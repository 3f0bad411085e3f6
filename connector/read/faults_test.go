package read

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/internal/ddb"
)

func TestThrottledPageIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(1, 10), perPage: 2}
		f.before = func(_ context.Context, _ string, n int) error {
			if n >= 3 && n < 6 {
				return throttle()
			}
			return nil
		}
		got, st := run(t.Context(), t, f, access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}}, Limits{})
		if got.err != nil || got.list() != "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9" {
			t.Errorf("rows %s, %v", got.list(), got.err)
		}
		if u := st.Usage(); u.Throttles != 3 || u.Retries != 3 || u.Requests["Query"] != 8 || u.ReadUnits != 10 {
			t.Errorf("usage %+v, want 3 throttles, 8 requests", u)
		}
	})
}

func TestThrottledForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(1, 10), before: func(context.Context, string, int) error { return throttle() }}
		started := time.Now()
		got, _ := run(t.Context(), t, f, access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}}, Limits{})
		if ddb.Classify(got.err) != ddb.Throttled || !strings.Contains(got.err.Error(), `Query on table "orders"`) {
			t.Errorf("error %v", got.err)
		}
		if d := time.Since(started); d < 20*time.Second || d > 3*time.Minute {
			t.Errorf("gave up after %v", d)
		}
	})
}

func TestOneSegmentThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(26, 40), perPage: 7}
		f.before = func(_ context.Context, _ string, n int) error {
			if n%8 == 3 {
				return throttle()
			}
			return nil
		}
		got, _ := run(t.Context(), t, f, access.Plan{Op: access.Scan, Table: sized(64 << 20)}, Limits{})
		if got.err != nil || strings.Join(sorted(got.names), " ") != strings.Join(sorted(namesOf(f.items)), " ") {
			t.Errorf("%d rows, %v; want %d, each once", len(got.names), got.err, len(f.items))
		}
	})
}

func TestRefusalsAreNotRepeated(t *testing.T) {
	api := func(code, message string) error { return &smithy.GenericAPIError{Code: code, Message: message} }
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"expired", api("ExpiredTokenException", "The security token included in the request is expired"), "the AWS credentials have expired"},
		{"table gone", &types.ResourceNotFoundException{Message: aws.String("Requested resource not found")}, `table "orders" does not exist`},
		{"index gone", api("ValidationException", "The table does not have the specified index: by"), `index "by" of table "orders" cannot be read`},
		{"denied", api("AccessDeniedException", "User: x is not authorized"), `access denied: Query on index "by" of table "orders"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{items: many(1, 10), perPage: 2}
			f.before = func(_ context.Context, _ string, n int) error {
				if n == 3 {
					return tt.err
				}
				return nil
			}
			got, _ := run(t.Context(), t, f, access.Plan{Op: access.Query, Index: "by", Keys: []access.KeyCond{hash("a")}}, Limits{})
			if got.err == nil || !strings.HasPrefix(got.err.Error(), tt.want) {
				t.Errorf("error %v\nwant %s", got.err, tt.want)
			}
			if f.total() != 3 || len(got.names) != 4 {
				t.Errorf("%d calls and %d rows, want 3 and 4", f.total(), len(got.names))
			}
		})
	}
}

func TestTransientFaultsAreRepeated(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
	}{
		{"server error", &types.InternalServerError{Message: aws.String("Internal server error")}},
		{"cut body", &ddb.BrokenBodyError{Err: io.ErrUnexpectedEOF}},
		{"reset", errors.New("read tcp: connection reset by peer")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{items: many(1, 6), perPage: 2}
				f.before = func(_ context.Context, _ string, n int) error {
					if n == 2 || n == 3 {
						return tt.err
					}
					return nil
				}
				got, _ := run(t.Context(), t, f, access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}}, Limits{})
				if got.err != nil || got.list() != "a0 a1 a2 a3 a4 a5" {
					t.Errorf("rows %s, %v", got.list(), got.err)
				}
			})
		})
	}
}

func TestHangingPageIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(1, 4), perPage: 2}
		f.before = func(ctx context.Context, _ string, n int) error {
			if n == 2 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		got, _ := run(t.Context(), t, f, access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}}, Limits{})
		if got.err != nil || got.list() != "a0 a1 a2 a3" {
			t.Errorf("rows %s, %v", got.list(), got.err)
		}
	})
}

func TestKeysLeftUnprocessedForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(1, 5), unprocessed: func(_, keys int) int { return keys }}
		got, st := run(t.Context(), t, f, access.Plan{Op: access.BatchGetItem, Keys: []access.KeyCond{full("a", 1), full("a", 2)}}, Limits{})
		var unread *UnreadError
		if !errors.As(got.err, &unread) || unread.Keys != 2 {
			t.Errorf("error %v, want 2 keys unread", got.err)
		}
		if st.Usage().Throttles == 0 {
			t.Error("not counted as throttles")
		}
	})
}

func TestMaxSecondsStopsWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(26, 40), perPage: 1}
		f.before = func(ctx context.Context, _ string, _ int) error { return sleep(ctx, 100*time.Millisecond) }
		started := time.Now()
		got, _ := run(t.Context(), t, f, access.Plan{Op: access.Scan, Table: sized(64 << 20)}, Limits{MaxSeconds: 2})
		var stopped *StoppedError
		if !errors.As(got.err, &stopped) || stopped.What != Seconds {
			t.Errorf("error %v, want stopped after 2 seconds", got.err)
		}
		if d := time.Since(started); d > 2100*time.Millisecond {
			t.Errorf("stopped after %v", d)
		}
	})
}

func TestReadUnitBudget(t *testing.T) {
	for _, tt := range []struct {
		name    string
		plan    access.Plan
		workers int
	}{
		{"query", access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}}, 1},
		{"scan", access.Plan{Op: access.Scan, Table: sized(256 << 20)}, 32 + runtime.GOMAXPROCS(0)},
		{"merge", access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a"), hash("b"), hash("c")}, Merge: true}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{items: many(26, 400), perPage: 5, perItem: 0.5}
			got, st := run(t.Context(), t, f, tt.plan, Limits{MaxReadUnits: 100})
			var stopped *StoppedError
			if !errors.As(got.err, &stopped) || stopped.What != ReadUnits {
				t.Fatalf("error %v, want stopped", got.err)
			}
			if used, most := st.Usage().ReadUnits, 100+2.5*float64(tt.workers); used < 100 || used > most {
				t.Errorf("%v read units, want 100 to %v", used, most)
			}
		})
	}
}

func TestRowsReadBudget(t *testing.T) {
	f := &fake{items: many(1, 1000)}
	got, st := run(t.Context(), t, f, access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}}, Limits{MaxRowsRead: 50})
	var stopped *StoppedError
	if !errors.As(got.err, &stopped) || stopped.What != Rows || st.Usage().Items != 50 {
		t.Errorf("error %v after %d items, want stopped after 50", got.err, st.Usage().Items)
	}
}

func TestRefusedBeforeTheFirstRequest(t *testing.T) {
	f := &fake{items: many(1, 10)}
	got, _ := run(t.Context(), t, f, access.Plan{Op: access.Scan, Cost: access.Cost{ReadUnits: 512695}}, Limits{MaxReadUnits: 100000})
	var refused *RefusedError
	if !errors.As(got.err, &refused) || f.total() != 0 {
		t.Fatalf("error %v after %d requests, want refused", got.err, f.total())
	}
	if got, want := got.err.Error(), `Scan of table "orders" refused: it would take about 512695 read units, and the limit is 100000`; got != want {
		t.Errorf("error %s\nwant  %s", got, want)
	}
	if got, want := refused.Hint(), "add a condition `pk` = ..., or raise the limit: SET ddb_max_rcu = 512695"; got != want {
		t.Errorf("hint %s\nwant %s", got, want)
	}
}

func TestStatementsAreRefusedAsAWhole(t *testing.T) {
	st := NewStatement(Limits{MaxReadUnits: 100})
	small := access.Plan{Op: access.Query, Table: table, Cost: access.Cost{ReadUnits: 45}}
	large := access.Plan{Op: access.Scan, Table: table, Cost: access.Cost{ReadUnits: 60.5}}
	if err := st.Admit(small, small); err != nil {
		t.Errorf("90 of 100 refused: %v", err)
	}
	err := st.Admit(small, large, access.Plan{Table: table, Cost: access.Cost{ReadUnits: 1000}})
	want := `Scan of table "orders" refused: it would take about 60.5 read units beside the statement's other 45, and the limit is 100`
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

func TestSampleReadsChosenSegments(t *testing.T) {
	for _, tt := range []struct {
		name   string
		sample Sample
		bytes  int64
		share  float64
	}{
		{"percent", Sample{Percent: 25}, 64 << 20, 0.25},
		{"rows", Sample{Rows: 100}, 8192 * 1000, 0.125},
		{"a few rows of much", Sample{Rows: 1}, 64 << 20, 1.0 / 64},
		{"more rows than there are", Sample{Rows: 1 << 40}, 64 << 20, 1},
		{"a small table", Sample{Percent: 1}, 1000, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{items: many(16, 64)}
			st := NewStatement(Limits{MaxReadUnits: 1e6})
			tab := sized(tt.bytes)
			s, err := New(f, Options{}).OpenSample(t.Context(), access.Plan{Op: access.Scan, Table: tab}, tt.sample, st)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for err == nil {
				_, _, err = s.NextBatch()
			}
			if got := float64(st.Usage().Items) / 1024; s.Share() != tt.share || got != tt.share {
				t.Errorf("share %v, read %v; want %v", s.Share(), got, tt.share)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	f := &fake{items: many(1, 10), perPage: 5}
	st := NewStatement(Limits{DollarsPerMillion: 0.25})
	p := access.Plan{Op: access.Query, Table: table, Keys: []access.KeyCond{hash("a")}, Cost: access.Cost{ReadUnits: 20}}
	s, err := New(f, Options{}).Open(t.Context(), p, st)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, _, err := s.NextBatch(); err != nil {
		t.Fatal(err)
	}
	if got := st.Progress(); got.Share != 0.25 || got.Items != 5 || got.Pages != 1 || got.Dollars != 5*0.25/1e6 {
		t.Errorf("after one page %+v", got)
	}
	for err == nil {
		_, _, err = s.NextBatch()
	}
	if got := st.Progress(); got.Share != 1 || got.Left != 0 {
		t.Errorf("at the end %+v", got)
	}
}

// TestProgressOfAWalk tells no share while a table is read from hash key to hash
// key: how many there are is a guess, and their order is not known.
func TestProgressOfAWalk(t *testing.T) {
	f := &fake{items: many(1, 10), perPage: 5}
	f.before = func(_ context.Context, _ string, n int) error {
		if n == 2 { // the table is then read on as usual, for the fake takes no keys but those of its items
			return &smithy.GenericAPIError{Code: "ValidationException", Message: "the start key"}
		}
		return nil
	}
	st := NewStatement(Limits{})
	s, err := New(f, Options{}).Open(t.Context(), access.Plan{Op: access.Scan, Walk: true, Table: table, Cost: access.Cost{ReadUnits: 20}}, st)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, _, err := s.NextBatch(); err != nil {
		t.Fatal(err)
	}
	if got := st.Progress(); got.Share != 0 || got.Left != 0 || got.Items == 0 {
		t.Errorf("after one page %+v", got)
	}
	for err == nil {
		_, _, err = s.NextBatch()
	}
	if got := st.Progress(); got.Share != 1 {
		t.Errorf("at the end %+v", got)
	}
}
