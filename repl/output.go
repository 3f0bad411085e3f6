package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dynasql/dynasql/repl/format"
)

// output is where results go: the place that the shell was given, or a file
// that \o names. HTML that does not go to a terminal becomes one page.
type output struct {
	base       io.Writer
	isTerminal bool
	title      string
	file       *os.File
	report     *format.Report
}

func newOutput(base io.Writer, isTerminal bool, title string) *output {
	return &output{base: base, isTerminal: isTerminal, title: title}
}

// target is the writer of the moment, and whether a person reads it there.
func (o *output) target() (w io.Writer, isTerminal bool) {
	if o.file != nil {
		return o.file, false
	}
	return o.base, o.isTerminal
}

// redirect sends the next results to a file, or back when path is empty. A file
// that exists is overwritten.
func (o *output) redirect(path string) error {
	if err := o.close(); err != nil {
		return err
	}
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write results to %s: %w", path, cause(err))
	}
	o.file = f
	return nil
}

// page is the report that collects HTML results.
func (o *output) page() *format.Report {
	if o.report == nil {
		w, _ := o.target()
		title := o.title
		if o.file != nil && title == "" {
			title = strings.TrimSuffix(filepath.Base(o.file.Name()), filepath.Ext(o.file.Name()))
		}
		if title == "" {
			title = "Report"
		}
		o.report = format.NewReport(w, title)
	}
	return o.report
}

// close ends the page and the file, and goes back to the base.
func (o *output) close() error {
	var errs []error
	if o.report != nil {
		errs = append(errs, o.report.Close())
		o.report = nil
	}
	if o.file != nil {
		errs = append(errs, o.file.Close())
		o.file = nil
	}
	return errors.Join(errs...)
}

// cause strips the operation and path that os errors repeat.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// display is one result on its way to the output.
type display struct {
	writer  format.Writer // nil: the statement has no result set
	format  format.Format
	pager   *pager
	section *section
	count   int64 // rows
	own     bool  // a list of the shell's own, which stays a table
}

// section is a result that becomes part of a page.
type section struct {
	page *format.Report
	part format.Section
	rows bytes.Buffer
	draw func() (string, error) // the chart, once the rows are in
}

// openDisplay chooses the writer for a result.
func (sh *Shell) openDisplay(ctx context.Context, d *display, columns []format.Column, progress *progressLine, vertical bool) error {
	w, isTerminal := sh.out.target()
	look := sh.settings.look
	if isTerminal {
		if sh.terminal != nil {
			look.Width, look.Height = sh.terminal.Size()
		}
		w = progress.before(w)
	} else {
		look.Width, look.Color = 0, false
	}
	switch {
	case sh.settings.width < 0:
		look.Width = 0
	case sh.settings.width > 0:
		look.Width = sh.settings.width
	}
	look.Wrap = look.Wrap || len(columns) == 1 && isExplain(sh.statement)
	look.Auto = isTerminal && !d.own && sh.settings.expanded == "auto" && sh.settings.width == 0
	look.Scroll = sh.opt.PagerScrolls && sh.paged(isTerminal)
	d.format = sh.formatFor(columns, look.Width, vertical)
	switch {
	case d.format == format.HTML && !isTerminal:
		d.section = sh.newSection()
		w = &d.section.rows
	case sh.paged(isTerminal):
		d.pager = &pager{ctx: ctx, terminal: sh.terminal, program: sh.opt.Pager, height: look.Height, out: w}
		w = d.pager
	}
	var err error
	if d.writer, err = format.New(d.format, w, look); err != nil {
		return err
	}
	return d.writer.Begin(columns)
}

// isExplain reports whether a statement shows a plan, of which nothing is cut.
func isExplain(sql string) bool {
	for _, t := range tokens(sql) {
		if t.kind != tokSpace && t.kind != tokComment {
			return strings.EqualFold(sql[t.start:t.end], "EXPLAIN")
		}
	}
	return false
}

// paged reports whether a long result goes through the pager.
func (sh *Shell) paged(isTerminal bool) bool {
	return isTerminal && sh.terminal != nil && sh.settings.pager && len(sh.opt.Pager) > 0
}

// formatFor is the format of one result: the chosen one, or vertical where that
// was asked for or is all that fits.
func (sh *Shell) formatFor(columns []format.Column, width int, vertical bool) format.Format {
	expanded := sh.settings.expanded
	if vertical || expanded == "on" {
		return format.Vertical
	}
	if sh.settings.format == format.Table && expanded == "auto" && !format.Fits(columns, width) {
		return format.Vertical
	}
	return sh.settings.format
}

func (d *display) truncated() bool {
	t, ok := d.writer.(format.Truncater)
	return ok && t.Truncated()
}

// finish ends the result. After an error a JSON array stays open, so that no
// reader takes it for a whole one.
func (d *display) finish(footer string, failure error) error {
	if d.writer == nil {
		return nil
	}
	var errs []error
	if failure == nil || d.count > 0 && d.format != format.JSONArray {
		errs = append(errs, d.writer.End())
	}
	if d.pager != nil {
		errs = append(errs, d.pager.close())
	}
	if d.section != nil {
		errs = append(errs, d.section.finish(footer, failure))
	}
	err := errors.Join(errs...)
	if errors.Is(err, errPagerLeft) {
		return nil
	}
	return err
}

func (s *section) finish(footer string, failure error) error {
	s.part.Rows, s.part.Footer = s.rows.Bytes(), footer
	if failure != nil {
		s.part.Error = failure.Error()
	}
	var drawErr error
	if s.draw != nil && failure == nil {
		if s.part.Figure, drawErr = s.draw(); drawErr != nil {
			s.part.Error = drawErr.Error()
		}
	}
	return errors.Join(s.page.Add(s.part), drawErr)
}

// newSection starts the part of the page for the statement at hand. A comment
// "-- title: ..." gives its heading, "-- chart: ..." its chart.
func (sh *Shell) newSection() *section {
	sh.inPage = true
	s := &section{page: sh.out.page(), part: format.Section{SQL: sh.statement}}
	for _, note := range directives(sh.statement) {
		switch note.name {
		case "title":
			s.part.Title = note.value
		case "chart":
			s.draw = func() (string, error) { return sh.drawSVG(note.value) }
		}
	}
	return s
}

// reportFailure puts a statement that brought no rows at all into the page, so
// that a reader of the page sees that something is missing.
func (sh *Shell) reportFailure(item Item, err error) {
	_, isTerminal := sh.out.target()
	if item.Command || isTerminal || sh.settings.format != format.HTML || sh.inPage {
		return
	}
	if err := sh.out.page().Add(format.Section{SQL: item.Text, Error: message(err)}); err != nil {
		sh.note("ERROR: write the page: %v", err)
	}
}

// directive is a comment of the form "-- name: value".
type directive struct{ name, value string }

// directives finds the directives among the comments of a statement.
func directives(sql string) []directive {
	var list []directive
	for _, t := range tokens(sql) {
		if t.kind != tokComment {
			continue
		}
		text := strings.TrimSpace(strings.TrimLeft(sql[t.start:t.end], "-#"))
		name, value, ok := strings.Cut(text, ":")
		if ok && (name == "chart" || name == "title") {
			list = append(list, directive{name, strings.TrimSpace(value)})
		}
	}
	return list
}
