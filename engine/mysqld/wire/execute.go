package wire

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// Kind says how the text of a parameter is meant.
type Kind byte

// Kinds of parameters.
const (
	KindNull Kind = iota
	KindInteger
	KindFloat
	KindDecimal
	KindText
	KindBytes
)

// Parameter is the value of one ? of a prepared statement.
type Parameter struct {
	Kind Kind
	Text []byte
}

// ParameterType is the type under which a client sends a parameter.
type ParameterType struct {
	Type     Type
	Unsigned bool
}

// Execute is a COM_STMT_EXECUTE.
type Execute struct {
	Statement uint32
	// Cursor asks for rows to be held until they are fetched.
	Cursor bool
	// Types are those of the parameters: new ones, or those of the last time.
	Types      []ParameterType
	Parameters []Parameter
}

// StatementID is the statement that a COM_STMT_ command names, given the
// payload behind the command byte.
func StatementID(payload []byte) (id uint32, rest []byte, err error) {
	r := reader{rest: payload}
	id = r.uint32()
	return id, r.rest, r.err()
}

// ParseExecute reads what follows the statement's id. known are the types of
// the last execution; long are parameters that came before, piece by piece, by
// their index.
func ParseExecute(id uint32, payload []byte, count int, known []ParameterType, long map[int][]byte) (Execute, error) {
	r := reader{rest: payload}
	x := Execute{Statement: id, Cursor: r.uint8()&1 != 0, Types: known}
	r.uint32() // iterations, always 1
	if count == 0 {
		return x, r.err()
	}
	nulls := r.take((count + 7) / 8)
	if r.uint8() == 1 {
		x.Types = make([]ParameterType, count)
		for i := range x.Types {
			t := r.take(2)
			if t == nil {
				return x, errMalformed
			}
			x.Types[i] = ParameterType{Type(t[0]), t[1]&0x80 != 0}
		}
	}
	if r.bad || len(x.Types) != count {
		return x, errMalformed
	}
	x.Parameters = make([]Parameter, count)
	for i := range x.Parameters {
		if piece, ok := long[i]; ok {
			x.Parameters[i] = Parameter{textOrBytes(x.Types[i].Type), piece}
			continue
		}
		if nulls[i/8]&(1<<(i%8)) != 0 {
			continue
		}
		p, err := readParameter(&r, x.Types[i])
		if err != nil {
			return x, fmt.Errorf("parameter %d: %w", i+1, err)
		}
		x.Parameters[i] = p
	}
	return x, r.err()
}

func readParameter(r *reader, t ParameterType) (Parameter, error) {
	switch t.Type {
	case TypeNull:
		return Parameter{}, nil
	case TypeTiny, TypeShort, TypeYear, TypeLong, TypeInt24, TypeLongLong:
		return readInteger(r, t)
	case TypeFloat:
		f := float64(math.Float32frombits(r.uint32()))
		return Parameter{KindFloat, strconv.AppendFloat(nil, f, 'e', -1, 32)}, finite(r, f)
	case TypeDouble:
		f := math.Float64frombits(r.uint64())
		return Parameter{KindFloat, strconv.AppendFloat(nil, f, 'e', -1, 64)}, finite(r, f)
	case TypeDate, TypeDatetime, TypeTimestamp:
		return readDate(r)
	case TypeTime:
		return readTime(r)
	case 0, TypeNewDecimal:
		return readDecimal(r)
	case TypeVarchar, TypeBit, TypeJSON, TypeEnum, TypeSet, TypeTinyBlob, TypeMediumBlob, TypeLongBlob, TypeBlob,
		TypeVarString, TypeString, TypeGeometry:
		return Parameter{textOrBytes(t.Type), r.bytes()}, r.err()
	}
	return Parameter{}, fmt.Errorf("type %d is unknown", t.Type)
}

// readDecimal makes sure that the text is a number, since it becomes part of a
// statement.
func readDecimal(r *reader) (Parameter, error) {
	text := r.bytes()
	if r.bad {
		return Parameter{}, errMalformed
	}
	if !decimal.Match(text) {
		return Parameter{}, fmt.Errorf("%q is not a number", text)
	}
	return Parameter{KindDecimal, text}, nil
}

var decimal = regexp.MustCompile(`^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$`)

func finite(r *reader, f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("%v is not a number of SQL", f)
	}
	return r.err()
}

// textOrBytes: what is sent as a BLOB may be text as well; clients use the type
// for both.
func textOrBytes(t Type) Kind {
	switch t {
	case TypeTinyBlob, TypeMediumBlob, TypeLongBlob, TypeBlob, TypeBit, TypeGeometry:
		return KindBytes
	}
	return KindText
}

func readInteger(r *reader, t ParameterType) (Parameter, error) {
	var v uint64
	var signed int64
	switch t.Type {
	case TypeTiny:
		v = uint64(r.uint8())
		signed = int64(int8(v))
	case TypeShort, TypeYear:
		v = uint64(r.uint16())
		signed = int64(int16(v))
	case TypeLong, TypeInt24:
		v = uint64(r.uint32())
		signed = int64(int32(v))
	default:
		v = r.uint64()
		signed = int64(v)
	}
	if t.Unsigned {
		return Parameter{KindInteger, strconv.AppendUint(nil, v, 10)}, r.err()
	}
	return Parameter{KindInteger, strconv.AppendInt(nil, signed, 10)}, r.err()
}

func readDate(r *reader) (Parameter, error) {
	size := r.uint8()
	f := reader{rest: r.take(int(size)), bad: r.bad}
	year, month, day := uint16(0), byte(0), byte(0)
	if size >= 4 {
		year, month, day = f.uint16(), f.uint8(), f.uint8()
	}
	text := fmt.Appendf(nil, "%04d-%02d-%02d", year, month, day)
	if size >= 7 {
		text = fmt.Appendf(text, " %02d:%02d:%02d", f.uint8(), f.uint8(), f.uint8())
	}
	if size >= 11 {
		text = fmt.Appendf(text, ".%06d", f.uint32())
	}
	return Parameter{KindText, text}, f.err()
}

func readTime(r *reader) (Parameter, error) {
	size := r.uint8()
	f := reader{rest: r.take(int(size)), bad: r.bad}
	if size == 0 {
		return Parameter{KindText, []byte("00:00:00")}, f.err()
	}
	var text []byte
	if f.uint8() != 0 {
		text = append(text, '-')
	}
	days := uint64(f.uint32())
	text = fmt.Appendf(text, "%02d:%02d:%02d", days*24+uint64(f.uint8()), f.uint8(), f.uint8())
	if size >= 12 {
		text = fmt.Appendf(text, ".%06d", f.uint32())
	}
	return Parameter{KindText, text}, f.err()
}

// LongData is a COM_STMT_SEND_LONG_DATA: a piece of a parameter.
type LongData struct {
	Parameter int
	Piece     []byte
}

// ParseLongData reads what follows the statement's id.
func ParseLongData(payload []byte) (LongData, error) {
	r := reader{rest: payload}
	n := int(r.uint16())
	return LongData{n, r.rest}, r.err()
}

// ParseFetch reads how many rows a COM_STMT_FETCH wants.
func ParseFetch(payload []byte) (uint32, error) {
	r := reader{rest: payload}
	n := r.uint32()
	return n, r.err()
}
