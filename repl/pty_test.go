//go:build unix

package repl

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestMain runs the shell itself when the test binary is started again by the
// tests of this file, on a pseudo-terminal.
func TestMain(m *testing.M) {
	if os.Getenv("REPL_TEST_SHELL") == "" {
		os.Exit(m.Run())
	}
	terminal, err := OpenTerminal(TerminalOptions{HistoryFile: os.Getenv("REPL_TEST_HISTORY")})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	session := newFakeSession()
	opt := Options{Color: true, Pager: []string{"sh", "-c", "echo PAGED; cat"}, Editor: []string{"sh", "-c", "echo 'SELECT 2;' > $0"}}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { terminal.Close() })
	err = New(session, opt).Interact(ctx, terminal)
	terminal.Close()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	fmt.Println("BYE")
	os.Exit(0)
}

// console is a shell on a pseudo-terminal.
type console struct {
	t    *testing.T
	tty  *os.File
	cmd  *exec.Cmd
	done chan struct{}

	mu     sync.Mutex // guards output
	output bytes.Buffer
	change chan struct{}
	seen   int // bytes of output already matched
}

func startConsole(t *testing.T, history string) *console {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "REPL_TEST_SHELL=1", "REPL_TEST_HISTORY="+history, "TERM=xterm-256color")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, tty: tty, cmd: cmd, done: make(chan struct{}), change: make(chan struct{}, 1)}
	go c.read()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		tty.Close()
		<-c.done
	})
	c.expect("dynasql> ")
	return c
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

// expect waits until the screen has shown text after what was matched before;
// escape sequences do not count. It fails the test after ten seconds.
func (c *console) expect(text string) {
	c.t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		c.mu.Lock()
		shown := plainScreen(c.output.String())
		c.mu.Unlock()
		if i := strings.Index(shown[min(c.seen, len(shown)):], text); i >= 0 {
			c.seen += i + len(text)
			return
		}
		select {
		case <-c.change:
		case <-deadline:
			rest := shown[min(c.seen, len(shown)):]
			c.t.Fatalf("the screen never showed %q; it ends with:\n%s", text, rest[max(0, len(rest)-1000):])
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\x1b[=>]|\a|\b")

func plainScreen(s string) string {
	return strings.ReplaceAll(escapes.ReplaceAllString(s, ""), "\r", "")
}

const (
	keyUp    = "\x1b[A"
	keyLeft  = "\x1b[D"
	keyHome  = "\x1b[1~"
	keyTab   = "\t"
	keyEnter = "\r"
	ctrlA    = "\x01"
	ctrlC    = "\x03"
	ctrlD    = "\x04"
	ctrlR    = "\x12"
)

func TestConsole(t *testing.T) {
	history := filepath.Join(t.TempDir(), "dir", "history")
	c := startConsole(t, history)

	c.typed("SELECT 'a;b' AS x" + keyEnter)
	c.expect("      -> ")
	c.typed(";" + keyEnter)
	c.expect("│ a;b │")
	c.expect("dynasql> ")

	c.typed("ELECT 1;" + keyHome + "S" + keyEnter)
	c.expect("│ 1 │")
	c.expect("dynasql> ")

	c.typed("select * from Us" + keyTab + keyTab) // nothing to complete: other database
	c.typed("\x15select nothing from ORD" + keyTab)
	c.expect("rder")
	c.typed(keyTab)
	c.typed("\x15")

	c.typed("half a line" + ctrlC)
	c.expect("^C")
	c.expect("dynasql> ")

	c.typed("SELECT * FROM slow;" + keyEnter)
	c.expect("(Ctrl-C stops)")
	c.typed(ctrlC)
	c.expect("ERROR: cancelled")
	c.expect("dynasql> ")

	c.typed("SELECT 2;" + keyEnter)
	c.expect("│ 2 │")
	c.expect("dynasql> ")
	c.typed(keyUp + keyUp + keyUp + keyEnter) // SELECT 1;
	c.expect("│ 1 │")
	c.expect("dynasql> ")
	c.typed(ctrlR + "a;b" + keyEnter)
	c.expect("│ a;b │")
	c.expect("dynasql> ")

	c.typed(`\e` + keyEnter)
	c.expect("│ 2 │")
	c.expect("dynasql> ")

	c.typed(ctrlD)
	c.expect("BYE")

	text, err := os.ReadFile(history)
	if err != nil {
		t.Fatal(err)
	}
	want := "SELECT 'a;b' AS x;\nSELECT 1;\nSELECT * FROM slow;\nSELECT 2;\nSELECT 1;\nSELECT 'a;b' AS x;\n\\e\nSELECT 2;\n"
	if string(text) != want {
		t.Errorf("history\n got %q\nwant %q", text, want)
	}
	info, err := os.Stat(history)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the history file has mode %v, want 0600", info.Mode().Perm())
	}
}

func TestConsoleCompletion(t *testing.T) {
	c := startConsole(t, "")
	c.typed("select nothing from orders o where o.st" + keyTab + keyHome + ctrlC)
	c.expect("o.status")
	c.typed("select nothing from ORDER" + keyTab)
	c.typed(keyTab)
	c.expect("`order-lines`")
	c.expect("dynasql> ")
	c.typed("\x15SELECT 1;" + keyEnter)
	c.expect("│ 1 │")
}

func TestConsolePaste(t *testing.T) {
	c := startConsole(t, "")
	c.typed("\x1b[200~SELECT\t1;\rSELECT 2;\nSELECT 'a;b'\t\tAS x\n\x1b[201~")
	c.expect("│ 2 │")
	c.expect("      -> ")
	c.typed(";" + keyEnter)
	c.expect("ERROR: unknown statement") // the tabs became spaces, and the fake knows one space only
	c.expect("dynasql> ")
	c.typed("SELECT 1;" + keyEnter)
	c.expect("│ 1 │")
}

func TestConsolePager(t *testing.T) {
	c := startConsole(t, "")
	c.typed("SELECT id, day FROM series;" + keyEnter)
	c.expect("PAGED")
	c.expect("│ 59 │")
	c.expect("60 rows")
	c.expect("dynasql> ")
}

func TestConsoleResize(t *testing.T) {
	c := startConsole(t, "")
	if err := pty.Setsize(c.tty, &pty.Winsize{Rows: 24, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	c.typed("SELECT long FROM Orders;" + keyEnter)
	c.expect("│  1 │ lorem ipsum lorem ipsum lorem … │\n")
}

func TestConsoleIsClosedWhileItWaits(t *testing.T) {
	c := startConsole(t, "")
	c.typed("half a line")
	c.expect("half a line")
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.expect("BYE")
}

func TestConsoleEditsLongAndWideLines(t *testing.T) {
	c := startConsole(t, "")
	c.typed("SELECT '日本語', " + strings.Repeat("x", 90) + strings.Repeat(keyLeft, 94) + "Z")
	c.expect("Z語', xxx")
	c.typed(ctrlA + "\x0b" + "SELECT 1;" + keyEnter)
	c.expect("│ 1 │")
	c.mu.Lock()
	raw := c.output.String()
	c.mu.Unlock()
	if strings.Contains(raw, paintMark) {
		t.Error("the mark of the painter reached the screen")
	}
}
