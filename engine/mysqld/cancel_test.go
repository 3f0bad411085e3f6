package mysqld_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// shapes are statements that read a whole table, each in another way.
var shapes = []struct{ name, query string }{
	{"all rows", "SELECT * FROM customers"},
	{"a projection", "SELECT name FROM customers WHERE credit > 0"},
	{"one row", "SELECT COUNT(*) FROM customers"},
	{"groups", "SELECT vip, COUNT(*), MAX(name) FROM customers GROUP BY vip"},
	{"groups by an expression", "SELECT LENGTH(name), COUNT(DISTINCT id) FROM customers GROUP BY LENGTH(name)"},
	{"sorted", "SELECT * FROM customers ORDER BY credit"},
	{"the first of the sorted", "SELECT * FROM customers ORDER BY credit LIMIT 3"},
	{"distinct", "SELECT DISTINCT vip FROM customers"},
	{"a join", "SELECT c.name, o.total FROM customers c JOIN orders o ON o.customer = c.name"},
	{"a join from the other side", "SELECT c.name, o.total FROM orders o LEFT JOIN customers c ON o.note = c.name"},
	{"a window", "SELECT name, ROW_NUMBER() OVER (ORDER BY credit) FROM customers"},
	{"a union", "SELECT name FROM customers UNION SELECT status FROM orders"},
	{"a subquery", "SELECT * FROM orders WHERE total > (SELECT MAX(credit) FROM customers)"},
	{"a common table expression", "WITH c AS (SELECT vip, credit FROM customers) SELECT vip, SUM(credit) FROM c GROUP BY vip"},
}

// start runs a statement on a connection of its own, reading all its rows, and
// returns how it ends and the connection's id.
func start(t *testing.T, ctx context.Context, db *sql.DB, query string) (conn *sql.Conn, id int, ended chan error) {
	t.Helper()
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.QueryRowContext(context.Background(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	ended = make(chan error, 1)
	go func() {
		rows, err := conn.QueryContext(ctx, query)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			rows.Close()
		}
		ended <- err
	}()
	return conn, id, ended
}

func describe(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, table := range []string{"customers", "orders"} {
		if _, err := db.Exec("DESCRIBE " + table); err != nil {
			t.Fatal(err)
		}
	}
}

func TestKillQuery(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			store := newEndless(t, 20)
			db := connect(t, serve(t, newEngine(t, store), mysqld.Options{}), "/dynamodb")
			describe(t, db)
			store.armed.Store(true)
			conn, id, ended := start(t, context.Background(), db, shape.query)
			within(t, 5*time.Second, store.waiting, "reading")
			if _, err := db.Exec(fmt.Sprint("KILL QUERY ", id)); err != nil {
				t.Fatal(err)
			}
			within(t, time.Second, store.stopped, "the end of reading")
			select {
			case err := <-ended:
				var e *mysql.MySQLError
				if !errors.As(err, &e) || e.Number != 1317 || string(e.SQLState[:]) != "70100" {
					t.Fatalf("the statement ended with %v, want error 1317 (70100)", err)
				}
			case <-time.After(5 * time.Second):
				t.Fatal("the statement did not end")
			}
			var one int
			if err := conn.QueryRowContext(context.Background(), "SELECT 1").Scan(&one); err != nil {
				t.Errorf("the connection after KILL QUERY: %v", err)
			}
		})
	}
}

func TestClientGone(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			store := newEndless(t, 20)
			db := connect(t, serve(t, newEngine(t, store), mysqld.Options{}), "/dynamodb")
			describe(t, db)
			store.armed.Store(true)
			ctx, leave := context.WithCancel(context.Background())
			defer leave()
			_, _, ended := start(t, ctx, db, shape.query)
			within(t, 5*time.Second, store.waiting, "reading")
			leave() // the driver closes the connection
			within(t, time.Second, store.stopped, "the end of reading")
			<-ended
		})
	}
}

func TestMaxExecutionTime(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			store := newEndless(t, 5)
			db := connect(t, serve(t, newEngine(t, store), mysqld.Options{}), "/dynamodb?max_execution_time=50")
			describe(t, db)
			store.armed.Store(true)
			_, _, ended := start(t, context.Background(), db, shape.query)
			var e *mysql.MySQLError
			if err := <-ended; !errors.As(err, &e) || e.Number != 3024 {
				t.Fatalf("the statement ended with %v, want error 3024", err)
			}
		})
	}
}

// TestTimeOutOfOneStatement bounds one statement by a hint, and all by
// MariaDB's variable.
func TestTimeOutOfOneStatement(t *testing.T) {
	for _, tt := range []struct{ name, set, query string }{
		{"a hint", "DO 0", "SELECT /*+ MAX_EXECUTION_TIME(50) */ COUNT(*) FROM customers"},
		{"a hint among others", "DO 0", "SELECT /*+ SET_VAR(sort_buffer_size = 16M) MAX_EXECUTION_TIME( 50 ) */ * FROM customers"},
		{"MariaDB's variable", "SET max_statement_time = 0.05", "SELECT COUNT(*) FROM customers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := newEndless(t, 5)
			db := connect(t, serve(t, newEngine(t, store), mysqld.Options{}), "/dynamodb")
			db.SetMaxOpenConns(1)
			describe(t, db)
			if _, err := db.Exec(tt.set); err != nil {
				t.Fatal(err)
			}
			store.armed.Store(true)
			rows, err := db.Query(tt.query)
			if err == nil {
				for rows.Next() {
				}
				err = rows.Err()
			}
			var e *mysql.MySQLError
			if !errors.As(err, &e) || e.Number != 3024 {
				t.Fatalf("the statement ended with %v, want error 3024", err)
			}
		})
	}
}
