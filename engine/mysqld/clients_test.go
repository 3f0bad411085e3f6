package mysqld_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// asked is what every client is asked. Binary values are asked for in
// hexadecimal, since clients differ in how they show them.
var asked = []struct {
	SQL  string `json:"sql"`
	Args []any  `json:"args"`
	want [][]any
}{
	{"SELECT id, name, vip FROM customers ORDER BY id", []any{}, [][]any{
		{"c1", "Ada", "1"}, {"c2", "Bruno", "0"}, {"c3", "Chloé", "1"}, {"c4", "Dmitri Ω", "0"}, {"c5", "Eve 🍋", "1"}}},
	{"SELECT credit FROM customers ORDER BY credit", []any{}, [][]any{
		{"-3.25"}, {"0"}, {"10.5"}, {"1000"}, {"99999999999999999999999999999999999999"}}},
	{"SELECT name FROM customers WHERE id = ?", []any{"c5"}, [][]any{{"Eve 🍋"}}},
	{"SELECT total FROM orders WHERE customer = ? AND number = ?", []any{"c5", 2}, [][]any{{"12.5"}}},
	{"SELECT number, note FROM orders WHERE customer = ? AND total > ? ORDER BY number", []any{"c4", 7.5}, [][]any{
		{"2", `it's "quoted"\n; -- ? x`}, {"3", nil}, {"4", `it's "quoted"\n; -- ? xxx`}}},
	{"SELECT c.name, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id WHERE c.vip GROUP BY c.name ORDER BY n", []any{}, [][]any{
		{"Ada", "1"}, {"Chloé", "3"}, {"Eve 🍋", "5"}}},
	{"SELECT HEX(`key`), HEX(bin), n FROM kinds ORDER BY `key`", []any{}, [][]any{
		{"0001FF", "DEAD00", "1.5"}, {"706C61696E", nil, "-0.000000000000000000000000000000000000123"}}},
	{"SELECT CAST(1.5 AS DOUBLE) AS d, CAST('2024-02-29 01:02:03.5' AS DATETIME(6)) AS t, 9223372036854775807 AS i, NULL AS z", []any{}, [][]any{
		{"1.5", "2024-02-29 01:02:03.500000", "9223372036854775807", nil}}},
	{"SELECT COUNT(*) FROM orders WHERE customer IN (?, ?, ?)", []any{"c1", "c2", "no such"}, [][]any{{"3"}}},
	{"SELECT name FROM customers WHERE id = ? AND vip = ?", []any{"c1", 0}, [][]any{}},
}

// script is a client in testdata/clients.
func script(name string) string { return filepath.Join("testdata", "clients", name) }

func jar() string {
	found, _ := filepath.Glob("/usr/share/java/mariadb-java-client*.jar")
	if len(found) == 0 {
		return "no mariadb-java-client.jar"
	}
	return found[0]
}

// clients are those of the matrix: how to find out whether one is installed,
// how to run it, and whether it answers what is asked.
var clients = []struct {
	name    string
	probe   []string
	command []string
	silent  bool // checks itself and writes nothing
}{
	{"mariadb shell", []string{"mariadb", "--version"}, []string{"bash", script("mariadb.sh")}, true},
	{"mycli", []string{"mycli", "--version"}, []string{"bash", script("mycli.sh")}, true},
	{"PyMySQL", python("pymysql"), []string{"/usr/bin/python3", script("pymysql_client.py")}, false},
	{"mysqlclient", python("MySQLdb"), []string{"/usr/bin/python3", script("mysqlclient_client.py")}, false},
	{"SQLAlchemy", python("sqlalchemy, pymysql"), []string{"/usr/bin/python3", script("sqlalchemy_client.py")}, false},
	{"pandas", python("pandas, pymysql"), []string{"/usr/bin/python3", script("pandas_client.py")}, false},
	{"npm mysql2", []string{"node", "-e", "require('mysql2')"}, []string{"node", script("mysql2_client.js")}, false},
	{"npm mysql", []string{"node", "-e", "require('mysql')"}, []string{"node", script("mysql_client.js")}, false},
	{"DBD::mysql", perl("mysql"), []string{"perl", script("dbi_client.pl"), "mysql", "0"}, false},
	{"DBD::mysql, server prepares", perl("mysql"), []string{"perl", script("dbi_client.pl"), "mysql", "1"}, false},
	{"DBD::MariaDB", perl("MariaDB"), []string{"perl", script("dbi_client.pl"), "MariaDB", "0"}, false},
	{"DBD::MariaDB, server prepares", perl("MariaDB"), []string{"perl", script("dbi_client.pl"), "MariaDB", "1"}, false},
	{"PHP mysqli", php("mysqli"), []string{"php", script("mysqli_client.php")}, false},
	{"PHP PDO", php("pdo_mysql"), []string{"php", script("pdo_client.php"), "0"}, false},
	{"PHP PDO, server prepares", php("pdo_mysql"), []string{"php", script("pdo_client.php"), "1"}, false},
	{"Ruby mysql2", []string{"ruby", "-rmysql2", "-e", ""}, []string{"ruby", script("mysql2_client.rb")}, false},
	{"R RMySQL", []string{"Rscript", "-e", "library(RMySQL)"}, []string{"Rscript", script("rmysql_client.R")}, true},
	{"MariaDB Connector/J", []string{"test", "-f", jar()}, []string{"java", "-cp", jar(), script("JdbcClient.java"), ""}, false},
	{"MariaDB Connector/J, server prepares", []string{"test", "-f", jar()}, []string{"java", "-cp", jar(), script("JdbcClient.java"), "useServerPrepStmts=true"}, false},
	{"ODBC", []string{"bash", "-c", "command -v isql && ls /usr/lib/*/odbc/libmaodbc.so"}, []string{"bash", script("odbc.sh")}, true},
}

