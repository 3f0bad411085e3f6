package spill

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
)

// ParseRow reads what AppendRow wrote. The row keeps nothing of the bytes.
func ParseRow(b []byte) (sql.Row, error) {
	p := parser{b: b}
	row := make(sql.Row, p.count())
	for i := range row {
		row[i] = p.value()
	}
	if p.bad || len(p.b) > 0 {
		return nil, errForm
	}
	return row, nil
}

// A parser takes values off the front of bytes. Once they are not as expected it
// gives zero values.
type parser struct {
	b   []byte
	bad bool
}

func (p *parser) fail() { p.b, p.bad = nil, true }

func (p *parser) take(n uint64) []byte {
	if n > uint64(len(p.b)) {
		p.fail()
		return nil
	}
	out := p.b[:n]
	p.b = p.b[n:]
	return out
}

func (p *parser) byte() byte {
	if b := p.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (p *parser) natural() uint64 {
	v, n := binary.Uvarint(p.b)
	if n <= 0 {
		p.fail()
		return 0
	}
	p.b = p.b[n:]
	return v
}

func (p *parser) integer() int64 {
	v, n := binary.Varint(p.b)
	if n <= 0 {
		p.fail()
		return 0
	}
	p.b = p.b[n:]
	return v
}

// count is a number of things of at least one byte each.
func (p *parser) count() uint64 {
	n := p.natural()
	if n > uint64(len(p.b)) {
		p.fail()
		return 0
	}
	return n
}

func (p *parser) text() []byte { return p.take(p.natural()) }

func (p *parser) value() any {
	switch tag := p.byte(); tag {
	case tagFalse, tagTrue:
		return tag == tagTrue
	case tagInt8:
		return int8(p.integer())
	case tagInt16:
		return int16(p.integer())
	case tagInt32:
		return int32(p.integer())
	case tagInt64:
		return p.integer()
	case tagInt:
		return int(p.integer())
	case tagUint8:
		return uint8(p.natural())
	case tagUint16:
		return uint16(p.natural())
	case tagUint32:
		return uint32(p.natural())
	case tagUint64:
		return p.natural()
	case tagFloat32:
		if b := p.take(4); b != nil {
			return math.Float32frombits(binary.LittleEndian.Uint32(b))
		}
	case tagFloat64:
		if b := p.take(8); b != nil {
			return math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	case tagString:
		return string(p.text())
	case tagBytes:
		return append([]byte{}, p.text()...)
	case tagDecimal:
		return p.decimal()
	case tagTime:
		var t time.Time
		if t.UnmarshalBinary(p.text()) != nil {
			p.fail()
		}
		return t
	case tagTimespan:
		return types.Timespan(p.integer())
	case tagNull:
	default:
		return p.nested(tag)
	}
	return nil
}

func (p *parser) nested(tag byte) any {
	switch tag {
	case tagDocument:
		d, err := codec.ParseStored(p.text())
		if err != nil {
			p.fail()
		}
		return d
	case tagPlain:
		return codec.PlainDocument(p.value())
	case tagJSON:
		return types.JSONDocument{Val: p.value()}
	case tagJSONText:
		return types.NewLazyJSONDocument(append([]byte{}, p.text()...))
	case tagList:
		list := make([]any, p.count())
		for i := range list {
			list[i] = p.value()
		}
		return list
	case tagMap:
		m := map[string]any{}
		for range p.count() {
			name := string(p.text())
			m[name] = p.value()
		}
		return m
	}
	p.fail()
	return nil
}

func (p *parser) decimal() *apd.Decimal {
	sign := p.byte()
	if sign == 2 {
		d, _, err := apd.NewFromString(string(p.text()))
		if err != nil {
			p.fail()
			return nil
		}
		return d
	}
	d := new(apd.Decimal)
	d.Coeff.SetUint64(p.natural())
	d.Exponent, d.Negative = int32(p.integer()), sign == 1
	return d
}
