package connector

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// Collation orders and compares text by code point, which for UTF-8 is the
// order of bytes, as DynamoDB's keys do.
const Collation = sql.Collation_utf8mb4_0900_bin

// A Database is one connection to DynamoDB under its SQL name.
type Database struct {
	name    string
	catalog *catalog.Catalog
	reader  *read.Reader
	listed  bool // see Listed
}

var (
	_ sql.CollatedDatabase = (*Database)(nil)
	_ sql.ReadOnlyDatabase = (*Database)(nil)
)

// NewDatabase returns the database of one connection.
func NewDatabase(name string, c *catalog.Catalog, r *read.Reader) *Database {
	return &Database{name: name, catalog: c, reader: r}
}

// Name implements sql.Database.
func (d *Database) Name() string { return d.name }

// Catalog returns what is known of the connection's tables.
func (d *Database) Catalog() *catalog.Catalog { return d.catalog }

// IsReadOnly implements sql.ReadOnlyDatabase.
func (d *Database) IsReadOnly() bool { return true }

// GetCollation implements sql.CollatedDatabase.
func (d *Database) GetCollation(*sql.Context) sql.CollationID { return Collation }

// SetCollation implements sql.CollatedDatabase.
func (d *Database) SetCollation(*sql.Context, sql.CollationID) error {
	return errors.New("the collation of a DynamoDB connection is fixed: DynamoDB compares by bytes")
}

// GetTableNames implements sql.Database.
func (d *Database) GetTableNames(ctx *sql.Context) ([]string, error) {
	return d.TableNames(ctx, func(string) bool { return true })
}

// TableNames are the names of the tables that are visible. Those of a listed
// database are about to be described one by one, and so are described here, many
// at a time.
func (d *Database) TableNames(ctx *sql.Context, visible func(name string) bool) ([]string, error) {
	all, err := d.catalog.Names(ctx)
	if err != nil {
		return nil, ddb.Explain(err, ddb.Target{Action: "ListTables"})
	}
	var names []string
	for _, name := range all {
		if visible(name) {
			names = append(names, name)
		}
	}
	if d.listed {
		d.catalog.Outlines(ctx, names)
	}
	return names, nil
}

// GetTableInsensitive implements sql.Database. The name of a secondary index
// after that of its table, as in `orders.status-index`, is a table too: the
// items which the index holds.
//
// A name may carry an index hint: see HintedName.
func (d *Database) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	name, verb, indexes := splitHint(name)
	found, ok, err := d.tableNamed(ctx, name)
	if t, ours := found.(*table); ours && verb != "" {
		t.hint = hintOf(t.schema, verb, indexes)
	}
	return found, ok, err
}

// describeError puts a failure to describe a table into the user's words; a
// schema file that does not go with the table has its own.
func describeError(err error, table string) error {
	var pin *catalog.PinError
	if errors.As(err, &pin) {
		return err
	}
	return ddb.Explain(err, ddb.Target{Action: "DescribeTable", Table: table})
}

func (d *Database) tableNamed(ctx *sql.Context, name string) (sql.Table, bool, error) {
	exact, err := d.catalog.Resolve(ctx, name)
	if errors.Is(err, catalog.ErrNoTable) {
		return d.indexTable(ctx, name)
	}
	if err != nil {
		return nil, false, resolveError(err)
	}
	t, err := d.describe(ctx, exact)
	if errors.Is(err, catalog.ErrNoTable) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, describeError(err, exact)
	}
	return newTable(d, t, nil, !hides(ctx) && !d.listed), true, nil
}

// Listed is the database as one of the list of all, from which lists of their
// tables and columns are made.
func (d *Database) Listed() *Database {
	listed := *d
	listed.listed = true
	return &listed
}

// describe returns what a statement needs to know of a table. Of the tables that
// a list of columns or tables is made of while the statement runs, it reads no
// items, unless the statement asks for the table by its name.
func (d *Database) describe(ctx *sql.Context, name string) (*schema.Table, error) {
	s, ok := ctx.Session.(Session)
	if !ok || s.Planning() && !d.listed || s.Describes(name) {
		return d.catalog.Table(ctx, name)
	}
	return d.catalog.Outline(ctx, name)
}

func resolveError(err error) error {
	var ambiguous *catalog.AmbiguousError
	if errors.As(err, &ambiguous) {
		return err
	}
	return ddb.Explain(err, ddb.Target{Action: "ListTables"})
}

// indexTable splits the name at each dot in turn, since table names may hold
// dots themselves.
func (d *Database) indexTable(ctx *sql.Context, name string) (sql.Table, bool, error) {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] != '.' {
			continue
		}
		exact, err := d.catalog.Resolve(ctx, name[:i])
		if err != nil {
			continue
		}
		t, err := d.describe(ctx, exact)
		if err != nil {
			return nil, false, describeError(err, exact)
		}
		x, ok := findIndex(t, name[i+1:])
		if !ok {
			return nil, false, fmt.Errorf("table '%s' has no index '%s'; %s", exact, name[i+1:], indexNames(t))
		}
		return newTable(d, t, x, !hides(ctx) && !d.listed), true, nil
	}
	return nil, false, nil
}

func findIndex(t *schema.Table, name string) (*schema.Index, bool) {
	if x, ok := t.Index(name); ok {
		return x, true
	}
	var found *schema.Index
	for i := range t.Indexes {
		if strings.EqualFold(t.Indexes[i].Name, name) {
			if found != nil {
				return nil, false
			}
			found = &t.Indexes[i]
		}
	}
	return found, found != nil
}

func indexNames(t *schema.Table) string {
	if len(t.Indexes) == 0 {
		return "it has no secondary index"
	}
	names := make([]string, len(t.Indexes))
	for i, x := range t.Indexes {
		names[i] = "'" + x.Name + "'"
	}
	return "its indexes are " + strings.Join(names, ", ")
}
