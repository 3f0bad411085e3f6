package vector

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/codec/page"
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
	gen    uint64 // of the chunk that out belongs to
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
	var err error
	switch l.direct {
	case schema.N:
		err = l.numbers(c)
	case schema.S:
		err = l.texts(c)
	default:
		err = l.others(c)
	}
	if err != nil {
		return nil, err
	}
	l.gen = c.gen
	return &l.out, nil
}

func (l *load) numbers(c *Chunk) error {
	out := &l.out
	for i, row := range c.Rows {
		v := c.Batch.Value(int(row), l.at)
		if digits, scale, ok := v.Small(); ok {
			out.Num[i], out.Scale[i] = digits, scale
			continue
		}
		if err := l.other(c, i, v); err != nil {
			return err
		}
	}
	return nil
}

func (l *load) texts(c *Chunk) error {
	out := &l.out
	for i, row := range c.Rows {
		v := c.Batch.Value(int(row), l.at)
		if v.Kind == schema.S {
			out.Text[i] = c.Batch.Span(v)
			continue
		}
		if err := l.other(c, i, v); err != nil {
			return err
		}
	}
	return nil
}

func (l *load) other(c *Chunk, i int, v page.Value) error {
	if v.Null() {
		l.out.Null[i] = true
		return nil
	}
	if v.Kind == schema.Bool && l.direct == schema.Bool {
		l.out.setTruth(i, v.True())
		return nil
	}
	return l.cell(c, i)
}

func (l *load) others(c *Chunk) error {
	for i, row := range c.Rows {
		var err error
		if l.direct == schema.Bool {
			err = l.other(c, i, c.Batch.Value(int(row), l.at))
		} else {
			err = l.cell(c, i)
		}
		if err != nil {
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
