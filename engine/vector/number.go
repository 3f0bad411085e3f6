package vector

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/cockroachdb/apd/v3"
)

// most is the number of digits that int64 holds, whatever they are.
const most = 18

var pow10 = func() (p [most + 1]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// compareNumbers orders row i of one column and row j of another by value.
func compareNumbers(a *Column, i int, b *Column, j int) int {
	s, t := a.Scale[i], b.Scale[j]
	if s == t && s != Wide {
		return cmp.Compare(a.Num[i], b.Num[j])
	}
	if s == Wide || t == Wide {
		return a.decimal(i).Cmp(b.decimal(j))
	}
	if s < t {
		return compareScaled(a.Num[i], b.Num[j], pow10[t-s])
	}
	return -compareScaled(b.Num[j], a.Num[i], pow10[s-t])
}

// compareScaled compares a * by with b.
func compareScaled(a, b, by int64) int {
	if (a < 0) != (b < 0) {
		return cmp.Compare(a, b)
	}
	hi, lo := bits.Mul64(magnitude(a), uint64(by))
	c := 1
	if hi == 0 {
		c = cmp.Compare(lo, magnitude(b))
	}
	if a < 0 {
		return -c
	}
	return c
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// scaled is n * 10^by; it reports false if that is not an int64.
func scaled(n int64, by uint8) (int64, bool) {
	if by == 0 || n == 0 {
		return n, true
	}
	if by > most {
		return 0, false
	}
	hi, lo := bits.Mul64(magnitude(n), uint64(pow10[by]))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if n < 0 {
		return -int64(lo), true
	}
	return int64(lo), true
}

func added(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (a < 0) != (b < 0) || (sum < 0) == (a < 0)
}

// aligned brings two numbers to the scale that has all digits of both.
func aligned(a int64, s uint8, b int64, t uint8) (x, y int64, scale uint8, ok bool) {
	switch {
	case s < t:
		x, ok = scaled(a, t-s)
		return x, b, t, ok
	case s > t:
		y, ok = scaled(b, s-t)
		return a, y, s, ok
	}
	return a, b, s, true
}

// trimmed drops zeros from the end of the digits behind the point.
func trimmed(n int64, scale uint8) (int64, uint8) {
	for scale > 0 && n%10 == 0 {
		n /= 10
		scale--
	}
	return n, scale
}

// A sum adds numbers exactly. The zero value is the sum of none.
type sum struct {
	digits int64
	scale  uint8
	rest   *apd.Decimal // what did not fit; the sum is both together
}

func (s *sum) add(n int64, scale uint8) {
	x, y, at, ok := aligned(s.digits, s.scale, n, scale)
	if ok {
		var total int64
		if total, ok = added(x, y); ok {
			s.digits, s.scale = total, at
			return
		}
	}
	s.flush()
	s.digits, s.scale = n, scale
}

func (s *sum) flush() { s.addDecimal(apd.New(s.digits, -int32(s.scale))); s.digits = 0 }

func (s *sum) addDecimal(d *apd.Decimal) {
	if s.rest == nil {
		s.rest = new(apd.Decimal)
	}
	add(s.rest, d)
}

// add adds exactly, whatever the number of digits.
func add(to, d *apd.Decimal) {
	if _, err := apd.BaseContext.Add(to, to, d); err != nil {
		panic(err) // of finite numbers without a limit of digits there is always a sum
	}
}

func (s *sum) merge(o *sum) {
	if o.rest != nil {
		s.addDecimal(o.rest)
	}
	s.add(o.digits, o.scale)
}

// total is the sum with the digits behind the point of the number that had the
// most.
func (s *sum) total() *apd.Decimal {
	out := apd.New(s.digits, -int32(s.scale))
	if s.rest != nil {
		add(out, s.rest)
	}
	return out
}

// product multiplies; it reports false if the result is not an int64.
func product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}
