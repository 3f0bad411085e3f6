package mysqld

import (
	"context"
	"errors"
	"io"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// A statement is a statement that runs: the engine's context and what it
// returns.
type statement struct {
	conn    *conn
	text    string
	ctx     *sql.Context
	cancel  context.CancelCauseFunc
	listed  bool // in the process list
	schema  sql.Schema
	iter    sql.RowIter
	started time.Time
	rows    int64
	account *read.Statement
	runs    bool   // and so is counted and audited
	failure uint16 // the error number told to the client
}

// query answers the text of a COM_QUERY, which may hold several statements.
func (c *conn) query(text string) error {
	for first := true; ; first = false {
		st := c.begin(text, true)
		parsed, one, rest, err := c.server.engine.Library().Parser.Parse(st.ctx, text, true)
		switch {
		case errors.Is(err, sqlparser.ErrEmpty) && !first:
			st.end(nil)
			return nil
		case errors.Is(err, sqlparser.ErrEmpty):
			err = &engine.Error{Number: 1065, State: "42000", Offset: -1, Message: "the statement is empty", Err: err}
		case err == nil && c.capabilities&wire.MultiStatements == 0 && blank(rest) == false:
			err = &engine.Error{Number: 1064, State: "42000", Offset: len(text) - len(rest),
				Message: "more than one statement, which this connection does not allow, near '" + excerpt(rest) + "'"}
		}
		if err != nil {
			err = sqlSyntax(err)
			st.text = text
			st.running()
			return st.end(st.fail(err))
		}
		st.text = one
		more := !blank(rest)
		if failed, err := st.run(parsed, nil, false, more); err != nil || failed || !more {
			return err
		}
		text = rest
	}
}

// blank reports whether nothing is left to run: spaces, semicolons, comments.
func blank(rest string) bool {
	if strings.Trim(rest, "; \t\r\n") == "" {
		return true
	}
	for tokens := sqlparser.NewStringTokenizer(rest); ; {
		switch kind, _ := tokens.Scan(); kind {
		case 0:
			return true
		case ';', sqlparser.COMMENT:
		default:
			return false
		}
	}
}

func excerpt(s string) string {
	const most = 40
	s = strings.TrimSpace(s)
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// sqlSyntax marks the parser's own errors as the engine does.
func sqlSyntax(err error) error {
	var known *engine.Error
	if errors.As(err, &known) {
		return err
	}
	return sql.ErrSyntaxError.New(err.Error())
}

// begin opens a statement. If it is listed, KILL QUERY reaches it.
func (c *conn) begin(text string, listed bool) *statement {
	lib := c.server.engine.Library()
	st := &statement{conn: c, text: text, listed: listed, started: time.Now()}
	ctx, cancel := context.WithCancelCause(c.ctx)
	st.cancel = cancel
	c.clampBudget()
	c.bePatient()
	_ = c.session.CommandBegin()
	st.account = c.session.Statement()
	st.ctx = sql.NewContext(ctx,
		sql.WithSession(c.session),
		sql.WithPid(c.server.pid()),
		sql.WithQuery(text),
		sql.WithMemoryManager(lib.MemoryManager),
		sql.WithProcessList(c.processes()),
	)
	if listed {
		if sctx, err := lib.ProcessList.BeginQuery(st.ctx, text); err == nil {
			st.ctx = sctx
		}
	}
	return st
}

// end closes a statement, and passes an error on.
func (st *statement) end(err error) error {
	st.closeRows()
	st.cancel(nil)
	if st.listed {
		st.conn.server.engine.Library().ProcessList.EndQuery(st.ctx)
	}
	st.count()
	return err
}

// closeRows ends the reading. An iterator that has panicked may do so again.
func (st *statement) closeRows() {
	iter := st.iter
	st.iter = nil
	if iter == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			_ = st.fault(p)
		}
	}()
	if err := iter.Close(st.ctx); err != nil && !errors.Is(err, context.Canceled) {
		st.conn.server.log.Debug("closing a statement", "connection", st.conn.id, "error", err)
	}
}

