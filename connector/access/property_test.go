package access

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var (
	seed   = flag.Uint64("seed", 1, "first seed of the random plans")
	worlds = flag.Int("worlds", 1500, "number of random tables, with 8 requests each")
)

// TestRandomPlans holds plans to their contract on random tables and requests:
// what a plan reads and the residual predicates leave is what all predicates
// leave of all items; rows come in the order promised; DynamoDB takes the
// requests.
func TestRandomPlans(t *testing.T) {
	served := map[string]int{}
	for i := range *worlds {
		n := *seed + uint64(i)
		w := newWorld(rand.New(rand.NewPCG(n, 0)))
		for range 8 {
			req := w.request()
			p, err := Choose(req)
			if err != nil {
				if req.Index == "" {
					t.Fatalf("seed %d: %v", n, err)
				}
				continue
			}
			count(served, &p)
			if fault := w.judge(&req, &p); fault != "" {
				t.Fatalf("seed %d: %s\n%s\n%s", n, fault, requestText(&req), strings.Join(p.Tree(), "\n"))
			}
		}
	}
	for _, what := range []string{"Nothing", "GetItem", "BatchGetItem", "Query", "Scan", "merge", "complete",
		"fetch", "ordered", "order in part", "limit", "count", "filter", "reverse", "nothing residual", "index scan"} {
		if served[what] < *worlds/100 {
			t.Errorf("%q came only %d times", what, served[what])
		}
	}
}

func count(served map[string]int, p *Plan) {
	for what, is := range map[string]bool{
		p.Op.String(): true, "merge": p.Merge, "complete": p.Complete, "fetch": p.Fetch,
		"ordered": p.Ordered && p.Op == Query, "order in part": !p.Ordered && p.OrderPrefix > 0,
		"limit": p.Limit > 0, "count": p.Count && p.Op != Nothing, "filter": p.Filter != nil, "reverse": p.Reverse,
		"nothing residual": len(p.Residual) == 0 && len(p.Request.Where) > 1,
		"index scan":       p.Op == Scan && p.Index != "" && p.Request.Index == "",
	} {
		if is {
			served[what]++
		}
	}
}

// judge runs the plan and tells what is wrong with it.
func (w *world) judge(req *Request, p *Plan) string {
	s := &store{table: w.table, items: w.items, rnd: w.Rand}
	want := slices.DeleteFunc(slices.Clone(s.held(req.Index)), func(it item) bool { return !req.wants(it, req.everything()) })
	read := s.run(p)
	if s.fault != "" {
		return "refused: " + s.fault
	}
	if p.Limit > 0 && len(p.Residual)+req.Opaque > 0 {
		return "limit in spite of residual predicates"
	}
	if p.Count {
		if len(read) != len(want) {
			return fmt.Sprintf("counted %d of %d", len(read), len(want))
		}
		return ""
	}
	got := slices.DeleteFunc(read, func(it item) bool { return !req.wants(it, p.Residual) })
	if req.Count && len(got) == len(want) {
		return ""
	}
	if fault := w.inOrder(req.Order[:p.OrderPrefix], got); fault != "" {
		return fault
	}
	if req.Limit == 0 {
		return sameRows(req.rows(got), req.rows(want))
	}
	return w.limited(req, p, got, want)
}

func (req *Request) everything() []int {
	at := make([]int, len(req.Where))
	for i := range at {
		at[i] = i
	}
	return at
}

// wants applies the conjuncts at the given positions and the one that only the
// engine knows.
func (req *Request) wants(it item, at []int) bool {
	for i := range req.Where {
		if slices.Contains(at, i) && sqlEval(&req.Where[i], it) != yes {
			return false
		}
	}
	return req.Opaque == 0 || len(fmt.Sprint(it["d"]))%2 == 0
}

func (w *world) inOrder(order []Order, rows []item) string {
	if !slices.IsSortedFunc(rows, func(a, b item) int { return w.sqlCompare(order, a, b) }) {
		return fmt.Sprintf("rows are not in order of %v: %v", order, rows)
	}
	return ""
}

func sameRows(got, want []string) string {
	if slices.Equal(got, want) {
		return ""
	}
	return fmt.Sprintf("rows differ:\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
}

// limited checks rows under a LIMIT: as many as there should be, each of them
// wanted, and those that come first.
func (w *world) limited(req *Request, p *Plan, got, want []item) string {
	byOrder := func(a, b item) int { return w.sqlCompare(req.Order, a, b) }
	if !p.Ordered {
		slices.SortStableFunc(got, byOrder)
	}
	slices.SortStableFunc(want, byOrder)
	n := min(int(req.Limit), len(want))
	if len(got) < n {
		return fmt.Sprintf("%d rows of %d", len(got), n)
	}
	got = got[:n]
	for i := range got {
		if byOrder(got[i], want[i]) != 0 {
			return fmt.Sprintf("row %d is %v instead of %v", i, got[i], want[i])
		}
	}
	all := req.rows(want)
	for _, row := range req.rows(got) {
		at, ok := slices.BinarySearch(all, row)
		if !ok {
			return "not wanted: " + row
		}
		all = slices.Delete(all, at, at+1)
	}
	return ""
}

func requestText(req *Request) string {
	where := make([]string, len(req.Where))
	for i := range req.Where {
		where[i] = req.Where[i].String()
	}
	return fmt.Sprintf("table %+v %+v\nindex %q where %s order by %v limit %d columns %v all %v opaque %d",
		req.Table.Key, req.Table.Indexes, req.Index, strings.Join(where, " AND "), req.Order, req.Limit, req.Columns, req.All, req.Opaque)
}
