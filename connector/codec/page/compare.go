package page

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// Compare orders two key values as DynamoDB does: strings and binary values by
// bytes, numbers by value. Values of different kinds are ordered by kind.
func Compare(a *Batch, v Value, b *Batch, w Value) int {
	if v.Kind != w.Kind {
		return cmp.Compare(v.Kind, w.Kind)
	}
	switch v.Kind {
	case schema.S:
		return bytes.Compare(a.Span(v), b.Span(w))
	case schema.B:
		x, _ := a.AppendBinary(nil, v)
		y, _ := b.AppendBinary(nil, w)
		return bytes.Compare(x, y)
	case schema.N:
		return compareNumberValues(a, v, b, w)
	}
	return 0
}

func compareNumberValues(a *Batch, v Value, b *Batch, w Value) int {
	x, xs, ok := v.Small()
	y, ys, ok2 := w.Small()
	if ok && ok2 && xs == ys {
		return cmp.Compare(x, y)
	}
	return CompareNumbers(string(a.AppendNumber(nil, v)), string(b.AppendNumber(nil, w)))
}

// CompareNumbers orders two number texts by value, exactly.
func CompareNumbers(a, b string) int {
	x, y := parseNumber(a), parseNumber(b)
	if x.sign != y.sign {
		return cmp.Compare(x.sign, y.sign)
	}
	return x.sign * x.compareMagnitude(y)
}

// magnitude is sign * 0.digits * 10^exponent; zero has the sign 0, and digits
// neither begin nor end with a zero.
type magnitude struct {
	sign     int
	exponent int
	digits   string
}

func (m magnitude) compareMagnitude(o magnitude) int {
	if c := cmp.Compare(m.exponent, o.exponent); c != 0 {
		return c
	}
	return strings.Compare(m.digits, o.digits)
}

func parseNumber(text string) magnitude {
	m := magnitude{sign: 1}
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		m.sign, text = -1, rest
	}
	text = strings.TrimPrefix(text, "+")
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		m.exponent, _ = strconv.Atoi(text[e+1:])
		text = text[:e]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	whole = strings.TrimLeft(whole, "0")
	digits := whole + fraction
	m.exponent += len(whole)
	trimmed := strings.TrimLeft(digits, "0")
	m.exponent -= len(digits) - len(trimmed)
	m.digits = strings.TrimRight(trimmed, "0")
	if m.digits == "" {
		return magnitude{}
	}
	return m
}

// AppendKey writes a key value so that two are the same bytes exactly when
// DynamoDB holds the values equal; several after another are as distinct.
func (b *Batch) AppendKey(dst []byte, v Value) []byte {
	switch v.Kind {
	case schema.S:
		return AppendKeyText(dst, v.Kind, string(b.Span(v)))
	case schema.N:
		return AppendKeyText(dst, v.Kind, string(b.AppendNumber(nil, v)))
	case schema.B:
		p, _ := b.AppendBinary(nil, v)
		return AppendKeyText(dst, v.Kind, string(p))
	}
	return AppendKeyText(dst, v.Kind, "")
}

// AppendKeyText is AppendKey of a string, a number text or raw bytes.
func AppendKeyText(dst []byte, kind schema.Kind, text string) []byte {
	if kind == schema.N {
		m := parseNumber(text)
		text = strconv.Itoa(m.sign) + " " + strconv.Itoa(m.exponent) + " " + m.digits
	}
	dst = append(dst, byte(kind))
	dst = strconv.AppendInt(dst, int64(len(text)), 10)
	dst = append(dst, ':')
	return append(dst, text...)
}