// count tells the metrics and the audit log what a statement has done.
func (st *statement) count() {
	if !st.runs {
		return
	}
	st.runs = false
	m, u, took := st.conn.server.opts.Metrics, st.account.Usage(), time.Since(st.started)
	m.running.Add(-1)
	m.statements.Add(1)
	m.rows.Add(st.rows)
	m.items.Add(u.Items)
	m.milliUnits.Add(int64(u.ReadUnits * 1000))
	m.micros.Add(took.Microseconds())
	if st.failure != 0 {
		m.failed.Add(1)
	}
	if st.conn.server.audit == nil {
		return
	}
	text, digest := normalize(st.text)
	st.conn.server.audit.write(auditLine{
		Time: st.started.UTC(), Connection: st.conn.id, User: st.conn.name, Host: st.conn.host,
		Database: st.conn.session.GetCurrentDatabase(), Digest: digest, Statement: text, Seconds: took.Seconds(),
		Rows: st.rows, Items: u.Items, ReadUnits: u.ReadUnits, Requests: u.Requests, Error: st.failure,
	})
}

// running marks a statement that is more than prepared.
func (st *statement) running() {
	st.runs = true
	st.conn.server.opts.Metrics.running.Add(1)
	sql.IncrementStatusVariable(st.ctx, "Queries", 1)
}

// fail tells the client why the statement has failed. The error is that of the
// connection.
func (st *statement) fail(err error) error {
	c := st.conn
	c.session.CommandEnd()
	switch cause := context.Cause(st.ctx); {
	case errors.Is(cause, errGone), errors.Is(cause, errKilled):
		st.failure = 1317
		return cause
	case errors.Is(cause, errShutdown):
		err = &engine.Error{Number: 1053, State: "08S01", Offset: -1, Message: "Server shutdown in progress"}
	case errors.Is(cause, errTimeout):
		err = &engine.Error{Number: 3024, State: "HY000", Offset: -1,
			Message: "Query execution was interrupted, maximum statement execution time exceeded"}
	case cause != nil:
		err = context.Canceled
	}
	number, state, message := c.explainIn(st.ctx, st.text, err)
	st.failure = number
	return c.wire.Write(wire.Err(number, state, message))
}

// start plans the statement; its rows are ready to be pulled.
func (st *statement) start(parsed sqlparser.Statement, values map[string]sqlparser.Expr) error {
	var err error
	st.schema, st.iter, err = st.conn.server.engine.Execute(st.ctx, st.text, parsed, values)
	return err
}

// run executes the statement and sends what it returns. It reports whether the
// client was told of a failure; the error is that of the connection.
func (st *statement) run(parsed sqlparser.Statement, values map[string]sqlparser.Expr, binary, more bool) (failed bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			failed, err = true, st.end(st.fail(st.fault(p)))
		}
	}()
	st.running()
	if k, ok := parsed.(*sqlparser.Kill); ok {
		return st.runKill(k, values, more)
	}
	stop := st.limitTime(parsed)
	defer stop()
	if err := st.start(parsed, values); err != nil {
		return true, st.end(st.fail(err))
	}
	if types.IsOkResultSchema(st.schema) || len(st.schema) == 0 {
		return st.runWithoutResult(more)
	}
	e := newEncoder(st.ctx, st.schema, binary)
	nameOrigins(e.columns, parsed, st.conn.session.GetCurrentDatabase())
	if err := st.conn.header(e.columns, st.conn.done()); err != nil {
		return false, st.end(err)
	}
	rowErr, err := st.send(e)
	switch {
	case err != nil:
		return false, st.end(err)
	case rowErr != nil:
		return true, st.end(st.fail(rowErr))
	}
	st.close()
	return false, st.conn.wire.Write(wire.End(st.conn.doneMore(more), st.conn.capabilities))
}

