package access

import (
	"strings"
	"unicode/utf8"

	"github.com/dynasql/dynasql/connector/schema"
)

// Limits of the service on key values, in bytes, and on numbers.
const (
	maxHashBytes = 2048
	maxSortBytes = 1024
	maxDigits    = 38
	maxExponent  = 125
	minExponent  = -130
)

// compare orders two scalars of one kind as DynamoDB orders keys: numbers by
// value, strings and binary by unsigned bytes.
func compare(a, b schema.Scalar) int {
	if a.Kind == schema.N {
		return compareNumbers(a.Text, b.Text)
	}
	return strings.Compare(a.Text, b.Text)
}

// compareNumbers orders two numbers in plain decimal text, without exponent.
func compareNumbers(a, b string) int {
	an, bn := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case an && bn:
		return compareMagnitudes(b[1:], a[1:])
	case an:
		return -1
	case bn:
		return 1
	}
	return compareMagnitudes(a, b)
}

func compareMagnitudes(a, b string) int {
	aw, af := wholeAndFraction(a)
	bw, bf := wholeAndFraction(b)
	if len(aw) != len(bw) {
		return len(aw) - len(bw)
	}
	if c := strings.Compare(aw, bw); c != 0 {
		return c
	}
	return strings.Compare(af, bf)
}

func wholeAndFraction(s string) (whole, fraction string) {
	whole, fraction, _ = strings.Cut(s, ".")
	return strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
}

// sendable reports whether DynamoDB takes the constant at all: valid UTF-8, and
// a number within its 38 digits and its magnitudes. No stored value equals one
// that it does not take.
func sendable(v schema.Scalar) bool {
	switch v.Kind {
	case schema.S:
		return utf8.ValidString(v.Text)
	case schema.N:
		return storable(strings.TrimPrefix(v.Text, "-"))
	}
	return true
}

func storable(magnitude string) bool {
	whole, fraction := wholeAndFraction(magnitude)
	digits := strings.Trim(whole+fraction, "0")
	if digits == "" {
		return true
	}
	exponent := len(whole) - 1
	if whole == "" {
		exponent = len(strings.TrimLeft(fraction, "0")) - len(fraction) - 1
	}
	return len(digits) <= maxDigits && exponent <= maxExponent && exponent >= minExponent
}

// sendableKey is sendable for a value of a key attribute, which is also bounded
// in bytes and never empty.
func sendableKey(v schema.Scalar, maxBytes int) bool {
	if v.Kind != schema.N && (v.Text == "" || len(v.Text) > maxBytes) {
		return false
	}
	return sendable(v)
}

// afterPrefix returns the least string that is greater than every string that
// begins with p; there is none when p consists of the last code point only. It
// is again valid UTF-8, so that it can be sent as a bound.
func afterPrefix(p string) (string, bool) {
	for p != "" {
		r, size := utf8.DecodeLastRuneInString(p)
		p = p[:len(p)-size]
		switch {
		case r == utf8.MaxRune:
			continue
		case r == 0xD7FF: // the surrogates that follow are no characters
			return p + "\uE000", true
		}
		return p + string(r+1), true
	}
	return "", false
}
