package localdb

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"
)

// startDynalite runs dynalite, an independent implementation of DynamoDB, and
// gives its URL. DYNASQL_DYNALITE names its cli.js; without it the result is "",
// or a failure where DYNASQL_CI=1 demands it.
func startDynalite(tb testing.TB) string {
	url, _ := runDynalite(tb)
	return url
}

// runDynalite is startDynalite with the process.
func runDynalite(tb testing.TB) (url string, pid int) {
	tb.Helper()
	cli := os.Getenv("DYNASQL_DYNALITE")
	if cli == "" {
		if os.Getenv("DYNASQL_CI") == "1" {
			tb.Fatal("DYNASQL_DYNALITE must name the cli.js of dynalite 4.0.0")
		}
		return "", 0
	}
	port := freePort(tb)
	cmd := exec.Command("node", cli, "--port", fmt.Sprint(port), "--createTableMs", "0", "--deleteTableMs", "0", "--updateTableMs", "0")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	url = fmt.Sprintf("http://127.0.0.1:%d", port)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		resp, err := http.Get(url)
		if err == nil {
			resp.Body.Close()
			return url, cmd.Process.Pid
		}
		time.Sleep(20 * time.Millisecond) // the start of another process shows in no other way
	}
	tb.Fatal("dynalite did not start")
	return "", 0
}

func freePort(tb testing.TB) int {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
