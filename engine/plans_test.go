package engine_test

import (
	"strings"
	"testing"
)

// Plans show expressions as they are written, and what has to stay with the
// engine stays there.
func TestPlansOfFunctions(t *testing.T) {
	s := sessionOver(t, numbersAndTexts())
	for _, tt := range []struct{ where, want string }{
		{"n & 1 = 1 AND id = 'a'", "(nums.n & 1)"},
		{"EXTRACT(DAY FROM s) = 5", "EXTRACT(DAY FROM nums.s)"},
		{"1 MEMBER OF(s)", "1 MEMBER OF(nums.s)"},
		{"INTERVAL(n, 1, 2) = 1", "INTERVAL(nums.n,1,2)"},
		{"n > ALL (SELECT 1)", "nums.n > ALL"},
		{"id REGEXP '^a'", "regexp_like(nums.id,'^a')"},
	} {
		lines, err := answer(s, "EXPLAIN SELECT id FROM nums WHERE "+tt.where)
		if err != nil {
			t.Errorf("%s: %v", tt.where, err)
			continue
		}
		if plan := strings.Join(lines, "\n"); !strings.Contains(plan, tt.want) {
			t.Errorf("%s: the plan lacks %q\n%s", tt.where, tt.want, plan)
		}
	}
}
