package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/repl"
)

// objects is what was known of the databases at some time.
type objects struct {
	list    *repl.Catalog // nil when none was made yet
	changes int           // of the catalogs
	at      time.Time
}

// objectsAge is how long the names of the tables are good for.
const objectsAge = 30 * time.Second

// Objects implements repl.Session. A table is described when a statement has
// used it, or when that costs nothing; of the others only the names are known.
func (s *session) Objects(ctx context.Context) (*repl.Catalog, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects.list != nil && s.objects.changes == s.changes() && time.Since(s.objects.at) < objectsAge {
		return s.objects.list, nil
	}
	list := &repl.Catalog{Functions: engine.Functions()}
	for _, db := range s.engine.Databases() {
		list.Databases = append(list.Databases, db.Name())
		names, err := s.tableNames(ctx, db)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			list.Tables = append(list.Tables, s.outline(ctx, db, name))
		}
	}
	s.objects = objects{list: list, changes: s.changes(), at: time.Now()}
	return list, nil
}

func (s *session) changes() int {
	sum := 0
	for _, db := range s.engine.Databases() {
		sum += db.Catalog().Changes()
	}
	return sum
}

// tableNames are asked for in the current database alone: the others may be in
// accounts that nobody wants to reach now.
func (s *session) tableNames(ctx context.Context, db *connector.Database) ([]string, error) {
	if !s.cheap && !strings.EqualFold(db.Name(), s.Database()) {
		return db.Catalog().PeekNames(), nil
	}
	names, err := db.Catalog().Names(ctx)
	if err != nil {
		return nil, ddb.Explain(err, ddb.Target{Action: "ListTables"})
	}
	return names, nil
}

// outline is what is known of a table, its name at least.
func (s *session) outline(ctx context.Context, db *connector.Database, name string) repl.Table {
	t, ok := db.Catalog().Peek(name)
	if !ok && s.cheap {
		described, err := db.Catalog().Table(ctx, name)
		t, ok = described, err == nil
	}
	if !ok {
		return repl.Table{Database: db.Name(), Name: name}
	}
	return describe(db.Name(), t)
}

// describing is how many tables are described at a time.
const describing = 8

// List implements repl.Lister. Of a table that may not be described, the name is
// all there is to say.
func (s *session) List(ctx context.Context) ([]repl.Table, error) {
	db, err := s.databaseNamed("")
	if err != nil {
		return nil, err
	}
	names, err := db.Catalog().Names(ctx)
	if err != nil {
		return nil, ddb.Explain(err, ddb.Target{Action: "ListTables"})
	}
	tables := make([]repl.Table, len(names))
	slots := make(chan struct{}, describing)
	var wait sync.WaitGroup
	for i, name := range names {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			tables[i] = repl.Table{Database: db.Name(), Name: name}
			if t, err := db.Catalog().Outline(ctx, name); err == nil {
				tables[i] = describe(db.Name(), t)
			}
		})
	}
	wait.Wait()
	return tables, ctx.Err()
}

// databaseNamed finds a database; "" is the current one.
func (s *session) databaseNamed(name string) (*connector.Database, error) {
	if name == "" {
		name = s.Database()
	}
	for _, db := range s.engine.Databases() {
		if strings.EqualFold(db.Name(), name) {
			return db, nil
		}
	}
	return nil, &hintedError{
		what: "database '" + name + "' has no tables of DynamoDB",
		hint: "SHOW TABLES lists what it has; there is " + strings.Join(s.Connections(), ", "),
	}
}

// Describe implements repl.Session.
func (s *session) Describe(ctx context.Context, database, table string) (*repl.Table, error) {
	db, err := s.databaseNamed(database)
	if err != nil {
		return nil, err
	}
	name, err := db.Catalog().Resolve(ctx, table)
	if errors.Is(err, catalog.ErrNoTable) {
		return nil, fmt.Errorf("table '%s' does not exist in database '%s'", table, db.Name())
	}
	var ambiguous *catalog.AmbiguousError
	if errors.As(err, &ambiguous) {
		return nil, err
	}
	if err != nil {
		return nil, ddb.Explain(err, ddb.Target{Action: "ListTables"})
	}
	described, err := db.Catalog().Table(ctx, name)
	if err != nil {
		return nil, ddb.Explain(err, ddb.Target{Action: "DescribeTable", Table: name})
	}
	t := describe(db.Name(), described)
	return &t, nil
}

