//go:build unix

package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/dynasql/dynasql/internal/localdb"
)

// TestMain is the program itself when the tests of this file start the test
// binary again on a pseudo-terminal.
func TestMain(m *testing.M) {
	if os.Getenv("DYNASQL_TEST_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// console is the program on a pseudo-terminal.
type console struct {
	t      testing.TB
	cmd    *exec.Cmd
	tty    *os.File
	done   chan struct{}
	change chan struct{}

	mu     sync.Mutex // guards output
	output bytes.Buffer
	seen   int // bytes of the screen's text that were matched
}

func startConsole(t testing.TB, env []string, args ...string) *console {
	t.Helper()
	withoutAWS(t)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), append([]string{"DYNASQL_TEST_PROGRAM=1", "TERM=xterm", "NO_COLOR=1", "PAGER="}, env...)...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, cmd: cmd, tty: tty, done: make(chan struct{}), change: make(chan struct{}, 1)}
	go c.read()
	t.Cleanup(c.end)
	c.expect("dynamodb> ")
	return c
}

// end ends the program, if it still runs. It may be called again.
func (c *console) end() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.tty.Close()
	<-c.done
}

func (c *console) read() {
	defer close(c.done)
	buf := make([]byte, 4096)
	for {
		n, err := c.tty.Read(buf)
		c.mu.Lock()
		c.output.Write(buf[:n])
		c.mu.Unlock()
		select {
		case c.change <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (c *console) typed(keys string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// enter types a statement and waits for something that it shows.
func (c *console) enter(sql, shown string) {
	c.t.Helper()
	c.typed(sql + "\r")
	c.expect(shown)
}

// consolePatience is how long a text may take to appear on a busy machine.
const consolePatience = 30 * time.Second

// expect waits until the screen has shown text after what was matched before.
func (c *console) expect(text string) {
	c.t.Helper()
	deadline := time.After(consolePatience)
	for {
		c.mu.Lock()
		shown := sequences.ReplaceAllString(c.output.String(), "")
		c.mu.Unlock()
		rest := shown[min(c.seen, len(shown)):]
		if i := strings.Index(rest, text); i >= 0 {
			c.seen += i + len(text)
			return
		}
		select {
		case <-c.change:
		case <-deadline:
			c.t.Fatalf("the screen never showed %q; it ends with:\n%s", text, rest[max(0, len(rest)-1000):])
		}
	}
}

var sequences = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\x1b[=>]|\a|\b|\r")

const ctrlC = "\x03"

// slowStore is the sample as a DynamoDB endpoint whose Scans do not answer while
// it is held.
type slowStore struct {
	handler http.Handler
	held    atomic.Bool
}

func (s *slowStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.held.Load() && strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".Scan") {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice a client that leaves
		<-r.Context().Done()
		return
	}
	s.handler.ServeHTTP(w, r)
}

func startSlowStore(t *testing.T) (*slowStore, string) {
	t.Helper()
	store := localdb.Open(localdb.Options{})
	if err := fillSample(t.Context(), store.Client()); err != nil {
		t.Fatal(err)
	}
	slow := &slowStore{handler: store.Handler()}
	server := httptest.NewServer(slow)
	t.Cleanup(server.Close)
	return slow, server.URL
}

func TestInterruptedScan(t *testing.T) {
	store, url := startSlowStore(t)
	c := startConsole(t, nil, "--endpoint-url", url)
	c.enter(`\d stock`, "Sampled once to find the columns: 324 items")
	store.held.Store(true)
	c.enter("SELECT SUM(sold) FROM stock;", "(Ctrl-C stops)")
	c.typed(ctrlC)
	c.expect("cancelled; nothing more was read")
	c.expect("dynamodb> ")
	store.held.Store(false)
	c.enter("SELECT COUNT(*) AS n FROM stock;", "324 items read")
	c.enter(`\q`, "")
	<-c.done
}

func TestBudgetQuestion(t *testing.T) {
	c := startConsole(t, nil, "demo", "--max-rcu", "5")
	c.enter("SELECT COUNT(*) AS refused FROM shop;", "Run it anyway, for about 31.5 read units? [y/N] ")
	c.enter("", "not run")
	c.expect("dynamodb> ")
	c.enter("SELECT COUNT(*) AS agreed FROM shop;", "[y/N] ")
	c.enter("y", "1411")
	c.expect("31.5 read units")
}

func TestConsoleErrors(t *testing.T) {
	c := startConsole(t, nil, "demo")
	c.enter("SELECT nam FROM customers;", "  SELECT nam FROM customers\n         ^\n hint: did you mean 'name'?")
	c.enter("SELECT name FROM customers WHERE customer_id = 'C0046';", "Saskia Terpstra")
}

// Tab offers what the sample of a table shows.
func TestConsoleCompletion(t *testing.T) {
	c := startConsole(t, nil, "demo")
	c.typed("SELECT status FROM shop WHERE entity = 'ti\t")
	c.expect("'ticket'")
	c.typed(" LIMIT 1;\r")
	c.expect("1 row,")
}

// A long result goes through less when PAGER says nothing, and is not cut there.
func TestDefaultPager(t *testing.T) {
	if _, err := exec.LookPath("less"); err != nil {
		if os.Getenv("DYNASQL_CI") != "" {
			t.Fatal("less is not installed")
		}
		t.Skip("less is not installed")
	}
	c := startConsole(t, nil, "demo")
	c.enter("SELECT * FROM customers;", "customer_id")
	c.typed("G")
	c.expect("(END)")
	c.typed("q")
	c.expect("250 rows,")
	c.expect("dynamodb> ")
}

// A result that would be cut to nothing is written vertically.
func TestWideResult(t *testing.T) {
	c := startConsole(t, nil, "demo")
	c.enter("SELECT * FROM customers WHERE customer_id = 'C0046';", "1. row")
	c.expect("customer_id: C0046")
}

func TestChosenPager(t *testing.T) {
	pager := filepath.Join(t.TempDir(), "pager")
	if err := os.WriteFile(pager, []byte("#!/bin/sh\necho PAGED \"$@\"\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := startConsole(t, []string{"PAGER=" + pager + " -x"}, "demo")
	c.enter("SELECT sku, at FROM stock;", "PAGED -x")
	c.expect("324 rows,")
}

// BenchmarkFirstPrompt is the time from the start of the process to its prompt.
func BenchmarkFirstPrompt(b *testing.B) {
	for b.Loop() {
		startConsole(b, nil, "demo").end()
	}
}
