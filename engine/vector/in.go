package vector

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// An in is x IN (constants), of numbers with 18 digits at most or of texts.
type in struct {
	truth
	texts   map[string]struct{}
	numbers map[number]struct{}
	slow    *ByRow // for other numbers
}

// A number is digits / 10^scale without zeros at the end, so that equal numbers
// are the same.
type number struct {
	digits int64
	scale  uint8
}

func (p *Program) in(e sql.Expression, x *expression.HashInTuple) Expr {
	list, ok := x.Right().(expression.Tuple)
	if !ok || types.IsTuple(x.Left().Type(p.ctx)) {
		return nil
	}
	for _, term := range list {
		if _, ok := literal(term); !ok {
			return nil
		}
	}
	of := p.typed(x.Left())
	if of == nil || of.Kind() == Other || of.Kind() == Text && !isBytewise(x.Left().Type(p.ctx).(sql.StringType).Collation()) {
		return nil
	}
	out := &in{truth: truth{of: []Expr{of}}, texts: map[string]struct{}{}, numbers: map[number]struct{}{}, slow: p.ByRow(e)}
	for _, term := range list {
		if !out.add(p, term) {
			return nil
		}
	}
	return out
}

func (x *in) add(p *Program, term sql.Expression) bool {
	value, _ := literal(term)
	v := Column{Kind: x.of[0].Kind()}
	v.reset(1)
	if v.put(p.ctx, 0, value) != nil {
		return false
	}
	if v.Kind == Text {
		x.texts[string(v.Text[0])] = struct{}{}
		return true
	}
	if v.Scale[0] == Wide {
		return false
	}
	n, scale := trimmed(v.Num[0], v.Scale[0])
	x.numbers[number{n, scale}] = struct{}{}
	return true
}

// Eval implements Expr.
func (x *in) Eval(c *Chunk) (*Column, error) {
	of, _, err := x.start(c)
	if err != nil {
		return nil, err
	}
	v := of[0]
	for i := range c.Rows {
		var found bool
		switch {
		case v.Null[i]:
			x.out.Null[i] = true
		case v.Kind == Text:
			_, found = x.texts[string(v.Text[i])]
		case v.Scale[i] == Wide:
			if err := x.slow.put(c, i, &x.out); err != nil {
				return nil, err
			}
			continue
		default:
			n, scale := trimmed(v.Num[i], v.Scale[i])
			_, found = x.numbers[number{n, scale}]
		}
		x.out.setTruth(i, found)
	}
	return &x.out, nil
}
