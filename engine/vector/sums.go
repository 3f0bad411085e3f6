package vector

import (
	"github.com/cockroachdb/apd/v3"

	"github.com/dynasql/dynasql/engine/exact"
)

// sums is SUM and AVG of exact numbers. All groups have the same number of digits
// behind the point, which is what the number with the most needs.
type sums struct {
	p       *Program
	of      Expr
	average bool
	at      uint8                   // digits behind the point of all sums
	sums    []sum                   // by group
	scales  []uint8                 // by group: the most digits behind the point that a number had
	rest    map[uint32]*apd.Decimal // by group: what did not fit; the sum is both together
}

// A sum is of the numbers of a group.
type sum struct {
	digits int64
	n      int64 // how many numbers
}

func (a *sums) grow(n int) { a.sums, a.scales = grown(a.sums, n), grown(a.scales, n) }

func (a *sums) update(c *Chunk, groups []uint32, n int) error {
	a.grow(n)
	v, err := a.of.Eval(c)
	if err != nil {
		return err
	}
	null, num, scales := v.Null[:len(groups)], v.Num[:len(groups)], v.Scale[:len(groups)]
	for i, g := range groups {
		if null[i] {
			continue
		}
		s := &a.sums[g]
		s.n++
		scale := scales[i]
		if scale > a.scales[g] {
			if scale == Wide {
				a.addRest(g, v.Wide[i])
				continue
			}
			if scale > a.at {
				a.rescale(scale)
			}
			a.scales[g] = scale
		}
		if up := a.at - scale; fits(num[i], up) {
			if total, ok := added(s.digits, num[i]*pow10[up]); ok {
				s.digits = total
				continue
			}
		}
		a.addRest(g, apd.New(num[i], -int32(scale)))
	}
	return nil
}

// rescale has all sums have so many digits behind the point, which is more than
// before.
func (a *sums) rescale(at uint8) {
	up := at - a.at
	for g := range a.sums {
		s := &a.sums[g]
		if !fits(s.digits, up) {
			a.addRest(uint32(g), a.decimal(g))
			s.digits = 0
		}
		s.digits *= pow10[up]
	}
	a.at = at
}

// decimal is the part of a group's sum that has 64 bits.
func (a *sums) decimal(g int) *apd.Decimal {
	less := a.at - a.scales[g]
	return apd.New(a.sums[g].digits/pow10[less], -int32(a.scales[g]))
}

func (a *sums) addRest(g uint32, d *apd.Decimal) {
	if a.rest == nil {
		a.rest = map[uint32]*apd.Decimal{}
	}
	if a.rest[g] == nil {
		a.rest[g] = new(apd.Decimal)
	}
	add(a.rest[g], d)
}

func (a *sums) merge(other accumulator, to []uint32, n int) error {
	a.grow(n)
	o := other.(*sums)
	if o.at > a.at {
		a.rescale(o.at)
	}
	up := a.at - o.at
	for i := range o.sums {
		g, from := to[i], &o.sums[i]
		if g == left || from.n == 0 {
			continue
		}
		s := &a.sums[g]
		s.n += from.n
		a.scales[g] = max(a.scales[g], o.scales[i])
		if fits(from.digits, up) {
			if total, ok := added(s.digits, from.digits*pow10[up]); ok {
				s.digits = total
				continue
			}
		}
		a.addRest(g, o.decimal(i))
	}
	for i, d := range o.rest {
		if to[i] != left {
			a.addRest(to[i], d)
		}
	}
	return nil
}

func (a *sums) value(group int) (any, error) {
	if group >= len(a.sums) || a.sums[group].n == 0 {
		return nil, nil
	}
	if a.average {
		return exact.Mean(a.p.ctx, a.total(group), a.sums[group].n), nil
	}
	return exact.Rounded(a.p.ctx, a.total(group)), nil
}

// total is a group's sum with the digits behind the point of the number that had the
// most.
func (a *sums) total(group int) *apd.Decimal {
	total := a.decimal(group)
	if rest := a.rest[uint32(group)]; rest != nil {
		add(total, rest)
	}
	return total
}

// restBytes is about what a sum of more than 18 digits takes in memory.
const restBytes = 128

func (a *sums) bytes() int64 {
	return int64(16*cap(a.sums)+cap(a.scales)) + restBytes*int64(len(a.rest))
}
