package engine

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
)

// databaseRows answers SHOW DATABASES. The library lists the database mysql
// twice if there is one.
func databaseRows(ctx *sql.Context, c sql.Catalog) sql.RowIter {
	var names []string
	for _, d := range c.AllDatabases(ctx) {
		names = append(names, d.Name())
	}
	slices.Sort(names)
	var rows []sql.Row
	for _, name := range slices.Compact(names) {
		rows = append(rows, sql.Row{name})
	}
	return sql.RowsToRowIter(rows...)
}
