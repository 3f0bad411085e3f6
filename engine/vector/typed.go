package vector

import (
	"bytes"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exact"
)

// typed makes an expression ready that is known here, or returns nil.
func (p *Program) typed(e sql.Expression) Expr {
	switch x := e.(type) {
	case *expression.GetField:
		return p.column(x)
	case *expression.Literal:
		if _, ok := literal(e); ok {
			if c := p.constant(x, kindOf(p.ctx, e)); c != nil {
				return c
			}
		}
		return nil
	case *expression.Alias:
		return p.typed(x.Child)
	case *expression.Equals:
		return p.comparison(e, [3]int64{0, 1, 0})
	case *expression.LessThan:
		return p.comparison(e, [3]int64{1, 0, 0})
	case *expression.LessThanOrEqual:
		return p.comparison(e, [3]int64{1, 1, 0})
	case *expression.GreaterThan:
		return p.comparison(e, [3]int64{0, 0, 1})
	case *expression.GreaterThanOrEqual:
		return p.comparison(e, [3]int64{0, 1, 1})
	case *expression.Between:
		return p.between(x)
	case *expression.Not:
		return p.not(x)
	case *expression.And:
		return p.logic(e, false)
	case *expression.Or:
		return p.logic(e, true)
	case *expression.IsNull:
		return p.isNull(x)
	case *expression.Like:
		return p.like(x)
	case function.Left:
		args := x.Children()
		return p.prefix(e, args[0], nil, args[1])
	case *function.Substring:
		return p.prefix(e, x.Str, x.Start, x.Len)
	case expression.ArithmeticOp:
		return p.arithmetic(x)
	case *expression.HashInTuple:
		return p.in(e, x)
	case *expression.Case, *function.If, *function.IfNull, *function.Coalesce:
		return p.choice(e, x)
	}
	switch x := exact.Unwrap(e).(type) {
	case *expression.HashInTuple:
		return p.in(e, x)
	case *expression.Case, *function.If, *function.IfNull, *function.Coalesce:
		return p.choice(e, x)
	}
	return nil
}

// operands makes the operands of an expression ready if all are of one kind,
// which is Number or Text, and each is typed. The collation of a constant text
// gives way to that of a column.
func (p *Program) operands(list ...sql.Expression) ([]Expr, Kind, bool) {
	out := make([]Expr, len(list))
	kind, found := Other, false
	for i, e := range list {
		if _, ok := literal(e); ok {
			continue
		}
		if out[i] = p.typed(e); out[i] == nil || found && out[i].Kind() != kind {
			return nil, 0, false
		}
		kind, found = out[i].Kind(), true
	}
	for i, e := range list {
		if out[i] == nil {
			c := p.constant(e.(*expression.Literal), kind)
			if c == nil {
				return nil, 0, false
			}
			out[i] = c
		}
	}
	return out, kind, kind != Other
}

// evalAll evaluates expressions over a chunk, each into its place.
func evalAll(c *Chunk, list []Expr, into []*Column) error {
	for i, e := range list {
		var err error
		if into[i], err = e.Eval(c); err != nil {
			return err
		}
	}
	return nil
}

// truth is the base of expressions that are true, false or NULL.
type truth struct {
	of  []Expr
	out Column
}

// Kind implements Expr.
func (*truth) Kind() Kind { return Number }

// start evaluates the operands over a chunk and makes room for the results.
func (x *truth) start(c *Chunk) (of [3]*Column, out *Column, err error) {
	x.out.reset(len(c.Rows))
	err = evalAll(c, x.of, of[:])
	return of, &x.out, err
}

// A comparison holds its sides against each other.
type comparison struct {
	truth
	text  bool
	holds [3]int64 // for less, equal and greater: 1 if it is true
}

func (p *Program) comparison(e sql.Expression, holds [3]int64) Expr {
	sides, kind, ok := p.operands(e.Children()...)
	if !ok || kind == Text && !p.bytewise(e) {
		return nil
	}
	return &comparison{truth{of: sides}, kind == Text, holds}
}

// Eval implements Expr.
func (x *comparison) Eval(c *Chunk) (*Column, error) {
	of, out, err := x.start(c)
	if err != nil {
		return nil, err
	}
	a, b := of[0], of[1]
	clear(out.Scale)
	for i := range c.Rows {
		if a.Null[i] || b.Null[i] {
			out.Null[i] = true
			continue
		}
		out.Num[i] = x.holds[1+compareAt(x.text, a, b, i)]
	}
	return out, nil
}

func compareAt(text bool, a, b *Column, i int) int {
	if text {
		return bytes.Compare(a.Text[i], b.Text[i])
	}
	return compareNumbers(a, i, b, i)
}

// A between is lower <= x AND x <= upper.
type between struct {
	truth
	text bool
}

func (p *Program) between(e *expression.Between) Expr {
	of, kind, ok := p.operands(e.Val, e.Lower, e.Upper)
	if !ok || kind == Text && !p.bytewise(e) {
		return nil
	}
	return &between{truth{of: of}, kind == Text}
}

