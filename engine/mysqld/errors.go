package mysqld

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine"
)

// explain puts an error into the form of the protocol.
func (c *conn) explain(query string, err error) (number uint16, state, message string) {
	var ctx *sql.Context
	if c.session != nil {
		ctx = c.plainContext()
	}
	return c.explainIn(ctx, query, err)
}

func (c *conn) explainIn(ctx *sql.Context, query string, err error) (number uint16, state, message string) {
	var e *engine.Error
	if !errors.As(err, &e) && !errors.As(c.server.engine.Explain(ctx, query, err), &e) {
		return 1105, "HY000", err.Error()
	}
	message = e.Message
	if e.Advice != "" {
		message += "; " + e.Advice
	}
	return uint16(e.Number), e.State, message
}
