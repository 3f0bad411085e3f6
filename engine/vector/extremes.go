package vector

import (
	"bytes"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// extremes is MIN and MAX.
type extremes struct {
	p    *Program
	of   Expr
	typ  sql.Type
	sign int // of the comparison that a new value has to win: 1 for MAX
	best Column
	have []bool
	size int64 // of texts
}

func newExtremes(p *Program, e sql.Expression, sign int) *extremes {
	of := p.Compile(e)
	return &extremes{p: p, of: of, typ: e.Type(p.ctx), sign: sign, best: Column{Kind: of.Kind()}}
}

func (a *extremes) grow(n int) {
	a.have = grown(a.have, n)
	b := &a.best
	switch b.Kind {
	case Number:
		b.Num, b.Scale = grown(b.Num, n), grown(b.Scale, n)
		if b.Wide != nil {
			b.Wide = grown(b.Wide, n)
		}
	case Text:
		b.Text = grown(b.Text, n)
	default:
		b.Other = grown(b.Other, n)
	}
}

func (a *extremes) update(c *Chunk, groups []uint32, n int) error {
	a.grow(n)
	v, err := a.of.Eval(c)
	if err != nil {
		return err
	}
	for i, g := range groups {
		if v.Null[i] {
			continue
		}
		if err := a.take(v, i, int(g)); err != nil {
			return err
		}
	}
	return nil
}

// take lets row i of a column compete for a group.
func (a *extremes) take(v *Column, i, g int) error {
	if a.have[g] {
		c, err := a.compare(v, i, g)
		if err != nil || c != a.sign {
			return err
		}
	}
	a.have[g] = true
	b := &a.best
	switch b.Kind {
	case Number:
		b.Num[g], b.Scale[g] = v.Num[i], v.Scale[i]
		if v.Scale[i] == Wide {
			b.Wide = grown(b.Wide, len(b.Num))
			b.Wide[g] = v.Wide[i]
		}
	case Text:
		a.size += int64(len(v.Text[i]) - len(b.Text[g]))
		b.Text[g] = append(b.Text[g][:0], v.Text[i]...)
	default:
		b.Other[g] = v.Other[i]
	}
	return nil
}

func (a *extremes) compare(v *Column, i, g int) (int, error) {
	switch a.best.Kind {
	case Number:
		return compareNumbers(v, i, &a.best, g), nil
	case Text:
		return bytes.Compare(v.Text[i], a.best.Text[g]), nil
	}
	return a.typ.Compare(a.p.ctx, v.Other[i], a.best.Other[g])
}

func (a *extremes) merge(other accumulator, to []uint32, n int) error {
	a.grow(n)
	o := other.(*extremes)
	for i, have := range o.have {
		if !have || to[i] == left {
			continue
		}
		if err := a.take(&o.best, i, int(to[i])); err != nil {
			return err
		}
	}
	return nil
}

func (a *extremes) value(group int) (any, error) {
	if group >= len(a.have) || !a.have[group] {
		return nil, nil
	}
	b := &a.best
	switch {
	case b.Kind == Text:
		return string(b.Text[group]), nil
	case b.Kind == Other:
		return b.Other[group], nil
	case types.IsDecimal(a.typ):
		return b.decimal(group), nil
	}
	v, _, err := a.typ.Convert(a.p.ctx, b.decimal(group))
	return v, err
}

func (a *extremes) bytes() int64 { return int64(32*cap(a.have)) + a.size }
