package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

var _ sql.ExternalStoredProcedureProvider = provider{}

// ExternalStoredProcedure implements sql.ExternalStoredProcedureProvider.
func (p provider) ExternalStoredProcedure(_ *sql.Context, name string, parameters int) (*sql.ExternalStoredProcedureDetails, error) {
	return p.procedures.LookupByNameAndParamCount(name, parameters)
}

// ExternalStoredProcedures implements sql.ExternalStoredProcedureProvider.
func (p provider) ExternalStoredProcedures(_ *sql.Context, name string) ([]sql.ExternalStoredProcedureDetails, error) {
	return p.procedures.LookupByName(name)
}

// procedures are those of CALL.
func (e *Engine) procedures() sql.ExternalStoredProcedureRegistry {
	registry := sql.NewExternalStoredProcedureRegistry()
	add := func(name string, schema sql.Schema, functions ...any) {
		for _, f := range functions {
			registry.Register(sql.ExternalStoredProcedureDetails{Name: name, Schema: schema, Function: f, ReadOnly: true})
		}
	}
	refreshed := sql.Schema{
		{Name: "table", Type: types.LongText}, {Name: "sampled_items", Type: types.Int64},
		{Name: "columns", Type: types.Int64}, {Name: "read_units", Type: types.Float64},
	}
	add("ddb_refresh", refreshed,
		func(ctx *sql.Context) (sql.RowIter, error) { return e.refresh(ctx, "", 0) },
		func(ctx *sql.Context, table string) (sql.RowIter, error) { return e.refresh(ctx, table, 0) },
		func(ctx *sql.Context, table string, items int64) (sql.RowIter, error) {
			return e.refresh(ctx, table, items)
		})
	saved := sql.Schema{
		{Name: "file", Type: types.LongText}, {Name: "tables", Type: types.Int64}, {Name: "columns", Type: types.Int64},
	}
	add("ddb_save_schema", saved,
		func(ctx *sql.Context) (sql.RowIter, error) { return e.saveSchema(ctx, "") },
		func(ctx *sql.Context, path string) (sql.RowIter, error) { return e.saveSchema(ctx, path) })
	return registry
}
