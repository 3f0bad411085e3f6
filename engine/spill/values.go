package spill

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
)

// Tags of values in files.
const (
	tagNull = iota
	tagFalse
	tagTrue
	tagInt8
	tagInt16
	tagInt32
	tagInt64
	tagInt
	tagUint8
	tagUint16
	tagUint32
	tagUint64
	tagFloat32
	tagFloat64
	tagString
	tagBytes
	tagDecimal
	tagTime
	tagTimespan
	tagDocument
	tagPlain
	tagJSON
	tagJSONText
	tagList
	tagMap
)

var errForm = errors.New("a temporary file is not as it was written")

// AppendRow writes a row so that ParseRow reads the same values, of the same
// types.
func AppendRow(b []byte, row sql.Row) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(len(row)))
	for _, v := range row {
		var err error
		if b, err = appendValue(b, v); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func appendValue(b []byte, v any) ([]byte, error) {
	integer := func(tag byte, n int64) ([]byte, error) { return binary.AppendVarint(append(b, tag), n), nil }
	natural := func(tag byte, n uint64) ([]byte, error) { return binary.AppendUvarint(append(b, tag), n), nil }
	switch v := v.(type) {
	case nil:
		return append(b, tagNull), nil
	case bool:
		if v {
			return append(b, tagTrue), nil
		}
		return append(b, tagFalse), nil
	case string:
		return appendText(append(b, tagString), v), nil
	case []byte:
		return appendText(append(b, tagBytes), v), nil
	case *apd.Decimal:
		return appendDecimal(append(b, tagDecimal), v), nil
	case int8:
		return integer(tagInt8, int64(v))
	case int16:
		return integer(tagInt16, int64(v))
	case int32:
		return integer(tagInt32, int64(v))
	case int64:
		return integer(tagInt64, v)
	case int:
		return integer(tagInt, int64(v))
	case uint8:
		return natural(tagUint8, uint64(v))
	case uint16:
		return natural(tagUint16, uint64(v))
	case uint32:
		return natural(tagUint32, uint64(v))
	case uint64:
		return natural(tagUint64, v)
	case float32:
		return binary.LittleEndian.AppendUint32(append(b, tagFloat32), math.Float32bits(v)), nil
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, tagFloat64), math.Float64bits(v)), nil
	case time.Time:
		return appendTime(b, v)
	case types.Timespan:
		return integer(tagTimespan, int64(v))
	}
	return appendNested(b, v)
}

// appendNested writes documents and what is in them.
func appendNested(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case codec.Document:
		if p, plain, ok := v.Stored(); !ok {
			return appendValue(append(b, tagPlain), plain)
		} else {
			return appendText(append(b, tagDocument), p), nil
		}
	case types.JSONDocument:
		return appendValue(append(b, tagJSON), v.Val)
	case types.JSONBytes:
		p, err := v.GetBytes(context.Background())
		return appendText(append(b, tagJSONText), p), err
	case []any:
		b = binary.AppendUvarint(append(b, tagList), uint64(len(v)))
		var err error
		for _, e := range v {
			if b, err = appendValue(b, e); err != nil {
				return nil, err
			}
		}
		return b, nil
	case map[string]any:
		b = binary.AppendUvarint(append(b, tagMap), uint64(len(v)))
		var err error
		for name, e := range v {
			if b, err = appendValue(appendText(b, name), e); err != nil {
				return nil, err
			}
		}
		return b, nil
	case sql.AnyWrapper:
		plain, err := v.UnwrapAny(context.Background())
		if err != nil {
			return nil, err
		}
		return appendValue(b, plain)
	}
	return nil, errors.New("rows with geometries cannot be put into temporary files: SET ddb_memory_limit to more bytes")
}

func appendText[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendTime(b []byte, t time.Time) ([]byte, error) {
	p, err := t.MarshalBinary()
	return appendText(append(b, tagTime), p), err
}

func appendDecimal(b []byte, d *apd.Decimal) []byte {
	if d.Form == apd.Finite && d.Coeff.IsInt64() {
		sign := byte(0)
		if d.Negative {
			sign = 1
		}
		b = binary.AppendUvarint(append(b, sign), uint64(d.Coeff.Int64()))
		return binary.AppendVarint(b, int64(d.Exponent))
	}
	return appendText(append(b, 2), d.Text('E'))
}
