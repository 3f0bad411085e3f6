package mysqld

import (
	"crypto/tls"
	"io"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/sirupsen/logrus"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// openSession begins a new session for the connection's user: at login, and
// when the client resets the connection or changes the user.
func (c *conn) openSession(l wire.Login) error {
	c.closeStatements()
	client := sql.Client{User: l.User, Address: c.host, Capabilities: uint32(l.Capabilities)}
	s := c.server.engine.ServerSession("localhost", client, c.id)
	s.SetLogger(quiet)
	c.session = s
	ctx := c.plainContext()
	if l.Capabilities&wire.Interactive != 0 {
		if v, err := s.GetSessionVariable(ctx, "interactive_timeout"); err == nil {
			_ = s.SetSessionVariable(ctx, "wait_timeout", v)
		}
	}
	_ = s.SetSessionVariable(ctx, "max_allowed_packet", uint64(c.server.opts.MaxStatementBytes))
	c.useCollation(ctx, l.Collation)
	if over, ok := c.wire.Net().(*tls.Conn); ok {
		state := over.ConnectionState()
		_ = s.SetStatusVariable(ctx, "Ssl_cipher", tls.CipherSuiteName(state.CipherSuite))
		_ = s.SetStatusVariable(ctx, "Ssl_version", strings.Replace(tls.VersionName(state.Version), "TLS ", "TLSv", 1))
	}
	database := l.Database
	if database == "" {
		database = c.server.engine.Databases()[0].Name()
	}
	return c.use(database)
}

// quiet is the logger of the engine library's sessions: what it would say goes
// to the client.
var quiet = logrus.NewEntry(&logrus.Logger{Out: io.Discard, Formatter: &logrus.TextFormatter{}, Level: logrus.PanicLevel})

// useCollation sets the character sets of the session to that of the client,
// as MySQL does.
func (c *conn) useCollation(ctx *sql.Context, id uint16) {
	collation := sql.CollationID(id)
	if id == 0 || int(id) > maxCollation || collation.Name() == "" || id == wire.BinaryCollation {
		return
	}
	name := collation.CharacterSet().Name()
	if strings.HasPrefix(name, "utf8mb4") {
		return // the default, with a collation that keeps keys apart
	}
	for _, v := range []string{"character_set_client", "character_set_results", "character_set_connection"} {
		_ = c.session.SetSessionVariable(ctx, v, name)
	}
}

// maxCollation is the highest number that the engine library knows.
const maxCollation = 323

// use makes a database the session's default one.
func (c *conn) use(name string) error {
	list := c.server.engine.Library().ProcessList
	ctx := c.plainContext()
	if name != "" {
		db, err := c.server.engine.Library().Analyzer.Catalog.Database(ctx, name)
		if err != nil {
			return &engine.Error{Number: 1049, State: "42000", Offset: -1, Message: "unknown database '" + name + "'",
				Advice: "SHOW DATABASES lists them", Err: err}
		}
		name = db.Name()
	}
	c.session.SetCurrentDatabase(name)
	list.ConnectionReady(c.session)
	return nil
}

// plainContext is for what is not a statement.
func (c *conn) plainContext() *sql.Context {
	return sql.NewContext(c.ctx, sql.WithSession(c.session), sql.WithProcessList(c.server.engine.Library().ProcessList))
}

// number reads a numeric session variable.
func (c *conn) number(name string, otherwise float64) float64 {
	v, err := c.session.GetSessionVariable(nil, name)
	if err != nil {
		return otherwise
	}
	f, _, err := types.Float64.Convert(nil, v)
	if err != nil || f == nil {
		return otherwise
	}
	return f.(float64)
}

func (c *conn) idleTimeout() time.Duration {
	most := c.server.opts.IdleTimeout
	seconds := c.number("wait_timeout", most.Seconds())
	if d := time.Duration(seconds * float64(time.Second)); d < most {
		return d
	}
	return most
}

// done is the state with which a command ends.
func (c *conn) done() wire.Done {
	d := wire.Done{Status: wire.Autocommit}
	if c.session == nil {
		return d
	}
	d.Warnings = c.session.WarningCount()
	if v, err := c.session.GetSessionVariable(nil, sql.AutoCommitSessionVar); err == nil {
		if on, err := sql.ConvertToBool(nil, v); err == nil && !on {
			d.Status &^= wire.Autocommit
		}
	}
	if c.session.GetTransaction() != nil {
		d.Status |= wire.InTransaction
	}
	return d
}

// clampBudget holds ddb_max_rcu down to what the user may use. It runs before
// each statement, whatever the one before has set.
func (c *conn) clampBudget() {
	if c.user == nil || c.user.MaxReadUnits == 0 {
		return
	}
	if now := c.number(varMaxReadUnits, 0); now == 0 || now > c.user.MaxReadUnits {
		_ = c.session.SetSessionVariable(c.plainContext(), varMaxReadUnits, c.user.MaxReadUnits)
	}
}

const varMaxReadUnits = "ddb_max_rcu"
