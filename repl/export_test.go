package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/repl/format"
)

func TestExport(t *testing.T) {
	dir := t.TempDir()
	session := newFakeSession()
	sh := New(session, Options{})
	script := strings.ReplaceAll(`SELECT SK, status, total FROM Orders WHERE PK = 'CUSTOMER#42';
\export {tmp}/a.csv
\export {tmp}/a.json
\export {tmp}/a.md
SELECT _ddb FROM Orders;
\export {tmp}/items.ddb.json
SELECT city, revenue FROM sales;
\chart bar > {tmp}/c.svg
\chart line > {tmp}/c.png
`, "{tmp}", dir)
	if err := sh.Script(context.Background(), "", strings.NewReader(script)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a.csv":          "SK,status,total\nORDER#A007,delivered,249.95\nORDER#A101,NULL,12.990\nORDER#A138,,100\n",
		"a.json":         "[\n{\"SK\":\"ORDER#A007\",\"status\":\"delivered\",\"total\":249.95},\n{\"SK\":\"ORDER#A101\",\"status\":\"NULL\",\"total\":12.990},\n{\"SK\":\"ORDER#A138\",\"status\":null,\"total\":100}\n]\n",
		"items.ddb.json": "{\"Item\":{\"PK\":{\"S\":\"a\"}}}\n{\"Item\":{\"PK\":{\"S\":\"b\"}}}\n",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s\n got %q, %v\nwant %q", name, got, err, want)
		}
	}
	for name, magic := range map[string]string{"c.svg": "<svg ", "c.png": "\x89PNG"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(got), magic) {
			t.Errorf("%s begins with %q, %v, want %q", name, got[:min(len(got), 8)], err, magic)
		}
	}
	if len(session.asked) != 3 {
		t.Errorf("exporting rows at hand ran statements again: %q", session.asked)
	}
}

func TestExportFailureKeepsTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := writeText(path, "old"); err != nil {
		t.Fatal(err)
	}
	err := writeFile(path, func(w io.Writer) error {
		fmt.Fprint(w, "new")
		return errors.New("broken off")
	})
	if err == nil {
		t.Fatal("the failure was lost")
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the file holds %q, want the old text", got)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestExportOfALargeResultRunsTheStatementAgain(t *testing.T) {
	session := newFakeSession()
	rows := make([][]format.Cell, keptRows+1)
	for i := range rows {
		rows[i] = cells(i)
	}
	session.answers["SELECT n FROM big"] = answer{columns: []format.Column{{Name: "n", Kind: format.Number}}, rows: rows}
	sh := New(session, Options{})
	path := filepath.Join(t.TempDir(), "big.csv")
	if err := sh.Script(context.Background(), "", strings.NewReader("SELECT n FROM big;\n\\export "+path)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(text), "\n"), keptRows+2; got != want {
		t.Errorf("the file has %d lines, want %d", got, want)
	}
	if len(session.asked) != 2 {
		t.Errorf("statements run: %d, want 2", len(session.asked))
	}
	if sh.result.complete || len(sh.result.rows) != keptRows {
		t.Errorf("kept %d rows, complete %v; want %d, false", len(sh.result.rows), sh.result.complete, keptRows)
	}
}

func TestReads(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT 1":                         true,
		"-- note\n (select 1)":             true,
		"WITH a AS (SELECT 1) SELECT 2":    true,
		"WITH a AS (SELECT 1) DELETE FROM": false,
		"DELETE FROM Orders":               false,
		"CALL ddb_save_schema()":           false,
		"":                                 false,
	} {
		if got := reads(sql); got != want {
			t.Errorf("reads(%q) = %v, want %v", sql, got, want)
		}
	}
}

func TestExportNeverRepeatsAChange(t *testing.T) {
	session := newFakeSession()
	sh := New(session, Options{Force: true})
	path := filepath.Join(t.TempDir(), "a.csv")
	for _, sql := range []string{"DELETE FROM Orders", "SELECT * FROM mixed"} {
		session.asked = nil
		err := sh.Script(context.Background(), "", strings.NewReader(sql+";\n\\export "+path))
		if !errors.Is(err, ErrFailed) || len(session.asked) != 1 {
			t.Errorf("exporting after %s: %v, statements run: %q", sql, err, session.asked)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("exporting after %s wrote a file", sql)
		}
	}
}
