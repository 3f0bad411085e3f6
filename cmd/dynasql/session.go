package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/repl"
	"github.com/dynasql/dynasql/repl/format"
)

// session is an engine's session as the shell knows it.
type session struct {
	engine *engine.Engine
	inner  *engine.Session
	stats  io.Writer // a line of JSON for each statement; nil for none
	// cheap says that describing a table costs nothing, so that Objects may
	// describe all of them.
	cheap bool

	account atomic.Pointer[read.Statement] // of the running statement, for Progress
	sampled catalog.Sampling               // before the statement

	mu      sync.Mutex // guards the field below
	objects objects
}

var (
	_ repl.Session    = (*session)(nil)
	_ repl.Unlimiter  = (*session)(nil)
	_ repl.Progresser = (*session)(nil)
	_ repl.Lister     = (*session)(nil)
	_ repl.Sampler    = (*session)(nil)
	_ repl.Connector  = (*session)(nil)
)

func newSession(e *engine.Engine) *session {
	return &session{engine: e, inner: e.NewSession()}
}

func (s *session) close() { s.inner.Close() }

// Database implements repl.Session.
func (s *session) Database() string { return s.inner.GetCurrentDatabase() }

// Connections implements repl.Connector: each is a database.
func (s *session) Connections() []string {
	var names []string
	for _, db := range s.engine.Databases() {
		names = append(names, db.Name())
	}
	return names
}

// Connect implements repl.Connector. It asks for the names of the tables, so
// that missing credentials are told now and not by the next statement.
func (s *session) Connect(ctx context.Context, name string) error {
	before := s.Database()
	if err := s.use(name); err != nil {
		return err
	}
	err := s.engine.Ping(ctx, name)
	if err != nil {
		s.inner.SetCurrentDatabase(before)
	}
	return err
}

// use changes to the database of a connection; "" changes nothing.
func (s *session) use(name string) error {
	if name == "" {
		return nil
	}
	for _, db := range s.engine.Databases() {
		if strings.EqualFold(db.Name(), name) {
			s.inner.SetCurrentDatabase(db.Name())
			return nil
		}
	}
	return &hintedError{
		what: "there is no connection '" + name + "'",
		hint: "there is " + strings.Join(s.Connections(), ", ") + "; the configuration file names further ones",
	}
}

// Query implements repl.Session.
func (s *session) Query(ctx context.Context, sql string, params []repl.Param) (repl.Rows, error) {
	return s.run(ctx, sql, params, s.inner.Query)
}

// QueryUnlimited implements repl.Unlimiter.
func (s *session) QueryUnlimited(ctx context.Context, sql string, params []repl.Param) (repl.Rows, error) {
	return s.run(ctx, sql, params, s.inner.QueryUnlimited)
}

type query func(ctx context.Context, sql string, params ...engine.Param) (*engine.Rows, error)

func (s *session) run(ctx context.Context, sql string, params []repl.Param, q query) (repl.Rows, error) {
	values := make([]engine.Param, len(params))
	for i, p := range params {
		values[i] = engine.Param{Name: p.Name, Text: p.Text, Number: p.Kind == format.Number, Null: p.Null}
	}
	s.account.Store(nil)
	s.sampled = s.engine.Sampling()
	began := time.Now()
	inner, err := q(ctx, sql, values...)
	s.account.Store(s.inner.Statement())
	if err != nil {
		s.finish(s.inner.Statement().Usage())
		return nil, refusal(err)
	}
	return &rows{session: s, inner: inner, began: began}, nil
}

// finish is called once for each statement with what it has read.
func (s *session) finish(u read.Usage) {
	if s.stats != nil {
		writeStats(s.stats, u, s.engine.Sampling().Since(s.sampled))
	}
}

// readAll is the share of the reads from which the rest takes no time.
const readAll = 0.99

// Progress implements repl.Progresser.
func (s *session) Progress() repl.Progress {
	st := s.account.Load()
	if st == nil {
		return repl.Progress{}
	}
	p := st.Progress()
	if p.Share >= readAll { // what is left is joining and sorting, which nothing measures
		p.Left = 0
	}
	return repl.Progress{
		Items: p.Items, Bytes: p.Bytes, Pages: p.Pages,
		ReadUnits: p.ReadUnits, CostUSD: p.Dollars, Done: p.Share, Left: p.Left,
	}
}

// Sampling implements repl.Sampler. Tables in memory cost nothing to look at.
func (s *session) Sampling() repl.Sampling {
	if s.cheap {
		return repl.Sampling{}
	}
	sum := s.engine.Sampling()
	return repl.Sampling{
		Requests: sum.Requests, Items: sum.Items,
		ReadUnits: sum.ReadUnits, CostUSD: sum.ReadUnits * s.inner.Statement().Limits().DollarsPerMillion / 1e6,
	}
}

// Variables implements repl.Session.
func (s *session) Variables() []repl.Variable {
	var list []repl.Variable
	for _, v := range engine.Variables() {
		list = append(list, repl.Variable{Name: v.Name, Value: s.inner.Value(v.Name), Values: v.Values, Comment: v.Meaning})
	}
	return list
}

// refusal gives an error of the budget the methods that the shell asks for.
func refusal(err error) error {
	var refused *read.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	return &refusedError{error: err, estimate: refused.Others + refused.Estimate, limit: refused.Limit}
}

type refusedError struct {
	error
	estimate, limit float64
}

var _ repl.Refusal = (*refusedError)(nil)

func (e *refusedError) Unwrap() error     { return e.error }
func (e *refusedError) Estimate() float64 { return e.estimate }
func (e *refusedError) Limit() float64    { return e.limit }
