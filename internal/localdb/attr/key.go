package attr

import (
	"maps"
	"slices"
	"strings"
)

// Equal tells whether two values are the same for DynamoDB: of one kind and
// deeply equal, sets without regard to order.
func Equal(a, b Value) bool {
	return a == b || a.Kind() >= M && len(a) == len(b) && a.ordered() == b.ordered()
}

// ordered is a value in whose sets the members ascend.
func (v Value) ordered() Value {
	switch k := v.Kind(); {
	case k == M:
		m := maps.Collect(v.Attributes())
		for name, e := range m {
			m[name] = e.ordered()
		}
		return Map(m)
	case k >= L:
		elements := elements(v, Value.ordered)
		if k != L {
			slices.Sort(elements)
		}
		return Collection(k, elements)
	}
	return v
}

// Compare orders two values of one kind S, N or B: S and B by unsigned bytes
// (UTF-8 for S), N by value. It is false for any other pair.
func Compare(a, b Value) (int, bool) {
	if a.Kind() != b.Kind() {
		return 0, false
	}
	switch a.Kind() {
	case S, B:
		return strings.Compare(a.Text(), b.Text()), true
	case N:
		return CompareNumbers(a.Text(), b.Text()), true
	}
	return 0, false
}

// Key encoding of text and bytes: 0x00 is written as 0x00 0xFF, the end as
// 0x00 0x01, so that a prefix sorts before what extends it.
const (
	keyEscape     = 0x00
	keyEscapedNul = 0xFF
	keyEnd        = 0x01
)

// Key encoding of numbers: a sign byte, then for all but zero an exponent byte
// and the digits in pairs (each plus one) up to a zero byte; all but the sign
// inverted for negative numbers.
const (
	keyNegative = 0x01
	keyZero     = 0x02
	keyPositive = 0x03
)

// AppendKey appends a self-delimiting form of an S, N or B whose bytes order
// as DynamoDB orders key values. Two values of different kinds must not be
// compared by it. Any other kind appends nothing.
func AppendKey(dst []byte, v Value) []byte {
	switch v.Kind() {
	case S, B:
		return append(AppendKeyPrefix(dst, v), keyEscape, keyEnd)
	case N:
		return appendNumberKey(dst, v.Text())
	}
	return dst
}

// AppendKeyPrefix appends what the keys of all S or B values beginning with v
// have in common, and only they.
func AppendKeyPrefix(dst []byte, v Value) []byte {
	rest := v.Text()
	for {
		i := strings.IndexByte(rest, keyEscape)
		if i < 0 {
			return append(dst, rest...)
		}
		dst = append(dst, rest[:i]...)
		dst = append(dst, keyEscape, keyEscapedNul)
		rest = rest[i+1:]
	}
}

func appendNumberKey(dst []byte, canonical string) []byte {
	d := canonicalDecimal(canonical)
	if d.digits == "" {
		return append(dst, keyZero)
	}
	sign, mask := byte(keyPositive), byte(0)
	if d.negative {
		sign, mask = keyNegative, 0xFF
	}
	dst = append(dst, sign, byte(d.point-1-minExponent)^mask)
	for i := 0; i < len(d.digits); i += 2 {
		pair := (d.digits[i]-'0')*10 + 1
		if i+1 < len(d.digits) {
			pair += d.digits[i+1] - '0'
		}
		dst = append(dst, pair^mask)
	}
	return append(dst, mask)
}
