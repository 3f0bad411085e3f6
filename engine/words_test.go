package engine_test

import (
	"fmt"
	"testing"
)

// TestWordsAsNames: words that MySQL takes for names need no quotes.
func TestWordsAsNames(t *testing.T) {
	s := sessionOver(t, few())
	for _, w := range []string{"account", "attribute", "comment", "escape", "execute", "file", "first", "format", "full", "identified",
		"next", "none", "off", "password", "process", "reload", "returning", "Shutdown", "super", "VIEW", "date", "status", "type"} {
		for _, query := range []string{
			"SELECT 7 AS %[1]s",
			"SELECT 7 %[1]s",
			"SELECT %[1]s FROM (SELECT 7 AS `%[1]s`) t WHERE %[1]s = 7 ORDER BY %[1]s",
			"SELECT t.%[1]s FROM (SELECT 7 AS `%[1]s`) t",
			"SELECT %[1]s.%[1]s FROM (SELECT 7 AS %[1]s) %[1]s",
			"WITH %[1]s AS (SELECT 7 AS a) SELECT a FROM %[1]s",
		} {
			expect(t, s, fmt.Sprintf(query, w), "7")
		}
	}
	expect(t, s, "SELECT MAX(next) > ALL (SELECT 6) FROM (SELECT 7 AS next) first", "1")
	expect(t, s, "SELECT first FROM few", "error: unknown column 'first'")
	expect(t, s, "SELECT 1 FROM few WHERE select = 1", "error: syntax error")
	names, err := s.Query(t.Context(), "SELECT 7 AS first, 1 + off FROM (SELECT 1 AS off) t")
	if err != nil {
		t.Fatal(err)
	}
	defer names.Close()
	if c := names.Columns(); c[0].Name != "first" || c[1].Name != "1 + off" {
		t.Errorf("columns %v", c)
	}
}
