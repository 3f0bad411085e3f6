package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the files in testdata/golden")

// outcome is what one run of the program did.
type outcome struct {
	status         int
	stdout, stderr string
}

func (o outcome) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit status %d\n", o.status)
	for _, part := range []struct{ name, text string }{{"stdout", o.stdout}, {"stderr", o.stderr}} {
		if part.text != "" {
			fmt.Fprintf(&b, "--- %s\n%s", part.name, part.text)
		}
	}
	return b.String()
}

// runProgram runs the command line with no AWS configuration in reach.
func runProgram(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	withoutAWS(t)
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), args, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// withoutAWS hides the user's configuration and every AWS variable.
func withoutAWS(t testing.TB) {
	t.Helper()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
		}
	}
	empty := t.TempDir()
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(empty, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(empty, "credentials"))
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("XDG_CONFIG_HOME", empty)
	t.Setenv("HOME", empty)
}

// compare checks an outcome against testdata/golden/NAME.txt.
func compare(t *testing.T, name string, got outcome) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	text := steady(got.String())
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, text, want)
	}
}

var timing = regexp.MustCompile(`\d+(\.\d+)? (ms|s)\b`)

var wildcard = regexp.MustCompile(`(\[::\]|0\.0\.0\.0):\d+`)

// steady replaces what differs from run to run: elapsed times and free ports.
func steady(s string) string {
	return wildcard.ReplaceAllString(timing.ReplaceAllString(s, "N ms"), "ANY:PORT")
}

// ordersExport is a table of three orders.
const ordersExport = "../../internal/dataset/testdata/export"

