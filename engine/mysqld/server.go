// Package mysqld serves an engine to MySQL clients. It owns the connections:
// who may connect, the session behind each, the statement that each runs, and
// how its rows go out as they are read. What the bytes on the wire mean is
// engine/mysqld/wire's business, and what a statement means the engine's.
//
// A connection has two goroutines. One reads what the client sends, and so sees
// at once that it has gone; the other answers, one command at a time. Rows are
// pulled from the engine one by one into a buffer of fixed size, so that a
// client that reads slowly slows the reading of DynamoDB down.
package mysqld

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// Options say who may connect and how much each may take. The zero value lets
// anybody in who reaches a loopback address or a unix socket.
type Options struct {
	// Users are those who may connect; nil lets anybody in, under any name and
	// with any password, which only loopback addresses and unix sockets allow.
	Users *Users
	// TLS is offered to clients if it has a certificate.
	TLS *tls.Config
	// AllowPlaintext permits an address that others can reach without TLS.
	AllowPlaintext bool

	MaxConnections        int           // at one time; 0 means 151, as in MySQL
	MaxConnectionsPerUser int           // 0 means no bound of its own
	MaxStatementBytes     int           // of what a client sends at once; 0 means 64 MiB
	MaxCursors            int           // open at one time, a connection; 0 means 16
	IdleTimeout           time.Duration // between two commands; 0 means 8 hours. A client can SET wait_timeout
	LoginTimeout          time.Duration // for the whole login; 0 means 10 seconds
	Grace                 time.Duration // for running statements when the server ends; 0 means 10 seconds

	// Logger gets what happens to connections, never items or passwords; nil
	// logs nothing.
	Logger *slog.Logger
	// Audit gets a line of JSON for each statement; nil for none.
	Audit io.Writer
	// Metrics counts, for Handler; nil counts nothing.
	Metrics *Metrics
}

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, otherwise time.Duration) {
		if *d <= 0 {
			*d = otherwise
		}
	}
	set(&o.IdleTimeout, 8*time.Hour)
	set(&o.LoginTimeout, 10*time.Second)
	set(&o.Grace, 10*time.Second)
	if o.MaxConnections <= 0 {
		o.MaxConnections = 151
	}
	if o.MaxStatementBytes <= 0 {
		o.MaxStatementBytes = 64 << 20
	}
	if o.MaxCursors <= 0 {
		o.MaxCursors = 16
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Metrics == nil {
		o.Metrics = &Metrics{}
	}
	return o
}

// Check refuses an address that others can reach unless its users have
// passwords and TLS hides them.
func (o Options) Check(a net.Addr) error {
	if private(a) {
		return nil
	}
	if o.Users == nil {
		return &RefusedError{Address: a.String(), Problem: "anybody who reaches it could read the tables",
			Advice: "give it users with passwords, or listen on 127.0.0.1 and use a tunnel"}
	}
	if o.TLS == nil && !o.AllowPlaintext {
		return &RefusedError{Address: a.String(), Problem: "without TLS, what is read could be seen on the network",
			Advice: "give it a certificate, or allow plaintext"}
	}
	return nil
}

// RefusedError reports an address on which the server will not listen.
type RefusedError struct{ Address, Problem, Advice string }

func (e *RefusedError) Error() string {
	return "listening on " + e.Address + " is refused: " + e.Problem
}

// Hint says what to do about it.
func (e *RefusedError) Hint() string { return e.Advice }

