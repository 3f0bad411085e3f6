package engine_test

import (
	"fmt"
	"strings"
	"testing"
)

// contacts have an index on their mail and one on their city.
func contacts() fixture {
	f := fixture{name: "contacts", hash: "id:S", sort: "kind:N", indexes: []string{"by-mail mail:S", "by-city city:S age:N"}}
	for n := range 400 {
		mail := fmt.Sprintf(`,"mail":{"S":"m%d"}`, n%200)
		if n%7 == 0 {
			mail = ""
		}
		f.items = append(f.items, fmt.Sprintf(`{"id":{"S":"i%d"},"kind":{"N":"%d"},"city":{"S":"c%d"},"age":{"N":"%d"},"note":{"S":"%s"}%s}`,
			n/2, n%2, n%50, n%90, strings.Repeat("x", 600), mail))
	}
	return f
}

func TestAlternativesByTheirOwnKeys(t *testing.T) {
	s := sessionOver(t, contacts())
	for _, tt := range []struct {
		query string
		units float64 // at most
		any   bool
	}{
		{"SELECT id, kind FROM contacts WHERE id = 'i3' OR mail = 'm7'", 2.5, true},
		{"SELECT id, kind FROM contacts WHERE id = 'i3' OR mail = 'm6' OR mail = 'm8'", 4, true},
		{"SELECT * FROM contacts WHERE (id = 'i3' AND kind = 1) OR (city = 'c7' AND age > 50)", 2.5, true},
		{"SELECT age FROM contacts WHERE (id = 'i3' OR mail = 'm7') AND age > 5 ORDER BY age DESC", 2.5, true},
		{"SELECT COUNT(*), MAX(age), MIN(id) FROM contacts WHERE id = 'i3' OR city = 'c7'", 4, true},
		{"SELECT COUNT(*) FROM contacts WHERE id = 'i3' OR city = 'c7'", 4, true},
		{"SELECT MAX(age) FROM contacts WHERE id = 'i3' OR city = 'c7'", 4, true},
		{"SELECT DISTINCT id FROM contacts WHERE id = 'i3' OR id = 'i3' AND city = 'c7' OR mail = 'm7'", 4, true},
		{"SELECT COUNT(*) FROM (SELECT id FROM contacts WHERE id = 'i3' OR city = 'c7' LIMIT 5) d", 4, true},
		{"SELECT a.id, b.kind FROM contacts a JOIN contacts b ON a.id = b.id WHERE a.id = 'i3' OR a.mail = 'm7'", 6, true},
		{"SELECT id FROM contacts WHERE id = 'i3' AND kind = 9 OR mail = 'm7'", 2.5, true},
		{"SELECT id FROM contacts WHERE id = 'i3' OR age = 7", 999, false},
		{"SELECT id FROM contacts WHERE id = 'i3' OR city <> 'c7'", 999, false},
		{"SELECT id FROM contacts WHERE id = 'i3' OR mail IS NULL", 999, false},
		{"SELECT id FROM contacts WHERE NOT (id = 'i3' OR mail = 'm7')", 999, false},
	} {
		mustAnswer(t, s, "SET ddb_pushdown = 0")
		want, _ := readUnits(t, s, tt.query)
		mustAnswer(t, s, "SET ddb_pushdown = 1")
		got, units := readUnits(t, s, tt.query)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s\n got %q\nwant %q", tt.query, got, want)
		}
		if units > tt.units {
			t.Errorf("%s took %v read units", tt.query, units)
		}
		plan := strings.Join(mustAnswer(t, s, "EXPLAIN "+tt.query), "\n")
		if strings.Contains(plan, "AnyOf") != tt.any {
			t.Errorf("%s\n%s", tt.query, plan)
		}
	}
	for line := range strings.Lines(strings.Join(mustAnswer(t, s, "EXPLAIN SELECT id FROM contacts WHERE id = 'i3' OR mail = 'm7' LIMIT 3"), "\n")) {
		t.Log(strings.TrimSuffix(line, "\n"))
	}
}
