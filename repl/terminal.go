package repl

import (
	"context"
	"errors"
	"io"
)

// ErrInterrupted is what ReadLine returns when the user pressed Ctrl-C: the line
// is given up, the shell goes on.
var ErrInterrupted = errors.New("interrupted")

// Terminal is the place where a person sits: a line editor and a screen. Its
// methods are called from one goroutine; a Completer may be called from another
// while ReadLine runs.
type Terminal interface {
	io.Writer

	// ReadLine reads one line, without its newline. It returns io.EOF when the
	// user leaves (Ctrl-D) and ErrInterrupted on Ctrl-C.
	ReadLine(prompt string) (string, error)

	// AddHistory makes an entry the newest one of the history. It has no
	// newline.
	AddHistory(entry string)

	// SetEditing installs what helps while a line is edited. It is called once,
	// before the first ReadLine.
	SetEditing(e Editing)

	// Size is the size of the screen in columns and lines; 0, 0 when unknown.
	Size() (columns, lines int)

	// Interruptible returns a context that Ctrl-C cancels, for the time that a
	// statement runs. The second result ends that and must be called.
	Interruptible(ctx context.Context) (context.Context, context.CancelFunc)

	// Run runs a program on the terminal: the pager or the editor. in is what
	// the program reads on its standard input; nil: the keyboard.
	Run(ctx context.Context, program []string, in io.Reader) error
}

// Editing is the help that the shell gives to a line editor.
type Editing struct {
	// Complete returns what could stand in place of line[start:pos].
	Complete func(line string, pos int) (start int, candidates []string)

	// Paint returns the line with colours. It may add nothing but escape
	// sequences. nil: no colour.
	Paint func(line string) string
}
