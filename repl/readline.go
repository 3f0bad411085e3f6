package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/chzyer/readline"
	"golang.org/x/term"
)

// TerminalOptions says how the line editor keeps its history.
type TerminalOptions struct {
	HistoryFile  string // empty: the history ends with the process
	HistoryLimit int    // entries; default 1000
}

// OpenTerminal returns the terminal on standard input and output. Close it
// before the process ends.
func OpenTerminal(o TerminalOptions) (*LineTerminal, error) {
	if o.HistoryLimit <= 0 {
		o.HistoryLimit = 1000
	}
	t := &LineTerminal{out: os.Stdout, history: openHistory(o.HistoryFile, o.HistoryLimit)}
	t.screen = &repainter{w: t.out, width: t.width}
	t.stdin = readline.NewCancelableStdin(newKeys(os.Stdin))
	config := &readline.Config{
		Stdin:                  t.stdin,
		Stdout:                 t.screen,
		HistoryLimit:           o.HistoryLimit + 1,
		DisableAutoSaveHistory: true,
		HistorySearchFold:      true,
		AutoComplete:           noCompleter{},
		Listener:               t,
		Painter:                t,
		InterruptPrompt:        "^C",
		EOFPrompt:              "\n",
		FuncFilterInputRune:    t.filter,
	}
	editor, err := readline.NewEx(config)
	if err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	t.editor = editor
	return t, nil
}

// LineTerminal is a Terminal on chzyer/readline. Completion is ours: the
// library can only append to a word, and lists without limit.
type LineTerminal struct {
	out     *os.File
	editor  *readline.Instance
	history *history
	screen  *repainter
	stdin   io.ReadCloser
	closing sync.Once
	closed  error

	mu      sync.Mutex // guards editing; the editor calls back from its own goroutine
	editing Editing

	lastTab string // the line at which Tab had nothing more to insert; of the editor's goroutine
}

// The terminal tells pasted text from typed text after the first sequence.
const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

func (t *LineTerminal) ReadLine(prompt string) (string, error) {
	t.editor.ResetHistory()
	for _, entry := range t.history.entries {
		t.editor.SaveHistory(entry)
	}
	t.editor.SetPrompt(prompt)
	t.screen.begin(columnsOnly(prompt))
	io.WriteString(t.out, pasteOn)
	line, err := t.editor.Readline()
	io.WriteString(t.out, pasteOff)
	if errors.Is(err, readline.ErrInterrupt) {
		return "", ErrInterrupted
	}
	return line, err
}

func (t *LineTerminal) AddHistory(entry string) { t.history.add(entry) }

func (t *LineTerminal) SetEditing(e Editing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.editing = e
}

func (t *LineTerminal) Size() (columns, lines int) {
	columns, lines, err := term.GetSize(int(t.out.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, lines
}

func (t *LineTerminal) Write(b []byte) (int, error) { return t.out.Write(b) }

func (t *LineTerminal) Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt)
}

// pagerDelay is how long a pager that was left may keep its input open.
const pagerDelay = 100 * time.Millisecond

// Run runs a program in the foreground. Ctrl-C is the program's business then.
func (t *LineTerminal) Run(ctx context.Context, program []string, in io.Reader) error {
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, t.out, os.Stderr
	if in == nil {
		cmd.Stdin = os.Stdin
	}
	cmd.WaitDelay = pagerDelay
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, os.Interrupt)
	defer signal.Stop(ignored)
	err := cmd.Run()
	if errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

// Close gives the terminal back; a ReadLine that still waits returns io.EOF. It
// may be called from another goroutine, and again.
func (t *LineTerminal) Close() error {
	t.closing.Do(func() {
		t.stdin.Close() // the editor would wait for one more key
		t.closed = errors.Join(t.editor.Close(), t.history.close())
	})
	return t.closed
}

// noCompleter keeps the library's own completion away.
type noCompleter struct{}

func (noCompleter) Do([]rune, int) ([][]rune, int) { return nil, 0 }

// filter replaces what the library would do wrongly: its Ctrl-Z stops the parent
// process too.
func (t *LineTerminal) filter(r rune) (rune, bool) {
	if r == readline.CharCtrlZ {
		t.editor.Terminal.ExitRawMode()
		suspend()
		t.editor.Terminal.EnterRawMode()
		return readline.CharBell, true
	}
	return r, true
}

// OnChange completes when the key was Tab: it inserts what all candidates have
// in common, and lists them when Tab is pressed again at the same place.
func (t *LineTerminal) OnChange(line []rune, pos int, key rune) ([]rune, int, bool) {
	if key != readline.CharTab || pos > len(line) {
		t.lastTab = ""
		return nil, 0, false
	}
	t.mu.Lock()
	complete := t.editing.Complete
	t.mu.Unlock()
	if complete == nil {
		return nil, 0, false
	}
	text, bytePos := string(line), len(string(line[:pos]))
	start, candidates := complete(text, bytePos)
	if len(candidates) == 0 || start > bytePos {
		return nil, 0, false
	}
	insert := commonPrefix(candidates)
	switch {
	case len(candidates) == 1 && !strings.ContainsAny(insert[len(insert)-1:], ".(/"):
		insert += " "
	case len(candidates) > 1 && len(insert) <= bytePos-start:
		if t.lastTab == text {
			t.editor.Write([]byte(columnsOf(candidates, t.width())))
		}
		t.lastTab = text
		return nil, 0, false
	}
	head := []rune(text[:start] + insert)
	return append(head, line[pos:]...), len(head), true
}

func (t *LineTerminal) width() int {
	if columns, _ := t.Size(); columns > 0 {
		return columns
	}
	return 80
}

// Paint colours the line and ends it with the mark for the repainter.
func (t *LineTerminal) Paint(line []rune, pos int) []rune {
	t.screen.painted(line, pos)
	t.mu.Lock()
	paint := t.editing.Paint
	t.mu.Unlock()
	text := string(line)
	if paint != nil && text != "" {
		text = paint(text)
	}
	return []rune(text + paintMark)
}
