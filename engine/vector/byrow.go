package vector

import (
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
)

// ByRow evaluates an expression with its own Eval, on rows in which only the
// columns that it looks at are filled.
type ByRow struct {
	p       *Program
	e       sql.Expression
	columns []int
	out     Column
}

// ByRow makes an expression ready, which Serves must have approved.
func (p *Program) ByRow(e sql.Expression) *ByRow {
	return &ByRow{p: p, e: e, columns: columnsOf(p.ctx, e), out: Column{Kind: kindOf(p.ctx, e)}}
}

// Kind implements Expr.
func (x *ByRow) Kind() Kind { return x.out.Kind }

// Eval implements Expr.
func (x *ByRow) Eval(c *Chunk) (*Column, error) {
	x.out.reset(len(c.Rows))
	for i := range c.Rows {
		if err := x.put(c, i, &x.out); err != nil {
			return nil, err
		}
	}
	return &x.out, nil
}

// put evaluates one row into a column.
func (x *ByRow) put(c *Chunk, i int, out *Column) error {
	v, err := x.Value(c, i)
	if err != nil {
		return err
	}
	return out.put(x.p.ctx, i, v)
}

// Value is the boxed value for one row.
func (x *ByRow) Value(c *Chunk, i int) (any, error) {
	x.p.slow.Lock()
	defer x.p.slow.Unlock()
	for _, column := range x.columns {
		if side, at, ok := x.p.place(column); ok {
			x.p.row[column] = x.p.sides[side].value(c.Rights[side][i], at)
			continue
		}
		v, err := x.p.cells.Value(x.p.ctx, c.Batch, int(c.Rows[i]), column)
		if err != nil {
			return nil, err
		}
		x.p.row[column] = v
	}
	return x.e.Eval(x.p.ctx, x.p.row)
}

// put takes a boxed value.
func (c *Column) put(ctx *sql.Context, i int, v any) error {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return err
	}
	if v == nil {
		c.Null[i] = true
		return nil
	}
	switch c.Kind {
	case Number:
		return c.putNumber(ctx, i, v)
	case Text:
		switch v := v.(type) {
		case string:
			c.Text[i] = []byte(v)
			return nil
		case []byte:
			c.Text[i] = v
			return nil
		}
		return errKind
	}
	c.Other[i] = v
	return nil
}

func (c *Column) putNumber(ctx *sql.Context, i int, v any) error {
	switch v := v.(type) {
	case *apd.Decimal:
		c.setDecimal(i, v)
	case uint64:
		d := new(apd.Decimal)
		d.Coeff.SetUint64(v)
		c.setDecimal(i, d)
	default:
		n, ok := key.Integer(v)
		if !ok {
			return errKind
		}
		if n >= 1e18 || n <= -1e18 {
			c.setDecimal(i, apd.New(n, 0))
			return nil
		}
		c.setInt(i, n)
	}
	return nil
}
