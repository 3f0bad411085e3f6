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

// Eval evaluates the terms over a chunk, for Append.
func (k *JoinKeys) Eval(c *Chunk) error { return evalAll(c, k.of, k.columns) }

// Append writes the key of a row of the chunk. It reports false for a row without
// one, because a term is NULL.
func (k *JoinKeys) Append(dst []byte, row int) ([]byte, bool, error) {
	for i, c := range k.columns {
		switch {
		case c.Null[row]:
			return dst, false, nil
		case c.Kind == Text:
			dst = key.AppendText(dst, c.Text[row])
		case c.Kind == Number && c.Scale[row] != Wide:
			dst = key.AppendDigits(dst, c.Num[row], c.Scale[row])
		default:
			k.scratch.Reset()
			if err := exact.AppendKey(k.ctx, &k.scratch, k.as[i], c.boxed(row)); err != nil {
				return dst, false, err
			}
			dst = append(dst, k.scratch.Bytes()...)
		}
	}
	return dst, true, nil
}
