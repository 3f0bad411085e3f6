package mysqld

import (
	"fmt"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// kill runs KILL and KILL QUERY. Users with a name may end what is their own.
func (st *statement) kill(k *sqlparser.Kill, values map[string]sqlparser.Expr) error {
	id, err := killed(k.ConnID, values)
	if err != nil {
		return err
	}
	s := st.conn.server
	s.mu.Lock()
	target := s.conns[id]
	s.mu.Unlock()
	switch {
	case target == nil:
		return &engine.Error{Number: 1094, State: "HY000", Offset: -1, Message: fmt.Sprintf("Unknown thread id: %d", id),
			Advice: "SHOW PROCESSLIST lists them"}
	case !st.conn.mayEnd(target):
		return &engine.Error{Number: 1095, State: "HY000", Offset: -1, Message: fmt.Sprintf("You are not owner of thread %d", id)}
	}
	s.engine.Library().ProcessList.Kill(id)
	if k.Connection {
		target.cancel(errKilled)
		target.close()
	}
	return nil
}

func (c *conn) mayEnd(target *conn) bool {
	return c.server.opts.Users == nil || target.owner() == c.name
}

// owner is the user's name, for other connections.
func (c *conn) owner() string {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	return c.server.owners[c.id]
}

// killed is the connection that a KILL names.
func killed(e sqlparser.Expr, values map[string]sqlparser.Expr) (uint32, error) {
	v, ok := e.(*sqlparser.SQLVal)
	if ok && v.Type == sqlparser.ValArg && len(v.Val) > 1 {
		v, ok = values[string(v.Val[1:])].(*sqlparser.SQLVal)
	}
	if ok {
		if id, err := strconv.ParseUint(string(v.Val), 10, 32); err == nil {
			return uint32(id), nil
		}
	}
	return 0, &engine.Error{Number: 1064, State: "42000", Offset: -1, Message: "KILL needs the number of a connection"}
}

// runKill runs a KILL and answers it.
func (st *statement) runKill(k *sqlparser.Kill, values map[string]sqlparser.Expr, more bool) (failed bool, err error) {
	if err := st.kill(k, values); err != nil {
		return true, st.end(st.fail(err))
	}
	st.close()
	return false, st.conn.wire.Write(wire.OK(st.conn.doneMore(more)))
}

// own is the process list as a user with a name sees it: the user's own.
type own struct {
	sql.ProcessList
	user string
}

// Processes implements sql.ProcessList.
func (o own) Processes() []sql.Process {
	var mine []sql.Process
	for _, p := range o.ProcessList.Processes() {
		if p.User == o.user {
			mine = append(mine, p)
		}
	}
	return mine
}

// processes is the process list for the connection's statements.
func (c *conn) processes() sql.ProcessList {
	list := c.server.engine.Library().ProcessList
	if c.server.opts.Users == nil {
		return list
	}
	return own{list, c.name}
}
