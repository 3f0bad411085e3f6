package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dynasql/dynasql/repl/format"
)

// exportFormats are the formats by the end of a file's name.
var exportFormats = []struct {
	suffix string
	format format.Format
}{
	{".ddb.json", itemLines},
	{".csv", format.CSV}, {".tsv", format.TSV}, {".json", format.JSONArray}, {".jsonl", format.JSONLines},
	{".md", format.Markdown}, {".html", format.HTML}, {".txt", format.Table},
}

// itemLines is one item a line as DynamoDB's own export to S3 writes it:
// {"Item":{...}} with typed values. The rows must carry _ddb.
const itemLines format.Format = "ddb-json"

// cmdExport writes the rows of the last statement to a file. Rows that the shell
// still has are not read again.
func cmdExport(sh *Shell, ctx context.Context, args []string) error {
	sql, err := sh.last()
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return usagef(`\export FILE`, `\export needs the name of one file`)
	}
	path := bare(args[0])
	f, err := exportFormat(path)
	if err != nil {
		return err
	}
	var rows int64
	err = writeFile(path, func(w io.Writer) error {
		rows, err = sh.export(ctx, sql, f, w)
		return err
	})
	if err != nil {
		return err
	}
	sh.note("%s written to %s", count(rows, "row"), path)
	return nil
}

func exportFormat(path string) (format.Format, error) {
	var known []string
	for _, e := range exportFormats {
		if strings.HasSuffix(strings.ToLower(path), e.suffix) {
			return e.format, nil
		}
		known = append(known, e.suffix)
	}
	return "", usagef("end it with "+strings.Join(known, ", "), "the name %s does not say in which format to write", path)
}

// writeFile writes a file as a whole: when write fails, an older file of that
// name stays as it was.
func writeFile(path string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	defer os.Remove(tmp.Name())
	buffered := bufio.NewWriterSize(tmp, 1<<16)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// export writes the rows to w, from memory or by running the statement again.
// Only a statement that reads may run again.
func (sh *Shell) export(ctx context.Context, sql string, f format.Format, w io.Writer) (int64, error) {
	if sh.result == nil {
		return 0, usagef("run a SELECT first", "the last statement has no rows to write")
	}
	source := &rowSource{columns: sh.result.columns, next: sh.result.replay()}
	if !sh.result.complete {
		if !reads(sql) {
			return 0, usagef(`\o FILE sends the rows of the next statement to a file`, "the result is too large to be kept, and only a SELECT is run again to write it")
		}
		params, err := sh.params(sql)
		if err != nil {
			return 0, err
		}
		running, stop := sh.interruptible(ctx)
		defer stop()
		rows, err := sh.session.Query(running, sql, params)
		if err != nil {
			return 0, sh.cancelled(ctx, running, err)
		}
		defer func() {
			rows.Close()
			sh.settle(rows.Stats())
		}()
		source.columns = rows.Columns()
		source.next = func() ([]format.Cell, error) {
			cells, err := rows.Next(running)
			return cells, sh.cancelled(ctx, running, err)
		}
	}
	return source.write(f, w)
}

// reads reports whether a statement only reads, so that running it twice
// changes nothing.
func reads(sql string) bool {
	for _, t := range tokens(sql) {
		word := strings.ToUpper(sql[t.start:t.end])
		switch {
		case t.kind == tokSpace || t.kind == tokComment || word == "(":
			continue
		case word == "WITH":
			return !strings.Contains(strings.ToUpper(sql), "DELETE") && !strings.Contains(strings.ToUpper(sql), "UPDATE") && !strings.Contains(strings.ToUpper(sql), "INSERT")
		}
		return word == "SELECT" || word == "SHOW" || word == "TABLE" || word == "VALUES" || word == "DESCRIBE"
	}
	return false
}

// rowSource is where exported rows come from.
type rowSource struct {
	columns []format.Column
	next    func() ([]format.Cell, error)
}

// replay returns the kept rows one by one.
func (r *result) replay() func() ([]format.Cell, error) {
	i := 0
	return func() ([]format.Cell, error) {
		if i == len(r.rows) {
			return nil, io.EOF
		}
		i++
		return r.rows[i-1], nil
	}
}

func (s *rowSource) write(f format.Format, w io.Writer) (int64, error) {
	writer, done, err := s.writer(f, w)
	if err != nil {
		return 0, err
	}
	if err := writer.Begin(s.columns); err != nil {
		return 0, err
	}
	for n := int64(0); ; n++ {
		cells, err := s.next()
		if errors.Is(err, io.EOF) {
			if err := writer.End(); err != nil {
				return n, err
			}
			return n, done()
		}
		if err != nil {
			return n, err
		}
		if err := writer.Row(cells); err != nil {
			return n, err
		}
	}
}

// writer returns the writer of a format and what is to be done after its End.
func (s *rowSource) writer(f format.Format, w io.Writer) (format.Writer, func() error, error) {
	nothing := func() error { return nil }
	switch f {
	case itemLines:
		for i, c := range s.columns {
			if c.Name == "_ddb" {
				return &itemWriter{w: w, column: i}, nothing, nil
			}
		}
		return nil, nil, usagef("SELECT _ddb FROM ... and export that", "the rows have no column _ddb, which holds an item as DynamoDB JSON")
	case format.HTML:
		var rows strings.Builder
		inner, err := format.New(f, &rows, format.Options{})
		return inner, func() error {
			page := format.NewReport(w, "Export")
			if err := page.Add(format.Section{Rows: []byte(rows.String())}); err != nil {
				return err
			}
			return page.Close()
		}, err
	}
	writer, err := format.New(f, w, format.Options{})
	return writer, nothing, err
}

// itemWriter writes the column _ddb as export lines.
type itemWriter struct {
	w      io.Writer
	column int
}

func (i *itemWriter) Begin([]format.Column) error { return nil }

func (i *itemWriter) Row(cells []format.Cell) error {
	c := cells[i.column]
	if c.Null {
		return nil
	}
	_, err := fmt.Fprintf(i.w, "{\"Item\":%s}\n", strings.TrimSpace(c.Text))
	return err
}

func (i *itemWriter) End() error { return nil }
