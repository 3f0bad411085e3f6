package engine

import (
	"fmt"
	"sort"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
)

// processRows answers SHOW PROCESSLIST. Beside what the library knows, a
// statement that reads shows how far it has come.
func (e *Engine) processRows(ctx *sql.Context) sql.RowIter {
	processes := ctx.ProcessList.Processes()
	sort.Slice(processes, func(i, j int) bool { return processes[i].Connection < processes[j].Connection })
	rows := make([]sql.Row, len(processes))
	for i, p := range processes {
		state := ""
		if p.Command == sql.ProcessCommandQuery {
			state = e.progress(p.Connection)
		}
		rows[i] = sql.Row{
			int64(p.Connection), p.User, p.Host, nullable(p.Database), string(p.Command),
			int64(p.Seconds()), state, nullable(p.Query),
		}
	}
	return sql.RowsToRowIter(rows...)
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// progress describes what the statement of a session has read so far.
func (e *Engine) progress(id uint32) string {
	v, ok := e.sessions.Load(id)
	if !ok {
		return "running"
	}
	p := v.(*Session).Statement().Progress()
	if len(p.Requests) == 0 {
		return "running"
	}
	text := fmt.Sprintf("reading: %d items, %.1f read units, $%.2g", p.Items, p.ReadUnits, p.Dollars)
	if p.Share > 0 {
		text += fmt.Sprintf(", %.0f %% done", p.Share*100)
	}
	if p.Left >= time.Second {
		text += ", about " + p.Left.Round(time.Second).String() + " left"
	}
	if p.Throttles > 0 {
		text += fmt.Sprintf(", %d throttles", p.Throttles)
	}
	return text
}
