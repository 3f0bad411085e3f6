package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine/exec"
	"github.com/dynasql/dynasql/engine/spill"
)

// A Session is one user's conversation: its database, variables, warnings and
// the account of the running statement. It runs one statement at a time.
type Session struct {
	*sql.BaseSession
	engine *Engine

	mu        sync.Mutex // guards the fields below
	statement *read.Statement
	memory    *spill.Memory
	accounts  []*rowAccount // of the running statement
	drifts    map[string]*drift
	phase     phase
	warned    map[sql.Warning]bool
	told      map[string]bool // warnings that are given once a session
	described map[string]bool // tables whose columns the statement asks for, in lower case
	natural   bool            // the statement has a NATURAL JOIN
	last      read.Usage      // of the last statement that read anything
	noting    bool            // see built
	plan      sql.Node
	points    map[string]*point
}

// A drift counts the values of one column that were read as NULL.
type drift struct {
	first *codec.DriftError
	count int
}

var (
	_ connector.Session         = (*Session)(nil)
	_ exec.Session              = (*Session)(nil)
	_ sql.LifecycleAwareSession = (*Session)(nil)
)

// NewSession opens a session of the shell's kind: a trusted local user.
func (e *Engine) NewSession() *Session {
	id := e.lastSession.Add(1) | localSession
	client := sql.Client{User: "local", Address: "localhost"}
	s := e.wrap(sql.NewBaseSessionWithClientServer("localhost", client, id))
	s.SetCurrentDatabase(e.databases[0].Name())
	e.sql.ProcessList.AddConnection(id, client.Address)
	e.sql.ProcessList.ConnectionReady(s)
	return s
}

// localSession marks the ids of the shell's sessions, apart from those of server
// connections.
const localSession = 1 << 31

// local reports whether the session is that of a user of this machine.
func (s *Session) local() bool { return s.ID()&localSession != 0 }

// ServerSession makes the session of a connection that a server has accepted
// and will announce to the process list itself.
func (e *Engine) ServerSession(server string, client sql.Client, id uint32) *Session {
	s := e.wrap(sql.NewBaseSessionWithClientServer(server, client, id))
	return s
}

func (e *Engine) wrap(base *sql.BaseSession) *Session {
	s := &Session{BaseSession: base, engine: e, told: map[string]bool{}}
	e.sessions.Store(base.ID(), s)
	_ = base.InitSessionVariable(sql.NewEmptyContext(), varMaxReadUnits, e.cfg.MaxReadUnits) // the name is known
	_ = s.CommandBegin()                                                                     // never fails
	return s
}

// Close ends a session made by NewSession.
func (s *Session) Close() {
	s.engine.sql.ProcessList.RemoveConnection(s.ID())
	s.SessionEnd()
}

// CommandBegin opens a new account for the statement that follows. It
// implements sql.LifecycleAwareSession, through which a server calls it.
func (s *Session) CommandBegin() error {
	ctx := sql.NewContext(context.Background(), sql.WithSession(s))
	st := read.NewStatement(s.limits(ctx))
	limit := int64(s.number(ctx, varMemory))
	if limit == 0 {
		limit = spill.DefaultLimit()
	}
	memory := spill.NewMemory(limit, s.engine.memory)
	s.freeAccounts()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory = memory
	s.statement, s.drifts, s.phase = st, map[string]*drift{}, binding
	s.warned = map[sql.Warning]bool{}
	return nil
}

// CommandEnd turns what was counted during the statement into warnings.
func (s *Session) CommandEnd() {
	s.freeAccounts()
	s.keep(s.Statement().Usage())
	s.mu.Lock()
	drifts := s.drifts
	s.drifts = map[string]*drift{}
	s.mu.Unlock()
	s.tellSchema()
	for _, d := range drifts {
		s.Warn(&sql.Warning{Level: "Warning", Code: erTruncated, Message: fmt.Sprintf(
			"%d values of '%s' in table '%s' were read as NULL; the first: %s", d.count, d.first.Column, d.first.Table, d.first)})
	}
}

// tellSchema warns a user of this machine, once, of what schema files say in
// vain. A server tells it when it starts, and not those whom it serves.
func (s *Session) tellSchema() {
	if !s.local() {
		return
	}
	for _, text := range s.engine.SchemaWarnings() {
		s.mu.Lock()
		told := s.told[text]
		s.told[text] = true
		s.mu.Unlock()
		if !told {
			s.Warn(&sql.Warning{Level: "Warning", Code: erNoSuchTable, Message: text})
		}
	}
}

