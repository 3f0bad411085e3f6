package mysqld_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// A cell is a value as a client has it: its bytes, or nil for NULL.
type cell = *string

// readers are the clients that fetch whole tables: how to run each, and how to
// read what it writes for one result.
var readers = []struct {
	name    string
	probe   []string
	command []string
	read    func(*testing.T, []byte) [][][]cell
	zero    string // how it writes a byte of zero
}{
	{"mariadb shell", []string{"mariadb", "--version"}, []string{"bash", script("values.sh")}, fromXML, " "},
	{"PyMySQL", python("pymysql"), []string{"/usr/bin/python3", script("values.py")}, fromDigits, "\x00"},
	{"npm mysql2", []string{"node", "-e", "require('mysql2')"}, []string{"node", script("values.js"), "query"}, fromDigits, "\x00"},
	{"npm mysql2, server prepares", []string{"node", "-e", "require('mysql2')"}, []string{"node", script("values.js"), "execute"}, fromDigits, "\x00"},
	{"MariaDB Connector/J", []string{"test", "-f", jar()}, []string{"java", "-cp", jar(), script("Values.java"), ""}, fromDigits, "\x00"},
	{"MariaDB Connector/J, server prepares", []string{"test", "-f", jar()}, []string{"java", "-cp", jar(), script("Values.java"), "useServerPrepStmts=true"}, fromDigits, "\x00"},
}

// TestClientsReadValues has clients fetch every column of every item of several
// data sets, and holds each value against the item.
func TestClientsReadValues(t *testing.T) {
	if testing.Short() {
		t.Skip("foreign clients take long")
	}
	store := localdb.Open(localdb.Options{})
	var tables []dataset.Table
	for _, name := range []string{"edges", "all-types", "books-nested", "employees", "invoices-bills"} {
		set := valuesOf(t, name)
		if _, err := set.Load(context.Background(), store.Client()); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, set.Tables...)
	}
	e := newEngine(t, store.Client())
	environment := clientEnvironment(serve(t, e, mysqld.Options{}))
	var want [][][]cell
	var input bytes.Buffer
	for i := range tables {
		query, rows := inProcess(t, e, &tables[i])
		want = append(want, rows)
		fmt.Fprintln(&input, asciiJSON(t, query))
	}
	for _, c := range readers {
		t.Run(c.name, func(t *testing.T) {
			got := c.read(t, runClient(t, environment, c.probe, c.command, input.Bytes()))
			if len(got) != len(want) {
				t.Fatalf("%d results, want %d", len(got), len(want))
			}
			for i := range tables {
				sameRows(t, tables[i].Name, got[i], want[i], c.zero)
			}
		})
	}
}

// valuesOf is a data set: edges is ours, the others need not be there.
func valuesOf(t *testing.T, name string) *dataset.Set {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", name)
	if name == "edges" {
		dir = filepath.Join("testdata", name)
	}
	if _, err := os.Stat(dir); err != nil && os.Getenv("DYNASQL_CI") != "1" {
		return &dataset.Set{}
	}
	set, err := dataset.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// inProcess reads a table without a server, checks every value of it against
// the items, and returns the statement with its rows.
func inProcess(t *testing.T, e *engine.Engine, table *dataset.Table) (string, [][]cell) {
	t.Helper()
	s := e.NewSession()
	defer s.Close()
	shown := rowsOf(t, s, "SELECT attribute, column_name, column_type FROM ddb_schema('"+table.Name+"')")
	query := "SELECT _ddb, _item"
	for _, c := range shown {
		query += ", `" + strings.ReplaceAll(*c[1], "`", "``") + "`"
	}
	query += " FROM `" + table.Name + "`"
	rows := rowsOf(t, s, query)
	if len(rows) != len(table.Items) {
		t.Fatalf("%s has %d rows, want %d", table.Name, len(rows), len(table.Items))
	}
	items := itemsOf(table)
	for _, row := range rows {
		item, ok := items[fmt.Sprint(inOrder(parsed(t, *row[0])))]
		if !ok {
			t.Fatalf("%s has no item %s", table.Name, *row[0])
		}
		if got, want := inOrder(parsed(t, *row[1])), inOrder(plain(&types.AttributeValueMemberM{Value: item})); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: _item is\n%v\nwant\n%v", table.Name, got, want)
		}
		for i, c := range shown {
			checkCell(t, table.Name+"."+*c[1], row[i+2], item[*c[0]], strings.EqualFold(*c[2], "json"))
		}
	}
	return query, rows
}

