package vector

import (
	"bytes"
	"math"
	"strconv"

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

// A variance is the sum of squares of the distances from the mean, by Welford's
// method, in which partial results can be put together (Chan et al.).
type variance struct {
	n          float64
	mean, dist float64
}

func (v *variance) add(x float64) {
	v.n++
	before := x - v.mean
	v.mean += before / v.n
	v.dist += before * (x - v.mean)
}

func (v *variance) merge(o variance) {
	if o.n == 0 {
		return
	}
	n, delta := v.n+o.n, o.mean-v.mean
	v.dist += o.dist + delta*delta*v.n*o.n/n
	v.mean += delta * o.n / n
	v.n = n
}

// variances is VAR_POP, VAR_SAMP, STDDEV_POP and STDDEV_SAMP.
type variances struct {
	of     Expr
	sample bool // divide by one less than the number of values
	root   bool
	v      []variance
}

func (a *variances) update(c *Chunk, groups []uint32, n int) error {
	a.v = grown(a.v, n)
	v, err := a.of.Eval(c)
	if err != nil {
		return err
	}
	for i, g := range groups {
		if !v.Null[i] {
			a.v[g].add(v.float(i))
		}
	}
	return nil
}

func (a *variances) merge(other accumulator, to []uint32, n int) error {
	a.v = grown(a.v, n)
	for i, v := range other.(*variances).v {
		if to[i] != left {
			a.v[to[i]].merge(v)
		}
	}
	return nil
}

func (a *variances) value(group int) (any, error) {
	if group >= len(a.v) {
		return nil, nil
	}
	v := a.v[group]
	n := v.n
	if a.sample {
		n--
	}
	if n <= 0 {
		return nil, nil
	}
	if a.root {
		return math.Sqrt(v.dist / n), nil
	}
	return v.dist / n, nil
}

func (a *variances) bytes() int64 { return int64(24 * cap(a.v)) }

// exactFloat is the largest integer up to which every integer is a float64.
const exactFloat = 1 << 53

// float is the float64 nearest to a number.
func (c *Column) float(i int) float64 {
	if c.Scale[i] != Wide && magnitude(c.Num[i]) <= exactFloat {
		return float64(c.Num[i]) / float64(pow10[c.Scale[i]])
	}
	f, _ := strconv.ParseFloat(c.decimal(i).Text('e'), 64) // ±Inf where it is out of range
	return f
}
