package exact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/dynasql/dynasql/engine/key"
)

// A CountDistinct is COUNT(DISTINCT ..). The library compares texts, by which
// 1.5 and 1.50 differ.
type CountDistinct struct{ *aggregation.CountDistinct }

var _ sql.Aggregation = (*CountDistinct)(nil)

// WithChildren implements sql.Expression.
func (c *CountDistinct) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := c.CountDistinct.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &CountDistinct{e.(*aggregation.CountDistinct).WithId(c.Id()).(*aggregation.CountDistinct)}, nil
}

// WithId implements sql.IdExpression.
func (c *CountDistinct) WithId(id sql.ColumnId) sql.IdExpression {
	return &CountDistinct{c.CountDistinct.WithId(id).(*aggregation.CountDistinct)}
}

// NewBuffer implements sql.Aggregation.
func (c *CountDistinct) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	b := &distinctCount{seen: seen{}}
	for _, e := range c.ChildExpressions {
		of, err := transform.Clone(ctx, e)
		if err != nil {
			return nil, err
		}
		b.of = append(b.of, of)
		b.encoders = append(b.encoders, key.For(e.Type(ctx)))
	}
	return b, nil
}

// newApproximate counts distinct values by the name of an estimate.
func newApproximate(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) == 0 {
		return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(approximate), "1 or more", 0)
	}
	return &CountDistinct{aggregation.NewCountDistinct(args...)}, nil
}

// seen is a set of keys.
type seen map[string]struct{}

func (s seen) add(k []byte) bool {
	if _, known := s[string(k)]; known {
		return false
	}
	s[string(k)] = struct{}{}
	return true
}

// keySize is what a key takes in a set, about.
func keySize(k []byte) int64 { return int64(len(k) + 48) }

type distinctCount struct {
	of       []sql.Expression
	encoders []key.Encoder
	seen     seen
	scratch  bytes.Buffer
	grown    int64
}

// A Grower is an aggregation's buffer that takes memory for some of its rows.
type Grower interface {
	// Grown is how many bytes have been taken since the last call.
	Grown() int64
}

// Grown implements Grower.
func (b *distinctCount) Grown() int64 {
	n := b.grown
	b.grown = 0
	return n
}

// Update implements sql.AggregationBuffer. A row with a NULL does not count.
func (b *distinctCount) Update(ctx *sql.Context, row sql.Row) error {
	b.scratch.Reset()
	for i, e := range b.of {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return err
		}
		if err := b.encoders[i].Append(ctx, &b.scratch, v); err != nil {
			return err
		}
	}
	if b.seen.add(b.scratch.Bytes()) {
		b.grown += keySize(b.scratch.Bytes())
	}
	return nil
}

// Eval implements sql.AggregationBuffer.
func (b *distinctCount) Eval(*sql.Context) (any, error) { return int64(len(b.seen)), nil }

// Dispose implements sql.Disposable.
func (b *distinctCount) Dispose(ctx *sql.Context) {
	for _, e := range b.of {
		expression.Dispose(ctx, e)
	}
}

// A distinct is the argument of SUM(DISTINCT ..) and the like: its value, or
// NULL when it has been seen before.
type distinct struct {
	expression.UnaryExpressionStub
	seen  seen
	grown int64
}

var _ sql.Disposable = (*distinct)(nil)

func newDistinct(e sql.Expression) *distinct {
	return &distinct{UnaryExpressionStub: expression.UnaryExpressionStub{Child: e}, seen: seen{}}
}

// distinctGrown is Grown of an aggregation's buffer, with what it aggregates.
func distinctGrown(of sql.Expression) int64 {
	d, ok := of.(*distinct)
	if !ok {
		return 0
	}
	n := d.grown
	d.grown = 0
	return n
}

// Type implements sql.Expression.
func (d *distinct) Type(ctx *sql.Context) sql.Type { return d.Child.Type(ctx) }

// Eval implements sql.Expression.
func (d *distinct) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	var k bytes.Buffer
	if err := key.For(d.Child.Type(ctx)).Append(ctx, &k, v); err != nil {
		return nil, err
	}
	if !d.seen.add(k.Bytes()) {
		return nil, nil
	}
	d.grown += keySize(k.Bytes())
	return v, nil
}

// Dispose implements sql.Disposable: what has been seen is forgotten.
func (d *distinct) Dispose(*sql.Context) { d.seen = seen{} }

func (d *distinct) String() string { return "DISTINCT " + d.Child.String() }

// WithChildren implements sql.Expression.
func (d *distinct) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(d, len(children), 1)
	}
	return newDistinct(children[0]), nil
}

// Remembers reports whether the value of an expression depends on the rows that
// it has seen before.
func Remembers(e sql.Expression) bool {
	_, ok := e.(*distinct)
	return ok
}

// Grows reports whether the buffers of an aggregation are Growers that grow.
func Grows(e sql.Expression) bool {
	if _, counts := e.(*CountDistinct); counts {
		return true
	}
	switch e.(type) {
	case *Sum, *Average, *Aggregate:
		return slices.ContainsFunc(e.Children(), Remembers)
	}
	return false
}

// withoutDistinct is MIN or MAX, for which equal values do not matter.
func withoutDistinct(ctx *sql.Context, a sql.Aggregation) sql.Expression {
	d, ok := a.Children()[0].(*distinct)
	if !ok {
		return nil
	}
	e, err := a.WithChildren(ctx, d.Child)
	if err != nil {
		return nil
	}
	return e.(sql.IdExpression).WithId(a.Id())
}
