package vector

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
)

// Orders reports whether a term of an ORDER BY is served by OrderKeys.
func Orders(ctx *sql.Context, e sql.Expression) bool {
	return Serves(ctx, e) && key.OrderOf(ctx, sql.SortField{Column: e}).Bytes()
}

// OrderKeys writes the keys by which rows are sorted. It belongs to one
// goroutine.
type OrderKeys struct {
	p       *Program
	of      []Expr
	orders  []key.Order
	columns []*Column
	only    bool // the terms after the first are columns, whose evaluation may be left out
}

// NewOrderKeys takes the terms of an ORDER BY, and their orders.
func NewOrderKeys(p *Program, terms []sql.Expression, orders []key.Order) *OrderKeys {
	k := &OrderKeys{p: p, orders: orders, columns: make([]*Column, len(terms))}
	for _, e := range terms {
		k.of = append(k.of, p.Compile(e))
	}
	k.only = true
	for i, e := range k.of {
		switch e.(type) {
		case *load, *gather:
		default:
			k.only = k.only && i == 0
		}
	}
	return k
}

// AtMost appends those rows of a chunk to a list whose keys may not be above 8 bytes,
// as a number, in their first 8. If there are any it does what Eval does.
func (k *OrderKeys) AtMost(c *Chunk, most uint64, list []int32) ([]int32, error) {
	if !k.only {
		if err := k.Eval(c); err != nil {
			return nil, err
		}
	}
	v, err := k.of[0].Eval(c)
	if err != nil {
		return nil, err
	}
	o, null := k.orders[0], k.orders[0].NullLeast()
	for i := range c.Rows {
		least := uint64(0)
		switch {
		case v.Null[i]:
			least = null
		case v.Kind == Text:
			least = o.TextLeast(v.Text[i])
		case v.Kind == Number && v.Scale[i] != Wide:
			least = o.DigitsLeast(v.Num[i], v.Scale[i])
		}
		if least <= most {
			list = append(list, int32(i))
		}
	}
	if k.only && len(list) > 0 {
		err = k.Eval(c)
	}
	return list, err
}

// Eval evaluates the terms over a chunk, for Append.
func (k *OrderKeys) Eval(c *Chunk) error { return evalAll(c, k.of, k.columns) }

// Append writes those terms of the key of a row of the chunk that are from one on and
// before another.
func (k *OrderKeys) Append(dst []byte, row, from, to int) ([]byte, error) {
	for i := from; i < to; i++ {
		c, o := k.columns[i], k.orders[i]
		switch {
		case c.Null[row]:
			dst = o.AppendNull(dst)
		case c.Kind == Text:
			dst = o.AppendText(dst, c.Text[row])
		case c.Kind == Number && c.Scale[row] != Wide:
			dst = o.AppendDigits(dst, c.Num[row], c.Scale[row])
		default:
			v := any(nil)
			if c.Kind == Number {
				v = c.Wide[row]
			} else {
				v = c.Other[row]
			}
			var err error
			if dst, err = o.AppendValue(k.p.ctx, dst, v); err != nil {
				return nil, err
			}
		}
	}
	return dst, nil
}
