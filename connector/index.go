package connector

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/schema"
)

// An index shows a primary key or a secondary index in SHOW INDEX and
// information_schema. The engine is not shown any while its rules are at
// work, since it would read through them: our planner chooses, and sees more.
type index struct {
	table  *table
	name   string
	key    schema.Key
	unique bool
	about  string
}

var _ sql.Index = (*index)(nil)

// GetIndexes implements sql.IndexAddressable.
func (t *table) GetIndexes(ctx *sql.Context) ([]sql.Index, error) {
	if analyzing(ctx) {
		return nil, nil
	}
	indexes := []sql.Index{&index{table: t, name: "PRIMARY", key: t.schema.Key, unique: true}}
	if t.index != nil {
		return indexes, nil
	}
	for i := range t.schema.Indexes {
		x := &t.schema.Indexes[i]
		indexes = append(indexes, &index{table: t, name: x.Name, key: x.Key, about: about(x)})
	}
	return indexes, nil
}

func about(x *schema.Index) string {
	scope, projection := "local", "keys only"
	if x.Global {
		scope = "global"
	}
	switch {
	case x.All:
		projection = "all attributes"
	case len(x.Include) > 0:
		projection = "some attributes"
	}
	if !x.Active {
		return scope + ", " + projection + ", not active"
	}
	return scope + ", " + projection
}

// IndexedAccess implements sql.IndexAddressable: never.
func (t *table) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable { return nil }

// PreciseMatch implements sql.IndexAddressable.
func (t *table) PreciseMatch() bool { return false }

// SkipIndexCosting implements sql.IndexSearchable: the engine does not choose.
func (t *table) SkipIndexCosting() bool { return true }

// LookupForExpressions implements sql.IndexSearchable: no lookup is made here.
func (t *table) LookupForExpressions(*sql.Context, ...sql.Expression) (sql.IndexLookup, *sql.FuncDepSet, sql.Expression, bool, error) {
	return sql.IndexLookup{}, nil, nil, false, nil
}

func (x *index) ID() string                                 { return x.name }
func (x *index) Database() string                           { return x.table.db.name }
func (x *index) Table() string                              { return x.table.Name() }
func (x *index) IsUnique() bool                             { return x.unique }
func (x *index) IsSpatial() bool                            { return false }
func (x *index) IsFullText() bool                           { return false }
func (x *index) IsVector() bool                             { return false }
func (x *index) Comment() string                            { return x.about }
func (x *index) IndexType() string                          { return "HASH" }
func (x *index) IsGenerated() bool                          { return false }
func (x *index) CanSupport(*sql.Context, ...sql.Range) bool { return false }
func (x *index) CanSupportOrderBy(sql.Expression) bool      { return false }
func (x *index) PrefixLengths() []uint16                    { return nil }

// Expressions implements sql.Index.
func (x *index) Expressions() []string {
	var out []string
	for _, c := range x.columns() {
		out = append(out, x.table.Name()+"."+c.Name)
	}
	return out
}

// ColumnExpressionTypes implements sql.Index.
func (x *index) ColumnExpressionTypes(*sql.Context) []sql.ColumnExpressionType {
	var out []sql.ColumnExpressionType
	for _, c := range x.columns() {
		out = append(out, sql.ColumnExpressionType{Expression: x.table.Name() + "." + c.Name, Type: sqlType(c)})
	}
	return out
}

func (x *index) columns() []*schema.Column {
	var out []*schema.Column
	for _, part := range x.key.Attrs() {
		for i := range x.table.schema.Columns {
			if c := &x.table.schema.Columns[i]; c.Attribute == part.Name && c.Whole() {
				out = append(out, c)
				break
			}
		}
	}
	return out
}
