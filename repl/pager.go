package repl

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// errPagerLeft is what writing to a pager gives when its user has left it.
var errPagerLeft = errors.New("the pager was left")

// pager holds a result back until it is longer than the screen. Only then does
// the program start; a shorter result is written as it is.
type pager struct {
	ctx      context.Context // of the shell, not of the statement: Ctrl-C must not end the program
	terminal Terminal
	program  []string
	height   int
	out      io.Writer // where a short result goes

	held  bytes.Buffer
	lines int
	pipe  *io.PipeWriter // nil until the program runs
	done  chan error
}

// screenMargin are lines of the screen that a result must leave free: for the
// footer and the prompt.
const screenMargin = 3

func (p *pager) Write(b []byte) (int, error) {
	if p.pipe != nil {
		return p.pipe.Write(b)
	}
	p.lines += bytes.Count(b, []byte("\n"))
	p.held.Write(b)
	if p.height > 0 && p.lines > p.height-screenMargin {
		if err := p.start(); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// start runs the program and gives it what was held back.
func (p *pager) start() error {
	if _, err := p.out.Write(nil); err != nil {
		return err
	}
	in, pipe := io.Pipe()
	p.pipe, p.done = pipe, make(chan error, 1)
	go func() {
		err := p.terminal.Run(p.ctx, p.program, in)
		if err != nil {
			in.CloseWithError(err)
		} else {
			in.CloseWithError(errPagerLeft)
		}
		p.done <- err
	}()
	_, err := p.pipe.Write(p.held.Bytes())
	return err
}

// close shows a short result, or waits until the user leaves the program.
func (p *pager) close() error {
	if p.pipe == nil {
		_, err := p.out.Write(p.held.Bytes())
		return err
	}
	p.pipe.Close()
	return <-p.done
}
