package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The ending of the file says the format; nothing goes to standard output.
func TestOutputFile(t *testing.T) {
	sql := "SELECT sku, price FROM products WHERE sku = 'GRN-SEN-01'"
	for _, tt := range []struct{ file, format, want string }{
		{"x.csv", "", "sku,price\nGRN-SEN-01,14.9\n"},
		{"x.tsv", "", "sku\tprice\nGRN-SEN-01\t14.9\n"},
		{"x.jsonl", "", `{"sku":"GRN-SEN-01","price":14.9}` + "\n"},
		{"x.md", "", "| sku | price |\n|"},
		{"x.html", "", "<!DOCTYPE html>"},
		{"x.csv", "json", "["},
		{"x.unknown", "", "sku\tprice\nGRN-SEN-01\t14.9\n"},
	} {
		t.Run(tt.file+" "+tt.format, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tt.file)
			args := []string{"demo", "-q", "-e", sql, "-o", path}
			if tt.format != "" {
				args = append(args, "--format", tt.format)
			}
			got := runProgram(t, "", args...)
			text, err := os.ReadFile(path)
			if err != nil || got.status != statusFine || got.stdout != "" || !strings.HasPrefix(string(text), tt.want) {
				t.Errorf("got %s, file %q, %v; want the file to begin with %q", got, text, err, tt.want)
			}
		})
	}
}

// A report is one page that needs nothing from elsewhere, with a chart where a
// comment asks for one.
func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "revenue.html")
	got := runProgram(t, "", "demo", "-f", "testdata/sql/report.sql", "-o", path, "--var", "id=C0046")
	text, err := os.ReadFile(path)
	if err != nil || got.status != statusFine {
		t.Fatalf("%v, %s", err, got)
	}
	page := string(text)
	for _, want := range []string{"<title>revenue</title>", "Revenue by country", "<svg", "3969.03", "A customer&#39;s orders", "ORDER#20", "1 Query"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, never := range []string{"<script src", "<link rel=\"stylesheet\"", "http://", "https://"} {
		if at := strings.Index(page, never); at >= 0 && !strings.HasPrefix(page[at:], "http://www.w3.org/") {
			t.Errorf("the page needs something else: %s", page[at:min(at+80, len(page))])
		}
	}
	if n := strings.Count(page, "<svg"); n != 1 {
		t.Errorf("%d charts, want one", n)
	}
}

// A report stops at the first error as any script does, and the page says so.
func TestReportWithError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.html")
	got := runProgram(t, "SELECT 1 AS one;\nSELECT nope FROM stock;\nSELECT 2 AS two;\n", "demo", "-o", path)
	text, err := os.ReadFile(path)
	page := string(text)
	if err != nil || got.status != statusFailed || !strings.Contains(page, "unknown column") || strings.Contains(page, "two") || !strings.Contains(page, "</html>") {
		t.Errorf("%v, %s\n%s", err, got, page)
	}
}
