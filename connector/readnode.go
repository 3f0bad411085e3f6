package connector

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// A Read is the node that reads one table: it has the table's place in the
// statement and the plan chosen for it. To the engine it is a table too, since
// that is how the engine knows the sources of rows in a subquery.
type Read struct {
	table   *table
	alias   string
	columns []*schema.Column // nil where nothing uses the column
	schema  sql.Schema
	request access.Request
	plan    access.Plan
	// where are the conjuncts of the filter above; preds[i] is the position in
	// request.Where of the predicate lowered from where[i], or -1.
	where []sql.Expression
	preds []int
	exact []bool
	// also are further predicates of the rows that matter to the result.
	also []access.Pred
	// correlated says that a conjunct refers to the enclosing query: the plan
	// is then chosen for each of its rows.
	correlated bool
	// dynamic says that the plan may be another one when the statement runs:
	// the engine then applies every conjunct, whatever the plan enforces.
	dynamic bool
	// early says that Limit is what the join above may get by with, and no bound.
	early     bool
	either    *AnyOf     // by which it is read in place of plan, or nil
	whole     *Read      // of which this is an alternative, or nil
	reduction *reduction // of the join whose right side this is, or nil
	kept      *kept      // not nil if the rows are gone through more than once
	recall    *recall    // of a correlated read
	hints     []string
}

var (
	_ sql.Node          = (*Read)(nil)
	_ sql.Table         = (*Read)(nil)
	_ sql.ExecSourceRel = (*Read)(nil)
)

// newRead makes the read of a chain's table. Columns that nothing uses keep
// their place in the rows and are not fetched.
func newRead(ctx *sql.Context, c *chain, used wanted) *Read {
	r := &Read{table: c.table, alias: c.alias, columns: c.table.columns(), schema: c.resolved.Schema(ctx)}
	r.request = access.Request{
		Table:         c.table.schema,
		Hint:          c.table.hint,
		Consistent:    enabled(ctx, VarConsistent, false),
		StrictIndexes: enabled(ctx, VarStrictIndexes, false),
		NoPushdown:    !enabled(ctx, VarPushdown, true),
	}
	if c.table.index != nil {
		r.request.Index = c.table.index.Name
	}
	for i, col := range r.columns {
		if !used.has(r.schema[i].Name) {
			r.columns[i] = nil
			continue
		}
		if col.Attribute == "" {
			r.request.All = true
			continue
		}
		r.request.Columns = append(r.request.Columns, paths(col, used.places(r.schema[i].Name))...)
	}
	for _, part := range c.table.schema.Key.Attrs() { // for messages that name the item
		if !projects(r.request.Columns, part.Name) {
			r.request.Columns = append(r.request.Columns, access.Path{Attribute: part.Name})
		}
	}
	return r
}

// paths are what is fetched of a column: the whole, or places in its document.
func paths(c *schema.Column, places []place) []access.Path {
	if c.Type != schema.JSON || len(places) == 0 {
		return []access.Path{path(c)}
	}
	out := make([]access.Path, len(places))
	for i, keys := range places {
		out[i] = access.Path{Attribute: c.Attribute, Elems: append(slices.Clip(c.Path), anys(keys)...)}
	}
	return out
}

func projects(paths []access.Path, attribute string) bool {
	for _, p := range paths {
		if p.Attribute == attribute {
			return true
		}
	}
	return false
}

func (r *Read) lowerer(ctx *sql.Context, outer sql.Row) lowerer {
	return lowerer{ctx: ctx, table: r.table, alias: r.alias, outer: outer, driftIsNull: driftIsNull(ctx), hints: &r.hints}
}

// addWhere takes the conjuncts of the filter above the table.
func (r *Read) addWhere(ctx *sql.Context, f *plan.Filter) {
	r.where = expression.SplitConjunction(ctx, f.Expression)
	for _, e := range r.where {
		r.correlated = r.correlated || r.lowerer(ctx, nil).refersOutside(e)
	}
}

// choose lowers the conjuncts, with the row of the enclosing query if there is
// one, and plans the read.
func (r *Read) choose(ctx *sql.Context, outer sql.Row) error {
	l := r.lowerer(ctx, outer)
	l.sketch = r.correlated && outer == nil
	r.request.Where, r.request.Opaque = nil, 0
	r.preds, r.exact = make([]int, len(r.where)), make([]bool, len(r.where))
	for i, e := range r.where {
		p, exact, ok := l.lower(e)
		r.preds[i], r.exact[i] = -1, exact
		if ok {
			r.preds[i] = len(r.request.Where)
			r.request.Where = append(r.request.Where, p)
		}
		if !ok || !exact {
			r.request.Opaque++
		}
	}
	r.request.Where = append(r.request.Where, r.also...)
	if r.early {
		r.request.Opaque++
	}
	var err error
	r.plan, err = access.Choose(r.request)
	return err
}

// residual returns the conjuncts that the engine has to apply to the rows.
func (r *Read) residual() []sql.Expression {
	if !r.static() || r.dynamic {
		return r.where
	}
	open := map[int]bool{}
	for _, i := range r.plan.Residual {
		open[i] = true
	}
	var rest []sql.Expression
	for i, e := range r.where {
		if r.preds[i] < 0 || !r.exact[i] || open[r.preds[i]] {
			rest = append(rest, e)
		}
	}
	return rest
}

// static reports whether the plan is the same for every run of the node.
func (r *Read) static() bool { return !r.correlated }

