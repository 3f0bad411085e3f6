package mysqld_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/internal/ddb"
)

// unread fails a test when an item is read while it is on.
type unread struct {
	ddb.Client
	t  *testing.T
	on bool
}

func (u *unread) item(what string) {
	if u.on {
		u.t.Errorf("%s was sent", what)
	}
}

func (u *unread) GetItem(ctx context.Context, in *ddb.GetItemInput, o ...func(*ddb.Options)) (*ddb.GetItemOutput, error) {
	u.item("GetItem")
	return u.Client.GetItem(ctx, in, o...)
}

func (u *unread) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, o ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	u.item("BatchGetItem")
	return u.Client.BatchGetItem(ctx, in, o...)
}

func (u *unread) Query(ctx context.Context, in *ddb.QueryInput, o ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	u.item("Query")
	return u.Client.Query(ctx, in, o...)
}

func (u *unread) Scan(ctx context.Context, in *ddb.ScanInput, o ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	u.item("Scan")
	return u.Client.Scan(ctx, in, o...)
}

// TestReplay runs what well-known clients send. Only the sampling of the
// catalog reads items, and it has happened before.
func TestReplay(t *testing.T) {
	store := &unread{Client: tables(t, "shop"), t: t}
	address := serve(t, newEngine(t, store), mysqld.Options{})
	db := connect(t, address, "/dynamodb")
	for _, table := range []string{"customers", "orders", "kinds"} {
		if _, err := db.Exec("DESCRIBE " + table); err != nil {
			t.Fatal(err)
		}
	}
	store.on = true
	files, err := filepath.Glob("testdata/replay/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no replay files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sql"), func(t *testing.T) {
			store.t = t
			conn, err := connect(t, address, "/dynamodb").Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			for _, line := range lines(t, file) {
				query, want, _ := strings.Cut(line, " => ")
				if problem := replay(t.Context(), conn, query, want); problem != "" {
					t.Errorf("%s\n  %s", query, problem)
				}
			}
		})
	}
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []string
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if line := strings.TrimSpace(s.Text()); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// replay runs a statement and says how it differs from what is wanted.
func replay(ctx context.Context, conn *sql.Conn, query, want string) string {
	first, err := firstValue(ctx, conn, query)
	if number, fails := strings.CutPrefix(want, "error "); fails {
		var e *mysql.MySQLError
		if !errors.As(err, &e) || fmt.Sprint(e.Number) != number {
			return fmt.Sprintf("ended with %v, want error %s", err, number)
		}
		return ""
	}
	switch {
	case err != nil:
		return err.Error()
	case want != "" && first != want:
		return fmt.Sprintf("first value %q, want %q", first, want)
	}
	return ""
}

// firstValue reads the whole result, and returns the first value of the first
// row.
func firstValue(ctx context.Context, conn *sql.Conn, query string) (string, error) {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	first, seen := sql.NullString{}, false
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(sql.NullString)
		}
		if err := rows.Scan(values...); err != nil {
			return "", err
		}
		if !seen {
			first, seen = *values[0].(*sql.NullString), true
		}
	}
	return first.String, rows.Err()
}