func describe(database string, t *schema.Table) repl.Table {
	out := repl.Table{
		Database: database, Name: t.Name, Described: true, Status: t.Status,
		Items: t.Items, Bytes: t.SizeBytes, Billing: billing(t.ReadUnits),
		HashKey: t.Key.Hash.Name, SortKey: t.Key.Sort.Name, Sampled: int64(t.Sampled),
	}
	for i := range t.Columns {
		if !t.Columns[i].Hidden {
			out.Columns = append(out.Columns, describeColumn(t, &t.Columns[i]))
		}
	}
	for i := range t.Indexes {
		out.Indexes = append(out.Indexes, describeIndex(&t.Indexes[i]))
	}
	return out
}

func billing(readUnits int64) string {
	if readUnits == 0 {
		return "on demand"
	}
	return fmt.Sprintf("provisioned %d RCU", readUnits)
}

func describeColumn(t *schema.Table, c *schema.Column) repl.Column {
	out := repl.Column{Name: c.Name, Type: sqlType(c), Comment: strings.Join(remarks(t, c), "; ")}
	for _, v := range c.Values {
		out.Values = append(out.Values, literal(v))
	}
	var kinds []string
	for _, k := range c.Kinds.Of() {
		out.Seen += int64(c.Kinds[k])
		kinds = append(kinds, k.String())
	}
	out.Seen += int64(c.Kinds[schema.Null])
	if len(kinds) > 1 {
		for i, k := range c.Kinds.Of() {
			kinds[i] = fmt.Sprintf("%s %d", k, c.Kinds[k])
		}
	}
	out.Kinds = strings.Join(kinds, ", ")
	switch c.Attribute {
	case t.Key.Hash.Name:
		out.Key = "hash"
	case t.Key.Sort.Name:
		out.Key = "sort"
	}
	return out
}

// remarks say of a column what its other fields do not.
func remarks(t *schema.Table, c *schema.Column) []string {
	var list []string
	for i := range t.Indexes {
		x := &t.Indexes[i]
		switch {
		case c.Attribute == x.Key.Hash.Name && x.Global: // a local index has that of its table
			list = append(list, "hash key of "+x.Name)
		case c.Attribute == x.Key.Sort.Name:
			list = append(list, "sort key of "+x.Name)
		}
	}
	if c.Name != c.Attribute {
		list = append(list, "attribute '"+c.Attribute+"'")
	}
	return list
}

// literal writes a sampled value as in SQL.
func literal(v schema.Scalar) string {
	if v.Kind == schema.N {
		return v.Text
	}
	return "'" + escapes.Replace(v.Text) + "'"
}

var escapes = strings.NewReplacer("'", "''", `\`, `\\`)

func sqlType(c *schema.Column) string {
	switch c.Type {
	case schema.Decimal:
		return "decimal"
	case schema.Boolean:
		return "tinyint(1)"
	case schema.Bytes:
		return sized("varbinary", c.Length, "longblob")
	case schema.Text:
		return sized("varchar", c.Length, "longtext")
	case schema.MixedText:
		return "longtext"
	}
	return "json"
}

func sized(short string, length int, long string) string {
	if length == 0 {
		return long
	}
	return fmt.Sprintf("%s(%d)", short, length)
}

func describeIndex(x *schema.Index) repl.Index {
	out := repl.Index{
		Name: x.Name, Local: !x.Global, HashKey: x.Key.Hash.Name, SortKey: x.Key.Sort.Name,
		Projection: "keys only", Items: x.Items, Bytes: x.SizeBytes,
	}
	switch {
	case x.All:
		out.Projection = "all"
	case len(x.Include) > 0:
		out.Projection = "keys and " + strings.Join(x.Include, ", ")
	}
	if x.Global {
		out.Status = map[bool]string{true: "ACTIVE", false: "not ACTIVE"}[x.Active]
	}
	return out
}
