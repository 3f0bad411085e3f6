package mysqld_test

import (
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// TestSlowClient has a client that does not read. The reading of the table must
// stop, and go on when the client does.
func TestSlowClient(t *testing.T) {
	store := newEndless(t, -1)
	store.padding = 1000
	c := login(t, serve(t, newEngine(t, store), mysqld.Options{}), 0)
	c.query("SELECT * FROM customers LIMIT 0")
	store.armed.Store(true)
	c.wire.Answer(wire.Message{})
	c.send([]byte("\x03SELECT id, name FROM customers"))
	c.read()
	stalled := settle(t, &store.scans)
	// What lies in the sockets' buffers, the server's and the reader's is a few
	// megabytes; a page is 100 kB.
	if stalled > 200 {
		t.Errorf("%d pages were read for a client that reads nothing", stalled)
	}
	for read := 0; read < 30_000_000; {
		read += len(c.read())
	}
	if now := store.scans.Load(); now <= stalled {
		t.Errorf("%d pages before, %d after the client had read", stalled, now)
	}
}

// settle waits until a counter stands still.
func settle(t *testing.T, n *atomic.Int64) int64 {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	last, since := n.Load(), time.Now()
	for time.Since(since) < 300*time.Millisecond {
		if now := n.Load(); now != last {
			last, since = now, time.Now()
		}
		if time.Now().After(deadline) {
			t.Fatalf("still counting after 20 s: %d", n.Load())
		}
		runtime.Gosched()
		time.Sleep(10 * time.Millisecond)
	}
	return last
}

// TestMemoryOfStreaming sends far more than may be held; DYNASQL_LOAD_MB says
// how much.
func TestMemoryOfStreaming(t *testing.T) {
	store := newEndless(t, -1)
	store.padding = 10_000
	c := login(t, serve(t, newEngine(t, store), mysqld.Options{}), 0)
	c.query("SELECT * FROM customers LIMIT 0")
	store.armed.Store(true)
	c.wire.Answer(wire.Message{})
	c.send([]byte("\x03SELECT id, name FROM customers"))
	total := 1_000_000 * setting("DYNASQL_LOAD_MB", 100)
	var most uint64
	for read, next := 0, 0; read < total; {
		read += len(c.read())
		if read > next {
			next += total / 20
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
	}
	t.Logf("at most %d MB of memory while %d MB were sent", most>>20, total/1_000_000)
	if most > 150<<20 {
		t.Errorf("%d MB of memory while %d MB were sent", most>>20, total/1_000_000)
	}
}

// metrics is what /metrics shows.
func metrics(m *mysqld.Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

// running waits until a number of statements run.
func running(t *testing.T, m *mysqld.Metrics, n int) {
	t.Helper()
	want := fmt.Sprintf("\ndynasql_statements_running %d\n", n)
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); runtime.Gosched() {
		if strings.Contains(metrics(m), want) {
			return
		}
	}
	t.Fatalf("no time at which %d statements run", n)
}

// TestEnd ends a server while a statement runs that finishes in the grace time,
// and while one runs that does not.
func TestEnd(t *testing.T) {
	for _, tt := range []struct {
		name  string
		query string
		want  string // in the last packet
	}{
		{"a statement that finishes", "SELECT SLEEP(0.3)", ""},
		{"a statement that does not", "SELECT COUNT(*) FROM customers", "Server shutdown in progress"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := newEndless(t, 1)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			var m mysqld.Metrics
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				if err := mysqld.Serve(ctx, newEngine(t, store), l, mysqld.Options{Grace: time.Second, Metrics: &m}); err != nil {
					t.Errorf("Serve: %v", err)
				}
			}()
			c := login(t, l.Addr().String(), wire.DeprecateEOF)
			idle := login(t, l.Addr().String(), 0)
			c.query("SELECT * FROM customers LIMIT 0")
			store.armed.Store(true)
			c.wire.Answer(wire.Message{})
			c.send([]byte("\x03" + tt.query))
			if tt.want != "" {
				within(t, 5*time.Second, store.waiting, "reading")
			}
			running(t, &m, 1)
			stop()
			if err := isError(idle.read(), 1053); err != nil {
				t.Errorf("an idle connection: %v", err)
			}
			var last []byte
			for last = c.read(); last[0] != 0xfe && last[0] != 0xff; last = c.read() {
			}
			if !strings.Contains(string(last), tt.want) || (last[0] == 0xff) != (tt.want != "") {
				t.Errorf("the statement ended with %q, want %q", last, tt.want)
			}
			within(t, 5*time.Second, ended, "the end of the server")
			if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
				t.Error("the server still accepts connections")
			}
		})
	}
}