func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  []string
		stdin string
	}{
		{name: "help", args: []string{"--help"}},
		{name: "help demo", args: []string{"demo", "--help"}},
		{name: "help serve", args: []string{"help", "serve"}},
		{name: "help store", args: []string{"store", "--help"}},
		{name: "help load", args: []string{"load", "--help"}},
		{name: "unknown flag", args: []string{"--regoin", "eu-west-1"}},
		{name: "misspelt command", args: []string{"sevre"}},
		{name: "statement without -e", args: []string{"SELECT 1"}},
		{name: "unknown format", args: []string{"demo", "-e", "SELECT 1", "--format", "xml"}},
		{name: "execute and file", args: []string{"demo", "-e", "SELECT 1", "-f", "x.sql"}},
		{name: "demo with argument", args: []string{"demo", "now"}},
		{name: "parameter without value", args: []string{"demo", "-e", "SELECT :a", "--var", "a"}},
		{name: "file that is missing", args: []string{"demo", "-f", "testdata/missing.sql"}},
		{name: "file that is a folder", args: []string{"demo", "-f", "testdata"}},
		{name: "local and region", args: []string{"--local", "testdata/two", "--region", "eu-west-1", "-e", "SELECT 1"}},
		{name: "export", args: []string{"--export", ordersExport, "--key", "customer,placed", "--max-rcu", "0.1", "-e", "SELECT customer, placed, total, tags, raw, `lines` FROM orders ORDER BY placed"}},
		{name: "export under another name", args: []string{"--export", "past=" + ordersExport, "--key", "past=customer,placed", "-q", "-e", "SELECT COUNT(*) AS n FROM past"}},
		{name: "export beside tables", args: []string{"--local", "testdata/two", "--config", "testdata/export.yaml", "-e", "SELECT t.id, COUNT(*) AS n FROM things t JOIN past.orders o ON o.placed > 0 GROUP BY t.id ORDER BY t.id"}},
		{name: "export without key", args: []string{"--export", ordersExport, "-e", "SELECT 1"}},
		{name: "export by no key", args: []string{"--export", ordersExport, "--key", "tags", "-e", "SELECT 1"}},
		{name: "export by a key that is none", args: []string{"--export", ordersExport, "--key", "customer", "-e", "SELECT 1"}},
		{name: "export missing", args: []string{"--export", "testdata/missing", "--key", "a", "-e", "SELECT 1"}},
		{name: "export and local", args: []string{"--export", ordersExport, "--key", "a", "--local", "testdata/two", "-e", "SELECT 1"}},
		{name: "exports of one name", args: []string{"--export", "a=x", "--export", "a=y", "--key", "a=id", "-e", "SELECT 1"}},
		{name: "key of no export", args: []string{"--export", "a=x", "--export", "b=y", "--key", "a=id", "--key", "b=id", "--key", "c=id", "-e", "SELECT 1"}},
		{name: "key of three", args: []string{"--export", "a=x", "--key", "a,b,c", "-e", "SELECT 1"}},
		{name: "negative budget", args: []string{"demo", "--max-rcu", "-1", "-e", "SELECT 1"}},
		{name: "load without folder", args: []string{"load"}},
		{name: "load into aws", args: []string{"load", "testdata/two", "--region", "eu-west-1"}},
		{name: "serve to others", args: []string{"serve", "--demo", "--listen", "0.0.0.0:0"}},
		{name: "serve users without tls", args: []string{"serve", "--demo", "--listen", "0.0.0.0:0", "--users", "../../docs/examples/users.yaml"}},
		{name: "serve users twice", args: []string{"serve", "--demo", "--users", "users.yaml", "--password-file", "password"}},
		{name: "serve user without password", args: []string{"serve", "--demo", "--user", "me"}},
		{name: "help hash-password", args: []string{"hash-password", "--help"}},
		{name: "hash of no password", args: []string{"hash-password"}},
		{name: "no region", args: []string{"-e", "SELECT 1 FROM t"}},
		{name: "no credentials", args: []string{"--region", "eu-west-1", "-e", "SELECT 1 FROM t"}},
		{name: "unknown profile", args: []string{"--profile", "nobody", "-e", "SELECT 1 FROM t"}},
		{name: "endpoint is no url", args: []string{"--endpoint-url", "localhost:8000", "-e", "SELECT 1 FROM t"}},
		{name: "unreachable endpoint", args: []string{"--endpoint-url", "http://127.0.0.1:1", "-e", "SELECT 1 FROM t"}},
		{name: "local missing", args: []string{"--local", "testdata/missing", "-e", "SELECT 1"}},
		{name: "local without items", args: []string{"--local", "testdata/noitems", "-e", "SHOW TABLES"}},
		{name: "local with broken items", args: []string{"--local", "testdata/broken", "-e", "SELECT 1"}},
		{name: "local with bad item", args: []string{"--local", "testdata/badkey", "-e", "SELECT 1"}},
		{name: "config with unknown key", args: []string{"--local", "testdata/two", "--config", "testdata/unknownkey.yaml", "-e", "SELECT 1"}},
		{name: "config with taken name", args: []string{"--local", "testdata/two", "--config", "testdata/takenname.yaml", "-e", "SELECT 1"}},
		{name: "config missing", args: []string{"--local", "testdata/two", "--config", "testdata/missing.yaml", "-e", "SELECT 1"}},
		{name: "join across connections", args: []string{"--local", "testdata/two", "--config", "testdata/second.yaml", "-e",
			"SELECT a.id, a.n AS here, b.n AS there FROM things a JOIN other.things b ON a.id = b.id ORDER BY a.id"}},
		{name: "query", args: []string{"--local", "testdata/two", "-e", "SELECT id, n FROM things ORDER BY id"}},
		{name: "query as csv", args: []string{"--local", "testdata/two", "--format", "csv", "-e", "SELECT id, n FROM things ORDER BY id"}},
		{name: "query as json with statistics", args: []string{"--local", "testdata/two", "--format", "jsonl", "--stats", "-e", "SELECT n FROM things WHERE id = 'a'"}},
		{name: "script on standard input", args: []string{"--local", "testdata/two", "-q"}, stdin: "SELECT 1 AS one;\nSELECT COUNT(*) AS things\n  FROM things;\n"},
		{name: "script fails", args: []string{"--local", "testdata/two", "-q"}, stdin: "SELECT 1 AS one;\nSELECT nope FROM things;\nSELECT 2 AS two;\n"},
		{name: "script goes on", args: []string{"--local", "testdata/two", "-q", "--force"}, stdin: "SELECT nope FROM things;\nSELECT 2 AS two;\n"},
		{name: "unknown table", args: []string{"--local", "testdata/two", "-e", "SELECT * FROM thing"}},
		{name: "unknown column", args: []string{"--local", "testdata/two", "-e", "SELECT idd FROM things"}},
		{name: "syntax error", args: []string{"--local", "testdata/two", "-e", "SELECT id FRM things"}},
		{name: "schema of no table", args: []string{"--local", "testdata/two", "--schema", "testdata/notable.yaml", "-q", "-e", "SELECT COUNT(*) AS n FROM things; SELECT 1 AS one"}},
		{name: "parameters", args: []string{"--local", "testdata/two", "-q", "--var", "id=b", "--var", "least=2", "-e", "SELECT n FROM things WHERE id = :id AND n > :least"}},
		{name: "parameter unknown", args: []string{"--local", "testdata/two", "-q", "-e", "SELECT n FROM things WHERE id = :id"}},
		{name: "write is refused", args: []string{"--local", "testdata/two", "-e", "DELETE FROM things"}},
		{name: "budget", args: []string{"--local", "testdata/two", "--max-rcu", "0.1", "-e", "SELECT * FROM things"}},
		{name: "errors", args: []string{"demo", "-q", "--force", "-f", "testdata/sql/errors.sql"}},
		{name: "commands", args: []string{"demo", "--format", "table", "-f", "testdata/sql/commands.sql"}},
		{name: "parameters of a script", args: []string{"demo", "-q", "-f", "testdata/sql/parameters.sql", "--var", "id=C0046", "--var", "least=40.50",
			"--var", "none=NULL", "--var", "text='42'", "--var", "digits=12345678901234567890123456789012345678", "--var", "a=GRN-SEN-01", "--var", "b=it's; --"}},
		{name: "parameter missing", args: []string{"demo", "-e", "SELECT 1,\n  :b", "--var", "a=1"}},
		{name: "database", args: []string{"--local", "testdata/two", "--config", "testdata/second.yaml", "-D", "other", "-q", "-e", "SELECT id, n FROM things ORDER BY id"}},
		{name: "database unknown", args: []string{"--local", "testdata/two", "--config", "testdata/second.yaml", "--database", "othr", "-e", "SELECT 1"}},
		{name: "connect", args: []string{"--local", "testdata/two", "--config", "testdata/second.yaml", "-q"}, stdin: "\\connect\n\\connect other\nSELECT DATABASE();\n\\d\n"},
		{name: "broken connection", args: []string{"--local", "testdata/two", "--config", "testdata/broken.yaml", "--force", "-q"},
			stdin: "SELECT COUNT(*) AS n FROM things;\n\\connect broken\nSELECT * FROM broken.things;\nSELECT DATABASE() AS still;\n"},
		{name: "output to a folder that is missing", args: []string{"demo", "-e", "SELECT 1", "-o", "testdata/missing/x.csv"}},
		{name: "demo script", args: []string{"demo", "-q"}, stdin: "SELECT COUNT(*) AS n FROM stock;\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			compare(t, strings.ReplaceAll(tt.name, " ", "_"), runProgram(t, tt.stdin, tt.args...))
		})
	}
}