func private(a net.Addr) bool {
	switch a := a.(type) {
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	return false
}

// Reasons for which a statement or a connection ends before its time.
var (
	errGone     = errors.New("the client has gone")
	errKilled   = errors.New("the connection was killed")
	errShutdown = errors.New("the server is ending")
	errTimeout  = errors.New("the statement has run for max_execution_time")
)

// server is one run of Serve.
type server struct {
	engine *engine.Engine
	opts   Options
	logins *logins
	log    *slog.Logger
	audit  *auditor
	ending chan struct{} // closed when no new command is accepted

	mu      sync.Mutex // guards the fields below
	conns   map[uint32]*conn
	owners  map[uint32]string // the users of connections
	perUser map[string]int
	lastID  uint32

	lastPid atomic.Uint64
}

// Serve accepts connections on l and answers them until ctx ends. Statements
// that run then get the grace time of the options. Serve closes l and returns
// when the last connection has ended; its error is nil unless accepting failed.
func Serve(ctx context.Context, e *engine.Engine, l net.Listener, opts Options) error {
	defer l.Close()
	if err := opts.Check(l.Addr()); err != nil {
		return err
	}
	s := &server{
		engine: e, opts: opts.withDefaults(), logins: newLogins(), ending: make(chan struct{}),
		conns: map[uint32]*conn{}, owners: map[uint32]string{}, perUser: map[string]int{},
	}
	s.log, s.audit = s.opts.Logger, newAuditor(s.opts.Audit)
	s.setAccounts()
	s.opts.Metrics.start()
	var connections sync.WaitGroup
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	err := s.accept(ctx, l, &connections)
	s.end(&connections)
	return err
}

// setAccounts gives the engine the privileges of the users.
func (s *server) setAccounts() {
	if s.opts.Users == nil {
		s.engine.SetAccounts([]engine.Account{engine.AnyAccount})
		return
	}
	s.opts.Users.watch(func(users []*User) { s.engine.SetAccounts(accounts(users)) })
}

func (s *server) accept(ctx context.Context, l net.Listener, connections *sync.WaitGroup) error {
	for {
		nc, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				nc.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("accept connections: %w", err)
		case err != nil: // out of files, or a client that left in between
			s.log.Warn("a connection could not be accepted", "error", err)
			if !sleep(ctx, 50*time.Millisecond) {
				return nil
			}
			continue
		}
		connections.Go(func() { s.serve(nc) })
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// end lets running statements finish for the grace time, then cancels them.
func (s *server) end(connections *sync.WaitGroup) {
	s.opts.Metrics.ending.Store(true)
	close(s.ending)
	finished := make(chan struct{})
	go func() {
		connections.Wait()
		close(finished)
	}()
	grace := time.NewTimer(s.opts.Grace)
	defer grace.Stop()
	select {
	case <-finished:
		return
	case <-grace.C:
	}
	for _, c := range s.all() {
		c.cancel(errShutdown)
	}
	last := time.NewTimer(time.Second)
	defer last.Stop()
	select {
	case <-finished:
		return
	case <-last.C:
	}
	for _, c := range s.all() {
		c.close()
	}
	<-finished
}

func (s *server) all() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*conn, 0, len(s.conns))
	for _, c := range s.conns {
		all = append(all, c)
	}
	return all
}

// serve answers one connection until it ends.
func (s *server) serve(nc net.Conn) {
	defer nc.Close()
	c, ok := s.enter(nc)
	if !ok {
		s.opts.Metrics.refused.Add(1)
		s.refuse(nc)
		return
	}
	defer s.leave(c)
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a connection failed", "connection", c.id, "panic", p)
		}
	}()
	c.run()
}

// enter makes a connection unless there are too many.
func (s *server) enter(nc net.Conn) (*conn, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= s.opts.MaxConnections {
		return nil, false
	}
	s.lastID++
	c := newConn(s, nc, s.lastID)
	s.conns[c.id] = c
	s.opts.Metrics.connections.Add(1)
	s.opts.Metrics.accepted.Add(1)
	sql.StatusVariables.IncrementGlobal("Connections", 1)
	return c, true
}

func (s *server) leave(c *conn) {
	c.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c.id)
	s.disown(c.id)
	s.opts.Metrics.connections.Add(-1)
}

// refuse answers a connection for which there is no room.
func (s *server) refuse(nc net.Conn) {
	_ = nc.SetDeadline(time.Now().Add(time.Second))
	w := wire.NewConn(nc)
	_ = w.Write(wire.Err(1040, "08004", "Too many connections"))
	_ = w.Flush()
}

// own makes a user the owner of a connection, unless the user has too many.
func (s *server) own(c *conn, user string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if most := s.opts.MaxConnectionsPerUser; most > 0 && s.perUser[user] >= most {
		return false
	}
	s.disown(c.id)
	s.owners[c.id] = user
	s.perUser[user]++
	return true
}

// disown takes a connection from its owner; s.mu is held.
func (s *server) disown(id uint32) {
	user, ok := s.owners[id]
	if !ok {
		return
	}
	delete(s.owners, id)
	if s.perUser[user]--; s.perUser[user] <= 0 {
		delete(s.perUser, user)
	}
}

// pid numbers a statement, for the process list. Those of the shell's sessions
// are apart from these.
func (s *server) pid() uint64 { return s.lastPid.Add(1) }
