package format

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

// sheet is a result, as texts that tell NULL apart.
type sheet struct {
	columns []Column
	rows    [][]Cell
}

func (tb sheet) write(t *testing.T, f Format) string {
	t.Helper()
	var b bytes.Buffer
	w, err := New(f, &b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(tb.columns); err != nil {
		t.Fatal(err)
	}
	for _, r := range tb.rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readers parse what was written with a parser that is not ours, into one text
// a cell, in the form that texts has.
var readers = map[Format]func(t *testing.T, tb sheet, text string) [][]string{
	CSV: readCSV, TSV: readTSV, JSONArray: readJSON, JSONLines: readJSONLines, Markdown: readMarkdown, HTML: readHTML,
}

// texts is the form in which a format can give values back: what stands for
// NULL and for binary differs.
func (tb sheet) texts(f Format) [][]string {
	var rows [][]string
	for _, r := range tb.rows {
		row := make([]string, len(r))
		for i, c := range r {
			row[i] = expected(f, c, tb.columns[i].Kind)
		}
		rows = append(rows, row)
	}
	return rows
}

func expected(f Format, c Cell, k Kind) string {
	null := map[Format]string{CSV: "", TSV: `\N`, JSONArray: "null", JSONLines: "null", Markdown: "NULL", HTML: "NULL"}[f]
	switch {
	case c.Null:
		return null
	case k == Binary && (f == JSONArray || f == JSONLines):
		return base64.StdEncoding.EncodeToString([]byte(c.Text))
	case k == Binary:
		return "0x" + strings.ToUpper(hex.EncodeToString([]byte(c.Text)))
	case k == JSON && (f == JSONArray || f == JSONLines):
		var compacted bytes.Buffer
		if json.Compact(&compacted, []byte(c.Text)) == nil {
			return compacted.String()
		}
	case f == CSV:
		return strings.ReplaceAll(c.Text, "\r\n", "\n") // what Go's reader does to line ends in fields
	case f == Markdown && k == Text && strings.Trim(c.Text, "'") == "NULL":
		return "'" + c.Text + "'"
	}
	return c.Text
}

func readCSV(t *testing.T, _ sheet, text string) [][]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("csv: %v\n%s", err, text)
	}
	return records[1:]
}

func readTSV(t *testing.T, _ sheet, text string) [][]string {
	t.Helper()
	unescape := strings.NewReplacer(`\\`, "\\", `\t`, "\t", `\n`, "\n", `\r`, "\r", `\0`, "\x00")
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:] {
		fields := strings.Split(line, "\t")
		for i, f := range fields {
			if f != `\N` {
				fields[i] = unescape.Replace(f)
			}
		}
		rows = append(rows, fields)
	}
	return rows
}

func readJSON(t *testing.T, tb sheet, text string) [][]string {
	t.Helper()
	var objects []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &objects); err != nil {
		t.Fatalf("json: %v\n%s", err, text)
	}
	return jsonRows(t, tb, objects)
}

func readJSONLines(t *testing.T, tb sheet, text string) [][]string {
	t.Helper()
	var objects []map[string]json.RawMessage
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" {
			continue
		}
		var o map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("jsonl: %v\n%s", err, line)
		}
		objects = append(objects, o)
	}
	return jsonRows(t, tb, objects)
}

