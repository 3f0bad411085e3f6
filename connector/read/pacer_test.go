package read

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// parallel runs the plan on the reader in n statements at a time and returns
// their accounts.
func parallel(t *testing.T, r *Reader, n int, l Limits, plan func(i int) access.Plan) []*Statement {
	t.Helper()
	var wg sync.WaitGroup
	statements := make([]*Statement, n)
	for i := range n {
		statements[i] = NewStatement(l)
		wg.Go(func() {
			if o := runOn(t.Context(), t, r, plan(i), statements[i]); o.err != nil {
				t.Errorf("statement %d: %v", i, o.err)
			}
		})
	}
	wg.Wait()
	return statements
}

func provisionedAt(rate int64) *schema.Table {
	t := *sized(64 << 20)
	t.ReadUnits = rate
	return &t
}

func TestPacerKeepsParallelStatementsUnderTheRate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		table  *schema.Table
		limits Limits
		rate   float64 // expected
	}{
		{"read units a second", sized(64 << 20), Limits{ReadUnitsPerSecond: 100}, 100},
		{"half of the provisioned rate", provisionedAt(200), Limits{}, 100},
		{"a tenth of the provisioned rate", provisionedAt(1000), Limits{RatePercent: 10}, 100},
		{"the lower of the two", provisionedAt(1000), Limits{ReadUnitsPerSecond: 100}, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{items: many(8, 500), perItem: 1, rate: tt.table.ReadUnits}
				started := time.Now()
				var used []float64 // at each request, of all before
				var at []time.Duration
				all := parallel(t, New(&observed{f, func(units float64) {
					used, at = append(used, units), append(at, time.Since(started))
				}}, Options{Jitter: half}), 8, tt.limits, func(i int) access.Plan {
					return access.Plan{Op: access.Query, Table: tt.table, Keys: []access.KeyCond{hash(string(rune('a' + i)))}}
				})
				for i, u := range used {
					if most := tt.rate*at[i].Seconds() + tt.rate*pageShare; u > most {
						t.Errorf("%v read units after %v, want at most %v", u, at[i], most)
						break
					}
				}
				total := 0.0
				for _, st := range all {
					total += st.Usage().ReadUnits
				}
				if got := total / time.Since(started).Seconds(); total != 4000 || got < 0.9*tt.rate || got > 1.1*tt.rate {
					t.Errorf("%v read units at %.1f a second, want 4000 at %v", total, got, tt.rate)
				}
			})
		})
	}
}

// observed tells how many read units were consumed before each Query.
type observed struct {
	*fake
	tell func(before float64)
}

func (o *observed) Query(ctx context.Context, in *queryInput, opts ...func(*options)) (*queryOutput, error) {
	o.mu.Lock()
	o.tell(o.consumed)
	o.mu.Unlock()
	return o.fake.Query(ctx, in, opts...)
}

func TestPacerSeesAutoScaling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(1, 3000), rate: 100} // by now; the catalog has seen 10
		started := time.Now()
		got, st := run(t.Context(), t, f, access.Plan{Op: access.Query, Table: provisionedAt(10), Keys: []access.KeyCond{hash("a")}}, Limits{})
		// 5 units a second for the first minute, 50 from then on
		want := time.Minute + 2700*time.Second/50
		if d := time.Since(started); got.err != nil || d < want*9/10 || d > want*11/10 {
			t.Errorf("%d rows in %v, %v; want about %v", len(got.names), d, got.err, want)
		}
		if n := st.Usage().Requests["DescribeTable"]; n != 1 {
			t.Errorf("%d DescribeTable, want 1", n)
		}
	})
}

// A table on demand that can serve 300 read units a second says so by
// throttling only.
func TestPacerLearnsFromThrottling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const capacity = 300
		f := &fake{items: many(26, 400), perPage: 50}
		var mu sync.Mutex
		left, last := float64(capacity), time.Now()
		f.before = func(context.Context, string, int) error {
			mu.Lock()
			defer mu.Unlock()
			left = min(capacity, left+capacity*time.Since(last).Seconds())
			last = time.Now()
			if left < 0 {
				return throttle()
			}
			left -= 50
			return nil
		}
		started := time.Now()
		got, st := run(t.Context(), t, f, access.Plan{Op: access.Scan, Table: sized(64 << 20)}, Limits{})
		rate := 10400 / time.Since(started).Seconds()
		if got.err != nil || len(got.names) != 10400 {
			t.Fatalf("%d rows, %v", len(got.names), got.err)
		}
		if u := st.Usage(); rate < 0.6*capacity || u.Throttles == 0 || u.Throttles > u.Requests["Scan"]/2 {
			t.Errorf("%.0f read units a second, %d of %d requests throttled", rate, u.Throttles, u.Requests["Scan"])
		}
	})
}

func TestPageLimitFollowsTheRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{items: many(1, 100)}
		got, st := run(t.Context(), t, f, access.Plan{Op: access.Query, Table: provisionedAt(20), Keys: []access.KeyCond{hash("a")}}, Limits{})
		if got.err != nil || len(got.names) != 100 {
			t.Fatalf("%d rows, %v", len(got.names), got.err)
		}
		// 10 units a second and pages of half a second: 5 items, when it is known
		// that an item takes a unit.
		if n := st.Usage().Requests["Query"]; n < 15 || n > 22 {
			t.Errorf("%d requests", n)
		}
	})
}
