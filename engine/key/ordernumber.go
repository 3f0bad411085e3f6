package key

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Signs of numbers in ascending order.
const (
	orderNegative = 1
	orderZero     = 2
	orderPositive = 3
)

// groupDigits is how many digits of a number are written at a time.
const groupDigits = 18

var powers = func() (p [groupDigits + 1]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

func appendNumberOrder(dst []byte, v any) ([]byte, bool) {
	if n, ok := Integer(v); ok {
		return appendDigitsOrder(dst, n < 0, magnitude(n), 0), true
	}
	switch v := v.(type) {
	case uint64:
		return appendDigitsOrder(dst, false, v, 0), true
	case *apd.Decimal:
		switch {
		case v.Form != apd.Finite:
			return dst, false
		case v.Coeff.IsUint64():
			return appendDigitsOrder(dst, v.Negative, v.Coeff.Uint64(), v.Exponent), true
		}
		return appendTextOrder(dst, v.Negative, v.Coeff.String(), v.Exponent), true
	}
	return dst, false
}

// appendDigitsOrder writes a number as its sign, the place of its first digit,
// and its digits from the first on, in groups of 18, with a byte after each that
// says whether another follows.
func appendDigitsOrder(dst []byte, negative bool, digits uint64, exponent int32) []byte {
	if digits == 0 {
		return append(dst, orderZero)
	}
	if digits >= powers[groupDigits] {
		return appendTextOrder(dst, negative, strconv.FormatUint(digits, 10), exponent)
	}
	n := countDigits(digits)
	dst = appendPlace(dst, negative, int32(n)+exponent)
	dst = binary.BigEndian.AppendUint64(dst, digits*powers[groupDigits-n])
	return signedOrder(append(dst, 0), negative, 2+8+1)
}

// countDigits is how many digits a number has that has 18 at most and is not 0.
func countDigits(n uint64) int {
	most := bits.Len64(n) * 1233 >> 12 // 1233/4096 is a little more than log 2
	if n < powers[most] {
		return most
	}
	return most + 1
}

// digitsPrefix is with which 8 bytes, as a number, AppendDigits begins in ascending
// order; the last of those of 0 are 0.
func digitsPrefix(n int64, scale uint8) uint64 {
	digits, sign := magnitude(n), uint64(orderPositive)
	if digits == 0 {
		return orderValue<<56 | orderZero<<48
	}
	if digits >= powers[groupDigits] {
		return 0
	}
	count := countDigits(digits)
	rest := uint64(uint16(count-int(scale)+1<<15))<<32 | digits*powers[groupDigits-count]>>32
	if n < 0 {
		sign, rest = orderNegative, ^rest&(1<<48-1)
	}
	return orderValue<<56 | sign<<48 | rest
}

func appendPlace(dst []byte, negative bool, place int32) []byte {
	sign := byte(orderPositive)
	if negative {
		sign = orderNegative
	}
	return binary.BigEndian.AppendUint16(append(dst, sign), uint16(place+1<<15))
}

// signedOrder turns the order of the last bytes round for a negative number.
func signedOrder(dst []byte, negative bool, last int) []byte {
	if negative {
		invert(dst[len(dst)-last:])
	}
	return dst
}

// appendTextOrder writes the number of any digits in the same form.
func appendTextOrder(dst []byte, negative bool, digits string, exponent int32) []byte {
	start := len(dst) + 1
	dst = appendPlace(dst, negative, int32(len(digits))+exponent)
	digits = strings.TrimRight(digits, "0")
	for {
		group := uint64(0)
		for i := range groupDigits {
			group *= 10
			if i < len(digits) {
				group += uint64(digits[i] - '0')
			}
		}
		dst = binary.BigEndian.AppendUint64(dst, group)
		if len(digits) <= groupDigits {
			break
		}
		digits = digits[groupDigits:]
		dst = append(dst, 1)
	}
	dst = append(dst, 0)
	return signedOrder(dst, negative, len(dst)-start)
}
