// Package format writes the rows of a statement: as a table that fits the
// terminal, vertically, as CSV, TSV, JSON, JSON lines, Markdown or HTML.
//
// A cell is the text that MySQL's text protocol would send, so no number ever
// passes through a float: every digit that arrives is written. Every writer
// streams; none holds more than its first rows, which decide the widths of a
// table. The package knows neither SQL nor DynamoDB and does no I/O beyond the
// writer that it is given.
package format

import (
	"fmt"
	"io"
	"strings"
)

// Kind is the class of a column's type. It decides alignment, quoting and the
// form of a value in JSON.
type Kind uint8

const (
	Text   Kind = iota // a string; the zero value
	Number             // an exact number in decimal notation, booleans (1, 0) among them
	Time               // a date, a time or both
	Binary             // raw bytes
	JSON               // a JSON document
)

// Column is one column of a result.
type Column struct {
	Name string
	Kind Kind
}

// Cell is one value of a row: its text in MySQL's text protocol (raw bytes for
// Binary), or NULL. Text is meaningless when Null is set.
type Cell struct {
	Text string
	Null bool
}

// Null is the cell of SQL's NULL.
var Null = Cell{Null: true}

// Writer writes one result. Begin comes first, then Row for every row, then End
// once. The cells given to Row are the caller's: a Writer keeps no reference to
// the slice. After an error nothing more may be called.
type Writer interface {
	Begin(columns []Column) error
	Row(cells []Cell) error
	End() error
}

// Format names a way of writing results.
type Format string

const (
	Table     Format = "table"
	Vertical  Format = "vertical"
	CSV       Format = "csv"
	TSV       Format = "tsv"
	JSONArray Format = "json"
	JSONLines Format = "jsonl"
	Markdown  Format = "markdown"
	HTML      Format = "html"
)

// All lists the formats in the order in which help shows them.
func All() []Format {
	return []Format{Table, Vertical, CSV, TSV, JSONArray, JSONLines, Markdown, HTML}
}

// Parse finds a format by name. The usual other names (md, ndjson) are known.
func Parse(name string) (Format, error) {
	lower := Format(strings.ToLower(strings.TrimSpace(name)))
	switch lower {
	case "md":
		return Markdown, nil
	case "ndjson", "jsonlines":
		return JSONLines, nil
	}
	var names []string
	for _, f := range All() {
		if f == lower {
			return f, nil
		}
		names = append(names, string(f))
	}
	return "", fmt.Errorf("there is no output format %q; choose one of %s", name, strings.Join(names, ", "))
}

// Options says how results look. The zero value is right for a file or a pipe.
type Options struct {
	Width    int    // columns of the terminal; 0: no limit, nothing is cut
	Height   int    // lines of the terminal
	Auto     bool   // a table that Width would make illegible is written vertically, or see Scroll
	Scroll   bool   // with Auto: what is longer than Height can be scrolled sideways
	Null     string // what stands for NULL in a table, vertically and in Markdown; default "NULL"
	NullCSV  string // what stands for NULL in CSV, unquoted; default nothing, while an empty string is ""
	Color    bool   // NULL dimmed, headers bold
	Wrap     bool   // values too wide are wrapped, not cut
	ASCII    bool   // table borders of + - |
	NoHeader bool   // no column names in table, CSV and TSV
	Batch    int    // rows that decide a table's widths, and that are drawn at a time; default 1000
}

func (o Options) withDefaults() Options {
	if o.Null == "" {
		o.Null = "NULL"
	}
	if o.Batch <= 0 {
		o.Batch = 1000
	}
	return o
}

// New returns a Writer in the given format onto w. It writes in large pieces and
// nothing is certain to be out before End.
func New(f Format, w io.Writer, o Options) (Writer, error) {
	o = o.withDefaults()
	switch f {
	case Table, "":
		if o.Auto {
			return &auto{w: w, opt: o}, nil
		}
		return newTable(w, o), nil
	case Vertical:
		return newVertical(w, o), nil
	case CSV:
		return newCSV(w, o), nil
	case TSV:
		return newTSV(w, o), nil
	case JSONArray:
		return newJSON(w, "[\n", ",\n", "\n]\n"), nil
	case JSONLines:
		return newJSON(w, "", "\n", "\n"), nil
	case Markdown:
		return newMarkdown(w, o), nil
	case HTML:
		return newHTML(w), nil
	}
	_, err := Parse(string(f))
	return nil, err
}

// Truncater is implemented by writers that may cut values to fit the terminal.
type Truncater interface {
	// Truncated reports whether any value was cut.
	Truncated() bool
}
