package mysqld

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/function"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// An encoder turns rows of the engine into rows of the protocol.
type encoder struct {
	ctx     *sql.Context
	schema  sql.Schema
	columns []wire.Column
	text    []bool             // the columns of text
	set     sql.CharacterSetID // of text; 0 for utf8mb4, as it is held
	binary  bool

	scratch []byte
	row     []byte
	packed  wire.Row
}

func newEncoder(ctx *sql.Context, schema sql.Schema, binary bool) *encoder {
	e := &encoder{ctx: ctx, schema: schema, columns: columnsOf(ctx, schema), binary: binary,
		text: make([]bool, len(schema)), scratch: make([]byte, 0, 256)}
	for i, c := range schema {
		e.text[i] = types.IsTextOnly(c.Type)
	}
	switch set := ctx.GetCharacterSetResults(); set {
	case sql.CharacterSet_Unspecified, sql.CharacterSet_binary, sql.CharacterSet_utf8mb4:
	default:
		e.set = set
	}
	return e
}

// encode returns the payload of a row, valid until the next call.
func (e *encoder) encode(row sql.Row) ([]byte, error) {
	if e.binary {
		return e.encodeBinary(row)
	}
	e.row = e.row[:0]
	for i, v := range row {
		text, err := e.value(i, v)
		switch {
		case err != nil:
			return nil, err
		case text == nil:
			e.row = wire.AppendNull(e.row)
		default:
			e.row = wire.AppendString(e.row, text)
		}
	}
	return e.row, nil
}

func (e *encoder) encodeBinary(row sql.Row) ([]byte, error) {
	e.packed.Begin(len(e.schema))
	for i, v := range row {
		text, err := e.value(i, v)
		if err == nil && text == nil {
			e.packed.Null()
			continue
		}
		if err == nil {
			err = e.packed.Text(&e.columns[i], text)
		}
		if err != nil {
			return nil, err
		}
	}
	return e.packed.Payload(), nil
}

// value writes a value as the text protocol has it; nil is NULL. The bytes are
// valid until the next call.
func (e *encoder) value(i int, v any) ([]byte, error) {
	if e.text[i] {
		switch v := v.(type) {
		case string:
			e.scratch = append(e.scratch[:0], v...)
			return e.transcode(e.scratch), nil
		case []byte:
			if v == nil {
				return nil, nil
			}
			return e.transcode(v), nil
		case float64:
			// The library's own conversion loses the sign.
			e.scratch = strconv.AppendFloat(e.scratch[:0], v, 'g', -1, 64)
			return e.scratch, nil
		}
	}
	if v == nil {
		return nil, nil
	}
	if text := function.Shown(v, e.schema[i].Type); text != nil {
		return text, nil
	}
	out, err := e.schema[i].Type.SQL(e.ctx, e.scratch[:0], v)
	if err != nil || out.IsNull() {
		return nil, err
	}
	if b := out.ToBytes(); b != nil {
		return b, nil
	}
	return []byte{}, nil
}

// transcode puts text into the character set of the client; what it lacks
// becomes '?', as in MySQL.
func (e *encoder) transcode(text []byte) []byte {
	if e.set == 0 {
		return text
	}
	return e.set.Encoder().EncodeReplaceUnknown(text)
}