// Eval implements Expr.
func (x *between) Eval(c *Chunk) (*Column, error) {
	of, out, err := x.start(c)
	if err != nil {
		return nil, err
	}
	v, lower, upper := of[0], of[1], of[2]
	for i := range c.Rows {
		switch {
		case v.Null[i]:
			out.Null[i] = true
		case !lower.Null[i] && compareAt(x.text, v, lower, i) < 0, !upper.Null[i] && compareAt(x.text, v, upper, i) > 0:
			out.setTruth(i, false)
		case lower.Null[i] || upper.Null[i]:
			out.Null[i] = true
		default:
			out.setTruth(i, true)
		}
	}
	return out, nil
}

type not struct{ truth }

func (p *Program) not(e *expression.Not) Expr {
	of, kind, ok := p.operands(e.Child)
	if !ok || kind != Number {
		return nil
	}
	return &not{truth{of: of}}
}

// Eval implements Expr.
func (x *not) Eval(c *Chunk) (*Column, error) {
	of, out, err := x.start(c)
	if err != nil {
		return nil, err
	}
	for i := range c.Rows {
		out.Null[i] = of[0].Null[i]
		out.setTruth(i, !of[0].Null[i] && isZero(of[0], i))
	}
	return out, nil
}

func isZero(v *Column, i int) bool {
	if v.Scale[i] == Wide {
		return v.Wide[i].IsZero()
	}
	return v.Num[i] == 0
}

// A logic is AND, or OR.
type logic struct {
	truth
	or bool
}

func (p *Program) logic(e sql.Expression, or bool) Expr {
	of, kind, ok := p.operands(e.Children()...)
	if !ok || kind != Number {
		return nil
	}
	return &logic{truth{of: of}, or}
}

// Eval implements Expr: one side that is false decides AND, one that is true OR.
func (x *logic) Eval(c *Chunk) (*Column, error) {
	of, out, err := x.start(c)
	if err != nil {
		return nil, err
	}
	a, b := of[0], of[1]
	for i := range c.Rows {
		switch {
		case !a.Null[i] && isZero(a, i) != x.or, !b.Null[i] && isZero(b, i) != x.or:
			out.setTruth(i, x.or)
		case a.Null[i] || b.Null[i]:
			out.Null[i] = true
		default:
			out.setTruth(i, !x.or)
		}
	}
	return out, nil
}

type isNull struct{ truth }

func (p *Program) isNull(e *expression.IsNull) Expr {
	if of := p.typed(e.Child); of != nil {
		return &isNull{truth{of: []Expr{of}}}
	}
	return nil
}

// Eval implements Expr.
func (x *isNull) Eval(c *Chunk) (*Column, error) {
	of, out, err := x.start(c)
	if err != nil {
		return nil, err
	}
	for i := range c.Rows {
		out.setTruth(i, of[0].Null[i])
	}
	return out, nil
}

// An arithmetic adds, subtracts or multiplies numbers that are small enough;
// others are left to the expression itself.
type arithmetic struct {
	of   []Expr
	op   byte
	slow *ByRow
	out  Column
}

func (p *Program) arithmetic(e expression.ArithmeticOp) Expr {
	ops := map[string]byte{sqlparser.PlusStr: '+', sqlparser.MinusStr: '-', sqlparser.MultStr: '*'}
	op, known := ops[e.Operator()]
	of, kind, ok := p.operands(e.Left(), e.Right())
	if !known || !ok || kind != Number || kindOf(p.ctx, e) != Number || types.IsUnsigned(e.Type(p.ctx)) {
		return nil
	}
	return &arithmetic{of: of, op: op, slow: p.ByRow(e)}
}

// Kind implements Expr.
func (*arithmetic) Kind() Kind { return Number }

// Eval implements Expr.
func (x *arithmetic) Eval(c *Chunk) (*Column, error) {
	var of [2]*Column
	if err := evalAll(c, x.of, of[:]); err != nil {
		return nil, err
	}
	a, b, out := of[0], of[1], &x.out
	out.reset(len(c.Rows))
	for i := range c.Rows {
		if a.Null[i] || b.Null[i] {
			out.Null[i] = true
			continue
		}
		if a.Scale[i] != Wide && b.Scale[i] != Wide && x.small(a, b, i) {
			continue
		}
		if err := x.slow.put(c, i, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// small computes a row whose result has 18 digits at most, or reports false.
func (x *arithmetic) small(a, b *Column, i int) bool {
	n, scale, ok := int64(0), uint8(0), false
	if x.op == '*' {
		n, ok = product(a.Num[i], b.Num[i])
		scale = a.Scale[i] + b.Scale[i]
	} else {
		var l, r int64
		if l, r, scale, ok = aligned(a.Num[i], a.Scale[i], b.Num[i], b.Scale[i]); ok {
			if x.op == '-' {
				r = -r
			}
			n, ok = added(l, r)
		}
	}
	if !ok || n >= 1e18 || n <= -1e18 || scale > most {
		return false
	}
	x.out.Num[i], x.out.Scale[i] = n, scale
	return true
}
