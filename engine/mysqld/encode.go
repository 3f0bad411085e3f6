package mysqld

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/exec"
	"github.com/dynasql/dynasql/engine/function"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// An encoder turns rows of the engine into rows of the protocol.
type encoder struct {
	ctx     *sql.Context
	schema  sql.Schema
	columns []wire.Column
	set     sql.CharacterSetID // of text; 0 for utf8mb4, as it is held
	binary  bool

	scratch []byte
	row     []byte
	packed  wire.Row
}

func newEncoder(ctx *sql.Context, schema sql.Schema, binary bool) *encoder {
	e := &encoder{ctx: ctx, schema: schema, columns: columnsOf(ctx, schema), binary: binary,
		scratch: make([]byte, 0, 256)}
	switch set := ctx.GetCharacterSetResults(); set {
	case sql.CharacterSet_Unspecified, sql.CharacterSet_binary, sql.CharacterSet_utf8mb4:
	default:
		e.set = set
	}
	return e
}

// next returns the payload of the next row, valid until the next call, or io.EOF.
func (e *encoder) next(rows sql.RowIter) ([]byte, error) {
	e.begin()
	if texts, ok := rows.(sql.ValueRowIter); ok && texts.IsValueRowIter(e.ctx) {
		row, err := texts.NextValueRow(e.ctx)
		for i := 0; i < len(row) && err == nil; i++ {
			text := []byte(row[i].Val)
			if row[i].Typ == exec.TextType {
				text = e.transcode(text)
			}
			err = e.append(i, text)
		}
		return e.payload(), err
	}
	row, err := rows.Next(e.ctx)
	for i := 0; i < len(row) && err == nil; i++ {
		var text []byte
		if text, err = e.value(i, row[i]); err == nil {
			err = e.append(i, text)
		}
	}
	return e.payload(), err
}

func (e *encoder) begin() {
	if e.binary {
		e.packed.Begin(len(e.schema))
	}
	e.row = e.row[:0]
}

// append adds a value as the text protocol has it.
func (e *encoder) append(i int, text []byte) error {
	switch {
	case e.binary && text == nil:
		e.packed.Null()
	case e.binary:
		return e.packed.Text(&e.columns[i], text)
	case text == nil:
		e.row = wire.AppendNull(e.row)
	default:
		e.row = wire.AppendString(e.row, text)
	}
	return nil
}

func (e *encoder) payload() []byte {
	if e.binary {
		return e.packed.Payload()
	}
	return e.row
}

// value writes a value as the text protocol has it; nil is NULL. The bytes are
// valid until the next call.
func (e *encoder) value(i int, v any) ([]byte, error) {
	text, utf8, err := function.Text(e.ctx, e.scratch, e.schema[i].Type, v)
	if !utf8 {
		return text, err
	}
	if _, copied := v.(string); copied && len(text) > 0 {
		e.scratch = text[:0]
	}
	return e.transcode(text), err
}

// transcode puts text into the character set of the client; what it lacks
// becomes '?', as in MySQL.
func (e *encoder) transcode(text []byte) []byte {
	if e.set == 0 || text == nil {
		return text
	}
	return e.set.Encoder().EncodeReplaceUnknown(text)
}