func jsonRows(t *testing.T, tb sheet, objects []map[string]json.RawMessage) [][]string {
	t.Helper()
	names := uniqueNames(tb.columns)
	var rows [][]string
	for _, o := range objects {
		if len(o) != len(names) {
			t.Fatalf("an object has %d members, want %d", len(o), len(names))
		}
		row := make([]string, len(names))
		for i, name := range names {
			row[i] = string(o[name])
			if k := tb.columns[i].Kind; k != JSON && strings.HasPrefix(row[i], `"`) {
				var s string
				if err := json.Unmarshal(o[name], &s); err != nil {
					t.Fatal(err)
				}
				row[i] = s
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func readMarkdown(t *testing.T, tb sheet, text string) [][]string {
	t.Helper()
	var page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(ghtml.WithUnsafe())).Convert([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	return readHTML(t, tb, page.String())
}

var (
	rowTag  = regexp.MustCompile(`(?s)<tr>\n?(.*?)</tr>`)
	cellTag = regexp.MustCompile(`(?s)<td[^>]*>(.*?)</td>`)
	anyTag  = regexp.MustCompile(`<[^>]*>`)
)

func readHTML(t *testing.T, _ sheet, page string) [][]string {
	t.Helper()
	var rows [][]string
	for _, tr := range rowTag.FindAllStringSubmatch(page, -1) {
		var row []string
		for _, td := range cellTag.FindAllStringSubmatch(tr[1], -1) {
			text := strings.NewReplacer("<br>", "\n", "<br />", "\n").Replace(td[1])
			if tag := anyTag.FindString(text); tag != "" {
				t.Errorf("the value became markup: %s", td[1])
			}
			row = append(row, html.UnescapeString(text))
		}
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

func (tb sheet) check(t *testing.T) {
	t.Helper()
	for f, read := range readers {
		text := tb.write(t, f)
		got, want := read(t, tb, text), tb.texts(f)
		if len(got) == 0 && len(want) == 0 {
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s does not parse back\n got %q\nwant %q\ntext %s", f, got, want, text)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	columns := []Column{{"text", Text}, {"n", Number}, {"doc", JSON}, {"raw", Binary}, {"day", Time}, {"n", Number}}
	sheet{columns, [][]Cell{
		{{Text: "plain"}, {Text: "12345678901234567890123456789012345678.90"}, {Text: `{"a": [1.50, null], "b": "x|y"}`}, {Text: "\x00\xffA"}, {Text: "2026-10-01"}, {Text: "-0.50"}},
		{{Text: "a,b;\"c\" 'd' | `e` <f> & *g* _h_ [i](j) ~k~ \\l # $m$"}, Null, Null, Null, Null, Null},
		{{Text: "tab\tline\nend"}, {Text: "0"}, {Text: "[]"}, {}, {Text: "2026-10-02 03:04:05.000006"}, {Text: "7"}},
		{{Text: ""}, {Text: "1"}, {Text: `"\u00e9"`}, {Text: "abc"}, {Text: "-838:59:59"}, {Text: "8"}},
		{{Text: " spaces  around "}, {Text: "1"}, {Text: `1`}, {Text: "abc"}, {Text: "2026"}, {Text: "8"}},
		{{Text: "NULL"}, {Text: "1"}, {Text: `null`}, {Text: "abc"}, {Text: "2026"}, {Text: "8"}},
		{{Text: "日本語 ŋ 🙂 snake_case __init__ x_"}, {Text: "1"}, {Text: `{}`}, {Text: "abc"}, {Text: "2026"}, {Text: "8"}},
		{{Text: "http://example.com/?a=1&amp;b=2 &copy; &#35;"}, {Text: "1"}, {Text: `{}`}, {Text: "abc"}, {Text: "2026"}, {Text: "8"}},
	}}.check(t)
}

func TestRoundTripOfNoRows(t *testing.T) {
	sheet{columns: []Column{{"a", Text}}}.check(t)
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("a,b", "| x |\\")
	f.Add("\"", "*a* _b_ `c` <d> &e;")
	f.Add(" ", "\t\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range []string{a, b} {
			if strings.ContainsAny(s, "\r\x00") || strings.ToValidUTF8(s, "") != s || Visible(strings.NewReplacer("\n", "", "\t", "").Replace(s)) != strings.NewReplacer("\n", "", "\t", "").Replace(s) {
				t.Skip("JSON or HTML cannot hold it as it is")
			}
		}
		sheet{[]Column{{"a", Text}, {"b", Text}, {"c", Binary}}, [][]Cell{{{Text: a}, {Text: b}, {Text: a}}, {{Text: b}, Null, Null}}}.check(t)
	})
}

// TestRoundTripOfDataSets writes the expected rows of the questions in the data
// sets in every format.
func TestRoundTripOfDataSets(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/*/questions.json")
	if len(files) == 0 {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatal("the data sets are missing")
		}
		t.Skip("no data sets")
	}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var questions []struct {
			ID   string                       `json:"id"`
			Rows []map[string]json.RawMessage `json:"expected_rows"`
		}
		if err := json.Unmarshal(raw, &questions); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, q := range questions {
			if len(q.Rows) == 0 {
				continue
			}
			t.Run(q.ID, func(t *testing.T) { tableOf(q.Rows).check(t) })
		}
	}
}

// tableOf makes a result of expected rows; a column has the kind of its first
// value that is not NULL.
func tableOf(objects []map[string]json.RawMessage) sheet {
	var tb sheet
	if len(objects) == 0 {
		return tb
	}
	for name := range objects[0] {
		tb.columns = append(tb.columns, Column{Name: name})
	}
	sort.Slice(tb.columns, func(i, j int) bool { return tb.columns[i].Name < tb.columns[j].Name })
	for i := range tb.columns {
		for _, o := range objects {
			if v := string(o[tb.columns[i].Name]); v != "null" {
				tb.columns[i].Kind = kindOf(v)
				break
			}
		}
	}
	for _, o := range objects {
		row := make([]Cell, len(tb.columns))
		for i, c := range tb.columns {
			row[i] = cellOf(string(o[c.Name]), c.Kind)
		}
		tb.rows = append(tb.rows, row)
	}
	return tb
}

func kindOf(v string) Kind {
	switch v[0] {
	case '"':
		return Text
	case '{', '[':
		return JSON
	}
	return Number
}

func cellOf(v string, k Kind) Cell {
	var s string
	switch {
	case v == "null":
		return Null
	case k != JSON && json.Unmarshal([]byte(v), &s) == nil:
		return Cell{Text: s}
	case v == "true" || v == "false":
		return Cell{Text: map[string]string{"true": "1", "false": "0"}[v]}
	}
	return Cell{Text: v}
}

// failing is a writer that fails after n bytes.
type failing struct{ n int }

var errFull = errors.New("disk full")

func (f *failing) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWriteErrorsComeBack(t *testing.T) {
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			w, err := New(f, &failing{n: 10}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			err = w.Begin([]Column{{"a", Text}})
			for i := 0; i < 100000 && err == nil; i++ {
				err = w.Row([]Cell{{Text: "value"}})
			}
			if err == nil {
				err = w.End()
			}
			if !errors.Is(err, errFull) {
				t.Errorf("got %v, want %v", err, errFull)
			}
		})
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]Format{"csv": CSV, "JSON": JSONArray, " md ": Markdown, "ndjson": JSONLines} {
		if got, err := Parse(name); err != nil || got != want {
			t.Errorf("Parse(%q) = %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := Parse("xml"); err == nil || !strings.Contains(err.Error(), "markdown") {
		t.Errorf("Parse(xml) = %v, want an error that lists the formats", err)
	}
}

func TestValidNumber(t *testing.T) {
	for s, want := range map[string]bool{"0": true, "-0.50": true, "1e5": true, "1E-7": true, "12345678901234567890.5": true,
		"": false, "-": false, "007": false, ".5": false, "5.": false, "1e": false, "NaN": false, "0x1": false, "+1": false} {
		if got := validNumber(s); got != want {
			t.Errorf("validNumber(%q) = %v, want %v", s, got, want)
		}
	}
}

func BenchmarkWriters(b *testing.B) {
	columns := []Column{{"id", Number}, {"name", Text}, {"doc", JSON}, {"total", Number}}
	row := []Cell{{Text: "12345"}, {Text: "a name of ordinary length"}, {Text: `{"a":1,"b":[1,2,3]}`}, Null}
	const rows = 10000
	for _, f := range All() {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w, err := New(f, io.Discard, Options{Width: 80})
				if err != nil {
					b.Fatal(err)
				}
				if err := w.Begin(columns); err != nil {
					b.Fatal(err)
				}
				for range rows {
					if err := w.Row(row); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.End(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}
