package format

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"
)

// Report is one self-contained HTML page: a heading, then for each statement
// its text, what its comments say, a chart where one is given, the table and a
// footer. It has no script and loads nothing. Nothing is written before the
// first part and the page ends with Close.
type Report struct {
	w     io.Writer
	title string
	begun bool
}

// NewReport returns a page with the given title onto w.
func NewReport(w io.Writer, title string) *Report { return &Report{w: w, title: title} }

// Section is the part of a page that belongs to one statement.
type Section struct {
	Title  string // heading; empty: none
	SQL    string
	Rows   []byte // the table, written by a Writer of format HTML
	Figure string // an SVG element
	Footer string
	Error  string // why the statement failed
}

// Add writes one section.
func (r *Report) Add(s Section) error {
	if err := r.begin(); err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("<section>\n")
	if s.Title != "" {
		fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(s.Title))
	}
	if s.Figure != "" {
		fmt.Fprintf(&b, "<figure>%s</figure>\n", s.Figure)
	}
	if s.Error != "" {
		fmt.Fprintf(&b, "<p class=\"error\">%s</p>\n", html.EscapeString(s.Error))
	}
	if len(s.Rows) > 0 {
		b.WriteString("<div class=\"rows\">\n")
		b.Write(s.Rows)
		b.WriteString("</div>\n")
	}
	if s.SQL != "" {
		fmt.Fprintf(&b, "<details><summary>SQL</summary><pre>%s</pre></details>\n", html.EscapeString(strings.TrimSpace(s.SQL)))
	}
	if s.Footer != "" {
		fmt.Fprintf(&b, "<p class=\"footer\">%s</p>\n", html.EscapeString(s.Footer))
	}
	b.WriteString("</section>\n")
	_, err := r.w.Write(b.Bytes())
	return err
}

// Close ends the page. A page without sections is written too.
func (r *Report) Close() error {
	if err := r.begin(); err != nil {
		return err
	}
	_, err := io.WriteString(r.w, "</main>\n</body>\n</html>\n")
	return err
}

func (r *Report) begin() error {
	if r.begun {
		return nil
	}
	r.begun = true
	title := html.EscapeString(r.title)
	_, err := fmt.Fprintf(r.w, pageHead, title, pageStyle, title)
	return err
}

const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="icon" href="data:,">
<style>
%s</style>
</head>
<body>
<main>
<h1>%s</h1>
`

const pageStyle = `:root { color-scheme: light dark; --line: #d0d7de; --head: #f3f5f7; --soft: #66707a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --head: #1c2128; --soft: #9aa4ae; --bad: #ff8a80; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0; }
main { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
section { margin: 0 0 2.5rem; }
figure { margin: 0 0 1rem; background: #fff; } figure svg { max-width: 100%; height: auto; display: block; }
.rows { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
th { background: var(--head); } .num { text-align: right; white-space: nowrap; }
.null, .footer, summary { color: var(--soft); } .null { font-style: italic; }
.footer, summary { font-size: .85rem; } pre { background: var(--head); padding: .6rem; overflow-x: auto; }
.error { color: var(--bad); white-space: pre-wrap; }
@media print { main { max-width: none; margin: 0; } details { display: none; } thead { display: table-header-group; } tr, figure { break-inside: avoid; } .rows { overflow: visible; } }
`
