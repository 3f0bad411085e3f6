package vector

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// A Side has the rows of the right side of a join, to which chunks refer by
// number. Its columns come after those of the read, and of the sides before it.
// Once it is filled any number of programs may use it at a time.
type Side struct {
	width int
	rows  []sql.Row
	grow  func(bytes int64)

	mu      sync.Mutex // guards columns
	columns map[int]*Column
}

// NewSide makes a side whose rows have a number of columns.
func NewSide(width int) *Side { return &Side{width: width} }

// Fill takes the rows, which may be longer at their beginning. What is made of them
// later is told to grow, one call at a time.
func (s *Side) Fill(rows []sql.Row, grow func(bytes int64)) {
	s.rows, s.grow, s.columns = rows, grow, map[int]*Column{}
}

// value is what a row has in a column; of row 0 it is NULL.
func (s *Side) value(row int32, column int) any {
	if row == 0 {
		return nil
	}
	r := s.rows[row-1]
	return r[len(r)-s.width+column]
}

// Append writes a row behind another one.
func (s *Side) Append(to sql.Row, row int32) sql.Row {
	if row == 0 {
		return append(to, make(sql.Row, s.width)...)
	}
	r := s.rows[row-1]
	return append(to, r[len(r)-s.width:]...)
}

// Width is the number of columns.
func (s *Side) Width() int { return s.width }

// column is a column of all rows, of which the first is row 0.
func (s *Side) column(ctx *sql.Context, at int, f *expression.GetField) (*Column, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.columns[at]; c != nil {
		return c, nil
	}
	c := &Column{Kind: kindOf(ctx, f)}
	c.reset(len(s.rows) + 1)
	for row := range int32(len(s.rows) + 1) {
		if err := c.putAs(ctx, int(row), s.value(row, at), f.Type(ctx)); err != nil {
			return nil, err
		}
	}
	s.columns[at] = c
	s.grow(int64(32 * len(c.Null)))
	return c, nil
}

// putAs takes a boxed value, which it converts to a type if it is not of the
// column's kind.
func (c *Column) putAs(ctx *sql.Context, i int, v any, t sql.Type) error {
	err := c.put(ctx, i, v)
	if err != errKind {
		return err
	}
	if v, _, err = t.Convert(ctx, v); err != nil {
		return err
	}
	return c.put(ctx, i, v)
}

// gather is a column of a right side.
type gather struct {
	p      *Program
	field  *expression.GetField
	side   int
	column int
	from   *Column // of all rows of the side
	out    Column
	gen    uint64 // of the chunk that out belongs to
}

// Kind implements Expr.
func (g *gather) Kind() Kind { return g.out.Kind }

// Eval implements Expr.
func (g *gather) Eval(c *Chunk) (*Column, error) {
	if g.gen == c.gen {
		return &g.out, nil
	}
	if g.from == nil {
		var err error
		if g.from, err = g.p.sides[g.side].column(g.p.ctx, g.column, g.field); err != nil {
			return nil, err
		}
	}
	from, out := g.from, &g.out
	out.reset(len(c.Rows))
	for i, row := range c.Rights[g.side] {
		if out.Null[i] = from.Null[row]; out.Null[i] {
			continue
		}
		out.copyFrom(i, from, int(row))
	}
	g.gen = c.gen
	return out, nil
}
