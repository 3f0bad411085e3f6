package codec

import (
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/apd/v3"

	"github.com/dynasql/dynasql/connector/schema"
)

// ColumnValue converts an item's attribute value to the engine's value of a
// column: what Value gives, and for pinned types int64, float64 or time.Time in
// UTC. It reports false when the column cannot hold the value: nothing is
// rounded or cut.
func ColumnValue(c *schema.Column, v types.AttributeValue) (any, bool) {
	if !c.Whole() {
		v = at(v, c.Path)
	}
	kind := KindOf(v)
	if kind == schema.Missing || kind == schema.Null {
		return nil, true
	}
	switch c.Type {
	case schema.BigInt:
		return bigInt(v)
	case schema.Double:
		return double(v)
	case schema.DateTime:
		return dateTime(c, v)
	case schema.Decimal:
		if c.Digits > 0 {
			return fixedDecimal(c, v)
		}
	case schema.Boolean:
		if c.Form == schema.ZeroOne {
			return zeroOne(v)
		}
	}
	return Value(c.Type, v)
}

// at follows a path of names and positions down an attribute value; nil if it
// leads nowhere. Sets have no positions: their order means nothing.
func at(v types.AttributeValue, path []any) types.AttributeValue {
	for _, elem := range path {
		switch e := elem.(type) {
		case string:
			m, ok := v.(*types.AttributeValueMemberM)
			if !ok {
				return nil
			}
			v = m.Value[e]
		case int:
			l, ok := v.(*types.AttributeValueMemberL)
			if !ok || e >= len(l.Value) {
				return nil
			}
			v = l.Value[e]
		}
	}
	return v
}

func numberOf(v types.AttributeValue) (string, bool) {
	n, ok := v.(*types.AttributeValueMemberN)
	if !ok {
		return "", false
	}
	return n.Value, true
}

func bigInt(v types.AttributeValue) (any, bool) {
	text, ok := numberOf(v)
	if !ok {
		return nil, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	d, err := ParseDecimal(text) // such as 1E3
	if err != nil {
		return nil, false
	}
	n, err := d.Int64()
	return n, err == nil
}

func double(v types.AttributeValue) (any, bool) {
	text, ok := numberOf(v)
	if !ok {
		return nil, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

func zeroOne(v types.AttributeValue) (any, bool) {
	switch text, _ := numberOf(v); text {
	case "0":
		return int8(0), true
	case "1":
		return int8(1), true
	}
	return nil, false
}

func fixedDecimal(c *schema.Column, v types.AttributeValue) (any, bool) {
	text, ok := numberOf(v)
	if !ok {
		return nil, false
	}
	d, err := ParseDecimal(text)
	if err != nil {
		return nil, false
	}
	scale := int32(c.Scale)
	if -d.Exponent > scale || d.NumDigits()+int64(d.Exponent) > int64(c.Digits-c.Scale) && !d.IsZero() {
		return nil, false
	}
	ten := new(apd.BigInt).Exp(apd.NewBigInt(10), apd.NewBigInt(int64(d.Exponent+scale)), nil)
	out := &apd.Decimal{Negative: d.Negative, Exponent: -scale}
	out.Coeff.Mul(&d.Coeff, ten)
	return out, true
}

// dateTime reads a time; it has no more digits of a second than its column.
func dateTime(c *schema.Column, v types.AttributeValue) (any, bool) {
	var t time.Time
	ok := false
	if c.Form == schema.ISO8601 {
		if s, isText := v.(*types.AttributeValueMemberS); isText {
			t, ok = ParseISO(s.Value)
		}
	} else if text, isNumber := numberOf(v); isNumber {
		t, ok = epoch(text, c.Form)
	}
	if !ok || t.Year() < 0 || t.Year() > 9999 {
		return nil, false
	}
	unit := time.Second
	for range c.Scale {
		unit /= 10
	}
	return t, t.Truncate(unit).Equal(t)
}

func epoch(text string, form schema.Form) (time.Time, bool) {
	d, err := ParseDecimal(text)
	if err != nil {
		return time.Time{}, false
	}
	exponent := int32(6) // to microseconds
	if form == schema.EpochMillis {
		exponent = 3
	}
	micros := new(apd.Decimal).Set(d)
	micros.Exponent += exponent
	n, err := micros.Int64()
	return time.UnixMicro(n).UTC(), err == nil
}

// Layouts of ISO 8601, longest first; Go takes a fraction of the second in any
// of them.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02",
}

// ParseISO reads a time in ISO 8601; without a zone it is UTC.
func ParseISO(text string) (time.Time, bool) {
	if len(text) < len("2006-01-02") || strings.TrimSpace(text) != text {
		return time.Time{}, false
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// EpochText is the number that stands for a time in a form.
func EpochText(t time.Time, form schema.Form) (string, bool) {
	if t.Nanosecond()%1000 != 0 {
		return "", false
	}
	d := apd.New(t.UnixMicro(), -6)
	if form == schema.EpochMillis {
		d.Exponent = -3
	}
	return NumberText(d)
}