// Fixed reports whether Plan is what will be run, whatever rows the rest of the
// statement has.
func (r *Read) Fixed() bool {
	return r.static() && r.reduction == nil && (r.whole == nil || r.whole.reduction == nil)
}

// units are the read units that reading takes without keys of a left side.
func (r *Read) units() float64 {
	if r.either != nil {
		return r.either.units
	}
	return r.plan.Cost.ReadUnits
}

// Plan is how the table is read; of a correlated subquery it is the plan
// without the columns of the enclosing query.
func (r *Read) Plan() access.Plan { return r.plan }

// JoinKeys are the columns by whose values the table is read when the rows of
// the left side of its join are few, or "".
func (r *Read) JoinKeys() string {
	if r.reduction == nil {
		return ""
	}
	return r.reduction.names()
}

// Kept reports whether the rows are kept, because the statement goes through
// them more than once.
func (r *Read) Kept() bool { return r.kept != nil }

// KeptBy are the columns by which kept rows are found for a row of the query
// around; none where each is compared with all of them.
func (r *Read) KeptBy() []string {
	var names []string
	if r.kept != nil && r.kept.index != nil {
		for _, by := range r.kept.index.by {
			names = append(names, by.column.Name)
		}
	}
	return names
}

// Table is the description of the table that is read, by which the read was
// planned.
func (r *Read) Table() *schema.Table { return r.table.schema }

// Hints is advice found while planning.
func (r *Read) Hints() []string { return r.hints }

// Name implements sql.Nameable.
func (r *Read) Name() string { return r.table.Name() }

func (r *Read) String() string {
	target := r.table.schema.Name
	if r.plan.Index != "" {
		target += "." + r.plan.Index
	}
	return fmt.Sprintf("%s(%s)", r.plan.Op, target)
}

// Schema implements sql.Node.
func (r *Read) Schema(*sql.Context) sql.Schema { return r.schema }

// Resolved implements sql.Node.
func (r *Read) Resolved() bool { return true }

// IsReadOnly implements sql.Node.
func (r *Read) IsReadOnly() bool { return true }

// Children implements sql.Node.
func (r *Read) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (r *Read) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 0)
	}
	return r, nil
}

// Collation implements sql.Table.
func (r *Read) Collation() sql.CollationID { return Collation }

// CollationCoercibility implements sql.CollationCoercible.
func (r *Read) CollationCoercibility(*sql.Context) (sql.CollationID, byte) { return Collation, 2 }

// Partitions implements sql.Table; a Read is run by RowIter.
func (r *Read) Partitions(*sql.Context) (sql.PartitionIter, error) { return nil, errNotPlanned }

// PartitionRows implements sql.Table; a Read is run by RowIter.
func (r *Read) PartitionRows(*sql.Context, sql.Partition) (sql.RowIter, error) {
	return nil, errNotPlanned
}

// RowIter implements sql.ExecSourceRel. Nothing is sent before the first Next.
func (r *Read) RowIter(ctx *sql.Context, outer sql.Row) (sql.RowIter, error) {
	if r.kept != nil {
		open := func() (sql.RowIter, error) { return r.open(ctx, outer) }
		return &keptRows{from: r.kept, table: r.table.Name(), open: open, outer: outer}, nil
	}
	if r.recall != nil {
		return r.recalled(ctx, outer)
	}
	return r.open(ctx, outer)
}

func (r *Read) open(ctx *sql.Context, outer sql.Row) (sql.RowIter, error) {
	run, err := r.chosen(ctx, outer)
	if err != nil {
		return nil, err
	}
	switch {
	case r.reduction != nil && r.reduction.byAny != nil:
		return r.reduction.byAny.rows(), nil
	case r.either != nil && (r.reduction == nil || r.reduction.whole):
		return r.either.rows(), nil
	}
	batches, err := run.stream(ctx)
	if err != nil {
		return nil, err
	}
	rows := newRows(batches)
	if r.reduction == nil || !r.reduction.null {
		return rows, nil
	}
	return &rowsOrWhole{RowIter: rows, whole: func() (sql.RowIter, error) {
		whole := *r
		whole.reduction = nil
		return whole.open(ctx, outer)
	}}, nil
}

// start begins a run of the plan, which it chooses anew where it depends on the
// row of an enclosing query or on the left side of a join.
func (r *Read) start(ctx *sql.Context, outer sql.Row) (*Batches, error) {
	run, err := r.chosen(ctx, outer)
	if err != nil {
		return nil, err
	}
	return run.stream(ctx)
}

// chosen is the read with its plan for a row of an enclosing query.
func (r *Read) chosen(ctx *sql.Context, outer sql.Row) (*Read, error) {
	run := *r
	if r.correlated {
		run.request.Order, run.request.Limit, run.request.Count, run.also = nil, 0, false, nil
		if err := run.choose(ctx, outer); err != nil {
			return nil, err
		}
	}
	if r.reduction != nil {
		var err error
		if run.plan, err = r.reduction.reduced(); err != nil {
			return nil, err
		}
	}
	return &run, nil
}

func (r *Read) stream(ctx *sql.Context) (*Batches, error) {
	stream, err := r.table.db.reader.Open(ctx, r.plan, statement(ctx))
	if err != nil {
		return nil, err
	}
	return &Batches{read: r, stream: stream, nullDrift: driftIsNull(ctx)}, nil
}
