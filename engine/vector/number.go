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

// limits are the greatest numbers that can be multiplied by pow10.
var limits = func() (l [most + 1]int64) {
	for i := range l {
		l[i] = math.MaxInt64 / pow10[i]
	}
	return l
}()

// fits reports whether n * 10^by, by at most 18, is an int64.
func fits(n int64, by uint8) bool { return uint64(n+limits[by]) <= 2*uint64(limits[by]) }

// compareNumbers orders row i of one column and row j of another by value.
func compareNumbers(a *Column, i int, b *Column, j int) int {
	s, t := a.Scale[i], b.Scale[j]
	if at := max(s, t); at <= most {
		x, y := a.Num[i], b.Num[j]
		up, down := at-s, at-t
		if fits(x, up) && fits(y, down) {
			return cmp.Compare(x*pow10[up], y*pow10[down])
		}
	}
	return a.decimal(i).Cmp(b.decimal(j))
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
	return n * pow10[by], fits(n, by)
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

// add adds exactly, whatever the number of digits.
func add(to, d *apd.Decimal) {
	if _, err := apd.BaseContext.Add(to, to, d); err != nil {
		panic(err) // of finite numbers without a limit of digits there is always a sum
	}
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
