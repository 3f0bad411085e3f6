// Package key writes SQL values as bytes so that two values have the same bytes
// exactly when SQL holds them equal: for grouping, DISTINCT, set operations and
// hash joins. The engine library compares hashes of texts instead, where 1.50
// and 1.5 differ and NULL is the text '<nil>'.
package key

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// An Encoder writes the values of one expression.
type Encoder struct {
	kind      class
	collation sql.CollationID
	typ       sql.Type
}

// A class is how values of a type are compared.
type class uint8

const (
	other    class = iota
	text           // by collation
	bytewise       // text whose collation is the order of bytes
	number         // exactly
	double
	document
)

// For returns the encoder of values of a type.
func For(t sql.Type) Encoder {
	k := Encoder{typ: t}
	switch {
	case types.IsText(t):
		k.kind, k.collation = text, t.(sql.StringType).Collation()
		if k.collation == sql.Collation_utf8mb4_0900_bin || k.collation == sql.Collation_binary {
			k.kind = bytewise
		}
	case types.IsFloat(t):
		k.kind = double
	case types.IsNumber(t):
		k.kind = number
	case types.IsJSON(t):
		k.kind = document
	}
	return k
}

// Of returns the encoders of the columns of a schema.
func Of(schema sql.Schema) []Encoder {
	out := make([]Encoder, len(schema))
	for i, c := range schema {
		out[i] = For(c.Type)
	}
	return out
}

const (
	null  = 0
	value = 1
)

// AppendRow writes a row, for which there must be as many encoders.
func AppendRow(ctx *sql.Context, key *bytes.Buffer, encoders []Encoder, row sql.Row) error {
	for i, v := range row {
		if err := encoders[i].Append(ctx, key, v); err != nil {
			return err
		}
	}
	return nil
}

// Append writes a value: no value's bytes begin another's. NULL equals NULL.
func (k Encoder) Append(ctx *sql.Context, key *bytes.Buffer, v any) error {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return err
	}
	if v == nil {
		key.WriteByte(null)
		return nil
	}
	key.WriteByte(value)
	at := key.Len()
	key.Write([]byte{0, 0, 0, 0}) // the length, once known
	if err := k.write(ctx, key, v); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(key.Bytes()[at:], uint32(key.Len()-at-4))
	return nil
}

func (k Encoder) write(ctx *sql.Context, key *bytes.Buffer, v any) error {
	switch k.kind {
	case bytewise:
		switch v := v.(type) {
		case string:
			key.WriteString(v)
			return nil
		case []byte:
			key.Write(v)
			return nil
		}
	case text:
		if s, ok := v.(string); ok {
			return k.collation.WriteWeightString(key, s)
		}
	case document:
		return appendDocument(ctx, key, v)
	case double:
		if f, ok := floatOf(v); ok {
			appendFloat(key, f)
			return nil
		}
	}
	return k.plain(ctx, key, v)
}

// plain writes a value by what it is.
func (k Encoder) plain(ctx *sql.Context, key *bytes.Buffer, v any) error {
	if appendNumber(key, v) {
		return nil
	}
	switch v := v.(type) {
	case string:
		key.WriteString(v)
	case []byte:
		key.Write(v)
	case time.Time:
		key.WriteString(v.UTC().Format(time.RFC3339Nano))
	default:
		out, err := k.typ.SQL(ctx, nil, v)
		if err != nil {
			return err
		}
		key.Write(out.ToBytes())
	}
	return nil
}

func floatOf(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case *apd.Decimal:
		f, err := v.Float64()
		return f, err == nil
	}
	if n, ok := Integer(v); ok {
		return float64(n), true
	}
	if n, ok := v.(uint64); ok {
		return float64(n), true
	}
	return 0, false
}

func appendFloat(key *bytes.Buffer, f float64) {
	if f == 0 {
		f = 0 // of -0 too
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(f))
	key.Write(b[:])
}

// Integer returns a value of an integer type that is within an int64, or a boolean
// as 0 or 1; false for others.
func Integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int8:
		return int64(v), true
	case int16:
		return int64(v), true
	case int32:
		return int64(v), true
	case int:
		return int64(v), true
	case uint8:
		return int64(v), true
	case uint16:
		return int64(v), true
	case uint32:
		return int64(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// appendNumber writes a number by its value, whatever its type: sign, exponent
// and digits without trailing zeros.
func appendNumber(key *bytes.Buffer, v any) bool {
	if n, ok := Integer(v); ok {
		if n < 0 {
			appendDigits(key, true, uint64(-n), 0)
		} else {
			appendDigits(key, false, uint64(n), 0)
		}
		return true
	}
	switch v := v.(type) {
	case uint64:
		appendDigits(key, false, v, 0)
	case uint:
		appendDigits(key, false, uint64(v), 0)
	case *apd.Decimal:
		appendDecimal(key, v)
	case float64:
		appendShortest(key, v, 64)
	case float32:
		appendShortest(key, float64(v), 32)
	default:
		return false
	}
	return true
}

// appendShortest writes a floating-point number among numbers of other types
// as the decimal by which it is shown.
func appendShortest(key *bytes.Buffer, f float64, bits int) {
	d, _, err := apd.NewFromString(strconv.FormatFloat(f, 'e', -1, bits))
	if err != nil {
		appendFloat(key, f)
		return
	}
	appendDecimal(key, d)
}

func appendDecimal(key *bytes.Buffer, d *apd.Decimal) {
	if d.Form == apd.Finite && d.Coeff.IsUint64() {
		appendDigits(key, d.Negative, d.Coeff.Uint64(), d.Exponent)
		return
	}
	reduced, _ := new(apd.Decimal).Reduce(d)
	if reduced.Form == apd.Finite && reduced.Coeff.IsUint64() {
		appendDigits(key, reduced.Negative, reduced.Coeff.Uint64(), reduced.Exponent)
		return
	}
	text := reduced.Text('e')
	key.WriteByte('d')
	appendLength(key, len(text))
	key.WriteString(text)
}

// AppendDigits writes the number digits / 10^scale as the encoder of a type of
// exact numbers does.
func AppendDigits(dst []byte, digits int64, scale uint8) []byte {
	n := numberOf(digits < 0, uint64(max(digits, -digits)), -int32(scale))
	dst = append(dst, value, byte(len(n)), 0, 0, 0)
	return append(dst, n[:]...)
}

// AppendText writes a text as the encoder of a type that compares bytes does.
func AppendText(dst, text []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(append(dst, value), uint32(len(text)))
	return append(dst, text...)
}

func appendDigits(key *bytes.Buffer, negative bool, digits uint64, exponent int32) {
	n := numberOf(negative, digits, exponent)
	key.Write(n[:])
}

// numberOf is a number without zeros at the end of its digits: sign, exponent,
// digits.
func numberOf(negative bool, digits uint64, exponent int32) (b [13]byte) {
	for digits != 0 && digits%10 == 0 {
		digits /= 10
		exponent++
	}
	if digits == 0 {
		negative, exponent = false, 0
	}
	b[0] = 'n'
	if negative {
		b[0] = 'm'
	}
	binary.LittleEndian.PutUint32(b[1:], uint32(exponent))
	binary.LittleEndian.PutUint64(b[5:], digits)
	return b
}
