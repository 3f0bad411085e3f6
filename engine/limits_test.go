package engine_test

import (
	"errors"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/read"
)

// TestLargeLimits skips rows as MySQL's manual says, by a limit that no result
// reaches.
func TestLargeLimits(t *testing.T) {
	s := sessionOver(t, keyed("tab", `"n":{"N":"3"}`, `"n":{"N":"1"}`, `"n":{"N":"2"}`))
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT pk FROM tab ORDER BY n LIMIT 1, 18446744073709551615", []string{"3", "1"}},
		{"SELECT pk FROM tab ORDER BY n LIMIT 9223372036854775807 OFFSET 2", []string{"1"}},
		{"SELECT pk FROM tab ORDER BY n DESC LIMIT 2000000000", []string{"1", "3", "2"}},
		{"SELECT pk FROM tab ORDER BY pk LIMIT 18446744073709551615 OFFSET 5", nil},
		{"SELECT n FROM tab UNION ALL SELECT 9 ORDER BY n LIMIT 3, 18446744073709551615", []string{"9"}},
		{"SELECT COUNT(*) FROM (SELECT * FROM tab ORDER BY n LIMIT 1, 18446744073709551615) q", []string{"2"}},
	} {
		expect(t, s, test.query, test.want...)
	}
}

// TestLateralLeftJoins keeps the rows of the left side for which the right one is
// empty, whatever the condition.
func TestLateralLeftJoins(t *testing.T) {
	s := sessionOver(t, keyed("tab", `"l":{"L":[{"N":"1"},{"N":"2"}]}`, `"l":{"L":[]}`, `"x":{"N":"1"}`), fixture{name: "few", hash: "k:S", items: []string{`{"k":{"S":"1"}}`}})
	const list = "JSON_TABLE(t.l, '$[*]' COLUMNS (v INT PATH '$')) x"
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT t.pk, x.v FROM tab t LEFT JOIN " + list + " ON TRUE", []string{"1|1", "1|2", "2|NULL", "3|NULL"}},
		{"SELECT t.pk, x.v FROM tab t LEFT JOIN " + list + " ON 1 = 1", []string{"1|1", "1|2", "2|NULL", "3|NULL"}},
		{"SELECT t.pk, x.v FROM tab t LEFT JOIN " + list + " ON x.v > 1", []string{"1|2", "2|NULL", "3|NULL"}},
		{"SELECT t.pk, x.v FROM tab t LEFT JOIN " + list + " ON FALSE", []string{"1|NULL", "2|NULL", "3|NULL"}},
		{"SELECT t.pk, x.v FROM tab t JOIN " + list + " ON TRUE", []string{"1|1", "1|2"}},
		{"SELECT t.pk, x.k FROM tab t LEFT JOIN LATERAL (SELECT k FROM few f WHERE f.k = t.pk) x ON TRUE", []string{"1|1", "2|NULL", "3|NULL"}},
		{"SELECT t.pk, x.k FROM tab t LEFT JOIN LATERAL (SELECT k FROM few f WHERE f.k = t.pk) x ON x.k = 'none'", []string{"1|NULL", "2|NULL", "3|NULL"}},
	} {
		expect(t, s, test.query, test.want...)
	}
}

// TestLargeLimitsStayInBudget refuses a statement whose reads are above the budget
// all together before the first of them, whatever its limit.
func TestLargeLimitsStayInBudget(t *testing.T) {
	c, e := overCounting(t, catalog.Options{}, many(2000))
	s := e.NewSession()
	defer s.Close()
	mustAnswer(t, s, "SELECT id, v FROM many LIMIT 1")
	mustAnswer(t, s, "SET ddb_max_rcu = 150") // one Scan takes about 110
	for _, limit := range []string{"10", "20000", "1, 18446744073709551615"} {
		c.Reset()
		_, err := answer(s, "SELECT * FROM many a JOIN many b ON a.v = b.v ORDER BY a.pad LIMIT "+limit)
		var refused *read.RefusedError
		if !errors.As(err, &refused) || c.Calls()["Scan"] > 0 {
			t.Errorf("LIMIT %s: %v, after %v", limit, err, c.Calls())
		}
	}
}
