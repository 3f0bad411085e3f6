package repl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

func TestParamsAreBoundNotPasted(t *testing.T) {
	session := newFakeSession()
	sh := New(session, Options{Vars: map[string]string{"id": "x' OR '1'='1"}})
	sql := "SELECT * FROM Orders WHERE PK = :id"
	if err := sh.Script(context.Background(), "", strings.NewReader(sql)); err != nil {
		t.Fatal(err)
	}
	if want := sql + ` [id 0 "x' OR '1'='1" false]`; session.asked[0] != want {
		t.Errorf("the session was asked %s, want %s", session.asked[0], want)
	}
}

func TestParseParam(t *testing.T) {
	for value, want := range map[string]Param{
		"42":       {Kind: format.Number, Text: "42"},
		"-0.50":    {Kind: format.Number, Text: "-0.50"},
		"'42'":     {Text: "42"},
		"'it''s'":  {Text: "it's"},
		"007":      {Text: "007"},
		"1e5":      {Text: "1e5"},
		"1.":       {Text: "1."},
		"null":     {Null: true},
		"'null'":   {Text: "null"},
		"":         {Text: ""},
		"it's; --": {Text: "it's; --"},
	} {
		want.Name = "p"
		if got := parseParam("p", value); got != want {
			t.Errorf("parseParam(%q) = %+v, want %+v", value, got, want)
		}
	}
}

func TestParamsOutsideStringsOnly(t *testing.T) {
	sh := New(newFakeSession(), Options{Vars: map[string]string{"a": "1", "b": "2"}})
	params, err := sh.params("SELECT ':x', \":y\", `:z`, :a, t.c:b, '10:20', @v := :b -- :c\n, :a")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	if want := []string{"a", "b"}; !reflect.DeepEqual(names, want) {
		t.Errorf("parameters %q, want %q", names, want)
	}
}

func TestScriptEndsWithItsContext(t *testing.T) {
	session := newFakeSession()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var errOut bytes.Buffer
	err := New(session, Options{ErrOut: &errOut, Force: true}).Script(ctx, "", strings.NewReader("SELECT * FROM slow; SELECT 1;"))
	if !errors.Is(err, ErrFailed) || len(session.asked) != 1 {
		t.Errorf("got %v after %q, want ErrFailed after one statement", err, session.asked)
	}
	if !strings.Contains(errOut.String(), "ERROR: cancelled") {
		t.Errorf("reported %q", errOut.String())
	}
}

func TestIncludeEndsInALoop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loop.sql")
	if err := writeText(path, `\i `+path+"\n"); err != nil {
		t.Fatal(err)
	}
	var errOut bytes.Buffer
	err := New(newFakeSession(), Options{ErrOut: &errOut}).Script(context.Background(), "", strings.NewReader(`\i `+path))
	if !errors.Is(err, ErrFailed) || !strings.Contains(errOut.String(), "more than 16 deep") {
		t.Errorf("got %v, %q", err, errOut.String())
	}
}

func TestOutputGoesToAFile(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	sh := New(newFakeSession(), Options{Out: &out, Format: format.HTML})
	script := `\o ` + dir + "/sales.html\nSELECT city, revenue FROM sales;\n" + `\o ` + dir + "/b.csv\n\\format csv\nSELECT 1;\n\\o\nSELECT 2;\n"
	if err := sh.Script(context.Background(), "", strings.NewReader(script)); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "sales.html"))
	if err != nil || !strings.Contains(string(page), "<title>sales</title>") || !strings.HasSuffix(string(page), "</html>\n") {
		t.Errorf("the page is not whole: %v\n%s", err, page)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "b.csv")); err != nil || string(b) != "1\n1\n" {
		t.Errorf("b.csv holds %q, %v", b, err)
	}
	if out.String() != "2\n2\n" {
		t.Errorf("the output holds %q", out.String())
	}
}

