package key

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// An Order writes the values of one term of an ORDER BY as bytes in whose order
// the values are sorted. No value's bytes begin another's, so that the bytes of
// several terms can stand one after another.
type Order struct {
	typ        sql.Type
	class      orderClass
	collation  sql.CollationID
	descending bool
	nullsLast  bool // of the ascending order
}

type orderClass uint8

const (
	byCompare orderClass = iota // only the type's Compare knows
	byNumber
	byDouble
	byBytes
	byWeights
	byTime
)

// OrderOf returns the order of a term of an ORDER BY.
func OrderOf(ctx *sql.Context, f sql.SortField) Order {
	o := NewOrder(f.Column.Type(ctx), f.Order == sql.Descending)
	o.nullsLast = f.NullOrdering == sql.NullsLast
	return o
}

// NewOrder returns the order of values of a type, in which NULL is the least.
func NewOrder(t sql.Type, descending bool) Order {
	o := Order{typ: t, descending: descending}
	switch {
	case types.IsText(t):
		o.class, o.collation = byWeights, t.(sql.StringType).Collation()
		if o.collation == sql.Collation_binary || o.collation == sql.Collation_utf8mb4_0900_bin {
			o.class = byBytes
		}
	case types.IsFloat(t):
		o.class = byDouble
	case types.IsDecimal(t) || types.IsInteger(t):
		o.class = byNumber
	case types.IsTime(t) || types.IsTimespan(t):
		o.class = byTime
	}
	return o
}

// Bytes reports whether Append serves the order. If not, Compare does.
func (o Order) Bytes() bool { return o.class != byCompare }

// Tags that begin a value in ascending order.
const (
	orderNullFirst = 1
	orderValue     = 2
	orderNullLast  = 3
)

// Append writes a value. It reports false for a value that only Compare can
// place; what it wrote is of no use then.
func (o Order) Append(dst []byte, v any) ([]byte, bool) {
	if v == nil {
		return o.AppendNull(dst), true
	}
	start, ok := len(dst), false
	dst = append(dst, orderValue)
	switch o.class {
	case byNumber:
		dst, ok = appendNumberOrder(dst, v)
	case byDouble:
		var f float64
		if f, ok = floatOf(v); ok {
			dst = appendFloatOrder(dst, f)
		}
	case byBytes:
		switch v := v.(type) {
		case string:
			dst, ok = appendBytesOrder(dst, v), true
		case []byte:
			dst, ok = appendBytesOrder(dst, v), true
		}
	case byWeights:
		var s string
		if s, ok = v.(string); ok {
			dst = o.appendWeights(dst, s)
		}
	case byTime:
		dst, ok = appendTimeOrder(dst, v)
	}
	o.direct(dst[start:])
	return dst, ok
}

// AppendValue is Append for a value as an expression gives it.
func (o Order) AppendValue(ctx context.Context, dst []byte, v any) ([]byte, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, err
	}
	if b, ok := o.Append(dst, v); ok {
		return b, nil
	}
	if v, _, err = o.typ.Convert(ctx, v); err != nil {
		return nil, err
	}
	b, ok := o.Append(dst, v)
	if !ok {
		err = errors.New("ORDER BY a value that is not of its expression's type")
	}
	return b, err
}

// direct turns the order of bytes round where it descends.
func (o Order) direct(b []byte) {
	if o.descending {
		invert(b)
	}
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// AppendNull writes NULL.
func (o Order) AppendNull(dst []byte) []byte {
	tag := byte(orderNullFirst)
	if o.nullsLast {
		tag = orderNullLast
	}
	dst = append(dst, tag)
	o.direct(dst[len(dst)-1:])
	return dst
}

// AppendText writes a text whose order is that of its bytes.
func (o Order) AppendText(dst, text []byte) []byte {
	start := len(dst)
	dst = appendBytesOrder(append(dst, orderValue), text)
	o.direct(dst[start:])
	return dst
}

// AppendDigits writes the number digits / 10^scale.
func (o Order) AppendDigits(dst []byte, digits int64, scale uint8) []byte {
	start := len(dst)
	dst = appendDigitsOrder(append(dst, orderValue), digits < 0, magnitude(digits), -int32(scale))
	o.direct(dst[start:])
	return dst
}

// NullLeast is a number that is not above the first 8 bytes of a key that begins
// with NULL; TextLeast and DigitsLeast are the same for keys that begin as
// AppendText and AppendDigits begin them.
func (o Order) NullLeast() uint64 {
	var b [8]byte
	o.AppendNull(b[:0])
	return binary.BigEndian.Uint64(b[:])
}

// TextLeast is for a text whose order is that of its bytes; see NullLeast.
func (o Order) TextLeast(text []byte) uint64 {
	var b [8]byte
	b[0] = orderValue
	n := 1 + copy(b[1:], text)
	if zero := bytes.IndexByte(b[:n], 0); zero > 0 {
		n = zero
		clear(b[n:])
	}
	o.direct(b[:n])
	return binary.BigEndian.Uint64(b[:])
}

// DigitsLeast is for the number digits / 10^scale; see NullLeast.
func (o Order) DigitsLeast(digits int64, scale uint8) uint64 {
	p := digitsPrefix(digits, scale)
	switch {
	case !o.descending || p == 0:
	case digits == 0:
		p = ^p &^ (1<<48 - 1)
	default:
		p = ^p
	}
	return p
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// Compare orders two values as Append does.
func (o Order) Compare(ctx context.Context, a, b any) (int, error) {
	c := 0
	switch {
	case a == nil && b == nil:
		return 0, nil
	case a == nil || b == nil:
		if c = 1; (a == nil) != o.nullsLast {
			c = -1
		}
	default:
		var err error
		if c, err = o.typ.Compare(ctx, a, b); err != nil {
			return 0, err
		}
	}
	if o.descending {
		c = -c
	}
	return c, nil
}

// appendBytesOrder writes bytes, in which 0 is escaped, and an end that is less
// than any byte.
func appendBytesOrder[T string | []byte](dst []byte, text T) []byte {
	start := len(dst)
	dst = append(dst, text...)
	if bytes.IndexByte(dst[start:], 0) >= 0 {
		dst = dst[:start]
		for i := range len(text) {
			if dst = append(dst, text[i]); text[i] == 0 {
				dst = append(dst, 0xff)
			}
		}
	}
	return append(dst, 0, 0)
}

// appendWeights writes the weights by which the collation compares characters;
// none is negative, and the end is less than any.
func (o Order) appendWeights(dst []byte, s string) []byte {
	weight := o.collation.Sorter()
	for _, r := range s {
		dst = binary.BigEndian.AppendUint32(dst, uint32(weight(r))+1)
	}
	return append(dst, 0, 0, 0, 0)
}

func appendFloatOrder(dst []byte, f float64) []byte {
	if f == 0 {
		f = 0 // of -0 too
	}
	bits := math.Float64bits(f)
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

func appendTimeOrder(dst []byte, v any) ([]byte, bool) {
	switch v := v.(type) {
	case time.Time:
		dst = binary.BigEndian.AppendUint64(dst, uint64(v.Unix())^1<<63)
		return binary.BigEndian.AppendUint32(dst, uint32(v.Nanosecond())), true
	case types.Timespan:
		return binary.BigEndian.AppendUint64(dst, uint64(v)^1<<63), true
	}
	return dst, false
}
