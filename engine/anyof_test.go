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
	s := sessionOver(t, contacts(), few())
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
		// on the right side of a join
		{"SELECT f.k, t.kind FROM few f JOIN contacts t WHERE t.id = 'i3' OR t.mail = 'm7' ORDER BY 1, 2", 3, true},
		{"SELECT f.k, t.id FROM few f LEFT JOIN contacts t ON f.part = t.age AND (t.id = 'i3' OR t.mail = 'm7') ORDER BY 1, 2", 3, true},
		{"SELECT a.id, t.id FROM contacts a LEFT JOIN contacts t ON t.age + 1 = a.age AND (t.id = 'i5' OR t.mail = 'm7') WHERE a.id = 'i5' ORDER BY 1, 2", 4, true},
		{"SELECT f.k, t.id FROM few f JOIN contacts t ON t.note > f.k WHERE (t.id = 'i3' OR t.mail = 'm7') AND f.k = 'v' ORDER BY 1, 2", 3, true},
		{"SELECT f.k FROM few f WHERE EXISTS (SELECT 1 FROM contacts t WHERE t.age > f.part AND (t.id = 'i3' OR t.mail = 'm7')) ORDER BY 1", 3, true},
		{"SELECT f.k FROM few f WHERE f.part NOT IN (SELECT t.kind FROM contacts t WHERE t.id = 'i3' OR t.mail = 'm7') ORDER BY 1", 3, true},
		{"SELECT f.k FROM few f WHERE f.part IN (SELECT t.age FROM contacts t WHERE t.id = 'i0' OR t.mail = 'm7') ORDER BY 1", 3, true},
		// by the key of the left side, which takes less than the alternatives
		{"SELECT f.k, t.age FROM few f JOIN contacts t ON t.id = f.owner WHERE f.k = 'x' AND (t.mail = 'm6' OR t.city = 'c7' OR t.city = 'c8') ORDER BY 1, 2", 1.5, true},
		{"SELECT f.k FROM few f WHERE f.k = 'x' AND f.owner NOT IN (SELECT t.id FROM contacts t WHERE t.city = 'c7' OR t.city = 'c8' OR t.mail = 'm6') ORDER BY 1", 6, true},
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
	const keyed = "EXPLAIN SELECT f.k, t.age FROM few f JOIN contacts t ON t.id = f.owner WHERE f.k = 'x' AND (t.mail = 'm6' OR t.city = 'c7')"
	if plan := strings.Join(mustAnswer(t, s, keyed), "\n"); !strings.Contains(plan, "join      by id of the rows on the left") {
		t.Error(plan)
	}
}

// TestAlternativesByKeysOfTheLeftSide reads the right side of a join on an OR by
// the keys that the left side has for each alternative.
func TestAlternativesByKeysOfTheLeftSide(t *testing.T) {
	s := sessionOver(t, contacts(), few())
	for query, most := range map[string]float64{
		"SELECT a.kind, t.id, t.kind FROM contacts a JOIN contacts t ON t.id = a.id OR t.mail = a.mail WHERE a.id = 'i3'":                                                4,
		"SELECT a.kind, t.id, t.kind FROM contacts a JOIN contacts t ON t.mail = a.mail AND t.kind = 1 OR t.id = a.note OR t.city = a.id WHERE a.id = 'i3'":              4,
		"SELECT a.kind, t.id FROM contacts a LEFT JOIN contacts t ON t.id = a.note OR t.mail = a.mail WHERE a.id = 'i3'":                                                 4,
		"SELECT a.kind FROM contacts a WHERE a.id = 'i3' AND EXISTS (SELECT 1 FROM contacts t WHERE t.id = a.note OR t.mail = a.mail AND t.id <> a.id)":                  4,
		"SELECT a.kind FROM contacts a WHERE a.id = 'i3' AND NOT EXISTS (SELECT 1 FROM contacts t WHERE t.id = a.note OR t.mail = a.mail)":                               4,
		"SELECT f.k, t.id FROM contacts t JOIN few f ON t.id = f.owner OR t.mail = f.ref":                                                                                4,
		"SELECT f.k, t.id FROM few f JOIN contacts t ON t.id = f.owner OR t.mail = f.ref WHERE f.k = 'none'":                                                             1,
		"SELECT f.k, t.id FROM few f JOIN contacts t ON t.id = f.owner OR t.age = f.part":                                                                                99,
		"SELECT COUNT(*) FROM contacts a JOIN contacts t ON t.id = a.id OR t.mail = a.mail":                                                                              99,
		"SELECT COUNT(*) FROM (SELECT a.id FROM contacts a JOIN contacts t ON t.kind = a.kind AND (t.id = a.id OR t.mail = a.mail) WHERE a.id = 'i3' LIMIT 2) d":         4,
		"SELECT a.kind, t.id, f.k FROM contacts a JOIN contacts t ON t.id = a.note OR t.mail = a.mail LEFT JOIN few f ON f.k = t.note OR f.ref = t.id WHERE a.id = 'i3'": 5,
	} {
		mustAnswer(t, s, "SET ddb_pushdown = 0")
		want, _ := readUnits(t, s, query)
		mustAnswer(t, s, "SET ddb_pushdown = 1")
		got, units := readUnits(t, s, query)
		if fmt.Sprint(got) != fmt.Sprint(want) || units > most {
			t.Errorf("%s: %v read units\n got %q\nwant %q", query, units, got, want)
		}
	}
	const explained = "EXPLAIN SELECT f.k, t.id FROM few f LEFT JOIN contacts t ON t.id = f.owner OR t.mail = f.ref"
	if plan := strings.Join(mustAnswer(t, s, explained), "\n"); !strings.Contains(plan, "join      by id or mail of the rows on the left") {
		t.Error(plan)
	}
}