func TestWriteFailureIsAnError(t *testing.T) {
	var errOut bytes.Buffer
	sh := New(newFakeSession(), Options{Out: brokenWriter{}, ErrOut: &errOut})
	err := sh.Script(context.Background(), "", strings.NewReader("SELECT 1;"))
	if !errors.Is(err, ErrFailed) || !strings.Contains(errOut.String(), "no space") {
		t.Errorf("got %v, %q", err, errOut.String())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestMark(t *testing.T) {
	long := "SELECT " + strings.Repeat("column_name, ", 20) + "wrong FROM t"
	for _, tt := range []struct {
		name   string
		sql    string
		offset int
		want   []string
	}{
		{"first line", "SELECT x\nFROM t", 7, []string{"  SELECT x", "         ^"}},
		{"second line", "SELECT x\nFROM t", 14, []string{"  FROM t", "       ^"}},
		{"at the end", "SELECT", 6, []string{"  SELECT", "        ^"}},
		{"wide characters", "SELECT '日本', x", 17, []string{"  SELECT '日本', x", "                 ^"}},
		{"tab", "\tx y", 3, []string{`  \tx y`, "      ^"}},
		{"outside", "SELECT", 7, nil},
		{"negative", "SELECT", -1, nil},
		{"long line", long, strings.Index(long, "wrong"), []string{
			"  …lumn_name, column_name, column_name, column_name, wrong FROM t", "                                                     ^"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mark(tt.sql, tt.offset); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("mark\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestFigures(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{thousands(0), "0"}, {thousands(999), "999"}, {thousands(1234567), "1,234,567"}, {thousands(-1000), "-1,000"},
		{count(1, "row"), "1 row"}, {count(0, "row"), "0 rows"},
		{number(0.5), "0.5"}, {number(12), "12"}, {number(1234.5), "1,235"}, {number(0.123456789), "0.1234"},
		{money(0), "$0.00"}, {money(0.0000000625), "$0.000000062"}, {money(0.0153), "$0.015"}, {money(0.1), "$0.10"}, {money(12.345), "$12.35"}, {money(0.001), "$0.001"},
		{duration(0), "0 ms"}, {duration(12 * time.Millisecond), "12 ms"}, {duration(3420 * time.Millisecond), "3.42 s"}, {duration(125 * time.Second), "2 min 5 s"}, {duration(3 * time.Hour), "3 h 0 min"},
		{bytesText(0), "0 B"}, {bytesText(1023), "1023 B"}, {bytesText(12600), "12.3 KB"}, {bytesText(5 << 30), "5.0 GB"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestProgressText(t *testing.T) {
	p := Progress{Items: 1234, Bytes: 4096, ReadUnits: 617, CostUSD: 0.000077, Done: 0.25, Left: 3 * time.Second}
	want := "[#####...............] 25 %, 1.00 s, 1,234 items, 4.0 KB, 617 read units, $0.000077, 3.00 s left (Ctrl-C stops)"
	if got := progressText(p, time.Second); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got, want := progressText(Progress{}, time.Second), "1.00 s (Ctrl-C stops)"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestSpending(t *testing.T) {
	sh := New(newFakeSession(), Options{})
	sh.settle(Stats{Requests: map[string]int64{"Query": 2}, ItemsRead: 5, ReadUnits: 1.5, Reads: []Read{{Table: "a"}, {Table: "b"}, {Table: "a"}}})
	sh.settle(Stats{Requests: map[string]int64{"Scan": 1}, Reads: []Read{{Table: "c", Requests: 1, ReadUnits: 7}}})
	sh.settle(Stats{})
	var got []spending
	for _, s := range sh.spendings() {
		got = append(got, *s)
	}
	want := []spending{{table: "c", requests: 1, readUnits: 7}, {table: "a + b", requests: 2, items: 5, readUnits: 1.5}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestHistoryEntry(t *testing.T) {
	for _, tt := range []struct {
		name string
		item Item
		want string
	}{
		{"lines are joined", Item{Text: "SELECT 1,\n\t 2"}, "SELECT 1, 2;"},
		{"vertical", Item{Text: "SELECT 1", Vertical: true}, `SELECT 1\G`},
		{"line comments", Item{Text: "SELECT 1 -- one\n, 2 # two\n"}, "SELECT 1 /* one */ , 2 /* two */;"},
		{"a comment cannot end early", Item{Text: "SELECT 1 -- a */ b\n"}, "SELECT 1 /* a * / b */;"},
		{"line breaks in strings", Item{Text: "SELECT 'a\nb'"}, `SELECT 'a\nb';`},
		{"spaces in strings stay", Item{Text: "SELECT 'a  b'"}, "SELECT 'a  b';"},
		{"command", Item{Text: `\d t`, Command: true}, `\d t`},
		{"password", Item{Text: "CREATE USER a IDENTIFIED BY 'x'"}, ""},
		{"secret key", Item{Text: "SET @aws_secret_access_key = 'x'"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := historyEntry(tt.item); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHistoryFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "history")
	h := openHistory(path, 3)
	for _, e := range []string{"a", "b", "b", "", "c\nd", "e"} {
		h.add(e)
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "a\nb\nc d\ne\n" {
		t.Errorf("the file holds %q", text)
	}
	again := openHistory(path, 3)
	defer again.close()
	if want := []string{"b", "c d", "e"}; !reflect.DeepEqual(again.entries, want) {
		t.Errorf("entries %q, want the newest three %q", again.entries, want)
	}
	if dir, _ := os.Stat(filepath.Dir(path)); dir.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v", dir.Mode())
	}
}

func TestHistoryFileIsShortened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte(strings.Repeat("x\ny\n", 50)), 0o644); err != nil {
		t.Fatal(err)
	}
	openHistory(path, 10).close()
	text, _ := os.ReadFile(path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 10 || info.Mode().Perm() != 0o600 {
		t.Errorf("%d lines, mode %v; want 10, 0600", n, info.Mode())
	}
}

func TestHistoryWithoutAPlace(t *testing.T) {
	h := openHistory("/proc/no/such/dir/history", 10)
	h.add("a")
	if err := h.close(); err != nil || len(h.entries) != 1 {
		t.Errorf("entries %q, %v", h.entries, err)
	}
}

// chunks gives its parts out one by one.
type chunks []string

func (c *chunks) Read(p []byte) (int, error) {
	if len(*c) == 0 {
		return 0, io.EOF
	}
	n := copy(p, (*c)[0])
	*c = (*c)[1:]
	return n, nil
}

func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   chunks
		want string
	}{
		{"typed", chunks{"ab\tc\r"}, "ab\tc\r"},
		{"pasted", chunks{"\x1b[200~a\tb\n\x1b[201~\t"}, "a b\n\t"},
		{"marks in pieces", chunks{"\x1b[2", "00~a\tb\x1b[20", "1~\t"}, "a b\t"},
		{"home and end", chunks{"\x1b[1~\x1b[4~"}, "\x1b[H\x1b[F"},
		{"word keys", chunks{"\x1b[1;5C\x1b[1;5D"}, "\x1bf\x1bb"},
		{"arrows", chunks{"\x1b[A\x1bOB"}, "\x1b[A\x1bOB"},
		{"escape alone", chunks{"\x1b"}, "\x1b"},
		{"broken off", chunks{"\x1b[20"}, "\x1b[20"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := io.ReadAll(newKeys(&tt.in))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	names := []string{"Orders", "Users", "order-lines"}
	for name, want := range map[string]string{"Ordres": "Orders", "users": "Users", "zzz": "", "orderlines": "order-lines"} {
		if got := nearest(name, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestWatchEndsWithCtrlC(t *testing.T) {
	terminal := &fakeTerminal{lines: []string{"SELECT 1;", `\watch 1^C`, "SELECT 2;"}}
	session := newFakeSession()
	opt := Options{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	if err := New(session, opt).Interact(context.Background(), terminal); err != nil {
		t.Fatal(err)
	}
	if want := []string{"SELECT 1", "SELECT 1", "SELECT 2"}; !reflect.DeepEqual(session.asked, want) {
		t.Errorf("ran %q, want %q", session.asked, want)
	}
}

func TestEverySettingIsShown(t *testing.T) {
	sh := New(newFakeSession(), Options{})
	for _, name := range settingNames {
		if name != "csvnull" && sh.setting(name) == "" {
			t.Errorf("\\pset shows nothing for %s", name)
		}
		if err := sh.change(name, []string{"on"}); err != nil && !strings.Contains("border width", name) {
			t.Errorf("\\pset %s on: %v", name, err)
		}
	}
}

func TestCommandNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range allCommands() {
		for _, n := range c.names {
			if seen[n] || !strings.HasPrefix(n, `\`) {
				t.Errorf("the name %s is taken or lacks its backslash", n)
			}
			seen[n] = true
		}
		if c.help == "" || c.run == nil {
			t.Errorf("%s has no help or does nothing", c.names[0])
		}
	}
}
