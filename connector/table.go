package connector

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// A table is a DynamoDB table, or one of its secondary indexes, as the engine
// sees it while it analyzes a statement. It is immutable. It is never read:
// Rule replaces it by a Read.
type table struct {
	db        *Database
	schema    *schema.Table
	index     *schema.Index // not nil: the index read as a table of its own
	full      sql.Schema
	hint      access.Hint
	projected []int // positions in schema.Columns; nil for all of them
}

var (
	_ sql.ProjectedTable       = (*table)(nil)
	_ sql.PrimaryKeyTable      = (*table)(nil)
	_ sql.StatisticsTable      = (*table)(nil)
	_ sql.CommentedTable       = (*table)(nil)
	_ sql.IndexSearchableTable = (*table)(nil)
)

// newTable makes the table of a statement. The hidden columns are there only
// while one is planned, so that no list of columns has them.
func newTable(d *Database, t *schema.Table, x *schema.Index, hidden bool) *table {
	tab := &table{db: d, schema: t, index: x}
	for i := range t.Columns {
		if c := &t.Columns[i]; hidden || !c.Hidden {
			column := tab.column(c)
			if !hidden {
				column.Type = shownType(c)
			}
			tab.full = append(tab.full, column)
		}
	}
	return tab
}

// HiddenName is the name by which the engine knows a hidden column: the mark
// keeps it out of SELECT *.
func HiddenName(column string) string { return column + sql.HiddenSystemColumnPrefix }

func (t *table) column(c *schema.Column) *sql.Column {
	key := t.schema.Key.Has(c.Attribute) && c.Attribute != "" && c.Whole()
	name := c.Name
	if c.Hidden {
		name = HiddenName(name)
	}
	return &sql.Column{
		Name:           name,
		Source:         t.Name(),
		DatabaseSource: t.db.name,
		Type:           sqlType(c),
		PrimaryKey:     key,
		Nullable:       !key,
		Comment:        c.Comment,
		HiddenSystem:   c.Hidden,
	}
}

// decimal holds every DynamoDB number at its own scale. Not being a column's
// type in the engine's sense, it never rounds a value to a common scale.
var decimal = types.MustCreateDecimalType(types.DecimalTypeMaxPrecision, types.DecimalTypeMaxScale)

func sqlType(c *schema.Column) sql.Type {
	if t := pinnedType(c); t != nil {
		return t
	}
	switch c.Type {
	case schema.Decimal:
		return decimal
	case schema.Boolean:
		return types.Boolean
	case schema.Bytes:
		if c.Length > 0 {
			return types.MustCreateBinary(sqltypes.VarBinary, int64(c.Length))
		}
		return types.LongBlob
	case schema.JSON, schema.WholeItem, schema.WireItem:
		return types.JSON
	case schema.Text:
		if c.Length > 0 {
			return types.MustCreateString(sqltypes.VarChar, int64(c.Length), Collation)
		}
	}
	return types.MustCreateString(sqltypes.Text, types.LongTextBlobMax/4, Collation)
}

// Name implements sql.Table.
func (t *table) Name() string {
	if t.index != nil {
		return t.schema.Name + "." + t.index.Name
	}
	return t.schema.Name
}

func (t *table) String() string { return t.Name() }

// Collation implements sql.Table.
func (t *table) Collation() sql.CollationID { return Collation }

// Comment implements sql.CommentedTable.
func (t *table) Comment() string {
	of := t.schema
	kind := "DynamoDB table"
	if t.index != nil {
		kind = "secondary index of DynamoDB table " + of.Name
	}
	from := fmt.Sprintf("columns inferred from %d sampled items", of.Sampled)
	if of.Described {
		from = "only the columns of keys are known until the table is described or queried"
	}
	return fmt.Sprintf("%s; about %d items, %d bytes; %s", kind, of.Items, of.SizeBytes, from)
}

// Schema implements sql.Table: the projected columns.
func (t *table) Schema(*sql.Context) sql.Schema {
	if t.projected == nil {
		return t.full
	}
	s := make(sql.Schema, len(t.projected))
	for i, at := range t.projected {
		s[i] = t.full[at]
	}
	return s
}

// columns are the projected columns in the order of Schema.
func (t *table) columns() []*schema.Column {
	at := t.projected
	if at == nil {
		at = make([]int, len(t.full))
		for i := range at {
			at[i] = i
		}
	}
	out := make([]*schema.Column, len(at))
	for i, n := range at {
		out[i] = &t.schema.Columns[n]
	}
	return out
}

// PrimaryKeySchema implements sql.PrimaryKeyTable. An index read as a table has
// the key of its table: an item is in an index at most once.
func (t *table) PrimaryKeySchema(*sql.Context) sql.PrimaryKeySchema {
	return sql.NewPrimaryKeySchema(t.full)
}

// WithProjections implements sql.ProjectedTable.
func (t *table) WithProjections(_ *sql.Context, names []string) (sql.Table, error) {
	projected := make([]int, len(names))
	for i, name := range names {
		at := t.full.IndexOfColName(name)
		if at < 0 {
			return nil, fmt.Errorf("table '%s' has no column '%s'", t.Name(), name)
		}
		projected[i] = at
	}
	nt := *t
	nt.projected = projected
	return &nt, nil
}

// Projections implements sql.ProjectedTable.
func (t *table) Projections() []string {
	if t.projected == nil {
		return nil
	}
	names := make([]string, len(t.projected))
	for i, at := range t.projected {
		names[i] = strings.ToLower(t.full[at].Name)
	}
	return names
}

// DataLength implements sql.StatisticsTable.
func (t *table) DataLength(*sql.Context) (uint64, error) {
	if t.index != nil {
		return uint64(t.index.SizeBytes), nil
	}
	return uint64(t.schema.SizeBytes), nil
}

// RowCount implements sql.StatisticsTable. DynamoDB refreshes its count about
// every six hours, so it is never exact; a sample that found more corrects it.
func (t *table) RowCount(*sql.Context) (uint64, bool, error) {
	if t.index != nil {
		return uint64(t.index.Items), false, nil
	}
	return uint64(max(t.schema.Items, int64(t.schema.Sampled))), false, nil
}

// errNotPlanned says that a table reached execution without a Read.
var errNotPlanned = errors.New("this statement cannot read a DynamoDB table")

// Partitions implements sql.Table.
func (t *table) Partitions(*sql.Context) (sql.PartitionIter, error) { return nil, errNotPlanned }

// PartitionRows implements sql.Table.
func (t *table) PartitionRows(*sql.Context, sql.Partition) (sql.RowIter, error) {
	return nil, errNotPlanned
}
