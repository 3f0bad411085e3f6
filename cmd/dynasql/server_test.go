package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/internal/ddb"
)

var address = regexp.MustCompile(`127\.0\.0\.1:\d+|/[^ ,]+\.sock`)

// server is a command that serves until it is stopped.
type server struct {
	address string
	stderr  *written
	stop    func() outcome
}

// written is what a command has written so far.
type written struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// says waits until the command has written a text.
func (s server) says(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(s.stderr.String(), text); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("the server does not say %q but\n%s", text, s.stderr)
		}
	}
}

// startServer runs a server command on a free port. The address is what it
// says on standard error.
func startServer(t *testing.T, args ...string) server {
	t.Helper()
	withoutAWS(t)
	ctx, cancel := context.WithCancel(context.Background())
	said, stderr := io.Pipe()
	ended := make(chan outcome, 1)
	var stdout bytes.Buffer
	go func() {
		status := run(ctx, args, strings.NewReader(""), &stdout, stderr)
		stderr.Close()
		ended <- outcome{status: status, stdout: stdout.String()}
	}()
	all := &written{}
	lines := bufio.NewReader(io.TeeReader(said, all))
	line, err := lines.ReadString('\n')
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, lines)
	}()
	stop := func() outcome {
		cancel()
		o := <-ended
		<-drained
		o.stderr = all.String()
		return o
	}
	t.Cleanup(cancel)
	found := address.FindString(line)
	if err != nil || found == "" {
		t.Fatalf("no address in %q: %v\n%s", line, err, stop())
	}
	return server{found, all, stop}
}

func TestStoreServesTheSample(t *testing.T) {
	s := startServer(t, "store", "--demo", "--listen", "127.0.0.1:0")
	got := runProgram(t, "", "--endpoint-url", "http://"+s.address, "-q", "-e", "SELECT COUNT(*) AS n FROM stock")
	if got.status != statusFine || got.stdout != "n\n324\n" {
		t.Errorf("got\n%s\nwant 324 items", got)
	}
	if end := s.stop(); end.status != statusFine {
		t.Errorf("the store ended with\n%s", end)
	}
}

func TestLoadIntoStore(t *testing.T) {
	s := startServer(t, "store", "--listen", "127.0.0.1:0")
	defer s.stop()
	endpoint := "http://" + s.address
	if got := runProgram(t, "", "load", "testdata/two", "--endpoint-url", endpoint); got.status != statusFine {
		t.Fatalf("load: %s", got)
	}
	got := runProgram(t, "", "--endpoint-url", endpoint, "-q", "-e", "SELECT COUNT(*) AS n FROM things")
	if got.status != statusFine || got.stdout != "n\n2\n" {
		t.Errorf("got\n%s\nwant 2 items", got)
	}
	if got := runProgram(t, "", "load", "testdata/two", "--endpoint-url", endpoint); got.status != statusFailed || !strings.Contains(got.stderr, "things") {
		t.Errorf("loading a table that exists: got\n%s\nwant an error that names it", got)
	}
}

func TestFailedLoadLeavesNothing(t *testing.T) {
	s := startServer(t, "store", "--listen", "127.0.0.1:0")
	defer s.stop()
	endpoint := "http://" + s.address
	if got := runProgram(t, "", "load", "testdata/badkey", "--endpoint-url", endpoint); got.status != statusFailed {
		t.Errorf("load of an item without its key: %s", got)
	}
	client, _, err := ddb.Open(context.Background(), ddb.Config{EndpointURL: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	tables, err := client.ListTables(context.Background(), &ddb.ListTablesInput{})
	if err != nil || len(tables.TableNames) != 0 {
		t.Errorf("tables %v, %v are left; want none", tables, err)
	}
}

func TestServeAnswersAMySQLClient(t *testing.T) {
	s := startServer(t, "serve", "--demo", "--listen", "127.0.0.1:0")
	db, err := sql.Open("mysql", "me@tcp("+s.address+")/dynamodb")
	if err != nil {
		t.Fatal(err)
	}
	var country string
	var orders int
	err = db.QueryRow("SELECT c.country, COUNT(*) AS orders FROM shop o JOIN customers c ON c.customer_id = o.customer_id WHERE o.entity = ? GROUP BY c.country ORDER BY orders DESC LIMIT 1", "order").Scan(&country, &orders)
	if err != nil || country != "DE" || orders != 90 {
		t.Errorf("got %q, %d, %v; want DE with 90 orders", country, orders, err)
	}
	db.Close()
	if end := s.stop(); end.status != statusFine {
		t.Errorf("the server ended with\n%s", end)
	}
}

func TestServeLetsUsersIn(t *testing.T) {
	hashed := runProgram(t, "right\n", "hash-password")
	if hashed.status != statusFine {
		t.Fatalf("hash-password: %s", hashed)
	}
	dir := t.TempDir()
	users, audit, pid, metrics := filepath.Join(dir, "users.yaml"), filepath.Join(dir, "audit"), filepath.Join(dir, "pid"), filepath.Join(dir, "metrics")
	if err := os.WriteFile(users, []byte("users:\n  reader:\n    password: "+hashed.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "serve", "--demo", "--listen", "127.0.0.1:0", "--users", users, "--tls-self-made",
		"--audit", audit, "--metrics-listen", metrics, "--pid-file", pid)
	if err := selectOne(t, "reader:right@tcp("+s.address+")/dynamodb?tls=skip-verify"); err != nil {
		t.Errorf("the right password: %v", err)
	}
	for _, who := range []string{"reader:wrong", "nobody:right"} {
		var refused *mysql.MySQLError
		if err := selectOne(t, who+"@tcp("+s.address+")/dynamodb"); !errors.As(err, &refused) || refused.Number != 1045 {
			t.Errorf("%s: got %v, want error 1045", who, err)
		}
	}
	if got := fetchUnix(t, metrics, "/healthz"); got != "ok\n" {
		t.Errorf("/healthz: got %q, want ok", got)
	}
	if got := fetchUnix(t, metrics, "/metrics"); !strings.Contains(got, "\ndynasql_connections_accepted_total 3\n") {
		t.Errorf("/metrics: got\n%s\nwant 3 accepted connections", got)
	}
	if text, err := os.ReadFile(pid); err != nil || len(text) < 2 {
		t.Errorf("the pid file holds %q, %v", text, err)
	}
	if end := s.stop(); end.status != statusFine {
		t.Errorf("the server ended with\n%s", end)
	}
	if text, err := os.ReadFile(audit); err != nil || !strings.Contains(string(text), `"user":"reader"`) {
		t.Errorf("the audit log holds\n%s%v", text, err)
	}
	if _, err := os.Stat(pid); !os.IsNotExist(err) {
		t.Errorf("the pid file is left: %v", err)
	}
}

func selectOne(t *testing.T, dsn string) error {
	t.Helper()
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var one int
	return db.QueryRow("SELECT 1").Scan(&one)
}

// fetchUnix gets a page from an HTTP server on a unix socket.
func fetchUnix(t *testing.T, socket, page string) string {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get("http://metrics" + page)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
