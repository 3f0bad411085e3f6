package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
)

var pointTables = []fixture{
	{name: "people", hash: "id:S", items: []string{
		`{"id":{"S":"a"},"name":{"S":"Ada"},"n":{"N":"1.50"}}`, `{"id":{"S":"A"},"name":{"S":"other Ada"}}`,
		`{"id":{"S":"1"},"n":{"N":"7"}}`, `{"id":{"S":"é🍋"},"m":{"M":{"x":{"N":"1"}}}}`, `{"id":{"S":"a "}}`}},
	{name: "events", hash: "who:S", sort: "at:N", indexes: []string{"by-at at:N"}, items: []string{
		`{"who":{"S":"a"},"at":{"N":"1"},"v":{"S":"one"}}`, `{"who":{"S":"a"},"at":{"N":"-2.5"},"v":{"S":"minus"}}`,
		`{"who":{"S":"b"},"at":{"N":"9223372036854775807"},"v":{"S":"big"}}`, `{"who":{"S":"b"},"at":{"N":"12345678901234567890"},"v":{"S":"bigger"}}`}},
	{name: "bytes", hash: "k:B", items: []string{`{"k":{"B":"YQ=="},"v":{"S":"a"}}`}},
}

// pointQueries read by keys; %s stands for a constant.
var pointQueries = []string{
	"SELECT name, n FROM people WHERE id = %s", "SELECT * FROM people WHERE id = %s", "SELECT n, NAME, name, Id FROM people WHERE ID = %s",
	"SELECT name FROM people WHERE (id = %s)", "SELECT name FROM people p WHERE id = %s", "SELECT name AS x FROM people WHERE id = %s",
	"SELECT name FROM dynamodb.people WHERE id = %s", "SELECT id, _item FROM people WHERE id = %s", "SELECT UPPER(name) FROM people WHERE id = %s",
	"SELECT name FROM people WHERE id = %s AND name = 'Ada'", "SELECT name FROM people WHERE id = %s AND id = 'a'", "SELECT name FROM people WHERE id = %s LIMIT 0",
	"SELECT m FROM people WHERE id = %s", "SELECT v FROM events WHERE who = 'a' AND at = %s", "SELECT * FROM events WHERE at = %s AND who = 'b'",
	"SELECT v FROM events WHERE who = %s AND at = 1", "SELECT v FROM events WHERE who = %s", "SELECT v FROM `events.by-at` WHERE at = %s", "SELECT v FROM bytes WHERE k = %s",
	"SELECT DISTINCT name FROM people WHERE id = %s", "SELECT name FROM people WHERE id = %s ORDER BY n", "SELECT 1 FROM people WHERE id = %s",
	"SELECT name FROM people WHERE %s = id", "SELECT name FROM people WHERE id <=> %s", "SELECT people.name FROM people WHERE people.id = %s",
}

var pointConstants = []string{
	"'a'", "'A'", "'b'", "'1'", "1", "1.0", "-2.5", "'-2.5'", "9223372036854775807", "9223372036854775808", "12345678901234567890", "1e0", "007",
	"''", "NULL", "TRUE", "x'61'", "0x61", "b'1'", "'é🍋'", "'a '", "' 1'", "'it''s'", `'\\'`, "CONCAT('a','')", "'" + strings.Repeat("x", 3000) + "'",
	"_utf8mb4'a'", "'a' ''", "'' 'a'", "'a' COLLATE utf8mb4_0900_ai_ci", "DATE '2024-01-01'", "@x",
}

// TestPointReads runs statements in one session, which remembers plans, and in
// sessions that are new for each: the answers must be the same.
func TestPointReads(t *testing.T) {
	e := over(t, storeOf(t, pointTables...), catalog.Options{})
	one := e.NewSession()
	defer one.Close()
	constants := slices.Concat(pointConstants, pointConstants[:3])
	if testing.Short() {
		constants = constants[:8]
	}
	for _, query := range pointQueries {
		for _, constant := range constants {
			text := strings.Replace(query, "%s", constant, 1)
			fresh := e.NewSession()
			want := fullAnswer(fresh, text)
			fresh.Close()
			if got := fullAnswer(one, text); got != want {
				t.Errorf("%s\n got %s\nwant %s", text, got, want)
			}
		}
	}
}

// fullAnswer is all that a client learns of a statement.
func fullAnswer(s *engine.Session, query string) string {
	rows, err := s.Query(context.Background(), query)
	if err != nil {
		return "error: " + err.Error()
	}
	out := fmt.Sprintf("%+v", rows.Columns())
	for err == nil {
		var row []engine.Value
		if row, err = rows.Next(); err == nil {
			out += fmt.Sprintf("\n%+v", row)
		}
	}
	rows.Close()
	u := rows.Usage()
	found, _ := answer(s, "SELECT FOUND_ROWS(), ROW_COUNT()")
	return fmt.Sprintf("%s\n%v %v %d items %v units %v\n%s", out, err, u.Requests, u.Items, u.ReadUnits, rows.Warnings(), found)
}

