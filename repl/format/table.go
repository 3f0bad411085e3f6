package format

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// tableWriter draws a bordered table. The first Options.Batch rows decide the
// widths; then each batch is drawn and forgotten. With a terminal's width,
// columns shrink to fit, the widest first, and values too wide are cut or
// wrapped. Without one nothing is cut, and a later value that is wider than its
// column widens the column from that batch on.
type tableWriter struct {
	w         io.Writer
	opt       Options
	columns   []Column
	names     []string
	widths    []int
	rows      [][]string
	bytes     int // of the texts in rows
	top       bool
	bottom    string // the lower border of the batch drawn last
	truncated bool
	scrolled  bool // the reader can scroll sideways: Width is no limit, but each column has one
}

// maxScrolled is the width of the widest column of a table that is scrolled.
const maxScrolled = 80

// batchBytes bounds the memory of a batch of very large values.
const batchBytes = 4 << 20

// cutMark ends a value that was cut.
const cutMark = "…"

func newTable(w io.Writer, o Options) *tableWriter { return &tableWriter{w: w, opt: o} }

func (t *tableWriter) Begin(columns []Column) error {
	t.columns = columns
	for _, c := range columns {
		name := Visible(c.Name)
		t.names = append(t.names, name)
		t.widths = append(t.widths, displayWidth(name))
	}
	return nil
}

func (t *tableWriter) Row(cells []Cell) error {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = t.opt.display(c, t.columns[i].Kind)
		t.bytes += len(row[i])
	}
	t.rows = append(t.rows, row)
	if len(t.rows) >= t.opt.Batch || t.bytes >= batchBytes {
		return t.draw()
	}
	return nil
}

func (t *tableWriter) End() error {
	if len(t.rows) > 0 || !t.top {
		if err := t.draw(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(t.w, t.bottom+"\n")
	return err
}

func (t *tableWriter) Truncated() bool { return t.truncated }

// draw writes the rows gathered so far, without the lower border: more may come.
func (t *tableWriter) draw() error {
	t.fitBatch()
	lines := t.render()
	t.rows, t.bytes = t.rows[:0], 0
	end := strings.LastIndexByte(lines, '\n')
	t.bottom = lines[end+1:]
	start := 0
	if t.top {
		start = strings.IndexByte(lines, '\n') + 1
	}
	t.top = true
	_, err := io.WriteString(t.w, lines[start:end+1])
	return err
}

// fitBatch sets the widths by the rows of this batch. On a terminal only the
// first batch decides, so that the table stays straight.
func (t *tableWriter) fitBatch() {
	if (t.opt.Width > 0 || t.scrolled) && t.top {
		return
	}
	for _, row := range t.rows {
		for i, s := range row {
			if len(s) > t.widths[i] { // bytes are never fewer than columns
				t.widths[i] = max(t.widths[i], displayWidth(s))
			}
		}
	}
	switch {
	case t.scrolled:
		for i, w := range t.widths {
			t.widths[i] = min(w, maxScrolled)
		}
	case t.opt.Width > 0:
		t.widths = fit(t.widths, t.opt.Width-3*len(t.widths)-1)
	}
}

// minColumn is the width below which a column says too little to be shown.
const minColumn = 6

// fit lowers the largest widths until their sum is at most total; none goes
// below minColumn.
func fit(widths []int, total int) []int {
	limit, sum := 0, 0
	for _, w := range widths {
		limit = max(limit, w)
		sum += w
	}
	for sum > total && limit > minColumn {
		limit--
		sum = 0
		for _, w := range widths {
			sum += min(w, limit)
		}
	}
	fitted := make([]int, len(widths))
	for i, w := range widths {
		fitted[i] = min(w, limit)
	}
	for i := 0; sum < total && i < len(widths); i++ {
		if fitted[i] < widths[i] {
			fitted[i]++
			sum++
		}
	}
	return fitted
}

// Fits reports whether a table of n columns has a legible width on a terminal
// of the given width; a wider result is better shown vertically.
func Fits(columns []Column, width int) bool {
	need := 1
	for _, c := range columns {
		need += 3 + min(displayWidth(c.Name), minColumn)
	}
	return width <= 0 || need <= width
}

func (t *tableWriter) render() string {
	w := table.NewWriter()
	w.SetStyle(t.style())
	configs := make([]table.ColumnConfig, len(t.columns))
	for i, c := range t.columns {
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMin: t.widths[i], WidthMax: t.widths[i], WidthMaxEnforcer: t.enforce}
		if c.Kind == Number {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.SetColumnConfigs(configs)
	if !t.top && !t.opt.NoHeader {
		w.AppendHeader(t.header())
	}
	for _, r := range t.rows {
		row := make(table.Row, len(r))
		for i, s := range r {
			row[i] = s
		}
		w.AppendRow(row)
	}
	if len(t.rows) == 0 && t.opt.NoHeader {
		return "\n"
	}
	return w.Render()
}

func (t *tableWriter) header() table.Row {
	row := make(table.Row, len(t.names))
	for i, name := range t.names {
		row[i] = name
		if t.opt.Color {
			row[i] = bold + name + reset
		}
	}
	return row
}

// enforce cuts or wraps a value that is wider than its column.
func (t *tableWriter) enforce(s string, width int) string {
	if len(s) <= width || displayWidth(s) <= width {
		return s
	}
	if t.opt.Wrap {
		return text.WrapHard(s, width)
	}
	t.truncated = true
	return text.Snip(s, width, cutMark)
}

func (t *tableWriter) style() table.Style {
	style := table.StyleRounded
	if t.opt.ASCII {
		style = table.StyleDefault
	}
	style.Format = table.FormatOptions{Header: text.FormatDefault, HeaderAlign: text.AlignLeft}
	return style
}

func displayWidth(s string) int { return text.StringWidthWithoutEscSequences(s) }
