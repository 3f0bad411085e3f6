package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

// ErrFailed is what running a script returns when a statement failed. What went
// wrong was already reported on ErrOut.
var ErrFailed = errors.New("a statement failed")

// Options is how a Shell looks and behaves. The zero value is right for a
// script whose results are read by a program.
type Options struct {
	Banner string // printed before the first prompt
	Prompt string // default "dynasql> "; {database} stands for the current one

	Out    io.Writer // results of a script; default nowhere
	ErrOut io.Writer // everything else of a script: errors, warnings, footers; default nowhere

	Format format.Format // default: table on a terminal, else tsv
	Title  string        // of an HTML report

	OutTerminal bool // Out is a terminal: tables, fitted to Width, and colours
	ErrTerminal bool // ErrOut is a terminal: a progress line
	Width       int  // columns of the terminal behind Out; 0: unknown
	Color       bool // colours are welcome (no NO_COLOR, no TERM=dumb)
	ASCII       bool // no characters beyond ASCII in borders and charts

	Force    bool // a script goes on after an error
	Quiet    bool // no footers
	NoTiming bool // footers without elapsed time

	Vars map[string]string // parameters :name, as texts; see \set

	Pager        []string // program and arguments; empty: none
	PagerScrolls bool     // sideways, so that a table may be wider than the terminal

	Editor []string // for \e
	Home   string   // directory of saved queries; empty: \save is refused

	Now   func() time.Time                           // default time.Now
	Sleep func(context.Context, time.Duration) error // between runs of \watch; ends early with ctx
}

// Shell runs statements and commands, of a person or of a script. It is not
// safe for concurrent use.
type Shell struct {
	session  Session
	opt      Options
	terminal Terminal // nil in a script
	out      *output
	vars     map[string]string
	settings settings
	split    *Splitter
	commands []command
	words    wordIndex

	statement string  // the last one, for \explain, \watch, \export, \chart
	result    *result // its rows, as far as they were kept
	inPage    bool    // it has its section in the HTML page
	stats     Stats   // what it sent
	spent     map[string]*spending
	sampled   Sampling // what was told of it
	quit      bool
	nesting   int // of \i
}

// settings is what \pset, \format, \x and \timing change.
type settings struct {
	format   format.Format
	expanded string // "on", "off", "auto"
	timing   bool
	footer   bool
	look     format.Options
	pager    bool
	width    int // of tables; 0: the terminal's, -1: no limit
}

// New returns a Shell on a session.
func New(session Session, opt Options) *Shell {
	if opt.Prompt == "" {
		opt.Prompt = "dynasql> "
	}
	if opt.Out == nil {
		opt.Out = io.Discard
	}
	if opt.ErrOut == nil {
		opt.ErrOut = io.Discard
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Sleep == nil {
		opt.Sleep = sleep
	}
	sh := &Shell{session: session, opt: opt, split: NewSplitter(), vars: map[string]string{}, spent: map[string]*spending{}}
	for name, value := range opt.Vars {
		sh.vars[name] = value
	}
	sh.settings = settings{format: opt.Format, expanded: "off", timing: !opt.NoTiming, footer: !opt.Quiet, pager: true}
	sh.settings.look = format.Options{ASCII: opt.ASCII}
	if opt.OutTerminal {
		sh.settings.look.Color, sh.settings.look.Width = opt.Color, opt.Width
		sh.settings.expanded = "auto"
	}
	if opt.Format == "" {
		sh.settings.format = format.TSV
		if opt.OutTerminal {
			sh.settings.format = format.Table
		}
	}
	sh.out = newOutput(opt.Out, opt.OutTerminal, opt.Title)
	sh.commands = allCommands()
	return sh
}

// Script runs the statements and commands of r in order. It stops at the first
// error unless Options.Force is set; then, or when forced through, it returns
// ErrFailed. The name is used in messages; empty for -e.
func (sh *Shell) Script(ctx context.Context, name string, r io.Reader) error {
	outer := sh.split
	sh.split = NewSplitter()
	defer func() { sh.split = outer }()

	failed := false
	lines := bufio.NewReaderSize(r, 1<<16)
	for eof := false; !eof && !sh.quit; {
		line, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("read %s: %w", name, err)
		}
		eof = err == io.EOF
		if line != "" {
			sh.split.Feed(line)
		}
		if eof {
			sh.warnOpen(name, sh.split.Finish())
		}
		if err := sh.drain(ctx, name, &failed); err != nil {
			return err
		}
	}
	if failed {
		return ErrFailed
	}
	return nil
}

