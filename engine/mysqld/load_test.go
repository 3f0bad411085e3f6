package mysqld_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// TestLoad has many clients run all kinds of statements, and leave or be killed
// at random. Afterwards nothing may be left of them, and meanwhile memory must
// not grow. DYNASQL_LOAD_SECONDS makes it longer, DYNASQL_LOAD_CLIENTS larger.
func TestLoad(t *testing.T) {
	clients, seconds := setting("DYNASQL_LOAD_CLIENTS", 30), setting("DYNASQL_LOAD_SECONDS", 3)
	store := tables(t, "shop")
	e := newEngine(t, store)
	var m mysqld.Metrics
	address := serve(t, e, mysqld.Options{MaxConnections: 10 * clients, Metrics: &m})
	db := connect(t, address, "/dynamodb")
	db.SetMaxOpenConns(1)
	describe(t, db)
	before := runtime.NumGoroutine()
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	ctx, stop := context.WithTimeout(t.Context(), time.Duration(seconds)*time.Second)
	defer stop()
	var heap []uint64
	var all sync.WaitGroup
	all.Go(func() { heap = heapOver(ctx, time.Duration(seconds)*time.Second/20) })
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
	deadline := time.Now().Add(time.Minute)
	for n = 2; n > 1 || runtime.NumGoroutine() > before+10; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("a minute after the last client: %d connections, %d goroutines where %d were before\n%s", n, runtime.NumGoroutine(), before, metrics(&m))
		}
		if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.processlist").Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	running(t, &m, 0)
	t.Logf("%s\nheap in MB: %d", metrics(&m), heap)
	if half := len(heap) / 2; half > 0 {
		if first, second := slices.Max(heap[:half]), slices.Max(heap[half:]); second > first+first/2+20 {
			t.Errorf("memory grew from %d MB in the first half to %d MB in the second", first, second)
		}
	}
}

// heapOver measures what is left in memory after collections, in MB, until ctx
// ends.
func heapOver(ctx context.Context, every time.Duration) (heap []uint64) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return heap
		case <-tick.C:
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap = append(heap, m.HeapAlloc>>20)
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
	leave(ctx, address, conn, r)
}

// leave ends a client in the middle of a statement that has no end in sight: it
// cuts the connection, or another client kills the statement or the connection.
func leave(ctx context.Context, address string, conn *sql.Conn, r *rand.Rand) {
	var id int
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return
	}
	leaving, cut := context.WithCancel(ctx)
	defer cut()
	after, verb := time.Duration(r.IntN(3000))*time.Microsecond, []string{"", "KILL QUERY", "KILL"}[r.IntN(3)]
	var killer sync.WaitGroup
	defer killer.Wait()
	killer.Go(func() {
		timer := time.NewTimer(after)
		defer timer.Stop()
		<-timer.C
		if verb == "" {
			cut()
			return
		}
		other, err := sql.Open("mysql", "killer@tcp("+address+")/")
		if err != nil {
			return
		}
		defer other.Close()
		_, _ = other.ExecContext(ctx, fmt.Sprint(verb, " ", id))
		cut() // the statement may have begun after it
	})
	query := []string{"SELECT * FROM orders a, orders b, orders c, orders d", "SELECT COUNT(*) FROM orders a, orders b, orders c, orders d WHERE a.total + b.total > c.total"}[r.IntN(2)]
	if rows, err := conn.QueryContext(leaving, query); err == nil {
		for rows.Next() {
		}
		rows.Close()
	}
}
