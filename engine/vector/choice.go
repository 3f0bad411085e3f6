package vector

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
)

// A choice is CASE WHEN, IF, IFNULL or COALESCE: the value of the first branch
// whose condition is true.
type choice struct {
	when []Expr // nil for a branch that is taken if its value is not NULL
	then []Expr // nil for NULL
	out  Column
}

func (p *Program) choice(e, inner sql.Expression) Expr {
	kind := kindOf(p.ctx, e)
	if kind == Other {
		return nil
	}
	x := &choice{out: Column{Kind: kind}}
	add := func(when, then sql.Expression) bool {
		var w, t Expr
		if when != nil {
			if w = p.typed(when); w == nil || w.Kind() != Number {
				return false
			}
		}
		if l, null := then.(*expression.Literal); !null || l.Value() != nil {
			if t = p.branch(then, kind); t == nil {
				return false
			}
		}
		x.when, x.then = append(x.when, w), append(x.then, t)
		return true
	}
	ok := true
	switch in := inner.(type) {
	case *expression.Case:
		ok = in.Expr == nil
		for _, b := range in.Branches {
			ok = ok && add(b.Cond, b.Value)
		}
		if in.Else != nil {
			ok = ok && add(nil, in.Else)
		}
	case *function.If:
		args := in.Children()
		ok = add(args[0], args[1]) && add(nil, args[2])
	default: // IFNULL and COALESCE
		for _, arg := range inner.Children() {
			ok = ok && add(nil, arg)
		}
	}
	if !ok {
		return nil
	}
	return x
}

func (p *Program) branch(e sql.Expression, kind Kind) Expr {
	if l, ok := e.(*expression.Literal); ok {
		if c := p.constant(l, kind); c != nil && kindOf(p.ctx, e) != Other {
			return c
		}
		return nil
	}
	if t := p.typed(e); t != nil && t.Kind() == kind {
		return t
	}
	return nil
}

// Kind implements Expr.
func (x *choice) Kind() Kind { return x.out.Kind }

// Eval implements Expr.
func (x *choice) Eval(c *Chunk) (*Column, error) {
	out := &x.out
	out.reset(len(c.Rows))
	for i := range c.Rows {
		out.Null[i] = true
	}
	decided := make([]bool, len(c.Rows))
	for b, then := range x.then {
		var when, value *Column
		var err error
		if w := x.when[b]; w != nil {
			if when, err = w.Eval(c); err != nil {
				return nil, err
			}
		}
		if then != nil {
			if value, err = then.Eval(c); err != nil {
				return nil, err
			}
		}
		for i := range c.Rows {
			taken := when != nil && !when.Null[i] && !isZero(when, i) || when == nil && value != nil && !value.Null[i]
			if decided[i] || !taken {
				continue
			}
			decided[i] = true
			if value != nil && !value.Null[i] {
				out.copy(i, value)
			}
		}
	}
	return out, nil
}

// copy takes the value of the same row of another column, which is not NULL.
func (c *Column) copy(i int, from *Column) {
	c.Null[i] = false
	c.copyFrom(i, from, i)
}