// drain runs the items that are complete.
func (sh *Shell) drain(ctx context.Context, name string, failed *bool) error {
	for !sh.quit {
		item, ok := sh.split.Next()
		if !ok {
			return nil
		}
		err := sh.Run(ctx, item)
		if err == nil {
			continue
		}
		if ctx.Err() != nil {
			sh.printError(place(name, item.Line), item.Text, context.Cause(ctx))
			return ErrFailed
		}
		if !errors.Is(err, ErrFailed) {
			sh.printError(place(name, item.Line), item.Text, err)
			sh.reportFailure(item, err)
		}
		*failed = true
		if !sh.opt.Force {
			return ErrFailed
		}
	}
	return nil
}

func (sh *Shell) warnOpen(name, open string) {
	if open != "" {
		fmt.Fprintf(sh.errOut(), "warning: %sthe text ends inside %s\n", place(name, 0), open)
	}
}

// place says where in a script something is, for the start of a message.
func place(name string, line int) string {
	switch {
	case name == "":
		return ""
	case line == 0:
		return name + ": "
	}
	return fmt.Sprintf("%s line %d: ", name, line)
}

// Run runs one statement or command and returns its error unprinted.
func (sh *Shell) Run(ctx context.Context, item Item) error {
	if item.Command {
		return sh.runCommand(ctx, item.Text)
	}
	return sh.runStatement(ctx, item.Text, item.Vertical)
}

// Interact talks to a person until that person leaves. It returns nil then, and
// an error only when the terminal itself fails.
func (sh *Shell) Interact(ctx context.Context, t Terminal) error {
	sh.attach(t)
	if sh.opt.Banner != "" {
		fmt.Fprintln(t, strings.TrimRight(sh.opt.Banner, "\n"))
	}
	for !sh.quit && ctx.Err() == nil {
		line, err := t.ReadLine(sh.prompt())
		switch {
		case errors.Is(err, ErrInterrupted):
			sh.split.Reset()
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read from the terminal: %w", err)
		}
		if c := sh.plainCommand(line); c != "" {
			line = c
		}
		sh.split.Feed(line)
		sh.interactItems(ctx)
	}
	return nil
}

// plainCommand turns the words with which people leave other shells, or ask for
// help, into commands.
func (sh *Shell) plainCommand(line string) string {
	if sh.split.Started() {
		return ""
	}
	switch strings.ToLower(strings.TrimRight(strings.TrimSpace(line), "; ")) {
	case "quit", "exit":
		return `\q`
	case "help", "?":
		return `\?`
	case "clear":
		return `\c`
	}
	return ""
}

// attach makes t the place of results, messages and questions.
func (sh *Shell) attach(t Terminal) {
	sh.terminal = t
	sh.out = newOutput(t, true, sh.opt.Title)
	if sh.opt.Format == "" {
		sh.settings.format = format.Table
	}
	sh.settings.expanded = "auto"
	sh.settings.look.Color = sh.opt.Color
	editing := Editing{Complete: sh.complete}
	if sh.opt.Color {
		editing.Paint = sh.paint
	}
	t.SetEditing(editing)
}

// interactItems runs what the last line completed.
func (sh *Shell) interactItems(ctx context.Context) {
	for !sh.quit {
		item, ok := sh.split.Next()
		if !ok {
			return
		}
		sh.remember(item)
		err := sh.Run(ctx, item)
		if err != nil && !errors.Is(err, ErrFailed) {
			sh.printError("", item.Text, err)
		}
	}
}

// remember puts a statement into the history, as one line.
func (sh *Shell) remember(item Item) {
	if entry := historyEntry(item); entry != "" {
		sh.terminal.AddHistory(entry)
	}
}

// prompt is the main prompt, or the continuation prompt that says what is open.
func (sh *Shell) prompt() string {
	prompt := strings.ReplaceAll(sh.opt.Prompt, "{database}", sh.session.Database())
	if !sh.split.Started() {
		return prompt
	}
	open := sh.split.Open()
	if open == "" {
		open = "-"
	}
	return strings.Repeat(" ", max(0, len(prompt)-len(open)-2)) + open + "> "
}

// Close ends the output: an open report gets its end. The session stays open.
func (sh *Shell) Close() error { return sh.out.close() }

// Redirect sends the results to a file, as \o does, until another \o. A file that
// exists is overwritten.
func (sh *Shell) Redirect(path string) error { return sh.out.redirect(path) }

// errOut is the place of everything that is not a result.
func (sh *Shell) errOut() io.Writer {
	if sh.terminal != nil {
		return sh.terminal
	}
	return sh.opt.ErrOut
}

// note prints a line of the shell's own beside the results.
func (sh *Shell) note(f string, args ...any) {
	fmt.Fprintf(sh.errOut(), f+"\n", args...)
}

// colored reports whether messages may have colours.
func (sh *Shell) colored() bool {
	return sh.opt.Color && (sh.terminal != nil || sh.opt.ErrTerminal)
}

// dim makes a message stand back.
func (sh *Shell) dim(s string) string {
	if !sh.colored() {
		return s
	}
	return "\x1b[2m" + s + "\x1b[0m"
}
