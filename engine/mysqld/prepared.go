package mysqld

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// prepared is a statement that a client has prepared.
type prepared struct {
	id         uint32
	text       string
	parsed     sqlparser.Statement
	parameters int
	known      []wire.ParameterType
	long       map[int][]byte
	longSize   int
	cursor     *cursor
}

// A cursor holds a statement whose rows wait to be fetched.
type cursor struct {
	statement *statement
	encoder   *encoder
	stop      func()
}

// maxStatements bounds the prepared statements of a connection, as MySQL's
// default bounds those of a server.
const maxStatements = 16382

// maxParameters is the most that the protocol can count.
const maxParameters = 65535

// prepare answers COM_STMT_PREPARE.
func (c *conn) prepare(text string) error {
	st := c.begin(text, true)
	if len(c.statements) >= maxStatements {
		return st.end(st.fail(&engine.Error{Number: 1461, State: "42000", Offset: -1,
			Message: fmt.Sprintf("the connection has %d prepared statements, which is the limit", maxStatements), Advice: "close some"}))
	}
	p, columns, err := st.prepare()
	if err != nil {
		return st.end(st.fail(err))
	}
	c.session.CommandEnd()
	_ = st.end(nil)
	c.lastStatement++
	p.id = c.lastStatement
	c.statements[p.id] = p
	if err := c.wire.Write(wire.Prepared(p.id, len(columns), p.parameters, c.session.WarningCount())); err != nil {
		return err
	}
	parameter := wire.Column{Name: "?", Type: wire.TypeVarString, Collation: wire.BinaryCollation, Flags: wire.Binary}
	if err := c.definitions(repeat(parameter, p.parameters)); err != nil {
		return err
	}
	return c.definitions(columns)
}

func repeat(col wire.Column, n int) []wire.Column {
	all := make([]wire.Column, n)
	for i := range all {
		all[i] = col
	}
	return all
}

// definitions sends columns, and their end for clients that want it.
func (c *conn) definitions(columns []wire.Column) error {
	for _, col := range columns {
		if err := c.wire.Write(col.Encode()); err != nil {
			return err
		}
	}
	if len(columns) == 0 || c.capabilities&wire.DeprecateEOF != 0 {
		return nil
	}
	return c.wire.Write(wire.End(c.done(), c.capabilities))
}

func (st *statement) prepare() (p *prepared, columns []wire.Column, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = st.fault(fault)
		}
	}()
	lib := st.conn.server.engine.Library()
	parsed, one, rest, err := lib.Parser.Parse(st.ctx, st.text, true)
	if err != nil {
		return nil, nil, sqlSyntax(err)
	}
	if !blank(rest) {
		return nil, nil, &engine.Error{Number: 1064, State: "42000", Offset: len(one),
			Message: "only one statement can be prepared at a time, near '" + excerpt(rest) + "'"}
	}
	n := countParameters(one)
	if n > maxParameters {
		return nil, nil, &engine.Error{Number: 1390, State: "HY000", Offset: -1,
			Message: fmt.Sprintf("%d parameters are more than a prepared statement can have: %d", n, maxParameters)}
	}
	p = &prepared{text: one, parsed: parsed, parameters: n}
	if _, ok := parsed.(*sqlparser.Kill); ok {
		return p, nil, nil // ours, not the engine's
	}
	node, err := lib.PrepareParsedQuery(st.ctx, one, one, parsed)
	if err != nil {
		return nil, nil, err
	}
	schema := node.Schema(st.ctx)
	if _, explains := parsed.(*sqlparser.Explain); explains || types.IsOkResultSchema(schema) {
		return p, nil, nil // known when it runs
	}
	columns = columnsOf(st.ctx, schema)
	nameOrigins(columns, parsed, st.conn.session.GetCurrentDatabase())
	return p, columns, nil
}

// countParameters counts the question marks that are not within quotes or
// comments.
func countParameters(query string) int {
	n := 0
	tokens := sqlparser.NewStringTokenizer(query)
	for {
		switch kind, _ := tokens.Scan(); kind {
		case 0, sqlparser.LEX_ERROR:
			return n
		case sqlparser.VALUE_ARG:
			n++
		}
	}
}

