package engine

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector"
)

// provider finds the databases by name: our connections, and those that MySQL
// has itself. Sessions whose account may read some tables only do not see the
// others listed.
type provider struct {
	databases  []*connector.Database
	system     *system
	procedures *sql.ExternalStoredProcedureRegistry
}

var (
	_ sql.DatabaseProvider      = provider{}
	_ sql.TableFunctionProvider = provider{}
)

// TableFunction implements sql.TableFunctionProvider.
func (p provider) TableFunction(_ *sql.Context, name string) (sql.TableFunction, bool) {
	switch strings.ToLower(name) {
	case connector.SampleFunction:
		return connector.NewSampleFunction(), true
	case schemaFunction:
		return &schemaRows{}, true
	}
	return nil, false
}

// WithTableFunctions implements sql.TableFunctionProvider; the functions are
// fixed.
func (p provider) WithTableFunctions(...sql.TableFunction) (sql.TableFunctionProvider, error) {
	return p, nil
}

// Database implements sql.DatabaseProvider.
func (p provider) Database(ctx *sql.Context, name string) (sql.Database, error) {
	for _, d := range p.databases {
		if strings.EqualFold(d.Name(), name) {
			return p.visible(ctx, d), nil
		}
	}
	if db := p.system.database(name); db != nil {
		return db, nil
	}
	return nil, sql.ErrDatabaseNotFound.New(name)
}

// HasDatabase implements sql.DatabaseProvider.
func (p provider) HasDatabase(ctx *sql.Context, name string) bool {
	_, err := p.Database(ctx, name)
	return err == nil
}

// AllDatabases implements sql.DatabaseProvider.
func (p provider) AllDatabases(ctx *sql.Context) []sql.Database {
	var all []sql.Database
	privileges := p.privileges(ctx)
	for _, d := range p.databases {
		if privileges == nil || privileges.Database(d.Name()).HasPrivileges() {
			all = append(all, p.visible(ctx, d.Listed()))
		}
	}
	if privileges == nil {
		all = append(all, p.system.databases()...)
	}
	return all
}

// privileges are those of a session that may not read everything; nil for one
// that may.
func (p provider) privileges(ctx *sql.Context) sql.PrivilegeSet {
	if !p.system.on.Load() || ctx == nil || ctx.Session == nil {
		return nil
	}
	set := p.system.accounts.UserActivePrivilegeSet(ctx)
	if set.Has(sql.PrivilegeType_Select) {
		return nil
	}
	return set
}

func (p provider) visible(ctx *sql.Context, d *connector.Database) sql.Database {
	privileges := p.privileges(ctx)
	if privileges == nil {
		return d
	}
	own := privileges.Database(d.Name())
	if own.Has(sql.PrivilegeType_Select) {
		return d
	}
	return restricted{d, own}
}

// restricted is a database of which an account may read some tables.
type restricted struct {
	*connector.Database
	privileges sql.PrivilegeSetDatabase
}

// GetTableNames implements sql.Database.
func (r restricted) GetTableNames(ctx *sql.Context) ([]string, error) {
	return r.TableNames(ctx, func(name string) bool { return r.privileges.Table(name).HasPrivileges() })
}

// GetTableInsensitive implements sql.Database. The library checks privileges
// when a statement reads, and not when one describes.
func (r restricted) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	if !r.privileges.Table(name).HasPrivileges() {
		return nil, false, sql.ErrTableAccessDeniedForUser.New(ctx.Session.Client().User, name)
	}
	return r.Database.GetTableInsensitive(ctx, name)
}
