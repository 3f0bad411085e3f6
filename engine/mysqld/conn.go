package mysqld

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// maxLoginBytes bounds what a client may send before it is known.
const maxLoginBytes = 64 << 10

// A conn is one client's connection. Its fields belong to the goroutine of run,
// except where noted.
type conn struct {
	server *server
	id     uint32
	host   string
	raw    *patientConn
	wire   *wire.Conn
	// ctx ends with the connection, and cancel says why. Both may be used from
	// any goroutine.
	ctx    context.Context
	cancel context.CancelCauseFunc

	capabilities wire.Capability
	secure       bool // over TLS or a unix socket
	user         *User
	name         string // of the user; empty until login
	session      *engine.Session

	// incoming are the client's messages, sent by the goroutine of read.
	incoming chan incoming
	reader   sync.WaitGroup

	statements    map[uint32]*prepared
	lastStatement uint32
}

// incoming is a message, or the error with which reading has ended.
type incoming struct {
	wire.Message
	err error
}

func newConn(s *server, nc net.Conn, id uint32) *conn {
	raw := &patientConn{Conn: nc}
	c := &conn{
		server: s, id: id, host: hostOf(nc.RemoteAddr()), raw: raw, wire: wire.NewConn(raw),
		incoming: make(chan incoming), statements: map[uint32]*prepared{},
	}
	_, c.secure = nc.LocalAddr().(*net.UnixAddr)
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	s.engine.Library().ProcessList.AddConnection(id, c.host)
	return c
}

func hostOf(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return "localhost"
	}
	return tcp.IP.String()
}

// close cuts the connection; it may be called from any goroutine.
func (c *conn) close() { c.raw.Close() }

// end gives back what the connection held.
func (c *conn) end() {
	c.cancel(errGone)
	c.close()
	c.reader.Wait()
	c.closeStatements()
	c.server.engine.Library().ProcessList.RemoveConnection(c.id)
	if c.session != nil {
		c.session.SessionEnd()
	}
	if c.session != nil {
		c.server.log.Info("disconnected", "connection", c.id, "user", c.name)
	}
}

func (c *conn) run() {
	_ = c.raw.SetDeadline(time.Now().Add(c.server.opts.LoginTimeout))
	if err := c.login(); err != nil {
		if !errors.Is(err, io.EOF) { // a port scan, or a health check
			c.server.log.Warn("login failed", "connection", c.id, "host", c.host, "error", err)
		}
		return
	}
	_ = c.raw.SetDeadline(time.Time{})
	c.bePatient()
	c.server.log.Info("connected", "connection", c.id, "user", c.name, "host", c.host, "tls", c.secure)
	c.reader.Go(c.read)
	for {
		m, err := c.next()
		if err == nil {
			err = c.command(m)
		}
		if err == nil {
			err = c.wire.Flush()
		}
		if err != nil {
			return
		}
	}
}