// statementCommand answers the commands that name a prepared statement.
func (c *conn) statementCommand(command wire.Command, payload []byte) error {
	id, rest, err := wire.StatementID(payload)
	if err != nil {
		return malformed(c)
	}
	p := c.statements[id]
	switch command {
	case wire.ComStmtClose:
		c.forget(p)
		return nil // no answer
	case wire.ComStmtSendLong:
		c.longData(p, rest)
		return nil // no answer; what is wrong is told when it runs
	}
	if p == nil {
		return c.wire.Write(wire.Err(1243, "HY000", fmt.Sprintf("Unknown prepared statement handler (%d) given to %s", id, nameOf(command))))
	}
	switch command {
	case wire.ComStmtReset:
		p.closeCursor()
		p.long, p.longSize = nil, 0
		return c.ok()
	case wire.ComStmtFetch:
		return c.fetch(p, rest)
	}
	return c.execute(p, rest)
}

func nameOf(command wire.Command) string {
	return map[wire.Command]string{
		wire.ComStmtExecute: "mysqld_stmt_execute", wire.ComStmtFetch: "mysqld_stmt_fetch", wire.ComStmtReset: "mysqld_stmt_reset",
	}[command]
}

func (c *conn) forget(p *prepared) {
	if p == nil {
		return
	}
	p.closeCursor()
	delete(c.statements, p.id)
	for _, other := range c.statements {
		if other.text == p.text {
			return
		}
	}
	c.session.UnprepareQuery(p.text)
}

func (c *conn) closeStatements() {
	for _, p := range c.statements {
		c.forget(p)
	}
}

func (c *conn) longData(p *prepared, payload []byte) {
	d, err := wire.ParseLongData(payload)
	if p == nil || err != nil || d.Parameter >= p.parameters {
		return
	}
	if p.long == nil {
		p.long = map[int][]byte{}
	}
	if p.longSize += len(d.Piece); p.longSize > c.server.opts.MaxStatementBytes {
		return // refused when it runs
	}
	p.long[d.Parameter] = append(p.long[d.Parameter], d.Piece...)
}

// execute answers COM_STMT_EXECUTE.
func (c *conn) execute(p *prepared, payload []byte) error {
	p.closeCursor()
	if p.longSize > c.server.opts.MaxStatementBytes {
		p.long, p.longSize = nil, 0
		return c.wire.Write(wire.Err(1153, "08S01", "Got a packet bigger than 'max_allowed_packet' bytes"))
	}
	x, err := wire.ParseExecute(p.id, payload, p.parameters, p.known, p.long)
	p.long, p.longSize = nil, 0
	if err != nil {
		return c.wire.Write(wire.Err(1210, "HY000", "Incorrect arguments to mysqld_stmt_execute: "+err.Error()))
	}
	p.known = x.Types
	values := c.literals(x.Parameters)
	if x.Cursor {
		if _, reads := p.parsed.(sqlparser.SelectStatement); reads {
			return c.openCursor(p, values)
		}
	}
	st := c.begin(p.text, true)
	_, err = st.run(p.parsed, values, true, false)
	return err
}

// literals are the parameters as they would stand in the statement.
func (c *conn) literals(parameters []wire.Parameter) map[string]sqlparser.Expr {
	values := make(map[string]sqlparser.Expr, len(parameters))
	for i, p := range parameters {
		values["v"+strconv.Itoa(i+1)] = c.literal(p)
	}
	return values
}

func (c *conn) literal(p wire.Parameter) sqlparser.Expr {
	switch p.Kind {
	case wire.KindNull:
		return &sqlparser.NullVal{}
	case wire.KindInteger:
		return sqlparser.NewIntVal(p.Text)
	case wire.KindFloat, wire.KindDecimal:
		return sqlparser.NewFloatVal(p.Text)
	case wire.KindText:
		if text := c.decode(p.Text); utf8.ValidString(text) {
			return sqlparser.NewStrVal([]byte(text))
		}
	case wire.KindBytes:
		if utf8.Valid(p.Text) {
			return sqlparser.NewStrVal(p.Text)
		}
	}
	return sqlparser.NewHexVal([]byte(hex.EncodeToString(p.Text)))
}

