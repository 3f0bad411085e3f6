package engine

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/information_schema"
)

// newColumnsTable makes information_schema.columns. The library searches the
// columns of all tables for those of each table, which takes seconds for
// hundreds of tables; here it is given one table at a time.
func newColumnsTable(library func() *information_schema.ColumnsTable) func() *information_schema.ColumnsTable {
	return func() *information_schema.ColumnsTable {
		t := library()
		rows := t.RowIter
		t.RowIter = func(ctx *sql.Context, c sql.Catalog, all sql.Schema) (sql.RowIter, error) {
			databases := map[string]sql.Database{}
			for _, d := range c.AllDatabases(ctx) {
				databases[d.Name()] = d
			}
			return &columnLists{rows: rows, catalog: c, databases: databases, left: all}, nil
		}
		return t
	}
}

// columnLists iterates over the columns of one table after the other.
type columnLists struct {
	rows      func(*sql.Context, sql.Catalog, sql.Schema) (sql.RowIter, error)
	catalog   sql.Catalog
	databases map[string]sql.Database
	left      sql.Schema
	table     sql.RowIter
}

// Next implements sql.RowIter.
func (l *columnLists) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		if l.table != nil {
			row, err := l.table.Next(ctx)
			if err != io.EOF {
				return row, err
			}
			l.table = nil
		}
		if len(l.left) == 0 {
			return nil, io.EOF
		}
		n := 1
		for n < len(l.left) && l.left[n].Source == l.left[0].Source && l.left[n].DatabaseSource == l.left[0].DatabaseSource {
			n++
		}
		one, first := l.left[:n:n], l.left[0]
		l.left = l.left[n:]
		only := onlyTable{l.catalog, onlyDatabase{l.databases[first.DatabaseSource], first.Source}}
		var err error
		if l.table, err = l.rows(ctx, only, one); err != nil {
			return nil, err
		}
	}
}

// Close implements sql.RowIter.
func (l *columnLists) Close(*sql.Context) error { return nil }

// onlyTable is a catalog of one table.
type onlyTable struct {
	sql.Catalog
	database onlyDatabase
}

// AllDatabases implements sql.Catalog.
func (o onlyTable) AllDatabases(*sql.Context) []sql.Database { return []sql.Database{o.database} }

type onlyDatabase struct {
	sql.Database
	table string
}

// GetTableNames implements sql.Database.
func (o onlyDatabase) GetTableNames(*sql.Context) ([]string, error) { return []string{o.table}, nil }
