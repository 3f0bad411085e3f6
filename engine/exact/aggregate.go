package exact

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// An Aggregate is an aggregate function of ours.
type Aggregate struct {
	kind
	args []sql.Expression
	id   sql.ColumnId
}

// A kind is what aggregate functions differ in.
type kind struct {
	name        string
	least, most int // how many arguments it takes
	typ         func(*sql.Context, []sql.Expression) sql.Type
	buffer      func(*sql.Context, []sql.Expression) (sql.AggregationBuffer, error)
	// fold makes the folds of an aggregate that has them, and may be nil.
	fold func(*sql.Context, sql.Expression) Fold
	// check refuses or changes arguments, and may be nil.
	check func([]sql.Expression) ([]sql.Expression, error)
}

var (
	_ sql.Aggregation        = (*Aggregate)(nil)
	_ sql.FunctionExpression = (*Aggregate)(nil)
	_ sql.CollationCoercible = (*Aggregate)(nil)
)

// function is the aggregate as the engine calls it.
func (k kind) function() sql.Function {
	return sql.FunctionN{Name: k.name, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < k.least || len(args) > k.most {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(k.name), k.arguments(), len(args))
		}
		if k.check != nil {
			var err error
			if args, err = k.check(args); err != nil {
				return nil, err
			}
		}
		return &Aggregate{kind: k, args: args}, nil
	}}
}

func (k kind) arguments() string {
	if k.least == k.most {
		return fmt.Sprint(k.least)
	}
	return fmt.Sprintf("%d to %d", k.least, k.most)
}

// FunctionName implements sql.FunctionExpression.
func (a *Aggregate) FunctionName() string { return a.name }

// Description implements sql.FunctionExpression.
func (a *Aggregate) Description() string { return "aggregates the rows of a group" }

// Id implements sql.IdExpression.
func (a *Aggregate) Id() sql.ColumnId { return a.id }

// WithId implements sql.IdExpression.
func (a *Aggregate) WithId(id sql.ColumnId) sql.IdExpression {
	out := *a
	out.id = id
	return &out
}

// Type implements sql.Expression.
func (a *Aggregate) Type(ctx *sql.Context) sql.Type { return a.typ(ctx, a.args) }

// IsNullable implements sql.Expression.
func (a *Aggregate) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (a *Aggregate) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if len(a.args) == 0 {
		return sql.Collation_binary, 5
	}
	return sql.GetCoercibility(ctx, a.args[0])
}

// Resolved implements sql.Expression.
func (a *Aggregate) Resolved() bool { return expression.ExpressionsResolved(a.args...) }

// Children implements sql.Expression.
func (a *Aggregate) Children() []sql.Expression { return a.args }

func (a *Aggregate) String() string {
	texts := make([]string, len(a.args))
	for i, e := range a.args {
		texts[i] = e.String()
	}
	return a.name + "(" + strings.Join(texts, ", ") + ")"
}

// WithChildren implements sql.Expression.
func (a *Aggregate) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(a.args) {
		return nil, sql.ErrInvalidChildrenNumber.New(a, len(children), len(a.args))
	}
	out := *a
	out.args = children
	return &out, nil
}

// Eval implements sql.Expression: an aggregate has no value of a single row.
func (a *Aggregate) Eval(*sql.Context, sql.Row) (any, error) {
	return nil, aggregation.ErrEvalUnsupportedOnAggregation.New(a.name)
}

// NewBuffer implements sql.Aggregation.
func (a *Aggregate) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	args := make([]sql.Expression, len(a.args))
	for i, e := range a.args {
		var err error
		if args[i], err = transform.Clone(ctx, e); err != nil {
			return nil, err
		}
	}
	if a.fold != nil {
		return &foldBuffer{args[0], a.fold(ctx, args[0])}, nil
	}
	return a.buffer(ctx, args)
}

// Window implements sql.WindowAdaptableExpression: over a window, an aggregate
// is the argument of another function.
func (a *Aggregate) Window() *sql.WindowDefinition { return nil }

// WithWindow implements sql.WindowAdaptableExpression.
func (a *Aggregate) WithWindow(*sql.Context, *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return a
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (a *Aggregate) NewWindowFunction(*sql.Context) (sql.WindowFunction, error) {
	return nil, sql.ErrWindowUnsupported.New(a.name)
}

// foldBuffer is a fold as the buffer of an aggregation.
type foldBuffer struct {
	of   sql.Expression
	fold Fold
}

// Update implements sql.AggregationBuffer.
func (b *foldBuffer) Update(ctx *sql.Context, row sql.Row) error {
	v, err := b.of.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	return b.fold.Add(ctx, v)
}

// Grown implements Grower.
func (b *foldBuffer) Grown() int64 { return distinctGrown(b.of) }

// Eval implements sql.AggregationBuffer.
func (b *foldBuffer) Eval(ctx *sql.Context) (any, error) { return b.fold.Value(ctx) }

// Dispose implements sql.Disposable.
func (b *foldBuffer) Dispose(ctx *sql.Context) { expression.Dispose(ctx, b.of) }
