package engine_test

import (
	"context"
	"database/sql"
	"net"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld"
)

// TestQuestionsOverTheWire asks the questions of the data sets through the
// MySQL protocol, as text and as prepared statements.
func TestQuestionsOverTheWire(t *testing.T) {
	for _, dir := range dataSets(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			db := dial(t, open(t, dir))
			for _, q := range questions(t, dir) {
				t.Run(q.ID, func(t *testing.T) {
					compare(t, q, wireRows(t, func() (*sql.Rows, error) { return db.Query(q.SQL) }))
					stmt, err := db.Prepare(q.SQL)
					if err != nil {
						t.Fatal(err)
					}
					defer stmt.Close()
					compare(t, q, wireRows(t, func() (*sql.Rows, error) { return stmt.Query() }))
				})
			}
		})
	}
}

// dial serves the engine on a loopback port and opens a pool of connections.
func dial(t *testing.T, e *engine.Engine) *sql.DB {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mysqld.Serve(ctx, e, l, mysqld.Options{}) }()
	db, err := sql.Open("mysql", "anyone@tcp("+l.Addr().String()+")/"+engine.DefaultDatabase)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		db.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return db
}

// wireRows reads a result; each row becomes a line of name=value, sorted.
func wireRows(t *testing.T, query func() (*sql.Rows, error)) []string {
	t.Helper()
	rows, err := query()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for rows.Next() {
		values := make([]sql.NullString, len(names))
		targets := make([]any, len(names))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		cells := make([]string, len(names))
		for i, v := range values {
			cells[i] = names[i] + "=" + canonicalText(engine.Value{Text: v.String, Null: !v.Valid})
		}
		sort.Strings(cells)
		out = append(out, strings.Join(cells, " "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
