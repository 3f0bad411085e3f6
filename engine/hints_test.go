package engine_test

import (
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine"
)

func orders() fixture {
	return fixture{
		name: "Orders", hash: "pk:S", sort: "sk:S", indexes: []string{"by-status status:S", "by-day day:S"},
		items: []string{
			`{"pk":{"S":"a"},"sk":{"S":"1"},"status":{"S":"open"},"day":{"S":"mon"},"total":{"N":"10"}}`,
			`{"pk":{"S":"a"},"sk":{"S":"2"},"status":{"S":"sent"},"day":{"S":"mon"},"total":{"N":"20"}}`,
			`{"pk":{"S":"b"},"sk":{"S":"1"},"status":{"S":"open"},"day":{"S":"tue"},"total":{"N":"30"}}`,
		},
	}
}

// TestIndexHints holds USE, FORCE and IGNORE INDEX to what they say: the first
// line of the plan names what is read.
func TestIndexHints(t *testing.T) {
	s := sessionOver(t, orders())
	for _, tt := range []struct{ name, from, where, want string }{
		{"no hint", "Orders", "status = 'open' AND day = 'mon'", "Query Orders, index by-status"},
		{"force", "Orders FORCE INDEX (`by-day`)", "status = 'open' AND day = 'mon'", "Query Orders, index by-day"},
		{"use", "Orders o USE INDEX (`by-day`)", "o.status = 'open' AND o.day = 'mon'", "Query Orders, index by-day"},
		{"ignore", "Orders IGNORE INDEX (`by-status`)", "status = 'open' AND day = 'mon'", "Query Orders, index by-day"},
		{"case", "orders FORCE INDEX (`BY-DAY`)", "status = 'open' AND day = 'mon'", "Query Orders, index by-day"},
		{"the table itself", "Orders FORCE INDEX (`PRIMARY`)", "status = 'open'", "Scan Orders"},
		{"database and table", "dynamodb.Orders FORCE INDEX (`by-day`)", "day = 'mon'", "Query Orders, index by-day"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := strings.Join(mustAnswer(t, s, "EXPLAIN SELECT total FROM "+tt.from+" WHERE "+tt.where), "\n")
			if !strings.Contains(plan, tt.want+"\n") {
				t.Errorf("want %q in\n%s", tt.want, plan)
			}
		})
	}
}

func TestIndexHintRefused(t *testing.T) {
	s := sessionOver(t, orders())
	for _, query := range []string{
		"SELECT pk FROM Orders FORCE INDEX (nope) WHERE status = 'open'",
		"SELECT pk FROM Orders USE INDEX (nope) WHERE status = 'open'",
		"SELECT pk FROM Orders IGNORE INDEX (nope) WHERE status = 'open'",
	} {
		_, err := answer(s, query)
		if err == nil || !strings.Contains(err.Error(), `index "nope" cannot be used: there is no index of that name`) {
			t.Errorf("%s: %v", query, err)
		}
	}
	_, err := answer(s, "SELECT pk FROM Ordrs FORCE INDEX (x)")
	if err == nil || err.Error() != "table 'Ordrs' does not exist" {
		t.Errorf("a hint on a table that does not exist: %v", err)
	}
}

func mustAnswer(t *testing.T, s *engine.Session, query string) []string {
	t.Helper()
	got, err := answer(s, query)
	if err != nil {
		t.Fatalf("%s\n%v", query, err)
	}
	return got
}