func rowsOf(t *testing.T, s *engine.Session, query string) [][]cell {
	t.Helper()
	rows, err := s.Query(context.Background(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var out [][]cell
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		cells := make([]cell, len(row))
		for i, v := range row {
			if text := v.Text; !v.Null {
				cells[i] = &text
			}
		}
		out = append(out, cells)
	}
}

// itemsOf are the items of a table by their documents in DynamoDB JSON.
func itemsOf(table *dataset.Table) map[string]ddb.Item {
	out := map[string]ddb.Item{}
	for _, item := range table.Items {
		members := map[string]any{}
		for name, v := range item {
			members[name] = ddbJSON(v)
		}
		out[fmt.Sprint(inOrder(members))] = item
	}
	return out
}

// checkCell holds a value of a column against the attribute that it shows.
func checkCell(t *testing.T, column string, got cell, v types.AttributeValue, document bool) {
	t.Helper()
	want := plain(v)
	switch {
	case want == nil:
		if got != nil {
			t.Errorf("%s: got %q, want NULL", column, *got)
		}
		return
	case got == nil:
		t.Errorf("%s: got NULL, want %v", column, want)
		return
	}
	shown := any(*got)
	if document {
		shown = parsed(t, *got)
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberN:
		if !document {
			shown = canonicalNumber(*got)
		}
	case *types.AttributeValueMemberBOOL:
		if !document {
			shown = *got == "1" || *got == "true"
		}
	case *types.AttributeValueMemberB:
		if !document {
			want = string(v.Value)
		}
	}
	if !reflect.DeepEqual(inOrder(shown), inOrder(want)) {
		t.Errorf("%s: got %v, want %v", column, shown, want)
	}
}

// plain is a value as JSON shows it: numbers as canonical texts, sets as lists.
func plain(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return canonicalNumber(v.Value)
	case *types.AttributeValueMemberB:
		return base64.StdEncoding.EncodeToString(v.Value)
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case *types.AttributeValueMemberM:
		out := map[string]any{}
		for name, x := range v.Value {
			out[name] = plain(x)
		}
		return out
	case *types.AttributeValueMemberL:
		out := []any{}
		for _, x := range v.Value {
			out = append(out, plain(x))
		}
		return out
	case *types.AttributeValueMemberSS:
		return listOf(v.Value, func(s string) any { return s })
	case *types.AttributeValueMemberNS:
		return listOf(v.Value, func(s string) any { return canonicalNumber(s) })
	case *types.AttributeValueMemberBS:
		return listOf(v.Value, func(b []byte) any { return base64.StdEncoding.EncodeToString(b) })
	}
	return nil
}

// ddbJSON is a value as DynamoDB JSON.
func ddbJSON(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{"S": v.Value}
	case *types.AttributeValueMemberN:
		return map[string]any{"N": canonicalNumber(v.Value)}
	case *types.AttributeValueMemberB:
		return map[string]any{"B": plain(v)}
	case *types.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": plain(v)}
	case *types.AttributeValueMemberNS:
		return map[string]any{"NS": plain(v)}
	case *types.AttributeValueMemberBS:
		return map[string]any{"BS": plain(v)}
	case *types.AttributeValueMemberM:
		members := map[string]any{}
		for name, x := range v.Value {
			members[name] = ddbJSON(x)
		}
		return map[string]any{"M": members}
	case *types.AttributeValueMemberL:
		return map[string]any{"L": listOf(v.Value, ddbJSON)}
	}
	return map[string]any{"NULL": true}
}

func listOf[T any](list []T, of func(T) any) []any {
	out := []any{}
	for _, v := range list {
		out = append(out, of(v))
	}
	return out
}