// read passes messages on until the client has gone, which cancels what runs.
func (c *conn) read() {
	for {
		m, err := c.wire.Read(c.server.opts.MaxStatementBytes)
		if err != nil && !errors.Is(err, wire.ErrTooLarge) {
			c.cancel(errGone)
		}
		select {
		case c.incoming <- incoming{m, err}:
		case <-c.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

var errEnd = errors.New("the connection ends")

// next waits for the client's next command.
func (c *conn) next() (wire.Message, error) {
	idle := time.NewTimer(c.idleTimeout())
	defer idle.Stop()
	select {
	case <-c.server.ending: // before commands that wait as well
		return c.say(1053, "08S01", "Server shutdown in progress")
	default:
	}
	select {
	case m := <-c.incoming:
		c.wire.Answer(m.Message)
		switch {
		case errors.Is(m.err, wire.ErrTooLarge):
			return c.say(1153, "08S01", "Got a packet bigger than 'max_allowed_packet' bytes")
		case m.err != nil:
			return m.Message, m.err
		case len(m.Payload) == 0 || m.Sequence != 0:
			return c.say(1835, "HY000", "Malformed communication packet.")
		}
		return m.Message, nil
	case <-c.ctx.Done():
		return wire.Message{}, context.Cause(c.ctx)
	case <-c.server.ending:
		c.wire.Answer(wire.Message{})
		return c.say(1053, "08S01", "Server shutdown in progress")
	case <-idle.C:
		c.wire.Answer(wire.Message{})
		return c.say(4031, "HY000", "The client was disconnected by the server because of inactivity. See wait_timeout and interactive_timeout for configuring this behavior.")
	}
}

// say sends a last error.
func (c *conn) say(number uint16, state, message string) (wire.Message, error) {
	c.raw.patience.Store(int64(time.Second))
	_ = c.wire.Write(wire.Err(number, state, message))
	_ = c.wire.Flush()
	return wire.Message{}, errEnd
}

// receive waits for a further message within a command.
func (c *conn) receive() (wire.Message, error) {
	if c.session == nil { // before the reader has started
		return c.wire.Read(maxLoginBytes)
	}
	select {
	case m := <-c.incoming:
		return m.Message, m.err
	case <-c.ctx.Done():
		return wire.Message{}, context.Cause(c.ctx)
	}
}

// bePatient sets how long a write may wait for the client.
func (c *conn) bePatient() {
	c.raw.patience.Store(int64(c.number("net_write_timeout", 60) * float64(time.Second)))
}

// fail answers a command with an error. Its own error is one of the connection.
func (c *conn) fail(query string, err error) error {
	number, state, message := c.explain(query, err)
	return c.wire.Write(wire.Err(number, state, message))
}

func (c *conn) ok() error { return c.wire.Write(wire.OK(c.done())) }

// greet sends the greeting and reads the answer, over TLS if the client asks.
func (c *conn) greet(salt []byte) (wire.Login, error) {
	g := wire.Greeting{
		Version: engine.ServerVersion, Connection: c.id, Salt: salt, Status: wire.Autocommit,
		Method: c.server.opts.Users.method(), TLS: c.server.opts.TLS != nil,
	}
	if err := errors.Join(c.wire.Write(g.Encode()), c.wire.Flush()); err != nil {
		return wire.Login{}, io.EOF
	}
	m, err := c.wire.Read(maxLoginBytes)
	if errors.Is(err, syscall.ECONNRESET) {
		return wire.Login{}, io.EOF
	}
	if err != nil {
		return wire.Login{}, err
	}
	l, wantsTLS, err := wire.ParseLogin(m.Payload)
	if wantsTLS && err == nil {
		if c.server.opts.TLS == nil {
			return l, errors.New("the client asks for TLS, which the server has not offered")
		}
		c.wire.Upgrade(func(nc net.Conn) net.Conn { return tls.Server(nc, c.server.opts.TLS) })
		c.secure = true
		if m, err = c.wire.Read(maxLoginBytes); err != nil {
			return l, err
		}
		l, _, err = wire.ParseLogin(m.Payload)
	}
	c.wire.Answer(m)
	return l, err
}

// login lets a client in, or tells it why not.
func (c *conn) login() error {
	salt := wire.NewSalt()
	l, err := c.greet(salt)
	if err != nil {
		if !errors.Is(err, io.EOF) {
			c.server.failedLogin()
		}
		return err
	}
	c.capabilities = l.Capabilities
	if err := c.admit(l, salt); err != nil {
		return err
	}
	if err := c.ok(); err != nil {
		return err
	}
	if err := c.wire.Flush(); err != nil {
		return err
	}
	if c.capabilities&wire.Compress != 0 {
		c.wire.Compress()
	}
	return nil
}

// admit authenticates a user and opens the user's session; it is the common
// part of the login and of COM_CHANGE_USER. An error has been told to the
// client.
func (c *conn) admit(l wire.Login, salt []byte) error {
	user, delay, err := c.authenticate(l, salt)
	if err == nil && !c.server.own(c, l.User) {
		err = &engine.Error{Number: 1226, State: "42000", Offset: -1,
			Message: "User '" + l.User + "' has exceeded the 'max_user_connections' resource"}
	}
	if err == nil {
		c.name, c.user = l.User, user
		err = c.openSession(l)
	}
	if err != nil {
		c.server.failedLogin()
		sleep(c.ctx, delay)
		_ = c.fail("", err)
		_ = c.wire.Flush()
	}
	return err
}

// failedLogin counts, before the client is told.
func (s *server) failedLogin() {
	s.opts.Metrics.failedLogins.Add(1)
	sql.StatusVariables.IncrementGlobal("Aborted_connects", 1)
}
