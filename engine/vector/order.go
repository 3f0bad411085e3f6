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
}

// NewOrderKeys takes the terms of an ORDER BY, and their orders.
func NewOrderKeys(p *Program, terms []sql.Expression, orders []key.Order) *OrderKeys {
	k := &OrderKeys{p: p, orders: orders, columns: make([]*Column, len(terms))}
	for _, e := range terms {
		k.of = append(k.of, p.Compile(e))
	}
	return k
}

// Eval evaluates the terms over a chunk, for Append.
func (k *OrderKeys) Eval(c *Chunk) error { return evalAll(c, k.of, k.columns) }

// Append writes the key of a row of the chunk.
func (k *OrderKeys) Append(dst []byte, row int) ([]byte, error) {
	for i, c := range k.columns {
		o := k.orders[i]
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
