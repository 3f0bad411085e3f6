package mysqld_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

func TestTooManyConnections(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{MaxConnections: 2})
	first := login(t, address, 0)
	login(t, address, 0)
	_, refusal := dial(t, address)
	if err := isError(refusal, 1040); err != nil {
		t.Error(err)
	}
	// A place becomes free when a connection ends.
	first.wire.Answer(wire.Message{})
	first.send([]byte{byte(wire.ComQuit)})
	if _, err := first.wire.Read(100); err != io.EOF {
		t.Errorf("after quit: %v", err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for {
		if _, greeting := dial(t, address); greeting[0] == 10 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("no place has become free")
		}
	}
}

func TestTooManyConnectionsOfOneUser(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{MaxConnectionsPerUser: 1})
	login(t, address, 0)
	c, _ := dial(t, address)
	c.wire.Answer(wire.Message{Next: 1})
	c.send(handshake("raw"))
	if err := isError(c.read(), 1226); err != nil {
		t.Error(err)
	}
	c, _ = dial(t, address)
	c.wire.Answer(wire.Message{Next: 1})
	c.send(handshake("another"))
	if err := isOK(c.read()); err != nil {
		t.Errorf("another user: %v", err)
	}
}

func TestIdle(t *testing.T) {
	c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{IdleTimeout: 50 * time.Millisecond}), 0)
	if err := isError(c.read(), 4031); err != nil {
		t.Error(err)
	}
	if _, err := c.wire.Read(100); err == nil {
		t.Error("the connection is still open")
	}
}

func TestSlowLogin(t *testing.T) {
	c, _ := dial(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{LoginTimeout: 50 * time.Millisecond}))
	if _, err := c.wire.Read(100); err == nil {
		t.Error("the connection is still open")
	}
}

// TestHostile sends what no client would; others must be served meanwhile.
func TestHostile(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{MaxConnections: 2000, LoginTimeout: time.Second})
	other := login(t, address, 0)
	before := []string{
		"", "\x00", "\xff\xff\xff\x01", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"\x00\x00\x00\x01", "\x04\x00\x00\x01\x85\xa6\xff\x01", "\x20\x00\x00\x01" + strings.Repeat("\xff", 32),
		"\x20\x00\x00\x07" + strings.Repeat("\x00", 32), "\x05\x00\x00\x01\xff\xff\xff\xff\xff",
	}
	after := []string{
		"\x00\x00\x00\x00", "\x01\x00\x00\x05\x0e", "\xff\xff\xff\x00\x03SELECT", "\x05\x00\x00\x00\x17\x01\x00\x00\x00",
		"\x03\x00\x00\x00\x19\x01\x00", "\x01\x00\x00\x00\x16", "\x01\x00\x00\x00\x04", "\x01\x00\x00\x00\x11", "\x06\x00\x00\x00\x11\x00\x00\x00\x00\x00",
		"\x02\x00\x00\x00\x1b\x01", "\x05\x00\x00\x00\x1c\x01\x00\x00\x00", "\x09\x00\x00\x00\x18\x01\x00\x00\x00\xff\xff\xff\xff",
		"\x0d\x00\x00\x00\x03SELECT \xff\xfe\x00\x00'", "\x05\x00\x00\x00\x03((((", "\x03\x00\x00\x00\x03/*",
		"\x0a\x00\x00\x00\x17\x01\x00\x00\x00\x00\x01\x00\x00\x00",
	}
	var all sync.WaitGroup
	for _, bytes := range before {
		all.Go(func() { hostile(address, "", bytes) })
	}
	for _, bytes := range after {
		all.Go(func() { hostile(address, "in", bytes) })
	}
	for range 300 { // those that only connect
		all.Go(func() { hostile(address, "", "") })
	}
	for range 20 {
		if _, rows := other.query("SELECT COUNT(*) FROM customers"); string(rows[0]) != "\x015" {
			t.Errorf("another client got %q", rows)
		}
	}
	all.Wait()
	if _, rows := login(t, address, 0).query("SELECT 1"); string(rows[0]) != "\x011" {
		t.Errorf("afterwards: %q", rows)
	}
}

// TestManyConnects has ten thousand clients connect and go away at once, most
// before they have read the greeting. Nothing may be left of them, and others
// must be served meanwhile.
func TestManyConnects(t *testing.T) {
	const connects, atOnce = 10_000, 50
	var m mysqld.Metrics
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{MaxConnections: 2 * connects, Metrics: &m})
	other := login(t, address, 0)
	other.query("SELECT name FROM customers WHERE id = 'c1'") // all that serves it has begun
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	for i := range atOnce {
		all.Go(func() {
			for n := range connects / atOnce {
				nc, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				if n%10 == i%10 {
					_, _ = nc.Read(make([]byte, 1))
				}
				_ = nc.(*net.TCPConn).SetLinger(0) // its port is free again at once
				nc.Close()
			}
		})
	}
	for range 20 {
		if _, rows := other.query("SELECT name FROM customers WHERE id = 'c1'"); string(rows[0]) != "\x03Ada" {
			t.Errorf("another client got %q", rows)
		}
	}
	all.Wait()
	for deadline := time.Now().Add(2 * time.Minute); ; runtime.Gosched() {
		text, left := metrics(&m), runtime.NumGoroutine()
		if strings.Contains(text, "\ndynasql_connections 1\n") && left <= before {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines where %d were before, and\n%s", left, before, text)
		}
	}
	if n := metrics(&m); !strings.Contains(n, "\ndynasql_logins_failed_total 0\n") {
		t.Errorf("who only connects has not failed to log in:\n%s", n)
	}
}