// SessionEnd implements sql.LifecycleAwareSession: a server calls it when the
// connection has gone.
func (s *Session) SessionEnd() { s.engine.sessions.CompareAndDelete(s.ID(), s) }

// mostWarnings is how many warnings a statement keeps: MySQL's default of
// max_error_count.
const mostWarnings = 1024

// Warn implements sql.Session. A warning that the statement has given already
// is not given again: the library repeats some of them for every row.
func (s *Session) Warn(w *sql.Warning) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.warned[*w] || len(s.warned) >= mostWarnings {
		return
	}
	s.warned[*w] = true
	s.BaseSession.Warn(w)
}

// Statement is the account of the running or last statement.
func (s *Session) Statement() *read.Statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.statement
}

// Memory is the bound on what the operators of the running statement hold.
func (s *Session) Memory() *spill.Memory {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.memory
}

// A phase is how far a statement has come.
type phase uint8

const (
	binding   phase = iota // names are being resolved
	analyzing              // the library's rules are at work
	running
)

// enter begins a phase, and reports whether it was another one before.
func (s *Session) enter(p phase) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.phase
	s.phase = p
	return before != p
}

func (s *Session) in(p phase) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase == p
}

// Planning implements connector.Session.
func (s *Session) Planning() bool { return !s.in(running) }

// Analyzing implements connector.Session.
func (s *Session) Analyzing() bool { return s.in(analyzing) }

// Analyze implements connector.Session.
func (s *Session) Analyze() { s.enter(analyzing) }

// Drifted counts a value that was read as NULL because its column cannot hold it.
func (s *Session) Drifted(e *codec.DriftError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := e.Table + "\x00" + e.Column
	if s.drifts[key] == nil {
		s.drifts[key] = &drift{first: e}
	}
	s.drifts[key].count++
}

// Query runs one statement, with values for the :names in it. The rows must be
// closed; until then the session runs no other.
func (s *Session) Query(ctx context.Context, text string, params ...Param) (*Rows, error) {
	return s.query(ctx, text, params, s.limits(sql.NewContext(context.Background(), sql.WithSession(s))))
}

// QueryUnlimited is Query without a bound on read units, rows or seconds: what
// the user has agreed to after a refusal.
func (s *Session) QueryUnlimited(ctx context.Context, text string, params ...Param) (*Rows, error) {
	return s.query(ctx, text, params, read.Limits{})
}

func (s *Session) query(ctx context.Context, text string, params []Param, limits read.Limits) (*Rows, error) {
	_ = s.CommandBegin()
	s.mu.Lock()
	s.statement = read.NewStatement(limits)
	s.mu.Unlock()
	sctx, err := s.engine.begin(ctx, s, text)
	if err != nil {
		return nil, err
	}
	schema, iter, err := s.engine.run(sctx, text, params)
	if err != nil {
		err = s.engine.Explain(sctx, text, err) // before the context ends
		s.engine.sql.ProcessList.EndQuery(sctx)
		return nil, err
	}
	return newRows(sctx, s, text, schema, iter), nil
}

// run plans a statement and builds its iterators. Nothing is read yet.
func (e *Engine) run(ctx *sql.Context, text string, params []Param) (schema sql.Schema, iter sql.RowIter, err error) {
	defer Recover(&err)
	parsed, _, _, err := e.sql.Parser.Parse(ctx, text, false)
	if err != nil {
		return nil, nil, err
	}
	values, err := bind(ctx, parsed, params)
	if err != nil {
		return nil, nil, err
	}
	if len(values) > 0 { // the library takes values for prepared statements only
		ctx.Session.PrepareQuery(text, parsed)
		defer ctx.Session.UnprepareQuery(text)
	}
	return e.Execute(ctx, text, parsed, values)
}

// Recover turns a panic of the library into an error of the statement: one
// statement must not end the others. It is to be deferred.
func Recover(err *error) {
	if fault := recover(); fault != nil {
		if *err = knownPanic(); *err != nil {
			return
		}
		*err = &Error{
			Number: erUnknown, State: "HY000", Offset: -1,
			Message: "the SQL engine failed on this statement",
			Advice:  "please report the statement: " + firstLine(fmt.Sprint(fault)),
		}
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// begin makes the library's context of a statement and enters the statement in
// the process list, which can cancel it.
func (e *Engine) begin(ctx context.Context, s *Session, text string) (*sql.Context, error) {
	sctx := sql.NewContext(ctx,
		sql.WithSession(s),
		sql.WithPid(e.lastPid.Add(1)|1<<62),
		sql.WithMemoryManager(e.sql.MemoryManager),
		sql.WithProcessList(e.sql.ProcessList))
	return e.sql.ProcessList.BeginQuery(sctx, text)
}