// inOrder sorts the lists of texts in a value, since the order of a set means
// nothing.
func inOrder(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			v[name] = inOrder(x)
		}
	case []any:
		for i, x := range v {
			v[i] = inOrder(x)
		}
		slices.SortStableFunc(v, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return v
}

func parsed(t *testing.T, document string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(document))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	return numbersOf(v)
}

// numbersOf writes the numbers in a document as canonical texts, also those
// that DynamoDB JSON has as texts under N and NS.
func numbersOf(v any) any {
	switch v := v.(type) {
	case json.Number:
		return canonicalNumber(v.String())
	case []any:
		return listOf(v, numbersOf)
	case map[string]any:
		out := map[string]any{}
		for name, x := range v {
			out[name] = numbersOf(x)
		}
		if n, ok := v["N"].(string); ok && len(v) == 1 {
			out["N"] = canonicalNumber(n)
		}
		if ns, ok := v["NS"].([]any); ok && len(v) == 1 {
			out["NS"] = listOf(ns, func(n any) any { return canonicalNumber(fmt.Sprint(n)) })
		}
		return out
	}
	return v
}

// canonicalNumber tells a number from a text, and 1.50 not from 1.5.
func canonicalNumber(text string) any {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return text
	}
	return "number " + r.RatString()
}

func sameRows(t *testing.T, table string, got, want [][]cell, zero string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", table, len(got), len(want))
	}
	text := func(c cell, zero string) string {
		if c == nil {
			return "NULL"
		}
		return fmt.Sprintf("%q", strings.ReplaceAll(*c, "\x00", zero))
	}
	for i := range want {
		for j := range want[i] {
			if g, w := text(got[i][j], "\x00"), text(want[i][j], zero); g != w {
				t.Fatalf("%s, row %d, column %d: got %s, want %s", table, i, j, g, w)
			}
		}
	}
}

// asciiJSON writes a text as JSON without a character beyond ASCII.
func asciiJSON(t *testing.T, text string) string {
	t.Helper()
	encoded, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(string(encoded))) {
		if unit < 128 {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// fromDigits reads lists of hexadecimal digits, a row a line, and an empty line
// behind each result.
func fromDigits(t *testing.T, out []byte) [][][]cell {
	var results [][][]cell
	rows := [][]cell{}
	for _, line := range strings.SplitAfter(string(out), "\n") {
		if line == "\n" {
			results, rows = append(results, rows), [][]cell{}
		}
		if len(line) <= 1 {
			continue
		}
		var row []cell
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		for _, c := range row {
			if c != nil {
				*c = undigit(t, *c)
			}
		}
		rows = append(rows, row)
	}
	return results
}

func undigit(t *testing.T, digits string) string {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatalf("%v in %q", err, digits)
	}
	return string(raw)
}

// fromXML reads what the mariadb shell writes with --xml. It has a blank where a
// value has a byte of zero.
func fromXML(t *testing.T, out []byte) [][][]cell {
	var results [][][]cell
	// Bytes that are no character of XML are moved away and back.
	const away = 0xe000
	var visible strings.Builder
	for _, b := range out {
		if b < ' ' && b != '\n' || b >= 0x7f {
			visible.WriteRune(away + rune(b))
		} else {
			visible.WriteByte(b)
		}
	}
	original := func(text string) string {
		var b []byte
		for _, r := range text {
			b = append(b, byte(r)) // away + b ends in b
		}
		return string(b)
	}
	d := xml.NewDecoder(strings.NewReader(visible.String()))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return results
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		last := len(results) - 1
		switch start.Name.Local {
		case "resultset":
			results = append(results, nil)
		case "row":
			results[last] = append(results[last], nil)
		case "field":
			var field struct {
				Nil  bool   `xml:"nil,attr"`
				Text string `xml:",chardata"`
			}
			if err := d.DecodeElement(&field, &start); err != nil {
				t.Fatal(err)
			}
			var c cell
			if text := original(field.Text); !field.Nil {
				c = &text
			}
			row := &results[last][len(results[last])-1]
			*row = append(*row, c)
		}
	}
}
