package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// pairs are variables and their values, in the order of their names.
func pairs(values map[string]any) []sql.Row {
	rows := make([]sql.Row, 0, len(values))
	for name, v := range values {
		rows = append(rows, sql.Row{name, variableText(v)})
	}
	slices.SortFunc(rows, func(a, b sql.Row) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return rows
}

// variableText writes the value of a variable as SHOW VARIABLES does.
func variableText(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case bool:
		if v {
			return "ON"
		}
		return "OFF"
	}
	return fmt.Sprint(v)
}

func globalStatus(*sql.Context) []sql.Row {
	values := map[string]any{}
	for name, v := range sql.StatusVariables.NewGlobalMap() {
		values[name] = v.Value()
	}
	return pairs(values)
}

func sessionStatus(ctx *sql.Context) []sql.Row {
	values := map[string]any{}
	for name, v := range ctx.Session.GetAllStatusVariables(ctx) {
		values[name] = v.Value()
	}
	return pairs(values)
}

func threads(ctx *sql.Context) []sql.Row {
	var rows []sql.Row
	for _, p := range ctx.ProcessList.Processes() {
		id := uint64(p.Connection)
		rows = append(rows, sql.Row{id, "thread/sql/one_connection", "FOREGROUND", id, p.User, p.Host, p.Database, string(p.Command),
			p.Seconds(), nil, p.Query, nil, nil, "YES", "YES", "TCP/IP", nil, nil})
	}
	return rows
}

func processes(ctx *sql.Context) []sql.Row {
	var rows []sql.Row
	for _, p := range ctx.ProcessList.Processes() {
		rows = append(rows, sql.Row{uint64(p.Connection), p.User, p.Host, p.Database, string(p.Command), p.Seconds(), nil, p.Query, "PRIMARY"})
	}
	return rows
}
