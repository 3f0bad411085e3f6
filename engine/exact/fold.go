package exact

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A Fold is an aggregate over rows in a row, which can be joined with that over
// the rows that follow: by it the frames of a window share their work.
type Fold interface {
	// Add takes the value of a row, which is not NULL.
	Add(ctx *sql.Context, v any) error
	// Merge takes what a fold of the same aggregate has of the rows behind.
	Merge(ctx *sql.Context, behind Fold) error
	// Value is the aggregate. The fold can be added to afterwards.
	Value(ctx *sql.Context) (any, error)
}

// FoldOf returns what makes empty folds of an aggregate, and the expression whose
// values they take; false if it has to be computed from all rows of a frame.
func FoldOf(ctx *sql.Context, a sql.Aggregation) (empty func() Fold, of sql.Expression, ok bool) {
	switch a := a.(type) {
	case *Sum:
		if hasQuotient(a.Child) {
			return nil, nil, false
		}
		double := typeOfSum(ctx, a.Child) == types.Float64
		return func() Fold { return &sumFold{sum{double: double}} }, a.Child, true
	case *Average:
		if hasQuotient(a.Child) {
			return nil, nil, false
		}
		double := typeOfSum(ctx, a.Child) == types.Float64
		return func() Fold { return &sumFold{sum{double: double, average: true}} }, a.Child, true
	case *aggregation.Count:
		return func() Fold { return new(countFold) }, a.Child, true
	case *aggregation.Max:
		return extremes(ctx, a.Child, 1), a.Child, true
	case *aggregation.Min:
		return extremes(ctx, a.Child, -1), a.Child, true
	case *Aggregate:
		if a.fold != nil {
			return func() Fold { return a.fold(ctx, a.args[0]) }, a.args[0], true
		}
	}
	return nil, nil, false
}

type sumFold struct{ sum }

// Add implements Fold.
func (f *sumFold) Add(ctx *sql.Context, v any) error {
	f.count++
	return f.add(ctx, v)
}

// Merge implements Fold.
func (f *sumFold) Merge(_ *sql.Context, behind Fold) error {
	b := behind.(*sumFold)
	f.count += b.count
	f.float += b.float
	_, err := sql.DecimalCtx.Add(&f.exact, &f.exact, &b.exact)
	return err
}

// Value implements Fold.
func (f *sumFold) Value(ctx *sql.Context) (any, error) { return f.value(ctx) }

type countFold int64

// Add implements Fold.
func (f *countFold) Add(*sql.Context, any) error {
	*f++
	return nil
}

// Merge implements Fold.
func (f *countFold) Merge(_ *sql.Context, behind Fold) error {
	*f += *behind.(*countFold)
	return nil
}

// Value implements Fold.
func (f *countFold) Value(*sql.Context) (any, error) { return int64(*f), nil }

// An extreme is MAX, or with the sign -1 MIN: of equal values the first.
type extreme struct {
	typ  sql.Type
	sign int
	best any
}

func extremes(ctx *sql.Context, of sql.Expression, sign int) func() Fold {
	typ := of.Type(ctx)
	return func() Fold { return &extreme{typ: typ, sign: sign} }
}

// Add implements Fold.
func (f *extreme) Add(ctx *sql.Context, v any) error {
	if f.best == nil {
		f.best = v
		return nil
	}
	c, err := f.typ.Compare(ctx, v, f.best)
	if c*f.sign > 0 {
		f.best = v
	}
	return err
}

// Merge implements Fold.
func (f *extreme) Merge(ctx *sql.Context, behind Fold) error {
	if v := behind.(*extreme).best; v != nil {
		return f.Add(ctx, v)
	}
	return nil
}

// Value implements Fold.
func (f *extreme) Value(*sql.Context) (any, error) { return f.best, nil }
