package format

import (
	"bufio"
	"html"
	"io"
)

// htmlTable writes a <table> element. Report puts it into a page.
type htmlTable struct {
	w       *bufio.Writer
	columns []Column
}

func newHTML(w io.Writer) *htmlTable { return &htmlTable{w: bufio.NewWriterSize(w, 1<<16)} }

func (h *htmlTable) Begin(columns []Column) error {
	h.columns = columns
	h.w.WriteString("<table>\n<thead><tr>")
	for _, c := range columns {
		h.w.WriteString("<th" + class(c.Kind) + ">" + html.EscapeString(c.Name) + "</th>")
	}
	_, err := h.w.WriteString("</tr></thead>\n<tbody>\n")
	return err
}

func (h *htmlTable) Row(cells []Cell) error {
	h.w.WriteString("<tr>")
	for i, c := range cells {
		h.cell(c, h.columns[i].Kind)
	}
	_, err := h.w.WriteString("</tr>\n")
	return err
}

func (h *htmlTable) cell(c Cell, k Kind) {
	switch {
	case c.Null && k == Number:
		h.w.WriteString(`<td class="num null">NULL</td>`)
	case c.Null:
		h.w.WriteString(`<td class="null">NULL</td>`)
	case k == Binary:
		h.w.WriteString("<td>" + hexText(c.Text) + "</td>")
	default:
		h.w.WriteString("<td" + class(k) + ">" + html.EscapeString(c.Text) + "</td>")
	}
}

func (h *htmlTable) End() error {
	h.w.WriteString("</tbody>\n</table>\n")
	return h.w.Flush()
}

func class(k Kind) string {
	if k == Number {
		return ` class="num"`
	}
	return ""
}
