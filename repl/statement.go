package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

type queryFunc func(ctx context.Context, sql string, params []Param) (Rows, error)

// runStatement runs one statement and shows its rows and its footer. A statement
// above the budget is asked about, when there is somebody to ask.
func (sh *Shell) runStatement(ctx context.Context, sql string, vertical bool) error {
	sh.statement, sh.result, sh.inPage, sh.stats = sql, nil, false, Stats{}
	defer sh.tellSampling()
	params, err := sh.params(sql)
	if err != nil {
		return err
	}
	err = sh.execute(ctx, sql, params, sh.session.Query, vertical)
	if refusal := sh.refused(err); refusal != nil {
		if !sh.ask(refusal) {
			return ErrFailed
		}
		err = sh.execute(ctx, sql, params, sh.session.(Unlimiter).QueryUnlimited, vertical)
	}
	if err != nil {
		sh.result = nil // rows that stop at an error are no result to export or draw
		return &statementError{sql, err}
	}
	return nil
}

// refused returns the refusal that err is, if somebody can be asked about it. It
// is nothing to ask about when rows were shown already: running from the start
// would show them twice.
func (sh *Shell) refused(err error) Refusal {
	var refusal Refusal
	_, able := sh.session.(Unlimiter)
	if sh.terminal == nil || !able || !errors.As(err, &refusal) || sh.result != nil && sh.result.seen > 0 {
		return nil
	}
	return refusal
}

// ask asks whether a refused statement shall run all the same.
func (sh *Shell) ask(refusal Refusal) bool {
	sh.note("%s", sentence(refusal.Error()))
	if sh.confirm(fmt.Sprintf("Run it anyway, for about %s? [y/N] ", units(refusal.Estimate()))) {
		return true
	}
	sh.note("not run")
	var hinted interface{ Hint() string }
	if errors.As(refusal, &hinted) && hinted.Hint() != "" {
		sh.note(" hint: %s", hinted.Hint())
	}
	return false
}

// confirm asks a question; anything but y or yes means no.
func (sh *Shell) confirm(question string) bool {
	answer, err := sh.terminal.ReadLine(question)
	if err != nil {
		return false
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

// execute runs a statement through query and shows what comes.
func (sh *Shell) execute(ctx context.Context, sql string, params []Param, query queryFunc, vertical bool) error {
	running, stop := sh.interruptible(ctx)
	defer stop()
	begin := sh.opt.Now()
	progress := sh.startProgress(begin)
	defer progress.end()

	rows, err := query(running, sql, params)
	if err != nil {
		return sh.cancelled(ctx, running, err)
	}
	defer rows.Close()
	shown, err := sh.show(ctx, running, rows, progress, vertical)
	progress.end()
	if closeErr := rows.Close(); err == nil {
		err = closeErr
	}
	sh.settle(rows.Stats())
	elapsed := rows.Stats().Elapsed
	if elapsed == 0 {
		elapsed = sh.opt.Now().Sub(begin)
	}
	return sh.finish(outcome{shown: shown, rows: rows, sql: sql, elapsed: elapsed, err: sh.cancelled(ctx, running, err)})
}

// interruptible returns the context of one statement.
func (sh *Shell) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	if sh.terminal == nil {
		return ctx, func() {}
	}
	return sh.terminal.Interruptible(ctx)
}

// errCancelled is a statement that the user stopped.
var errCancelled = errors.New("cancelled; nothing more was read")

// cancelled says in plain words that it was the user who ended a statement.
func (sh *Shell) cancelled(ctx, running context.Context, err error) error {
	if err != nil && running.Err() != nil && ctx.Err() == nil {
		return errCancelled
	}
	return err
}

// outcome is a statement that has run, as its footer tells it.
type outcome struct {
	shown   *display
	rows    Rows
	sql     string
	elapsed time.Duration
	err     error
}

// finish writes what follows the rows. The error of the outcome comes back, so
// that the caller reports it after the footer's figures.
func (sh *Shell) finish(o outcome) error {
	footer := sh.footer(o)
	warnings := distinct(o.rows.Warnings())
	if err := o.shown.finish(footer, o.err); err != nil && o.err == nil {
		o.err = err
	}
	if sh.settings.footer && (o.err == nil || len(o.rows.Stats().Requests) > 0) {
		sh.note("%s", sh.dim(footer))
	}
	if o.shown.truncated() && sh.settings.footer {
		sh.note("%s", sh.dim(`Some values were cut to fit the terminal: \x or \G shows them whole, \pset wrap on wraps them.`))
	}
	for i, w := range warnings {
		if i == maxWarnings {
			sh.note("warning: %d more; SHOW WARNINGS lists them all", len(warnings)-i)
			break
		}
		sh.note("warning: %s", w.Message)
	}
	return o.err
}

const maxWarnings = 10

func distinct(warnings []Warning) []Warning {
	seen := map[Warning]bool{}
	var list []Warning
	for _, w := range warnings {
		if !seen[w] {
			list = append(list, w)
			seen[w] = true
		}
	}
	return list
}

// show writes the rows to the output and keeps the first of them.
func (sh *Shell) show(ctx, running context.Context, rows Rows, progress *progressLine, vertical bool) (*display, error) {
	d := &display{}
	columns := rows.Columns()
	if len(columns) > 0 {
		sh.result = &result{columns: columns, complete: true}
		if err := sh.openDisplay(ctx, d, columns, progress, vertical); err != nil {
			return d, err
		}
	}
	for {
		cells, err := rows.Next(running)
		if errors.Is(err, io.EOF) {
			return d, nil
		}
		if err != nil {
			return d, err
		}
		d.count++
		if d.writer == nil {
			continue
		}
		sh.result.keep(cells)
		if err := d.writer.Row(cells); err != nil {
			sh.result.complete = false
			return d, quietEnd(err)
		}
	}
}

// quietEnd turns the end of a pager into the end of the rows.
func quietEnd(err error) error {
	if errors.Is(err, errPagerLeft) {
		return nil
	}
	return fmt.Errorf("write the result: %w", err)
}

// result is what the shell keeps of the last statement's rows, so that \chart
// and \export need not read again.
type result struct {
	columns  []format.Column
	rows     [][]format.Cell
	bytes    int
	seen     int
	complete bool // nothing was left out
}

const (
	keptRows  = 20000
	keptBytes = 16 << 20
)

func (r *result) keep(cells []format.Cell) {
	r.seen++
	if !r.complete {
		return
	}
	for _, c := range cells {
		r.bytes += len(c.Text) + 24
	}
	if len(r.rows) >= keptRows || r.bytes > keptBytes {
		r.complete = false
		return
	}
	r.rows = append(r.rows, append([]format.Cell(nil), cells...))
}
