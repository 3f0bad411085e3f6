package mysqld

import (
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// nameOrigins tells clients which table and column the columns of a SELECT come
// from where the statement has aliases for them: clients look the tables up.
// The engine's own schema has the aliases only.
func nameOrigins(columns []wire.Column, stmt sqlparser.Statement, database string) {
	s, ok := stmt.(*sqlparser.Select)
	if !ok {
		return
	}
	tables := map[string]sqlparser.TableName{} // by alias, in lower case
	for _, t := range s.From {
		collectTables(t, tables)
	}
	for i := range columns {
		if t, ok := tables[strings.ToLower(columns[i].Table)]; ok {
			columns[i].OrgTable = connector.PlainName(t.Name.String())
		}
	}
	if len(s.SelectExprs) != len(columns) {
		return // there is a star
	}
	for i, e := range s.SelectExprs {
		e, ok := e.(*sqlparser.AliasedExpr)
		if !ok || e.As.IsEmpty() {
			continue
		}
		name, ok := e.Expr.(*sqlparser.ColName)
		if !ok {
			continue
		}
		alias := name.Qualifier.Name.String()
		if alias == "" {
			alias = onlyTable(s.From)
		}
		t, ok := tables[strings.ToLower(alias)]
		if !ok {
			continue
		}
		col := &columns[i]
		col.Database, col.Table, col.OrgTable, col.OrgName = database, alias, connector.PlainName(t.Name.String()), name.Name.String()
		if db := t.DbQualifier.String(); db != "" {
			col.Database = db
		}
	}
}

// collectTables finds the tables of a FROM clause by the names that the
// statement has for them.
func collectTables(e sqlparser.TableExpr, tables map[string]sqlparser.TableName) {
	switch e := e.(type) {
	case *sqlparser.AliasedTableExpr:
		if name, ok := e.Expr.(sqlparser.TableName); ok {
			tables[strings.ToLower(aliasOf(e))] = name
		}
	case *sqlparser.JoinTableExpr:
		collectTables(e.LeftExpr, tables)
		collectTables(e.RightExpr, tables)
	case *sqlparser.ParenTableExpr:
		for _, inner := range e.Exprs {
			collectTables(inner, tables)
		}
	}
}

func aliasOf(e *sqlparser.AliasedTableExpr) string {
	name, ok := e.Expr.(sqlparser.TableName)
	if ok && e.As.IsEmpty() {
		return connector.PlainName(name.Name.String())
	}
	return e.As.String()
}

// onlyTable is the alias of the table in a FROM clause that has no other.
func onlyTable(from sqlparser.TableExprs) string {
	if len(from) == 1 {
		if e, ok := from[0].(*sqlparser.AliasedTableExpr); ok {
			return aliasOf(e)
		}
	}
	return ""
}
