package format

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// vertical writes one column a line, as the mysql client does after \G. No
// value is cut. The lines of a value after its first are indented.
type vertical struct {
	w       *bufio.Writer
	opt     Options
	columns []Column
	names   []string // right-aligned, with ": "
	indent  string
	rows    int
}

func newVertical(w io.Writer, o Options) *vertical {
	return &vertical{w: bufio.NewWriterSize(w, 1<<16), opt: o}
}

func (v *vertical) Begin(columns []Column) error {
	v.columns = columns
	width := 0
	for _, c := range columns {
		width = max(width, text.StringWidthWithoutEscSequences(Visible(c.Name)))
	}
	for _, c := range columns {
		v.names = append(v.names, text.AlignRight.Apply(Visible(c.Name), width)+": ")
	}
	v.indent = strings.Repeat(" ", width+2)
	return nil
}

func (v *vertical) Row(cells []Cell) error {
	v.rows++
	const stars = "***************************"
	fmt.Fprintf(v.w, "%s %d. row %s\n", stars, v.rows, stars)
	for i, c := range cells {
		v.w.WriteString(v.names[i])
		v.value(c, v.columns[i].Kind)
	}
	return nil
}

func (v *vertical) value(c Cell, k Kind) {
	if c.Null || k != Text || !strings.Contains(c.Text, "\n") {
		v.w.WriteString(v.opt.display(c, k))
		v.w.WriteByte('\n')
		return
	}
	for i, line := range strings.Split(c.Text, "\n") {
		if i > 0 {
			v.w.WriteString(v.indent)
		}
		v.w.WriteString(Visible(line))
		v.w.WriteByte('\n')
	}
}

func (v *vertical) End() error { return v.w.Flush() }
