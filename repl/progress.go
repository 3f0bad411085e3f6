package repl

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progressLine shows how far a statement is, on one line that it rewrites. It
// goes away as soon as rows appear on the same screen. The zero value shows
// nothing.
type progressLine struct {
	mu    sync.Mutex // guards shown and over
	w     io.Writer
	shown bool
	over  bool

	stop chan struct{}
	wait sync.WaitGroup
}

// progressEvery is the time between two looks at the progress; the first one
// shows nothing before a statement has run that long.
const progressEvery = 250 * time.Millisecond

// startProgress begins to show progress if there is a screen and something to
// show. end must be called.
func (sh *Shell) startProgress(begin time.Time) *progressLine {
	source, ok := sh.session.(Progresser)
	if !ok || sh.terminal == nil && !sh.opt.ErrTerminal {
		return &progressLine{over: true}
	}
	p := &progressLine{w: sh.errOut(), stop: make(chan struct{})}
	p.wait.Add(1)
	go func() {
		defer p.wait.Done()
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				p.draw(progressText(source.Progress(), sh.opt.Now().Sub(begin)))
			}
		}
	}()
	return p
}

func (p *progressLine) draw(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		fmt.Fprintf(p.w, "\r\x1b[K\x1b[2m%s\x1b[0m", text)
		p.shown = true
	}
}

// clear takes the line away for good.
func (p *progressLine) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown && !p.over {
		io.WriteString(p.w, "\r\x1b[K")
	}
	p.over = true
}

// end takes the line away and waits until nothing draws any more.
func (p *progressLine) end() {
	p.clear()
	if p.stop != nil {
		close(p.stop)
		p.wait.Wait()
		p.stop = nil
	}
}

// before returns a writer that clears the line before anything is written to w.
func (p *progressLine) before(w io.Writer) io.Writer { return clearing{p, w} }

type clearing struct {
	line *progressLine
	w    io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	c.line.clear()
	return c.w.Write(b)
}

// progressText is the progress line, short enough for a narrow screen.
func progressText(p Progress, elapsed time.Duration) string {
	parts := []string{duration(elapsed)}
	if p.Done > 0 {
		parts = append([]string{bar(p.Done) + fmt.Sprintf(" %d %%", int(100*min(p.Done, 1)))}, parts...)
	}
	if p.Items > 0 {
		parts = append(parts, count(p.Items, "item"))
	}
	if p.Bytes > 0 {
		parts = append(parts, bytesText(p.Bytes))
	}
	if p.ReadUnits > 0 {
		parts = append(parts, units(p.ReadUnits))
	}
	if p.CostUSD > 0 {
		parts = append(parts, money(p.CostUSD))
	}
	if p.Left > 0 {
		parts = append(parts, duration(p.Left)+" left")
	}
	return strings.Join(parts, ", ") + " (Ctrl-C stops)"
}

func bar(share float64) string {
	const width = 20
	full := int(share*width + 0.5)
	full = max(0, min(full, width))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "]"
}
