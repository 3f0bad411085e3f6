package vector

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/schema"
)

// load is a column of the read. What the batch has as it is needed is taken from
// there; a number in a text column, say, is left to Cells.
type load struct {
	p      *Program
	column int
	at     int
	direct schema.Kind // kind of the values taken from the batch, or Missing
	out    Column
	rest   []int32 // the rows whose values are of another kind
	gen    uint64  // of the chunk that out belongs to
}

// column is a column of the read, or of a right side.
func (p *Program) column(f *expression.GetField) Expr {
	x := p.loads[f.Index()]
	if x == nil {
		if side, at, ok := p.place(f.Index()); ok {
			x = &gather{p: p, field: f, side: side, column: at, out: Column{Kind: kindOf(p.ctx, f)}}
		} else {
			x = p.load(f)
		}
		p.loads[f.Index()] = x
	}
	return x
}

func (p *Program) load(f *expression.GetField) *load {
	l := &load{p: p, column: f.Index(), out: Column{Kind: kindOf(p.ctx, f)}}
	at, t, ok := p.cells.Direct(f.Index())
	l.at = at
	switch {
	case !ok:
	case l.out.Kind == Number && t == schema.Decimal:
		l.direct = schema.N
	case l.out.Kind == Number && t == schema.Boolean:
		l.direct = schema.Bool
	case l.out.Kind == Text && (t == schema.Text || t == schema.MixedText):
		l.direct = schema.S
	}
	return l
}

// Kind implements Expr.
func (l *load) Kind() Kind { return l.out.Kind }

// Eval implements Expr.
func (l *load) Eval(c *Chunk) (*Column, error) {
	if l.gen == c.gen {
		return &l.out, nil
	}
	l.out.reset(len(c.Rows))
	if err := l.take(c); err != nil {
		return nil, err
	}
	l.gen = c.gen
	return &l.out, nil
}

// take takes from the batch what is there as it is needed, and what is not value by
// value.
func (l *load) take(c *Chunk) error {
	out := &l.out
	l.rest = l.rest[:0]
	switch l.direct {
	case schema.N:
		l.rest = c.Batch.Numbers(c.Rows, l.at, out.Num, out.Scale, l.rest)
	case schema.Bool:
		clear(out.Scale)
		l.rest = c.Batch.Truths(c.Rows, l.at, out.Num, l.rest)
	case schema.S:
		l.rest = c.Batch.Texts(c.Rows, l.at, out.Text, l.rest)
	default:
		for i := range c.Rows {
			if err := l.cell(c, i); err != nil {
				return err
			}
		}
	}
	for _, i := range l.rest {
		if c.Batch.Value(int(c.Rows[i]), l.at).Null() {
			out.Null[i] = true
		} else if err := l.cell(c, int(i)); err != nil {
			return err
		}
	}
	return nil
}

func (l *load) cell(c *Chunk, i int) error {
	l.p.slow.Lock()
	defer l.p.slow.Unlock()
	v, err := l.p.cells.Value(l.p.ctx, c.Batch, int(c.Rows[i]), l.column)
	if err != nil {
		return err
	}
	return l.out.put(l.p.ctx, i, v)
}

// constant has the same value in every row.
type constant struct{ out Column }

// constant returns nil for a value that is not of the kind.
func (p *Program) constant(l *expression.Literal, kind Kind) *constant {
	x := &constant{Column{Kind: kind}}
	x.out.reset(MaxRows)
	for i := range MaxRows {
		if err := x.out.put(p.ctx, i, l.Value()); err != nil {
			return nil
		}
	}
	return x
}

// Kind implements Expr.
func (x *constant) Kind() Kind { return x.out.Kind }

// Eval implements Expr.
func (x *constant) Eval(*Chunk) (*Column, error) { return &x.out, nil }

// errKind says that the library did not keep to the type of an expression.
var errKind = errors.New("the SQL engine computed a value that is not of its expression's type")
