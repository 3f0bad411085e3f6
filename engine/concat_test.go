package engine_test

import (
	"strings"
	"testing"
)

func TestGroupConcat(t *testing.T) {
	s := sessionOver(t, fixture{name: "things", hash: "pk:S", items: []string{
		`{"pk":{"S":"1"},"a":{"S":"x"},"b":{"S":"é"}}`, `{"pk":{"S":"2"},"a":{"S":""},"b":{"S":"é"}}`,
		`{"pk":{"S":"3"},"b":{"S":"é"}}`, `{"pk":{"S":"4"},"a":{"S":"w"},"b":{"S":"z"}}`,
	}})
	for name, tt := range map[string]struct{ sql, want string }{
		"empty strings count":  {"SELECT GROUP_CONCAT(a ORDER BY pk) FROM things", "x,,w"},
		"descending":           {"SELECT GROUP_CONCAT(a ORDER BY a DESC SEPARATOR ';') FROM things", "x;w;"},
		"distinct":             {"SELECT GROUP_CONCAT(DISTINCT b ORDER BY b) FROM things", "z,é"},
		"several expressions":  {"SELECT GROUP_CONCAT(a, '=', b ORDER BY pk) FROM things", "x=é,=é,w=z"},
		"no rows":              {"SELECT GROUP_CONCAT(a) FROM things WHERE pk = 'none'", "NULL"},
		"groups":               {"SELECT GROUP_CONCAT(pk ORDER BY pk) FROM things GROUP BY b ORDER BY b", "4|1,2,3"},
		"of numbers":           {"SELECT GROUP_CONCAT(pk + 0 ORDER BY pk + 0 DESC) FROM things", "4,3,2,1"},
		"in a derived table":   {"SELECT * FROM (SELECT GROUP_CONCAT(a ORDER BY pk) AS l FROM things) t", "x,,w"},
		"in a subquery of one": {"SELECT (SELECT GROUP_CONCAT(u.a ORDER BY u.pk) FROM things u WHERE u.b = t.b) FROM things t WHERE pk = '2'", "x,"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := answer(s, tt.sql)
			if err != nil {
				t.Fatal(err)
			}
			if joined := strings.Join(got, "|"); joined != tt.want {
				t.Errorf("%s\n got %q\nwant %q", tt.sql, joined, tt.want)
			}
		})
	}
	if _, err := answer(s, "SET group_concat_max_len = 4"); err != nil {
		t.Fatal(err)
	}
	got, err := answer(s, "SELECT GROUP_CONCAT(b ORDER BY pk) FROM things")
	if err != nil || strings.Join(got, "|") != "é," {
		t.Errorf("cut in the middle of a character: %q, %v", got, err)
	}
}
