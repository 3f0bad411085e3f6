package engine_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A mariadb is a MariaDB server of a test's own, on a socket in a folder of
// its own: what a MySQL server answers, to compare with.
type mariadb struct{ socket string }

// startMariaDB starts a server and ends it with the test. The test is skipped
// where there is none, unless DYNASQL_CI asks for all tests.
func startMariaDB(t *testing.T) *mariadb {
	t.Helper()
	for _, program := range []string{"mariadbd", "mariadb", "mariadb-install-db"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("DYNASQL_CI") == "1" {
				t.Fatalf("%s is needed: %v", program, err)
			}
			t.Skipf("%s is not installed", program)
		}
	}
	dir, err := os.MkdirTemp("", "mariadb") // a short path: a socket's name has 107 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	data, socket := filepath.Join(dir, "data"), filepath.Join(dir, "s")
	user := "--user=" + userName()
	install := exec.Command("mariadb-install-db", "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db", user)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("mariadb-install-db: %v\n%s", err, out)
	}
	server := exec.Command("mariadbd", "--no-defaults", "--datadir="+data, "--socket="+socket, "--skip-networking", user,
		"--innodb-buffer-pool-size=32M", "--innodb-flush-log-at-trx-commit=0", "--pid-file="+filepath.Join(dir, "pid"))
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() {
		_ = server.Process.Kill()
		<-ended
	})
	m := &mariadb{socket}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	deadline, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		if _, err := m.run("SELECT 1"); err == nil {
			return m
		}
		select {
		case <-tick.C:
		case err := <-ended:
			ended <- err
			t.Fatalf("mariadbd ended: %v\n%s", err, log.String())
		case <-deadline.Done():
			t.Fatalf("mariadbd does not answer\n%s", log.String())
		}
	}
}

func userName() string {
	if os.Geteuid() == 0 {
		return "root"
	}
	return os.Getenv("USER")
}

// separator is the result of the statement that run puts between others.
const separator = "-- next --"

// run runs statements and returns the rows of each, with tabs between the
// values. A statement that fails has one row that begins with "error: ".
func (m *mariadb) run(statements ...string) ([][]string, error) {
	var script strings.Builder
	script.WriteString("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin; SET sql_mode='STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION';\n")
	for _, s := range statements {
		script.WriteString(s + ";\nSELECT '" + separator + "';\n")
	}
	client := exec.Command("mariadb", "--no-defaults", "--socket="+m.socket, "-uroot", "--batch", "--raw", "--skip-column-names", "--force", "--default-character-set=utf8mb4")
	client.Stdin = strings.NewReader(script.String())
	var out, problems bytes.Buffer
	client.Stdout, client.Stderr = &out, &problems
	err := client.Run()
	var results [][]string
	rows := []string{}
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if line == separator {
			results, rows = append(results, rows), []string{}
			continue
		}
		rows = append(rows, line)
	}
	if len(results) != len(statements) {
		return nil, err
	}
	for _, line := range strings.Split(problems.String(), "\n") {
		m.note(results, line)
	}
	return results, nil
}

// note puts an error that the client reports with its line into the result of
// the statement of that line.
func (m *mariadb) note(results [][]string, line string) {
	_, place, ok := strings.Cut(line, "at line ")
	if !ok {
		return
	}
	n := 0
	for _, c := range place {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	if at := n/2 - 1; at >= 0 && at < len(results) {
		results[at] = []string{"error: " + line}
	}
}