func TestPointReadsAreForgotten(t *testing.T) {
	const query = "SELECT * FROM people WHERE id = 'a'"
	for _, tt := range []struct {
		name  string
		after func(*testing.T, *engine.Engine, *engine.Session, ddb.Client)
		want  string
	}{
		{"nothing", func(*testing.T, *engine.Engine, *engine.Session, ddb.Client) {}, "a|NULL|1.5|Ada"},
		{"a limit", statement("SET sql_select_limit = 0"), ""},
		{"a budget", statement("SET ddb_max_rcu = 0.1"), "error: GetItem of table \"people\" refused: it would take about 0.5 read units"},
		{"no pushdown", statement("SET ddb_pushdown = 0"), "a|NULL|1.5|Ada"},
		{"a table described again", func(t *testing.T, _ *engine.Engine, s *engine.Session, c ddb.Client) {
			item, err := parseItem(`{"id":{"S":"a"},"name":{"S":"Ada"},"zip":{"S":"new"}}`)
			if err != nil {
				t.Fatal(err)
			}
			name := "people"
			if _, err := c.PutItem(t.Context(), &ddb.PutItemInput{TableName: &name, Item: item}); err != nil {
				t.Fatal(err)
			}
			statement("CALL ddb_refresh()")(t, nil, s, nil)
		}, "a|NULL|NULL|Ada|new"},
		{"a table that has gone", func(t *testing.T, _ *engine.Engine, s *engine.Session, c ddb.Client) {
			name := "people"
			if _, err := c.DeleteTable(t.Context(), &ddb.DeleteTableInput{TableName: &name}); err != nil {
				t.Fatal(err)
			}
			statement("CALL ddb_refresh()")(t, nil, s, nil)
		}, "error: table 'people' does not exist"},
		{"other accounts", func(_ *testing.T, e *engine.Engine, _ *engine.Session, _ ddb.Client) {
			e.SetAccounts([]engine.Account{{Name: "local", Tables: []string{"dynamodb.events"}}})
		}, "error: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client := storeOf(t, pointTables...).Client()
			e := overClient(t, client, catalog.Options{})
			s := e.NewSession()
			defer s.Close()
			for range 2 {
				expect(t, s, query, "a|NULL|1.5|Ada")
			}
			tt.after(t, e, s, client)
			got, err := answer(s, query)
			if err != nil {
				got = []string{"error: " + err.Error()}
			}
			if text := strings.Join(got, "\n"); text != tt.want && !(strings.HasPrefix(tt.want, "error: ") && strings.HasPrefix(text, tt.want)) {
				t.Errorf("got %q, want %q", text, tt.want)
			}
		})
	}
}

// statement is a step of a test that runs a statement.
func statement(text string) func(*testing.T, *engine.Engine, *engine.Session, ddb.Client) {
	return func(t *testing.T, _ *engine.Engine, s *engine.Session, _ ddb.Client) {
		t.Helper()
		if _, err := answer(s, text); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPointReadsAreRemembered: the second of the same shape allocates much less.
func TestPointReadsAreRemembered(t *testing.T) {
	s := sessionOver(t, pointTables...)
	allocations := func(query string) float64 {
		if _, err := answer(s, fmt.Sprintf(query, 0)); err != nil {
			t.Fatal(err)
		}
		i := 0
		return testing.AllocsPerRun(50, func() {
			i++
			_, _ = answer(s, fmt.Sprintf(query, i))
		})
	}
	planned := allocations("SELECT v FROM events p WHERE who = 'a' AND at = 1%d")
	for _, query := range []string{"SELECT v FROM events WHERE who = 'a' AND at = 1%d", "SELECT name FROM people WHERE id = 'x%d'", "SELECT * FROM people WHERE id = 'x%d'"} {
		if remembered := allocations(query); remembered > 0.7*planned {
			t.Errorf("%s: %.0f allocations, %.0f with planning", query, remembered, planned)
		}
	}
}

func TestPointReadsWithParameters(t *testing.T) {
	s := sessionOver(t, pointTables...)
	for range 2 {
		for _, tt := range []struct {
			query  string
			params []engine.Param
			want   []string
		}{
			{"SELECT v FROM events WHERE who = :w AND at = :t", []engine.Param{{Name: "w", Text: "a"}, {Name: "t", Text: "1", Number: true}}, []string{"one"}},
			{"SELECT v FROM events WHERE who = :w AND at = :t", []engine.Param{{Name: "w", Text: "a"}, {Name: "t", Text: "-2.5", Number: true}}, []string{"minus"}},
			{"SELECT v FROM events WHERE who = :w AND at = :t", []engine.Param{{Name: "w", Text: "b"}, {Name: "t", Text: "12345678901234567890", Number: true}}, []string{"bigger"}},
			{"SELECT v FROM events WHERE who = :w AND at = :t", []engine.Param{{Name: "w", Text: "a"}, {Name: "t", Null: true}}, nil},
			{"SELECT v FROM events WHERE who = :w AND at = :t", []engine.Param{{Name: "w", Text: "a"}, {Name: "t", Text: "1"}}, []string{"one"}},
			{"SELECT name FROM people WHERE id = :w", []engine.Param{{Name: "w", Text: "1", Number: true}}, []string{"NULL"}},
			{"SELECT name FROM people WHERE id = :w", []engine.Param{{Name: "w", Text: "A"}}, []string{"other Ada"}},
		} {
			rows, err := s.Query(t.Context(), tt.query, tt.params...)
			if err != nil {
				t.Errorf("%s %v: %v", tt.query, tt.params, err)
				continue
			}
			var got []string
			for row, err := rows.Next(); err == nil; row, err = rows.Next() {
				text := row[0].Text
				if row[0].Null {
					text = "NULL"
				}
				got = append(got, text)
			}
			rows.Close()
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s %v: got %q, want %q", tt.query, tt.params, got, tt.want)
			}
		}
	}
}
