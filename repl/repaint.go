package repl

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mattn/go-runewidth"
)

// repainter stands between the line editor and the screen and places the cursor
// itself. The editor's own arithmetic takes every character for one column and
// loses count of the rows when a line wraps, which eats the screen above. The
// repainter also draws over the old line instead of erasing it first, so nothing
// flickers.
//
// The editor erases a line with one write and draws it with another: prompt,
// painted line, and its own cursor movement. The painter (paint) ends the line
// with a mark; what follows the mark is replaced.
type repainter struct {
	w     io.Writer
	width func() int

	mu     sync.Mutex // guards what follows
	prompt string     // without colours
	line   []rune     // as painted last
	pos    int        // of the cursor in line
	above  int        // rows of the line above the cursor's row
	erase  bool       // the editor erased the line, the screen still shows it
}

// paintMark is a sequence that terminals ignore, should it ever reach one.
const paintMark = "\x1b_dynasql\x1b\\"

// eraseLine is how each erasing write of the editor begins.
const eraseLine = "\x1b[J\x1b[2K\r"

// begin tells the prompt of the next line.
func (p *repainter) begin(prompt string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.prompt, p.line, p.pos, p.above = prompt, nil, 0, 0
}

// painted notes what the editor is about to draw.
func (p *repainter) painted(line []rune, pos int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line, p.pos = append(p.line[:0], line...), pos
}

func (p *repainter) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if bytes.HasPrefix(b, []byte(eraseLine)) {
		p.erase = true
		return len(b), nil
	}
	var out []byte
	if i := bytes.Index(b, []byte(paintMark)); i >= 0 {
		out = p.draw(b[:i])
	} else {
		out = append(p.erased(), b...)
	}
	if _, err := p.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// erased really erases a line that the editor erased.
func (p *repainter) erased() []byte {
	if !p.erase {
		return nil
	}
	return append(p.home(), "\x1b[J"...)
}

// home moves to where the prompt begins.
func (p *repainter) home() []byte {
	p.erase = false
	var out []byte
	if p.above > 0 {
		out = fmt.Appendf(out, "\x1b[%dA", p.above)
	}
	p.above = 0
	return append(out, '\r')
}

// draw puts the line on the screen and the cursor into it.
func (p *repainter) draw(text []byte) []byte {
	var out []byte
	if p.erase {
		out = p.home()
	}
	out = append(out, text...)
	if n := len(p.line); n > 0 && p.line[n-1] == '\n' {
		p.above = 0
		return append(out, "\x1b[J"...)
	}
	width := max(p.width(), 2)
	endRow, endCol := p.place(len(p.line), width)
	if endCol == 0 && endRow > 0 {
		out = append(out, " \b"...) // the terminal wraps only when the next row gets a character
	}
	out = append(out, "\x1b[J"...)
	row, col := p.place(p.pos, width)
	if endRow > row {
		out = fmt.Appendf(out, "\x1b[%dA", endRow-row)
	}
	out = append(out, '\r')
	if col > 0 {
		out = fmt.Appendf(out, "\x1b[%dC", col)
	}
	p.above = row
	return out
}

// place is where the character at pos stands, counted from the prompt's start.
func (p *repainter) place(pos, width int) (row, col int) {
	step := func(r rune) {
		w := runewidth.RuneWidth(r)
		if r == '\t' {
			w = tabWidth
		}
		if col+w > width {
			row, col = row+1, 0
		}
		if col += w; col == width {
			row, col = row+1, 0
		}
	}
	for _, r := range p.prompt {
		step(r)
	}
	for _, r := range p.line[:min(pos, len(p.line))] {
		step(r)
	}
	if pos < len(p.line) && col+runewidth.RuneWidth(p.line[pos]) > width {
		row, col = row+1, 0
	}
	return row, col
}

// tabWidth is how many spaces the editor draws for a tab.
const tabWidth = 4

// columnsOnly is a prompt without what takes no column.
func columnsOnly(prompt string) string {
	var b strings.Builder
	for i := 0; i < len(prompt); i++ {
		if prompt[i] == 0x1b {
			if end := strings.IndexByte(prompt[i:], 'm'); end >= 0 {
				i += end
				continue
			}
		}
		b.WriteByte(prompt[i])
	}
	return b.String()
}
