package vector

import (
	"bytes"
	"encoding/binary"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
)

// Keys writes the values of several expressions so that rows whose values are equal
// have the same bytes, and others do not. It belongs to one goroutine.
type Keys struct {
	ctx      *sql.Context
	of       []Expr
	encoders []key.Encoder // for values of kind Other
	columns  []*Column
	scratch  bytes.Buffer
}

// NewKeys takes expressions that Serves has approved.
func NewKeys(p *Program, list []sql.Expression) *Keys {
	w := &Keys{ctx: p.ctx, columns: make([]*Column, len(list))}
	for _, e := range list {
		w.of = append(w.of, p.Compile(e))
		w.encoders = append(w.encoders, key.For(e.Type(p.ctx)))
	}
	return w
}

// eval evaluates the expressions over a chunk, for append.
func (w *Keys) eval(c *Chunk) error { return evalAll(c, w.of, w.columns) }

// append writes the key of a row of the chunk and says whether it has a NULL.
func (w *Keys) append(k []byte, row int) (_ []byte, null bool, err error) {
	for i, c := range w.columns {
		switch {
		case c.Null[row]:
			k, null = append(k, 0), true
		case c.Kind == Number:
			k = c.appendNumber(k, row)
		case c.Kind == Text && i == len(w.columns)-1:
			k = key.AppendLast(k, c.Text[row])
		case c.Kind == Text:
			k = key.AppendText(k, c.Text[row])
		default:
			w.scratch.Reset()
			if err := w.encoders[i].Append(w.ctx, &w.scratch, c.Other[row]); err != nil {
				return nil, false, err
			}
			k = append(k, w.scratch.Bytes()...)
		}
	}
	return k, null, nil
}

// All makes a list the keys of all rows of a chunk.
func (w *Keys) All(c *Chunk, list *key.List) error {
	list.Reset()
	if err := w.eval(c); err != nil {
		return err
	}
	if one := w.columns[0]; len(w.columns) == 1 && one.Kind == Text {
		list.AddLasts(one.Text[:len(c.Rows)], one.Null)
		return nil
	}
	for i := range c.Rows {
		k, _, err := w.append(list.Bytes(), i)
		if err != nil {
			return err
		}
		list.Add(k)
	}
	return nil
}

// appendNumber writes a number so that 1.5 and 1.50 are the same.
func (c *Column) appendNumber(k []byte, row int) []byte {
	n, scale := c.Num[row], c.Scale[row]
	if scale == Wide {
		reduced, _ := new(apd.Decimal).Reduce(c.Wide[row])
		var small Column
		small.reset(1)
		if reduced.Exponent > 0 && reduced.Exponent <= most {
			if whole, ok := plain(reduced); ok {
				reduced = whole
			}
		}
		small.setDecimal(0, reduced)
		if small.Scale[0] == Wide {
			text := reduced.Text('e')
			k = append(k, 2)
			k = binary.LittleEndian.AppendUint32(k, uint32(len(text)))
			return append(k, text...)
		}
		n, scale = small.Num[0], small.Scale[0]
	}
	if scale > 0 {
		n, scale = trimmed(n, scale)
	}
	k = append(k, 1, scale)
	return binary.LittleEndian.AppendUint64(k, uint64(n))
}

// plain writes 12E+3 as 12000 if that has 18 digits at most.
func plain(d *apd.Decimal) (*apd.Decimal, bool) {
	if !d.Coeff.IsInt64() {
		return nil, false
	}
	n, ok := scaled(d.Coeff.Int64(), uint8(d.Exponent))
	if !ok {
		return nil, false
	}
	out := apd.New(n, 0)
	out.Negative = d.Negative
	return out, true
}
