package engine

import (
	"io"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/function"
)

// Class is what a column holds, as far as showing it goes.
type Class uint8

// The classes of columns.
const (
	Text Class = iota
	Number
	Bool
	Binary
	JSON
	Time
)

// Column is one column of a result.
type Column struct {
	Name  string
	Class Class
	Type  string // in SQL, such as "varchar(31)"
}

// Value is one value of a row as MySQL's text protocol has it: numbers with all
// their digits, 1 and 0 for booleans, raw bytes for binary.
type Value struct {
	Text string
	Null bool
}

// Rows is the result of one statement. It belongs to one goroutine.
type Rows struct {
	ctx     *sql.Context
	session *Session
	query   string
	schema  sql.Schema
	columns []Column
	iter    sql.RowIter
	texts   sql.ValueRowIter // iter, if it gives texts
	block   *strings.Builder // of texts that are in use
	plain   []bool           // of the columns, see plain
	row     []Value
	buf     []byte
	started time.Time
	elapsed time.Duration
	count   int64
	closed  bool
	// affected is set for statements that return no rows.
	affected *types.OkResult
}

func newRows(ctx *sql.Context, s *Session, query string, schema sql.Schema, iter sql.RowIter) *Rows {
	r := &Rows{ctx: ctx, session: s, query: query, schema: schema, iter: iter, started: time.Now()}
	if types.IsOkResultSchema(schema) {
		r.schema, r.affected = nil, &types.OkResult{}
	}
	for _, c := range r.schema {
		r.columns = append(r.columns, Column{Name: c.Name, Class: classOf(c.Type), Type: c.Type.String()})
		r.plain = append(r.plain, plain(c.Type))
	}
	r.row = make([]Value, len(r.columns))
	if texts, ok := iter.(sql.ValueRowIter); ok && texts.IsValueRowIter(ctx) {
		r.texts = texts
	}
	return r
}

func classOf(t sql.Type) Class {
	switch {
	case types.IsJSON(t):
		return JSON
	case strings.EqualFold(t.String(), "tinyint(1)"):
		return Bool
	case exact.IsNumber(t):
		return Number
	case types.IsBinaryType(t):
		return Binary
	case types.IsTime(t), types.IsTimespan(t):
		return Time
	}
	return Text
}

// Columns describes the result; it is empty for a statement without one.
func (r *Rows) Columns() []Column { return r.columns }

// Next returns the next row, which is valid until the next call, or io.EOF.
func (r *Rows) Next() ([]Value, error) {
	if r.closed {
		return nil, io.EOF
	}
	if r.texts != nil {
		return r.nextTexts()
	}
	row, err := r.next()
	if err == io.EOF {
		return nil, io.EOF
	}
	if err != nil {
		return nil, r.session.engine.Explain(r.ctx, r.query, err)
	}
	if r.affected != nil {
		if ok, is := row[0].(types.OkResult); is {
			*r.affected = ok
		}
		return r.Next()
	}
	for i, v := range row {
		if r.row[i], err = r.value(i, v); err != nil {
			return nil, r.session.engine.Explain(r.ctx, r.query, err)
		}
	}
	r.count++
	return r.row, nil
}

func (r *Rows) next() (row sql.Row, err error) {
	defer Recover(&err)
	return r.iter.Next(r.ctx)
}

// nextTexts is Next where values come as texts.
func (r *Rows) nextTexts() ([]Value, error) {
	row, err := r.nextTextRow()
	if err == io.EOF {
		return nil, io.EOF
	}
	if err != nil {
		return nil, r.session.engine.Explain(r.ctx, r.query, err)
	}
	for i, v := range row {
		r.row[i] = Value{Text: r.keep(v.Val), Null: v.Val == nil}
	}
	r.count++
	return r.row, nil
}

func (r *Rows) nextTextRow() (row sql.ValueRow, err error) {
	defer Recover(&err)
	return r.texts.NextValueRow(r.ctx)
}

// textBlock is how many bytes of texts are allocated at a time.
const textBlock = 4 << 10

// keep copies a text, with others into one piece of memory.
func (r *Rows) keep(text []byte) string {
	if len(text) > textBlock/8 {
		return string(text)
	}
	if r.block == nil || r.block.Cap()-r.block.Len() < len(text) {
		r.block = &strings.Builder{}
		r.block.Grow(textBlock)
	}
	from := r.block.Len()
	r.block.Write(text)
	return r.block.String()[from:]
}

func (r *Rows) value(i int, v any) (Value, error) {
	switch x := v.(type) {
	case nil:
		return Value{Null: true}, nil
	case string:
		if r.plain[i] {
			return Value{Text: x}, nil
		}
	case *apd.Decimal:
		if r.plain[i] {
			r.buf = x.Append(r.buf[:0], 'f')
			return Value{Text: string(r.buf)}, nil
		}
	}
	text, _, err := function.Text(r.ctx, r.buf, r.schema[i].Type, v)
	return Value{Text: string(text), Null: text == nil}, err
}

// plain reports whether a type shows its strings and numbers as they are: text,
// and decimals that have their own scale.
func plain(t sql.Type) bool {
	switch t := t.(type) {
	case sql.StringType:
		return types.IsTextOnly(t)
	case sql.DecimalType:
		return t.Equals(exact.Type)
	}
	return false
}

// Close ends the statement: nothing is read after it has returned. It may be
// called more than once.
func (r *Rows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	err := r.iter.Close(r.ctx)
	r.elapsed = time.Since(r.started)
	r.session.engine.sql.ProcessList.EndQuery(r.ctx)
	r.session.CommandEnd()
	if err != nil {
		return r.session.engine.Explain(r.ctx, r.query, err)
	}
	return nil
}

// Affected is the number of rows that a statement without a result changed.
func (r *Rows) Affected() int64 {
	if r.affected == nil {
		return 0
	}
	return int64(r.affected.RowsAffected)
}

// Count is the number of rows returned so far.
func (r *Rows) Count() int64 { return r.count }

// Elapsed is the time since the statement began, until Close.
func (r *Rows) Elapsed() time.Duration {
	if r.closed {
		return r.elapsed
	}
	return time.Since(r.started)
}

// Usage is what the statement has read so far.
func (r *Rows) Usage() read.Usage { return r.session.Statement().Usage() }

// Warning is one warning of a statement.
type Warning struct {
	Level   string
	Code    int
	Message string
}

// Warnings are those of the statement; the list is complete after Close.
func (r *Rows) Warnings() []Warning {
	var out []Warning
	for _, w := range r.session.BaseSession.Warnings() {
		out = append(out, Warning{Level: w.Level, Code: w.Code, Message: w.Message})
	}
	return out
}