func python(modules string) []string { return []string{"/usr/bin/python3", "-c", "import " + modules} }
func perl(driver string) []string    { return []string{"perl", "-MDBD::" + driver, "-e", "1"} }
func php(extension string) []string {
	return []string{"php", "-r", "exit(extension_loaded('" + extension + "') ? 0 : 1);"}
}

// TestClients runs programs written for other libraries, where these are
// installed; with DYNASQL_CI=1 all of them must be. DYNASQL_NODE_MODULES says
// where mysql2 and mysql of npm are.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("foreign clients take long")
	}
	var input bytes.Buffer
	for _, q := range asked {
		if err := json.NewEncoder(&input).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	environment := clientEnvironment(serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}))
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			out := runClient(t, environment, c.probe, c.command, input.Bytes())
			if !c.silent {
				compare(t, bytes.NewBuffer(out))
			}
		})
	}
}

// clientEnvironment tells a client where the server is.
func clientEnvironment(address string) []string {
	host, port, _ := net.SplitHostPort(address)
	return append(os.Environ(), "DB_HOST="+host, "DB_PORT="+port, "DB_USER=somebody", "DB_PASSWORD=", "DB_NAME=dynamodb",
		"NODE_PATH="+os.Getenv("DYNASQL_NODE_MODULES"), "PYTHONIOENCODING=utf-8", "LC_ALL=C.UTF-8")
}

// runClient runs a client, if it is installed, and returns what it writes.
func runClient(t *testing.T, environment, probe, command []string, input []byte) []byte {
	t.Helper()
	installed := exec.Command(probe[0], probe[1:]...)
	installed.Env = environment
	if err := installed.Run(); err != nil {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatalf("not installed: %v", probe)
		}
		t.Skipf("not installed: %v", probe)
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env, cmd.Stdin = environment, bytes.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("%v: %v\n%s\n%.2000s", command, err, stderr.String(), stdout.String())
	}
	return stdout.Bytes()
}

func compare(t *testing.T, out *bytes.Buffer) {
	t.Helper()
	s := bufio.NewScanner(out)
	for _, q := range asked {
		if !s.Scan() {
			t.Fatalf("no answer to %s", q.SQL)
		}
		var rows [][]any
		if err := json.Unmarshal(s.Bytes(), &rows); err != nil {
			t.Fatalf("%s: %v in %q", q.SQL, err, s.Text())
		}
		if got, want := canonical(rows), canonical(q.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %v\n got %v\nwant %v", q.SQL, q.Args, got, want)
		}
	}
}

// canonical writes numbers alike: 1.50 and 1.5, true and 1.
func canonical(rows [][]any) []string {
	out := []string{}
	for _, row := range rows {
		cells := []string{}
		for _, v := range row {
			cells = append(cells, canonicalCell(v))
		}
		out = append(out, strings.Join(cells, "|"))
	}
	return out
}

func canonicalCell(v any) string {
	text := fmt.Sprint(v)
	switch text {
	case "true", "True":
		return "1"
	case "false", "False":
		return "0"
	case "<nil>":
		return "NULL"
	}
	if r, ok := new(big.Rat).SetString(text); ok && !strings.ContainsAny(text, "/_xX") {
		return strings.TrimSuffix(strings.TrimRight(r.FloatString(40), "0"), ".")
	}
	if moment, fraction, ok := strings.Cut(text, "."); ok && len(moment) == len("2024-02-29 01:02:03") {
		return moment + "." + strings.TrimRight(fraction, "0")
	}
	return text
}
