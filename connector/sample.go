package connector

import (
	"context"
	"fmt"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/read"
)

// SampleFunction is the name of the table function for a first look at a large
// table: ddb_sample('orders', 1000) reads about a thousand items of it, and
// ddb_sample('orders', '2%') about that share, spread over the hash keys.
const SampleFunction = "ddb_sample"

// sampling is a call of the function. Its rows have the table's columns.
type sampling struct {
	db    sql.Database
	args  []sql.Expression
	table *table
	read  *Read
	of    read.Sample
}

var (
	_ sql.TableFunction = (*sampling)(nil)
	_ sql.ExecSourceRel = (*sampling)(nil)
)

// NewSampleFunction returns the function, to be called by NewInstance.
func NewSampleFunction() sql.TableFunction { return &sampling{} }

// NewInstance implements sql.TableFunction.
func (s *sampling) NewInstance(ctx *sql.Context, db sql.Database, args []sql.Expression) (sql.Node, error) {
	const usage = "ddb_sample takes the name of a table and how much of it to read: a number of items, or a share such as '1%'"
	if len(args) != 2 {
		return nil, fmt.Errorf("%s", usage)
	}
	name, err := args[0].Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	text, ok := name.(string)
	if !ok {
		return nil, fmt.Errorf("%s", usage)
	}
	amount, err := args[1].Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	of, ok := sampleOf(amount)
	if !ok {
		return nil, fmt.Errorf("%s; %v is neither", usage, amount)
	}
	found, ok, err := db.GetTableInsensitive(ctx, text)
	if err != nil {
		return nil, err
	}
	t, ours := found.(*table)
	if !ok || !ours {
		return nil, sql.ErrTableNotFound.New(text)
	}
	t = newTable(t.db, t.schema, t.index, false)
	return &sampling{db: db, args: args, table: t, of: of, read: sampledRead(t)}, nil
}

// sampleOf reads the second argument.
func sampleOf(v any) (read.Sample, bool) {
	text, isText := v.(string)
	share, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	if isText && percent {
		d, _, err := apd.NewFromString(strings.TrimSpace(share))
		if err != nil {
			return read.Sample{}, false
		}
		p, err := d.Float64()
		return read.Sample{Percent: p}, err == nil && p > 0 && p <= 100
	}
	if isText {
		return read.Sample{}, false
	}
	n, _, err := types.Int64.Convert(context.Background(), v)
	rows, ok := n.(int64)
	return read.Sample{Rows: rows}, err == nil && ok && rows > 0
}

func sampledRead(t *table) *Read {
	r := &Read{table: t, alias: t.Name(), columns: t.columns(), schema: t.full}
	r.request = access.Request{Table: t.schema, All: true, NoPushdown: true}
	if t.index != nil {
		r.request.Index = t.index.Name
	}
	return r
}

// RowIter implements sql.ExecSourceRel.
func (s *sampling) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	run := *s.read
	if err := run.choose(ctx, nil); err != nil {
		return nil, err
	}
	stream, err := s.table.db.reader.OpenSample(ctx, run.plan, s.of, statement(ctx))
	if err != nil {
		return nil, err
	}
	share := stream.Share()
	if share < 1 {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1105, Message: fmt.Sprintf(
			"a sample of table '%s': %.3g %% of its hash keys are read", s.table.Name(), share*100)})
	}
	return newRows(&Batches{read: &run, stream: stream, nullDrift: driftIsNull(ctx)}), nil
}

// Schema implements sql.Node.
func (s *sampling) Schema(*sql.Context) sql.Schema {
	if s.table == nil {
		return nil
	}
	return s.table.full
}

// Name implements sql.Nameable.
func (s *sampling) Name() string { return SampleFunction }

func (s *sampling) String() string { return SampleFunction }

// Resolved implements sql.Node.
func (s *sampling) Resolved() bool { return s.table != nil }

// IsReadOnly implements sql.Node.
func (s *sampling) IsReadOnly() bool { return true }

// Children implements sql.Node.
func (s *sampling) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (s *sampling) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 0)
	}
	return s, nil
}

// Expressions implements sql.Expressioner.
func (s *sampling) Expressions() []sql.Expression { return s.args }

// WithExpressions implements sql.Expressioner.
func (s *sampling) WithExpressions(_ *sql.Context, args ...sql.Expression) (sql.Node, error) {
	if len(args) != len(s.args) {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(args), len(s.args))
	}
	n := *s
	n.args = args
	return &n, nil
}

// Database implements sql.Databaser.
func (s *sampling) Database() sql.Database { return s.db }

// WithDatabase implements sql.Databaser.
func (s *sampling) WithDatabase(db sql.Database) (sql.Node, error) {
	n := *s
	n.db = db
	return &n, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *sampling) CollationCoercibility(*sql.Context) (sql.CollationID, byte) { return Collation, 2 }
