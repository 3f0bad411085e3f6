package mysqld_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// TestLoad has many clients run all kinds of statements and leave at random.
// Afterwards nothing may be left of them. DYNASQL_LOAD_SECONDS makes it longer,
// DYNASQL_LOAD_CLIENTS larger.
func TestLoad(t *testing.T) {
	clients, seconds := setting("DYNASQL_LOAD_CLIENTS", 30), setting("DYNASQL_LOAD_SECONDS", 3)
	store := tables(t, "shop")
	e := newEngine(t, store)
	address := serve(t, e, mysqld.Options{MaxConnections: 10 * clients})
	db := connect(t, address, "/dynamodb")
	describe(t, db)
	before := runtime.NumGoroutine()
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	ctx, stop := context.WithTimeout(t.Context(), time.Duration(seconds)*time.Second)
	defer stop()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
			for ctx.Err() == nil {
				client(ctx, t, address, r)
			}
		})
	}
	all.Wait()
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.processlist").Scan(&n); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for n > 1 || runtime.NumGoroutine() > before+10 {
		if time.Now().After(deadline) {
			t.Fatalf("10 s after the last client: %d connections, %d goroutines where %d were before", n, runtime.NumGoroutine(), before)
		}
		if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.processlist").Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
}

func setting(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// client connects, runs some statements and checks their answers, and leaves in
// the middle of one of them.
func client(ctx context.Context, t *testing.T, address string, r *rand.Rand) {
	db := connect(t, address, "/dynamodb")
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return
	}
	defer conn.Close()
	for range r.IntN(20) {
		id := 1 + r.IntN(5)
		var got, want string
		switch r.IntN(4) {
		case 0:
			want = fmt.Sprint(id)
			err = conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM orders WHERE customer = ?", fmt.Sprint("c", id)).Scan(&got)
		case 1:
			want = "15"
			err = conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer").Scan(&got)
		case 2:
			want = "5"
			err = conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM (SELECT customer, SUM(total) FROM orders GROUP BY customer) x").Scan(&got)
		case 3:
			want = fmt.Sprint("c", id)
			err = conn.QueryRowContext(ctx, fmt.Sprintf("SELECT id FROM customers WHERE id = 'c%d'", id)).Scan(&got)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil || got != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
			return
		}
	}
	leaving, leave := context.WithTimeout(ctx, time.Duration(r.IntN(3000))*time.Microsecond)
	defer leave()
	if rows, err := conn.QueryContext(leaving, "SELECT * FROM orders a, orders b, orders c, orders d"); err == nil {
		for rows.Next() {
		}
		rows.Close()
	}
}
