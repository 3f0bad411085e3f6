package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/connector/schemafile"
)

// readPins reads a connection's schema file. A file that does not exist yet is
// one that ddb_save_schema will write.
func readPins(path string) (map[string][]schema.Pin, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("schema file: %w", err)
	}
	pins, err := schemafile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("schema file %s: %w", path, err)
	}
	return pins, nil
}

// SchemaWarnings says which tables of the connections' schema files do not exist:
// what is pinned of them has no effect. A connection whose tables have not been
// listed yet is left out.
func (e *Engine) SchemaWarnings() []string {
	var all []string
	for i, d := range e.databases {
		names, listed := d.Catalog().PinnedOnly()
		if !listed {
			continue
		}
		for _, name := range names {
			text := fmt.Sprintf("schema file %s: there is no table '%s' in '%s', so that what the file says of it has no effect",
				e.cfg.Connections[i].Schema, name, d.Name())
			if near := nearest(name, d.Catalog().PeekNames()); near != "" {
				text += "; did you mean '" + near + "'?"
			}
			all = append(all, text)
		}
	}
	return all
}

// schemaPath is the file of a connection's schema; empty if it has none.
func (e *Engine) schemaPath(database string) string {
	for i, d := range e.databases {
		if d.Name() == database {
			return e.cfg.Connections[i].Schema
		}
	}
	return ""
}

// saveSchema writes what is known of the tables of the current connection: what
// its schema file says already, and the columns inferred of every other table
// that has been sampled. From then on these columns are pinned.
func (e *Engine) saveSchema(ctx *sql.Context, path string) (sql.RowIter, error) {
	db := e.current(ctx)
	if db == nil {
		return nil, errors.New("ddb_save_schema saves the tables of a connection: choose one with USE")
	}
	if s, ok := ctx.Session.(*Session); !ok || !s.local() {
		return nil, errors.New("ddb_save_schema writes a file on this machine, which clients of a server may not")
	}
	if path == "" {
		path = e.schemaPath(db.Name())
	}
	if path == "" {
		return nil, &Error{
			Number: erUnknown, State: "HY000", Offset: -1,
			Message: "the connection '" + db.Name() + "' has no schema file to write to",
			Advice:  "start with --schema FILE, or CALL ddb_save_schema('FILE')",
		}
	}
	tables, err := schemaToSave(ctx, db.Catalog(), path)
	if err != nil {
		return nil, err
	}
	text, err := schemafile.Write(tables)
	if err != nil {
		return nil, err
	}
	if err := replaceFile(path, text); err != nil {
		return nil, err
	}
	if err := db.Catalog().SetPins(tables); err != nil {
		return nil, err
	}
	columns := 0
	for _, pins := range tables {
		columns += len(pins)
	}
	return sql.RowsToRowIter(sql.NewRow(path, int64(len(tables)), int64(columns))), nil
}

// schemaToSave adds the tables that are known to those of the file.
func schemaToSave(ctx *sql.Context, c *catalog.Catalog, path string) (schemafile.Tables, error) {
	pins, err := readPins(path)
	if err != nil {
		return nil, err
	}
	tables := schemafile.Tables{}
	for name, list := range pins {
		tables[name] = list
	}
	for _, name := range c.Known() {
		t, err := c.Table(ctx, name)
		if err != nil {
			return nil, err
		}
		own := tables[name]
		if own == nil {
			own = c.Pins(name)
		}
		tables[name] = catalog.Inferred(t, own)
	}
	return tables, nil
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, text []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".dynasql-schema-*")
	if err != nil {
		return fmt.Errorf("write the schema file: %w", err)
	}
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return fmt.Errorf("write the schema file: %w", err)
	}
	return nil
}

// refresh describes and samples tables again: the one named, or all that have
// been sampled so far.
func (e *Engine) refresh(ctx *sql.Context, table string, items int64) (sql.RowIter, error) {
	db := e.current(ctx)
	if db == nil {
		return nil, errors.New("ddb_refresh refreshes tables of a connection: choose one with USE")
	}
	if items < 0 {
		return nil, errors.New("the second argument of ddb_refresh is how many items to sample")
	}
	names := db.Catalog().Known()
	if table != "" {
		name, err := resolve(ctx, db, table)
		if err != nil {
			return nil, err
		}
		names = []string{name}
	} else {
		db.Catalog().Forget("")
	}
	var rows []sql.Row
	for _, name := range names {
		t, err := db.Catalog().Refresh(ctx, name, int(items))
		if errors.Is(err, catalog.ErrNoTable) {
			continue // deleted since
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, sql.NewRow(name, int64(t.Sampled), int64(len(t.Columns)-2), t.SampleUnits))
	}
	return sql.RowsToRowIter(rows...), nil
}
