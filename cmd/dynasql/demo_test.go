package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/cmd/dynasql/demo"
)

// Each question of the greeting has an answer, and is read the way its title
// says.
func TestDemoQuestions(t *testing.T) {
	operations := []string{"Scan", "GetItem", "Query", "Scan", ""}
	for i, q := range demo.Questions() {
		t.Run(q.Title, func(t *testing.T) {
			got := runProgram(t, "", "demo", "--stats", "--format", "jsonl", "-e", q.SQL)
			if got.status != statusFine || got.stdout == "" {
				t.Fatalf("%s\n%s", q.SQL, got)
			}
			var stats struct{ Plan []struct{ Operation string } }
			if err := json.Unmarshal([]byte(got.stderr), &stats); err != nil {
				t.Fatalf("stderr is no JSON line: %v\n%s", err, got.stderr)
			}
			if want := operations[i]; want != "" && (len(stats.Plan) != 1 || stats.Plan[0].Operation != want) {
				t.Errorf("%s\nplan %v, want one %s", q.SQL, stats.Plan, want)
			}
		})
	}
}

// What newcomers try next has interesting answers too.
func TestDemoAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, sql string
		want      []string
	}{
		{
			"customers without an order",
			"SELECT COUNT(*) AS n FROM customers c LEFT JOIN shop o ON o.customer_id = c.customer_id AND o.entity = 'order' WHERE o.pk IS NULL",
			[]string{"n", "71"},
		},
		{
			"rank by month with a window function",
			"SELECT month, revenue, RANK() OVER (ORDER BY revenue DESC) AS place FROM (SELECT SUBSTR(placed_at, 1, 7) AS month, SUM(total) AS revenue FROM shop WHERE entity = 'order' GROUP BY SUBSTR(placed_at, 1, 7)) m ORDER BY place LIMIT 2",
			[]string{"month\trevenue\tplace", "2026-10\t2045.41\t1", "2025-12\t1765.64\t2"},
		},
		{
			"the sparse index holds open work only",
			"SELECT status, COUNT(*) AS n FROM `shop.worklist` GROUP BY status ORDER BY status",
			[]string{"status\tn", "open\t3", "packed\t5", "placed\t4", "shipped\t11"},
		},
		{
			"38 digits stay",
			"SELECT lot FROM products WHERE sku = 'GRN-SEN-01'",
			[]string{"lot", "91895614969163161818800366130861419319"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := runProgram(t, "", "demo", "-q", "-e", tt.sql)
			lines := strings.Split(strings.TrimRight(got.stdout, "\n"), "\n")
			if got.status != statusFine || !slices.Equal(lines, tt.want) {
				t.Errorf("%s\n%s\nwant %q", tt.sql, got, tt.want)
			}
		})
	}
}