// fault is the error of a statement on which the engine has panicked: the
// connection and the others live on.
func (st *statement) fault(p any) error {
	st.conn.server.log.Error("a statement failed", "connection", st.conn.id, "panic", p, "stack", string(debug.Stack()))
	return &engine.Error{Number: 1105, State: "HY000", Offset: -1, Message: "internal error: the statement could not be run"}
}

// close ends a statement that has succeeded, so that its warnings are counted
// before the end is told.
func (st *statement) close() {
	_ = st.end(nil)
	st.conn.session.CommandEnd()
}

// flushEvery is how long rows may wait for others to go out with.
const flushEvery = 100 * time.Millisecond

// send pulls the rows and queues them. The first error is the statement's, the
// second the connection's.
func (st *statement) send(e *encoder) (rowErr, err error) {
	c := st.conn
	flushed := time.Now()
	for n := 0; ; n++ {
		payload, err := e.next(st.iter)
		if err == io.EOF {
			return nil, nil
		}
		if err == nil {
			err = st.ctx.Err()
		}
		if err != nil {
			return err, nil
		}
		if err := c.wire.Write(payload); err != nil {
			return nil, err
		}
		st.rows++
		if n%64 == 0 && time.Since(flushed) > flushEvery {
			if err := c.wire.Flush(); err != nil {
				return nil, err
			}
			flushed = time.Now()
		}
	}
}

// header sends the columns of a result.
func (c *conn) header(columns []wire.Column, d wire.Done) error {
	if err := c.wire.Write(wire.Count(len(columns))); err != nil {
		return err
	}
	for _, col := range columns {
		if err := c.wire.Write(col.Encode()); err != nil {
			return err
		}
	}
	if c.capabilities&wire.DeprecateEOF != 0 {
		return nil
	}
	return c.wire.Write(wire.End(d, c.capabilities))
}

// runWithoutResult executes a statement that returns no rows.
func (st *statement) runWithoutResult(more bool) (failed bool, err error) {
	var result types.OkResult
	for {
		row, err := st.iter.Next(st.ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return true, st.end(st.fail(err))
		}
		if len(row) == 1 {
			if r, ok := row[0].(types.OkResult); ok {
				result = r
			}
		}
	}
	st.close()
	d := st.conn.doneMore(more)
	d.Affected, d.InsertID = result.RowsAffected, result.InsertID
	return false, st.conn.wire.Write(wire.OK(d))
}

func (c *conn) doneMore(more bool) wire.Done {
	d := c.done()
	if more {
		d.Status |= wire.MoreResults
	}
	return d
}

// limitTime obeys the hint and the variable max_execution_time, in
// milliseconds, for statements that read.
func (st *statement) limitTime(parsed sqlparser.Statement) (stop func()) {
	if _, reads := parsed.(sqlparser.SelectStatement); !reads {
		return func() {}
	}
	ms := hintedTime(parsed)
	if ms <= 0 {
		ms = st.conn.number("max_execution_time", 0)
	}
	if ms <= 0 {
		ms = 1000 * st.conn.number("max_statement_time", 0)
	}
	if ms <= 0 {
		return func() {}
	}
	t := time.AfterFunc(time.Duration(ms*float64(time.Millisecond)), func() { st.cancel(errTimeout) })
	return func() { t.Stop() }
}

var timeHint = regexp.MustCompile(`(?is)^/\*\+.*\bmax_execution_time\s*\(\s*(\d+)\s*\)`)

// hintedTime is that of a hint in a SELECT; 0 if there is none.
func hintedTime(parsed sqlparser.Statement) float64 {
	s, ok := parsed.(*sqlparser.Select)
	if !ok {
		return 0
	}
	for _, comment := range s.Comments {
		if m := timeHint.FindSubmatch(comment); m != nil {
			ms, _ := strconv.ParseFloat(string(m[1]), 64) // digits only
			return ms
		}
	}
	return 0
}
