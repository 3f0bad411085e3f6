package format

import "io"

// auto looks at the first rows and chooses between a table and one column a
// line: the rows of a table that must be cut to a few characters a column say
// nothing. A table longer than the screen, on a pager that scrolls sideways,
// need not be cut to the screen at all.
type auto struct {
	w       io.Writer
	opt     Options
	columns []Column
	held    [][]Cell
	bytes   int
	chosen  Writer // nil while rows are held
}

// legible is the width below which a cut value says too little.
const legible = 10

func (a *auto) Begin(columns []Column) error {
	a.columns = columns
	return nil
}

func (a *auto) Row(cells []Cell) error {
	if a.chosen != nil {
		return a.chosen.Row(cells)
	}
	for _, c := range cells {
		a.bytes += len(c.Text)
	}
	a.held = append(a.held, append([]Cell(nil), cells...))
	if len(a.held) >= a.opt.Batch || a.bytes >= batchBytes {
		return a.choose()
	}
	return nil
}

func (a *auto) End() error {
	if a.chosen == nil {
		if err := a.choose(); err != nil {
			return err
		}
	}
	return a.chosen.End()
}

func (a *auto) Truncated() bool {
	t, ok := a.chosen.(Truncater)
	return ok && t.Truncated()
}

func (a *auto) choose() error {
	a.chosen = a.choice()
	if err := a.chosen.Begin(a.columns); err != nil {
		return err
	}
	for _, row := range a.held {
		if err := a.chosen.Row(row); err != nil {
			return err
		}
	}
	a.held = nil
	return nil
}

// frame are the lines of a table around its rows, and of the screen around the
// table.
const frame = 4 + 3

func (a *auto) choice() Writer {
	t := newTable(a.w, a.opt)
	switch {
	case a.opt.Width == 0 || !a.squeezed():
	case a.opt.Scroll && len(a.held)+frame > a.opt.Height:
		t.scrolled = true
	default:
		return newVertical(a.w, a.opt)
	}
	return t
}

// squeezed reports whether a table would cut values to less than is legible in
// more than a quarter of its columns. That a name is cut does not count.
func (a *auto) squeezed() bool {
	t := newTable(a.w, a.opt)
	_ = t.Begin(a.columns) // writes nothing
	values := make([]int, len(a.columns))
	for _, row := range a.held {
		for i, c := range row {
			if len(c.Text) > values[i] || c.Null {
				values[i] = max(values[i], displayWidth(a.opt.display(c, a.columns[i].Kind)))
			}
		}
	}
	for i, w := range values {
		t.widths[i] = max(t.widths[i], w)
	}
	cut := 0
	for i, w := range fit(t.widths, a.opt.Width-3*len(values)-1) {
		if w < values[i] && w < legible {
			cut++
		}
	}
	return 4*cut > len(values)
}
