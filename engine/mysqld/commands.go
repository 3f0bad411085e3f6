package mysqld

import (
	"fmt"

	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// command answers one command. The answer is queued; an error ends the
// connection.
func (c *conn) command(m wire.Message) error {
	command, payload := wire.Command(m.Payload[0]), m.Payload[1:]
	c.server.opts.Metrics.commands.Add(1)
	switch command {
	case wire.ComQuit:
		return errEnd
	case wire.ComPing:
		return c.ok()
	case wire.ComQuery:
		return c.query(c.decode(payload))
	case wire.ComInitDB:
		return c.answer(c.use(c.decode(payload)))
	case wire.ComFieldList:
		return c.fieldList(payload)
	case wire.ComStatistics:
		return c.wire.Write([]byte(c.server.statistics()))
	case wire.ComProcessInfo:
		return c.query("SHOW PROCESSLIST")
	case wire.ComProcessKill:
		return c.processKill(payload)
	case wire.ComDebug:
		return c.wire.Write(wire.End(c.done(), c.capabilities))
	case wire.ComSetOption:
		return c.setOption(payload)
	case wire.ComChangeUser:
		return c.changeUser(payload)
	case wire.ComResetConnection:
		return c.reset()
	case wire.ComStmtPrepare:
		return c.prepare(c.decode(payload))
	case wire.ComStmtExecute, wire.ComStmtSendLong, wire.ComStmtClose, wire.ComStmtReset, wire.ComStmtFetch:
		return c.statementCommand(command, payload)
	}
	return c.wire.Write(wire.Err(1047, "08S01", fmt.Sprintf("Unknown command (%d)", command)))
}

// answer sends OK, or the error.
func (c *conn) answer(err error) error {
	if err != nil {
		return c.fail("", err)
	}
	return c.ok()
}

func malformed(c *conn) error {
	return c.wire.Write(wire.Err(1835, "HY000", "Malformed communication packet."))
}

func (c *conn) processKill(payload []byte) error {
	id, err := wire.ParseKill(payload)
	if err != nil {
		return malformed(c)
	}
	return c.query(fmt.Sprintf("KILL %d", id))
}

func (c *conn) setOption(payload []byte) error {
	multi, err := wire.ParseSetOption(payload)
	if err != nil {
		return malformed(c)
	}
	c.capabilities &^= wire.MultiStatements
	if multi {
		c.capabilities |= wire.MultiStatements
	}
	return c.wire.Write(wire.End(c.done(), c.capabilities))
}

// reset gives the connection a new session of the same user, in the same
// database.
func (c *conn) reset() error {
	return c.answer(c.openSession(wire.Login{
		User: c.name, Database: c.session.GetCurrentDatabase(), Capabilities: c.capabilities, Collation: c.collation(),
	}))
}

// changeUser logs another user in on the same connection. A failure ends the
// connection, as in MySQL.
func (c *conn) changeUser(payload []byte) error {
	l, err := wire.ParseChangeUser(payload, c.capabilities)
	if err != nil {
		_ = malformed(c)
		_ = c.wire.Flush()
		return err
	}
	if err := c.admit(l, nil); err != nil {
		c.server.log.Warn("change of user failed", "connection", c.id, "host", c.host, "error", err)
		return err
	}
	return c.ok()
}

// statistics is the line of COM_STATISTICS, as mysqladmin status shows it.
func (s *server) statistics() string {
	m := s.opts.Metrics
	up := m.uptime()
	questions := m.statements.Load()
	perSecond := 0.0
	if up > 0 {
		perSecond = float64(questions) / float64(up)
	}
	return fmt.Sprintf("Uptime: %d  Threads: %d  Questions: %d  Slow queries: 0  Opens: 0  Flush tables: 0  Open tables: 0  Queries per second avg: %.3f",
		up, m.connections.Load(), questions, perSecond)
}
