package vector

import (
	"bytes"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/key"
)

// JoinKeys writes keys by which rows of the right side of a join are found: the
// bytes that exact.AppendKey writes. It belongs to one goroutine.
type JoinKeys struct {
	ctx     *sql.Context
	of      []Expr
	as      []sql.Type // as which each term is compared
	columns []*Column
	scratch bytes.Buffer
}

// Joins reports whether JoinKeys serves a term that is compared as a type: text as
// text, exact numbers as such, and whatever is not typed.
func Joins(ctx *sql.Context, term sql.Expression, as sql.Type) bool {
	if !Serves(ctx, term) {
		return false
	}
	switch kindOf(ctx, term) {
	case Text:
		text, ok := as.(sql.StringType)
		return ok && isBytewise(text.Collation())
	case Number:
		return exact.IsDecimal(as) || types.IsInteger(as)
	}
	return true
}

// NewJoinKeys takes terms that Joins has approved.
func NewJoinKeys(p *Program, terms []sql.Expression, as []sql.Type) *JoinKeys {
	k := &JoinKeys{ctx: p.ctx, as: as, columns: make([]*Column, len(terms))}
	for _, e := range terms {
		k.of = append(k.of, p.Compile(e))
	}
	return k
}

// All makes a list the keys of all rows of a chunk. A row without one, because a
// term is NULL, has the empty key.
func (k *JoinKeys) All(c *Chunk, list *key.List) error {
	list.Reset()
	if err := evalAll(c, k.of, k.columns); err != nil {
		return err
	}
	if one := k.columns[0]; len(k.columns) == 1 && one.Kind == Text {
		list.AddTexts(one.Text[:len(c.Rows)], one.Null)
		return nil
	}
	for i := range c.Rows {
		b := list.Bytes()
		out, err := k.append(b, i)
		if err != nil {
			return err
		}
		if out == nil {
			out = b
		}
		list.Add(out)
	}
	return nil
}

// append writes the key of a row, or returns nil if it has none.
func (k *JoinKeys) append(dst []byte, row int) ([]byte, error) {
	for i, c := range k.columns {
		switch {
		case c.Null[row]:
			return nil, nil
		case c.Kind == Text:
			dst = key.AppendText(dst, c.Text[row])
		case c.Kind == Number && c.Scale[row] != Wide:
			dst = key.AppendDigits(dst, c.Num[row], c.Scale[row])
		default:
			k.scratch.Reset()
			if err := exact.AppendKey(k.ctx, &k.scratch, k.as[i], c.boxed(row)); err != nil {
				return nil, err
			}
			dst = append(dst, k.scratch.Bytes()...)
		}
	}
	return dst, nil
}