// openCursor runs a statement and leaves its rows to be fetched. Between the
// fetches the connection may run others.
func (c *conn) openCursor(p *prepared, values map[string]sqlparser.Expr) error {
	open := 0
	for _, other := range c.statements {
		if other.cursor != nil {
			open++
		}
	}
	st := c.begin(p.text, false)
	if open >= c.server.opts.MaxCursors {
		return st.end(st.fail(&engine.Error{Number: 1461, State: "42000", Offset: -1,
			Message: fmt.Sprintf("the connection has %d open cursors, which is the limit", open), Advice: "close one before the next is opened"}))
	}
	st.running()
	stop := st.limitTime(p.parsed)
	if err := st.start(p.parsed, values); err != nil {
		stop()
		return st.end(st.fail(err))
	}
	e := newEncoder(st.ctx, st.schema, true)
	nameOrigins(e.columns, p.parsed, c.session.GetCurrentDatabase())
	p.cursor = &cursor{st, e, stop}
	d := c.done()
	d.Status |= wire.CursorExists
	if err := c.header(e.columns, d); err != nil {
		return err
	}
	if c.capabilities&wire.DeprecateEOF != 0 {
		return c.wire.Write(wire.End(d, c.capabilities))
	}
	return nil
}

func (p *prepared) closeCursor() {
	if p.cursor == nil {
		return
	}
	p.cursor.stop()
	_ = p.cursor.statement.end(nil)
	p.cursor = nil
}

// fetch sends the next rows of a cursor.
func (c *conn) fetch(p *prepared, payload []byte) (err error) {
	defer func() {
		if fault := recover(); fault != nil && p.cursor != nil {
			st := p.cursor.statement
			err = st.fail(st.fault(fault))
			p.closeCursor()
		}
	}()
	n, err := wire.ParseFetch(payload)
	if err != nil {
		return malformed(c)
	}
	if p.cursor == nil {
		return c.wire.Write(wire.Err(1421, "HY000", fmt.Sprintf("The statement (%d) has no open cursor.", p.id)))
	}
	st := p.cursor.statement
	before := c.session.Resume(st.account)
	defer c.session.Resume(before)
	unlist := c.listFetch(st)
	defer unlist()
	for range n {
		packed, err := p.cursor.encoder.next(st.iter)
		if err == io.EOF {
			d := c.done()
			d.Status |= wire.CursorExists | wire.LastRowSent
			p.closeCursor()
			return c.wire.Write(wire.End(d, c.capabilities))
		}
		if err != nil {
			failed := st.fail(err)
			p.closeCursor()
			return failed
		}
		if err := c.wire.Write(packed); err != nil {
			return err
		}
		st.rows++
	}
	d := c.done()
	d.Status |= wire.CursorExists
	return c.wire.Write(wire.End(d, c.capabilities))
}

// listFetch makes KILL QUERY reach a cursor while rows are fetched from it.
func (c *conn) listFetch(st *statement) (unlist func()) {
	list := c.server.engine.Library().ProcessList
	ctx, err := list.BeginOperation(c.plainContext())
	if err != nil {
		return func() {}
	}
	stop := context.AfterFunc(ctx, func() { st.cancel(context.Canceled) })
	return func() {
		stop()
		list.EndOperation(ctx)
	}
}

// fieldList answers COM_FIELD_LIST, from what is known of the table.
func (c *conn) fieldList(payload []byte) error {
	table, err := wire.ParseFieldList(payload)
	if err != nil {
		return malformed(c)
	}
	text := "SELECT * FROM " + "`" + strings.ReplaceAll(c.decode([]byte(table)), "`", "``") + "`"
	st := c.begin(text, true)
	node, err := c.server.engine.Library().AnalyzeQuery(st.ctx, text)
	if err != nil {
		return st.end(st.fail(err))
	}
	columns := columnsOf(st.ctx, node.Schema(st.ctx))
	_ = st.end(nil)
	for _, col := range columns {
		if err := c.wire.Write(col.EncodeListed()); err != nil {
			return err
		}
	}
	return c.wire.Write(wire.End(c.done(), c.capabilities))
}
