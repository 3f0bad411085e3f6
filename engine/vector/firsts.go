package vector

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/engine/spill"
)

func (p *Program) firsts(e sql.Expression) accumulator {
	if f, ok := e.(*expression.GetField); ok && kindOf(p.ctx, f) == Text {
		return &firstTexts{of: p.column(f)}
	}
	return &firsts{of: p.ByRow(e)}
}

// firsts has the values of an expression in the first row of each group.
type firsts struct {
	of   *ByRow
	v    []any
	size int64
}

func (a *firsts) update(c *Chunk, groups []uint32, _ int) error {
	for i, g := range groups {
		if int(g) < len(a.v) { // groups are numbered as they come
			continue
		}
		v, err := a.of.Value(c, i)
		if err != nil {
			return err
		}
		a.v = append(a.v, v)
		a.size += spill.SizeOf(sql.Row{v})
	}
	return nil
}

func (a *firsts) merge(other accumulator, to []uint32, _ int) error {
	for i, v := range other.(*firsts).v {
		if int(to[i]) == len(a.v) {
			a.v = append(a.v, v)
			a.size += spill.SizeOf(sql.Row{v})
		}
	}
	return nil
}

func (a *firsts) value(group int) (any, error) {
	if group >= len(a.v) {
		return nil, nil
	}
	return a.v[group], nil
}

func (a *firsts) bytes() int64 { return a.size }

// firstTexts is firsts of a column of texts.
type firstTexts struct {
	of   Expr
	data []byte
	ends []int // of the texts in data
	null []bool
}

func (a *firstTexts) update(c *Chunk, groups []uint32, n int) error {
	if n == len(a.ends) {
		return nil
	}
	v, err := a.of.Eval(c)
	if err != nil {
		return err
	}
	for i, g := range groups {
		if int(g) == len(a.ends) {
			a.add(v.Text[i], v.Null[i])
		}
	}
	return nil
}

func (a *firstTexts) add(text []byte, null bool) {
	if !null {
		a.data = append(a.data, text...)
	}
	a.ends, a.null = append(a.ends, len(a.data)), append(a.null, null)
}

func (a *firstTexts) text(group int) []byte {
	start := 0
	if group > 0 {
		start = a.ends[group-1]
	}
	return a.data[start:a.ends[group]]
}

func (a *firstTexts) merge(other accumulator, to []uint32, _ int) error {
	o := other.(*firstTexts)
	for i := range o.ends {
		if int(to[i]) == len(a.ends) {
			a.add(o.text(i), o.null[i])
		}
	}
	return nil
}

func (a *firstTexts) value(group int) (any, error) {
	if group >= len(a.ends) || a.null[group] {
		return nil, nil
	}
	return string(a.text(group)), nil
}

func (a *firstTexts) bytes() int64 { return int64(cap(a.data) + 9*cap(a.ends)) }
