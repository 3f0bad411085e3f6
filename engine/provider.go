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
	databases []*connector.Database
	system    *system
}

var _ sql.DatabaseProvider = provider{}

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
			all = append(all, p.visible(ctx, d))
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

// restricted is a database of which an account may read some tables. That the
// others are not read is seen to by the library, which checks privileges.
type restricted struct {
	*connector.Database
	privileges sql.PrivilegeSetDatabase
}

// GetTableNames implements sql.Database.
func (r restricted) GetTableNames(ctx *sql.Context) ([]string, error) {
	names, err := r.Database.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	var own []string
	for _, name := range names {
		if r.privileges.Table(name).HasPrivileges() {
			own = append(own, name)
		}
	}
	return own, nil
}
