package engine_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	_ "github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/engine"
)

// A peer is a MariaDB server, fast to start and reached through a driver, with
// data in a temporary folder.
type peer struct {
	db   *sql.DB
	conn *sql.Conn
}

// startPeer returns nil where MariaDB is not installed.
func startPeer(t *testing.T) *peer {
	t.Helper()
	binary, err := exec.LookPath("mariadbd")
	if err != nil {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatal("mariadbd is not installed")
		}
		t.Log("mariadbd is not installed: nothing is compared with it")
		return nil
	}
	dir, err := os.MkdirTemp("", "oracle") // short: a socket's path has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	data, socket := filepath.Join(dir, "data"), filepath.Join(dir, "s")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"--no-defaults", "--datadir=" + data, "--socket=" + socket, "--tmpdir=" + dir, "--pid-file=" + filepath.Join(dir, "pid"),
		"--skip-networking", "--skip-grant-tables", "--skip-innodb", "--default-storage-engine=Aria",
		"--character-set-server=utf8mb4", "--collation-server=utf8mb4_nopad_bin", "--sql-mode=", "--max-sort-length=8192"}
	if os.Getuid() == 0 {
		args = append(args, "--user=root")
	}
	server := exec.Command(binary, args...)
	var output bytes.Buffer
	server.Stdout, server.Stderr = &output, &output
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = os.RemoveAll(dir)
	})
	db, err := sql.Open("mysql", "root@unix("+socket+")/?collation=utf8mb4_nopad_bin&interpolateParams=false&multiStatements=true")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for db.PingContext(ctx) != nil {
		select {
		case <-ctx.Done():
			t.Fatalf("MariaDB does not outcome: %s", output.String())
		case <-time.After(50 * time.Millisecond): // until the server listens
		}
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m := &peer{db, conn}
	m.exec(t, "SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin; SET max_statement_time = 20, group_concat_max_len = 1000000")
	return m
}

func (m *peer) exec(t testing.TB, text string, args ...any) {
	t.Helper()
	if _, err := m.conn.ExecContext(context.Background(), text, args...); err != nil {
		t.Fatalf("MariaDB: %s: %v", text, err)
	}
}

// load makes the tables of a world with all rows; what it returns drops them.
func (m *peer) load(t testing.TB, o *opened) (drop func()) {
	t.Helper()
	if m == nil {
		return func() {}
	}
	m.exec(t, "CREATE OR REPLACE DATABASE oracle; USE oracle")
	for i, s := range o.schemas {
		var columns, marks []string
		for _, c := range s.Columns {
			if !c.Hidden {
				columns = append(columns, quoteName(c.Name)+" "+mariaTypes[c.Type])
				marks = append(marks, "?")
			}
		}
		m.exec(t, "CREATE TABLE "+quoteName(s.Name)+" ("+strings.Join(columns, ", ")+") COLLATE utf8mb4_nopad_bin")
		for _, item := range o.tables[i].items {
			var values []any
			for _, c := range s.Columns {
				if !c.Hidden {
					values = append(values, mariaValue(c.Type, item[c.Attribute]))
				}
			}
			m.exec(t, "INSERT INTO "+quoteName(s.Name)+" VALUES ("+strings.Join(marks, ", ")+")", values...)
		}
	}
	return func() { m.exec(t, "DROP DATABASE IF EXISTS oracle") }
}

var mariaTypes = map[schema.Type]string{
	schema.Text: "LONGTEXT", schema.MixedText: "LONGTEXT", schema.JSON: "LONGTEXT",
	schema.Decimal: "DECIMAL(65,30)", schema.Boolean: "TINYINT(1)", schema.Bytes: "LONGBLOB",
}

// mariaValue is the value as a parameter, by the rules of the documentation.
func mariaValue(t schema.Type, v types.AttributeValue) any {
	switch v := v.(type) {
	case nil, *types.AttributeValueMemberNULL:
		return nil
	case *types.AttributeValueMemberB:
		if t == schema.Bytes {
			return v.Value
		}
	case *types.AttributeValueMemberBOOL:
		if t == schema.Boolean {
			return truth(v.Value)
		}
	}
	text := plainJSON(v)
	if plain := ""; t != schema.JSON && json.Unmarshal([]byte(text), &plain) == nil {
		return plain
	}
	return text
}

// plainJSON writes a value as a JSON document.
func plainJSON(v types.AttributeValue) string {
	var parts []string
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return jsonText(v.Value)
	case *types.AttributeValueMemberN:
		return number(v.Value)
	case *types.AttributeValueMemberB:
		return jsonText(base64.StdEncoding.EncodeToString(v.Value))
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberL:
		for _, e := range v.Value {
			parts = append(parts, plainJSON(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberSS:
		for _, e := range v.Value {
			parts = append(parts, jsonText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberM:
		for name, e := range v.Value {
			parts = append(parts, jsonText(name)+": "+plainJSON(e))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "null"
}

func jsonText(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSpace(b.String())
}

var jsonArrow = regexp.MustCompile("((?:\\w+\\.)?`[^`]+`)->(>?)('[^']*')")

// dialect puts a statement into MariaDB's words.
func dialect(text string) string {
	return jsonArrow.ReplaceAllStringFunc(text, func(s string) string {
		m := jsonArrow.FindStringSubmatch(s)
		extract := "JSON_EXTRACT(" + m[1] + ", " + m[3] + ")"
		if m[2] == "" {
			return extract
		}
		return "(JSON_UNQUOTE(" + extract + ") COLLATE utf8mb4_nopad_bin)"
	})
}

// run runs a query; its values are written as cell writes those of our columns.
func (m *peer) run(q *query, columns []engine.Column) (outcome, error) {
	a := outcome{columns: columns}
	for _, setting := range q.settings() {
		if _, err := m.conn.ExecContext(context.Background(), setting); err != nil {
			return a, err
		}
	}
	rows, err := m.conn.QueryContext(context.Background(), dialect(q.String()))
	if err != nil {
		return a, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return a, err
	}
	values, places := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range values {
		places[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return a, err
		}
		row := make([]string, len(names))
		for i, v := range values {
			c := engine.Column{}
			if i < len(columns) {
				c = columns[i]
			}
			row[i] = rounded(c, cell(c, engine.Value{Text: v.String, Null: !v.Valid}))
		}
		a.rows = append(a.rows, row)
	}
	return a, rows.Err()
}

// comparableRows are the rows of an answer of ours with numbers rounded alike.
func comparableRows(a outcome) [][]string {
	out := make([][]string, len(a.rows))
	for i, row := range a.rows {
		out[i] = make([]string, len(row))
		for j, v := range row {
			out[i][j] = rounded(a.columns[j], v)
		}
	}
	return out
}

// rounded cuts the digits of a quotient that databases give or do not give.
func rounded(c engine.Column, text string) string {
	point := strings.IndexByte(text, '.')
	if c.Class != engine.Number || point < 0 || len(text)-point < 16 {
		return text
	}
	return text[:point+15]
}