// hostile sends bytes, after a login or instead of one, and reads until the
// server ends the connection or says nothing more.
func hostile(address, after, bytes string) {
	nc, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer nc.Close()
	_ = nc.SetDeadline(time.Now().Add(300 * time.Millisecond))
	if after != "" {
		w := wire.NewConn(nc)
		_, _ = w.Read(1000)
		w.Answer(wire.Message{Next: 1})
		_ = w.Write(handshake("hostile"))
		_ = w.Flush()
		_, _ = w.Read(1000)
	}
	_, _ = io.WriteString(nc, bytes)
	_, _ = io.Copy(io.Discard, nc)
}

func TestAudit(t *testing.T) {
	var log lockedBuffer
	db := connect(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Audit: &log}), "/dynamodb?interpolateParams=true")
	for _, query := range []string{
		"SELECT name FROM customers WHERE id = 'c1'", "SELECT name FROM customers WHERE id = 'c2'", "SELECT secret FROM customers WHERE name = 'private'",
	} {
		if rows, err := db.Query(query); err == nil {
			for rows.Next() {
			}
			rows.Close()
		}
	}
	type line struct {
		User, Host, Statement, Digest, Database string
		Rows                                    int64
		Items                                   int64   `json:"items_read"`
		ReadUnits                               float64 `json:"read_units"`
		Error                                   int
	}
	var lines []line
	for text := range strings.Lines(log.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		if strings.Contains(l.Statement, "customers") {
			lines = append(lines, l)
		}
	}
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3:\n%s", len(lines), log.String())
	}
	first, second, failed := lines[0], lines[1], lines[2]
	if first.User != "somebody" || first.Host != "localhost" || first.Database != "dynamodb" || first.Rows != 1 || first.Items != 1 || first.ReadUnits != 0.5 || first.Error != 0 {
		t.Errorf("the first line is %+v", first)
	}
	if first.Digest != second.Digest || first.Digest == failed.Digest {
		t.Errorf("digests %s, %s, %s: want the first two alike", first.Digest, second.Digest, failed.Digest)
	}
	if failed.Error != 1054 {
		t.Errorf("the failed statement has error %d", failed.Error)
	}
	for _, constant := range []string{"'c1'", "private", "Ada"} {
		if strings.Contains(log.String(), constant) {
			t.Errorf("the log has the constant or value %q", constant)
		}
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestFailedLoginsAreCounted before the client is told; one that only connects
// has not failed.
func TestFailedLoginsAreCounted(t *testing.T) {
	var m mysqld.Metrics
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Users: users(t), Metrics: &m})
	visitor, _ := dial(t, address)
	visitor.net.Close()
	for want := 1; want <= 3; want++ {
		if err := as(t, address, "bob", "wrong", "").Ping(); numberOf(err) != 1045 {
			t.Fatalf("login ended with %v", err)
		}
		if line := fmt.Sprintf("\ndynasql_logins_failed_total %d\n", want); !strings.Contains(metrics(&m), line) {
			t.Errorf("/metrics has no %q", line)
		}
	}
}

func TestMetrics(t *testing.T) {
	var m mysqld.Metrics
	handler := m.Handler()
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	if code, _ := get("/healthz"); code != http.StatusServiceUnavailable {
		t.Errorf("/healthz before the server runs: %d", code)
	}
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{Metrics: &m})
	c := login(t, address, 0)
	c.query("SELECT name FROM customers WHERE id = 'c1'")
	c.command(wire.ComQuery, "SELECT nothing FROM customers")
	if code, text := get("/healthz"); code != http.StatusOK || text != "ok\n" {
		t.Errorf("/healthz: %d %q", code, text)
	}
	_, text := get("/metrics")
	for name, value := range map[string]string{
		"connections": "1", "statements_total": "2", "statements_failed_total": "1", "rows_sent_total": "1",
		"items_read_total": "1", "read_units_total": "0.5", "statements_running": "0",
	} {
		if want := fmt.Sprintf("\ndynasql_%s %s\n", name, value); !strings.Contains(text, want) {
			t.Errorf("/metrics has no %q:\n%s", want, text)
		}
	}
}
