package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
)

// schemaFunction is the name of the table function that shows what the columns
// of a table come from: ddb_schema('orders').
const schemaFunction = "ddb_schema"

// schemaRows is a call of the function.
type schemaRows struct {
	db    sql.Database
	args  []sql.Expression
	table string
}

var (
	_ sql.TableFunction = (*schemaRows)(nil)
	_ sql.ExecSourceRel = (*schemaRows)(nil)
)

// schemaOf are the columns of the function's rows.
func schemaOf(source string) sql.Schema {
	var out sql.Schema
	text := types.MustCreateStringWithDefaults(types.LongText.Type(), types.LongTextBlobMax/4)
	for _, c := range []struct {
		name string
		typ  sql.Type
	}{
		{"attribute", text}, {"column_name", text}, {"column_type", text}, {"key_role", text}, {"kinds", text},
		{"seen", types.Int64}, {"sampled", types.Int64}, {"coverage", types.Float64},
		{"examples", types.JSON}, {"pinned", types.Boolean}, {"drift", text},
	} {
		out = append(out, &sql.Column{Name: c.name, Type: c.typ, Nullable: true, Source: source})
	}
	return out
}

// NewInstance implements sql.TableFunction.
func (s *schemaRows) NewInstance(ctx *sql.Context, db sql.Database, args []sql.Expression) (sql.Node, error) {
	const usage = schemaFunction + " takes the name of a table, as in SELECT * FROM " + schemaFunction + "('orders')"
	if len(args) != 1 {
		return nil, errors.New(usage)
	}
	v, err := args[0].Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	name, ok := v.(string)
	if !ok {
		return nil, errors.New(usage)
	}
	return &schemaRows{db, args, name}, nil
}

// RowIter implements sql.ExecSourceRel.
func (s *schemaRows) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	db, ok := connectorOf(s.db)
	if !ok {
		return nil, sql.ErrTableNotFound.New(s.table)
	}
	name, err := resolve(ctx, db, s.table)
	if err != nil {
		return nil, err
	}
	attributes, err := db.Catalog().Attributes(ctx, name)
	if err != nil {
		return nil, err
	}
	var rows []sql.Row
	for i := range attributes {
		a := &attributes[i]
		columns := a.Columns
		if len(columns) == 0 {
			columns = []schema.Column{{Pinned: true}} // hidden by the schema file
		}
		for j := range columns {
			rows = append(rows, schemaRow(a, &columns[j]))
		}
	}
	return sql.RowsToRowIter(rows...), nil
}

func schemaRow(a *catalog.Attribute, c *schema.Column) sql.Row {
	var column, typ, role, coverage, change any
	if c.Name != "" {
		column, typ = c.Name, c.TypeText()
	}
	if len(a.Roles) > 0 {
		role = strings.Join(a.Roles, ", ")
	}
	if a.Sampled > 0 {
		coverage = float64(a.Seen) / float64(a.Sampled)
	}
	if a.Drift != "" {
		change = a.Drift
	}
	examples := make([]any, len(a.Examples))
	for i, text := range a.Examples {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			v = text // cut
		} else if parsed, err := codec.ParseJSON(text); err == nil {
			v = parsed
		}
		examples[i] = v
	}
	return sql.Row{
		a.Name, column, typ, role, kindsText(a.Kinds), int64(a.Seen), int64(a.Sampled), coverage,
		codec.PlainDocument(examples), c.Pinned, change,
	}
}

func kindsText(counts schema.Counts) string {
	var parts []string
	for kind := schema.S; int(kind) < len(counts); kind++ {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", kind, n))
		}
	}
	return strings.Join(parts, ", ")
}

// connectorOf finds our database under what restricts it for an account.
func connectorOf(db sql.Database) (*connector.Database, bool) {
	switch d := db.(type) {
	case *connector.Database:
		return d, true
	case restricted:
		return d.Database, true
	}
	return nil, false
}

// resolve finds the exact name of a table.
func resolve(ctx *sql.Context, db *connector.Database, name string) (string, error) {
	exact, err := db.Catalog().Resolve(ctx, name)
	if errors.Is(err, catalog.ErrNoTable) {
		return "", sql.ErrTableNotFound.New(name)
	}
	return exact, err
}

// Schema implements sql.Node.
func (s *schemaRows) Schema(*sql.Context) sql.Schema { return schemaOf(schemaFunction) }

// Name implements sql.Nameable.
func (s *schemaRows) Name() string { return schemaFunction }

func (s *schemaRows) String() string { return schemaFunction }

// Resolved implements sql.Node.
func (s *schemaRows) Resolved() bool { return s.table != "" }

// IsReadOnly implements sql.Node.
func (s *schemaRows) IsReadOnly() bool { return true }

// Children implements sql.Node.
func (s *schemaRows) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (s *schemaRows) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 0)
	}
	return s, nil
}

// Expressions implements sql.Expressioner.
func (s *schemaRows) Expressions() []sql.Expression { return s.args }

// WithExpressions implements sql.Expressioner.
func (s *schemaRows) WithExpressions(_ *sql.Context, args ...sql.Expression) (sql.Node, error) {
	if len(args) != len(s.args) {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(args), len(s.args))
	}
	n := *s
	n.args = args
	return &n, nil
}

// Database implements sql.Databaser.
func (s *schemaRows) Database() sql.Database { return s.db }

// WithDatabase implements sql.Databaser.
func (s *schemaRows) WithDatabase(db sql.Database) (sql.Node, error) {
	n := *s
	n.db = db
	return &n, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *schemaRows) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return connector.Collation, 2
}
