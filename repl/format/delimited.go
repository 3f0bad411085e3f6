package format

import (
	"bufio"
	"io"
	"strings"
)

// delimited writes CSV and TSV.
type delimited struct {
	w       *bufio.Writer
	opt     Options
	columns []Column
	sep     byte
	field   func(w *bufio.Writer, c Cell, k Kind)
	single  bool // one column: an empty line must not stand for a row
}

// newCSV quotes as RFC 4180 says; lines end in LF, as those of psql and duckdb
// do. NULL is an empty field and an empty string is "". Binary is 0x hex. In a
// result of one column NULL is written as "" too, since readers skip empty
// lines and would lose the row.
func newCSV(w io.Writer, o Options) *delimited {
	d := &delimited{w: bufio.NewWriterSize(w, 1<<16), opt: o, sep: ','}
	d.field = d.csvField
	return d
}

// newTSV escapes as the mysql client does in batch mode and LOAD DATA reads by
// default: tab, newline, NUL and backslash are \t \n \0 \\, and NULL is \N.
func newTSV(w io.Writer, o Options) *delimited {
	d := &delimited{w: bufio.NewWriterSize(w, 1<<16), opt: o, sep: '\t'}
	d.field = tsvField
	return d
}

func (d *delimited) Begin(columns []Column) error {
	d.columns = columns
	d.single = len(columns) == 1
	if d.opt.NoHeader {
		return nil
	}
	for i, c := range columns {
		if i > 0 {
			d.w.WriteByte(d.sep)
		}
		d.field(d.w, Cell{Text: c.Name}, Text)
	}
	return d.w.WriteByte('\n')
}

func (d *delimited) Row(cells []Cell) error {
	for i, c := range cells {
		if i > 0 {
			d.w.WriteByte(d.sep)
		}
		d.field(d.w, c, d.columns[i].Kind)
	}
	return d.w.WriteByte('\n')
}

func (d *delimited) End() error { return d.w.Flush() }

func (d *delimited) csvField(w *bufio.Writer, c Cell, k Kind) {
	switch {
	case c.Null && d.single && d.opt.NullCSV == "":
		w.WriteString(`""`)
		return
	case c.Null:
		w.WriteString(d.opt.NullCSV)
		return
	case k == Binary:
		w.WriteString(hexText(c.Text))
		return
	}
	s := c.Text
	if s != "" && s != d.opt.NullCSV && !strings.ContainsAny(s, ",\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		w.WriteString(s)
		return
	}
	w.WriteByte('"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		w.WriteString(s[:i+1])
		w.WriteByte('"')
		s = s[i+1:]
	}
	w.WriteString(s)
	w.WriteByte('"')
}

var tsvEscapes = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)

func tsvField(w *bufio.Writer, c Cell, k Kind) {
	switch {
	case c.Null:
		w.WriteString(`\N`)
	case k == Binary:
		w.WriteString(hexText(c.Text))
	case strings.ContainsAny(c.Text, "\\\t\n\r\x00"):
		tsvEscapes.WriteString(w, c.Text)
	default:
		w.WriteString(c.Text)
	}
}
