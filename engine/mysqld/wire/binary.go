package wire

import (
	"fmt"
	"math"
	"strconv"
)

// A Row is built in binary form: AppendValue for each column, in order.
type Row struct {
	buf   []byte
	at    int // of the next column
	first int // of the null bitmap
}

// Begin starts a row of n columns.
func (r *Row) Begin(n int) {
	r.buf = append(r.buf[:0], 0)
	for range (n + 9) / 8 {
		r.buf = append(r.buf, 0)
	}
	r.at, r.first = 0, 1
}

// Payload is the row; it is valid until the next Begin.
func (r *Row) Payload() []byte { return r.buf }

// Null adds a NULL.
func (r *Row) Null() {
	bit := r.at + 2
	r.buf[r.first+bit/8] |= 1 << (bit % 8)
	r.at++
}

// Text adds a value given as MySQL's text protocol writes it, in the binary
// form of the column's type. A text that is none of the type is an error.
func (r *Row) Text(c *Column, text []byte) error {
	var err error
	r.buf, err = appendBinary(r.buf, c, text)
	r.at++
	return err
}

func appendBinary(b []byte, c *Column, text []byte) ([]byte, error) {
	switch c.Type {
	case TypeTiny, TypeShort, TypeYear, TypeLong, TypeInt24, TypeLongLong:
		return appendInteger(b, c, text)
	case TypeFloat:
		f, err := strconv.ParseFloat(string(text), 32)
		return appendUint32(b, math.Float32bits(float32(f))), unfit(err, c, text)
	case TypeDouble:
		f, err := strconv.ParseFloat(string(text), 64)
		return appendUint64(b, math.Float64bits(f)), unfit(err, c, text)
	case TypeDate, TypeDatetime, TypeTimestamp:
		return appendDate(b, c, text)
	case TypeTime:
		return appendTime(b, c, text)
	}
	return AppendString(b, text), nil
}

func unfit(err error, c *Column, text []byte) error {
	if err != nil {
		return fmt.Errorf("column '%s': %q does not fit its type", c.Name, text)
	}
	return nil
}

func appendInteger(b []byte, c *Column, text []byte) ([]byte, error) {
	var v uint64
	var err error
	if c.Flags&Unsigned != 0 {
		v, err = strconv.ParseUint(string(text), 10, 64)
	} else {
		var signed int64
		signed, err = strconv.ParseInt(string(text), 10, 64)
		v = uint64(signed)
	}
	if err != nil {
		return b, unfit(err, c, text)
	}
	switch c.Type {
	case TypeTiny:
		return append(b, byte(v)), nil
	case TypeShort, TypeYear:
		return appendUint16(b, uint16(v)), nil
	case TypeLong, TypeInt24:
		return appendUint32(b, uint32(v)), nil
	}
	return appendUint64(b, v), nil
}

// digits reads the runs of digits in a date or time, such as 2024-05-06
// 07:08:09.1; the last run may be a fraction, in millionths.
func digits(text []byte) (fields [7]int, n int, ok bool) {
	fraction, inside := false, false
	for i, ch := range text {
		switch {
		case ch >= '0' && ch <= '9':
			if !inside {
				if n == len(fields) {
					return fields, n, false
				}
				n, inside = n+1, true
			}
			if fields[n-1] = fields[n-1]*10 + int(ch-'0'); fields[n-1] > 1<<30 {
				return fields, n, false
			}
		case ch == '-' || ch == ':' || ch == ' ' || ch == 'T':
			inside = false
		case ch == '.' && i+1 < len(text):
			inside, fraction = false, true
			text := text[i+1:]
			micros := 0
			for d := range 6 {
				micros *= 10
				if d < len(text) && text[d] >= '0' && text[d] <= '9' {
					micros += int(text[d] - '0')
				}
			}
			if n == len(fields) {
				return fields, n, false
			}
			fields[n] = micros
			return fields, n + 1, fraction
		default:
			return fields, n, false
		}
	}
	return fields, n, true
}

func appendDate(b []byte, c *Column, text []byte) ([]byte, error) {
	f, n, ok := digits(text)
	if !ok || n != 3 && n != 6 && n != 7 {
		return b, unfit(errMalformed, c, text)
	}
	size := byte(11)
	switch {
	case n == 7 && f[6] != 0:
	case f[3] != 0 || f[4] != 0 || f[5] != 0:
		size = 7
	case f[0] != 0 || f[1] != 0 || f[2] != 0:
		size = 4
	default:
		return append(b, 0), nil
	}
	b = append(b, size, byte(f[0]), byte(f[0]>>8), byte(f[1]), byte(f[2]))
	if size >= 7 {
		b = append(b, byte(f[3]), byte(f[4]), byte(f[5]))
	}
	if size == 11 {
		b = appendUint32(b, uint32(f[6]))
	}
	return b, nil
}

func appendTime(b []byte, c *Column, text []byte) ([]byte, error) {
	negative := byte(0)
	unsigned := text
	if len(text) > 0 && text[0] == '-' {
		negative, unsigned = 1, text[1:]
	}
	f, n, ok := digits(unsigned)
	if !ok || n != 3 && n != 4 {
		return b, unfit(errMalformed, c, text)
	}
	if f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 0 {
		return append(b, 0), nil
	}
	size := byte(8)
	if n == 4 && f[3] != 0 {
		size = 12
	}
	b = append(b, size, negative)
	b = appendUint32(b, uint32(f[0]/24))
	b = append(b, byte(f[0]%24), byte(f[1]), byte(f[2]))
	if size == 12 {
		b = appendUint32(b, uint32(f[3]))
	}
	return b, nil
}
