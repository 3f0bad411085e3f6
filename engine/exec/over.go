package exec

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
)

// OverFunction is what every function with an OVER clause becomes before the
// library plans the statement. Its arguments are the function's name in lower
// case, a number that is the same for the same function with the same window,
// and those of the function. The library tells window functions apart by their
// texts, which for many leave the window out, and has not all of them.
const OverFunction = "ddb_over"

// ranking are the functions that exist over a window only, with the least and
// the most arguments that they take.
var ranking = map[string][2]int{
	"row_number": {0, 0}, "rank": {0, 0}, "dense_rank": {0, 0}, "percent_rank": {0, 0}, "cume_dist": {0, 0},
	"ntile": {1, 1}, "lag": {1, 3}, "lead": {1, 3}, "first_value": {1, 1}, "last_value": {1, 1}, "nth_value": {2, 2},
}

// HasOver reports whether a function of that name, in lower case, can have an
// OVER clause.
func HasOver(name string) bool {
	_, ranks := ranking[name]
	return ranks || exact.AggregatesOver(name)
}

// WholePartition reports whether a function's window has neither an order nor a
// frame.
func WholePartition(name string) bool { return exact.WholePartition(name) }

// Function returns the functions of this package.
func Function(name string) (sql.Function, bool) {
	switch strings.ToLower(name) {
	case OverFunction:
		return sql.FunctionN{Name: OverFunction, Fn: newOver}, true
	case RollupFunction:
		return sql.Function0{Name: RollupFunction, Fn: newMark}, true
	}
	return nil, false
}

// over is a function over a window.
type over struct {
	name   string
	number int64
	args   []sql.Expression
	window *sql.WindowDefinition
	id     sql.ColumnId
}

var (
	_ sql.WindowAdaptableExpression = (*over)(nil)
	_ sql.FunctionExpression        = (*over)(nil)
	_ sql.CollationCoercible        = (*over)(nil)
)

func newOver(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) < 2 {
		return nil, sql.ErrInvalidArgumentNumber.New(OverFunction, "2 or more", len(args))
	}
	name, err := args[0].Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	number, _, err := constant(ctx, args[1])
	if err != nil {
		return nil, err
	}
	o := &over{name: fmt.Sprint(name), number: number, args: args[2:]}
	if takes, ranks := ranking[o.name]; ranks {
		if n := len(o.args); n < takes[0] || n > takes[1] {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(o.name), fmt.Sprintf("%d to %d", takes[0], takes[1]), n)
		}
		return o, nil
	}
	_, err = exact.NewAggregate(ctx, o.name, o.args)
	return o, err
}

// constant is the value of an expression that needs no row, as an integer;
// known is false for NULL.
func constant(ctx *sql.Context, e sql.Expression) (n int64, known bool, err error) {
	v, err := e.Eval(ctx, nil)
	if err != nil || v == nil {
		return 0, false, err
	}
	v, _, err = types.Int64.Convert(ctx, v)
	if err != nil {
		return 0, false, err
	}
	return v.(int64), true, nil
}

// A WindowError is a window or a function over one that cannot be as it is
// written.
type WindowError struct {
	number  int // MySQL's
	message string
}

func (e *WindowError) Error() string { return e.message }

// Number is MySQL's number of the error.
func (e *WindowError) Number() int { return e.number }

// FunctionName implements sql.FunctionExpression.
func (o *over) FunctionName() string { return o.name }

// Description implements sql.FunctionExpression.
func (o *over) Description() string { return "computes a value for each row of a window" }

// Id implements sql.IdExpression.
func (o *over) Id() sql.ColumnId { return o.id }

// WithId implements sql.IdExpression.
func (o *over) WithId(id sql.ColumnId) sql.IdExpression {
	out := *o
	out.id = id
	return &out
}

// Window implements sql.WindowAdaptableExpression.
func (o *over) Window() *sql.WindowDefinition { return o.window }

// WithWindow implements sql.WindowAdaptableExpression.
func (o *over) WithWindow(_ *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	out := *o
	out.window = w
	return &out
}

// NewWindowFunction implements sql.WindowAdaptableExpression for the library's
// operator, in whose place is ours.
func (o *over) NewWindowFunction(*sql.Context) (sql.WindowFunction, error) {
	return nil, sql.ErrWindowUnsupported.New(o.name)
}

// Type implements sql.Expression.
func (o *over) Type(ctx *sql.Context) sql.Type {
	switch o.name {
	case "row_number", "rank", "dense_rank", "ntile":
		return types.Int64
	case "percent_rank", "cume_dist":
		return types.Float64
	case "first_value", "last_value", "nth_value":
		return o.args[0].Type(ctx)
	case "lag", "lead":
		return typeOfShifted(ctx, o.args)
	}
	aggregate, err := exact.NewAggregate(ctx, o.name, o.args)
	if err != nil {
		return types.Null
	}
	return aggregate.Type(ctx)
}

// typeOfShifted is the type that holds the values of LAG or LEAD and those of
// its default.
func typeOfShifted(ctx *sql.Context, args []sql.Expression) sql.Type {
	typ := args[0].Type(ctx)
	if len(args) < 3 {
		return typ
	}
	other := args[2].Type(ctx)
	if typ.Equals(other) || other == types.Null || types.IsDecimal(typ) && types.IsNumber(other) && !types.IsFloat(other) {
		return typ
	}
	both, err := function.NewCoalesce(ctx, args[0], args[2])
	if err != nil {
		return typ
	}
	return both.Type(ctx)
}

// CollationCoercibility implements sql.CollationCoercible.
func (o *over) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if len(o.args) == 0 {
		return sql.Collation_binary, 5
	}
	return sql.GetCoercibility(ctx, o.args[0])
}

// IsNullable implements sql.Expression.
func (o *over) IsNullable(*sql.Context) bool { return true }

// Resolved implements sql.Expression.
func (o *over) Resolved() bool { return expression.ExpressionsResolved(o.Children()...) }

// Children implements sql.Expression.
func (o *over) Children() []sql.Expression {
	return append(o.args[:len(o.args):len(o.args)], o.window.ToExpressions()...)
}

// WithChildren implements sql.Expression.
func (o *over) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if want := len(o.Children()); len(children) != want {
		return nil, sql.ErrInvalidChildrenNumber.New(o, len(children), want)
	}
	out := *o
	out.args = children[:len(o.args)]
	var err error
	out.window, err = o.window.FromExpressions(ctx, children[len(o.args):])
	return &out, err
}

// Eval implements sql.Expression: a row alone has no window.
func (o *over) Eval(*sql.Context, sql.Row) (any, error) {
	return nil, sql.ErrWindowUnsupported.New(o.name)
}

func (o *over) String() string {
	texts := make([]string, len(o.args))
	for i, e := range o.args {
		texts[i] = e.String()
	}
	out := o.name + "(" + strings.Join(texts, ", ") + ") "
	if o.window != nil {
		plain := *o.window
		plain.Frame = nil
		out += plain.String()
	}
	if o.number > 0 { // tells it from another whose text is the same but for case, or for its frame
		out += fmt.Sprintf(" #%d", o.number+1)
	}
	return out
}
