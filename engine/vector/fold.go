package vector

import "github.com/dynasql/dynasql/engine/exact"

// folds is an aggregate that has no typed form, from boxed values.
type folds struct {
	p     *Program
	of    Expr
	empty func() exact.Fold
	f     []exact.Fold
}

// foldBytes is about what a fold takes in memory.
const foldBytes = 96

func (a *folds) grow(n int) {
	for len(a.f) < n {
		a.f = append(a.f, a.empty())
	}
}

func (a *folds) update(c *Chunk, groups []uint32, n int) error {
	a.grow(n)
	v, err := a.of.Eval(c)
	if err != nil {
		return err
	}
	a.p.slow.Lock()
	defer a.p.slow.Unlock()
	for i, g := range groups {
		if v.Null[i] {
			continue
		}
		if err := a.f[g].Add(a.p.ctx, v.boxed(i)); err != nil {
			return err
		}
	}
	return nil
}

// boxed is a value as the library has it; numbers are decimals.
func (c *Column) boxed(i int) any {
	switch c.Kind {
	case Number:
		return c.decimal(i)
	case Text:
		return string(c.Text[i])
	}
	return c.Other[i]
}

func (a *folds) merge(other accumulator, to []uint32, n int) error {
	a.grow(n)
	for i, f := range other.(*folds).f {
		if to[i] == left {
			continue
		}
		if err := a.f[to[i]].Merge(a.p.ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (a *folds) value(group int) (any, error) {
	a.grow(group + 1)
	return a.f[group].Value(a.p.ctx)
}

func (a *folds) bytes() int64 { return foldBytes * int64(len(a.f)) }
