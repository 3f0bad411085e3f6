package exec

import (
	"encoding/binary"
	"math/bits"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/proto/query"

	"github.com/dynasql/dynasql/engine/function"
	"github.com/dynasql/dynasql/engine/vector"
)

// TextType marks a value of a ValueRow that is text in UTF-8, which has still to be
// put into the client's character set.
const TextType = query.Type_VARCHAR

// texts are the values of rows as MySQL's text protocol has them. They belong to
// one goroutine.
type texts struct {
	ctx     *sql.Context
	types   []sql.Type
	row     sql.ValueRow // nil Val is NULL
	scratch []byte
}

func newTexts(ctx *sql.Context, schema sql.Schema) *texts {
	t := &texts{ctx: ctx, row: make(sql.ValueRow, len(schema)), scratch: make([]byte, 0, 256)}
	for _, c := range schema {
		t.types = append(t.types, c.Type)
	}
	return t
}

func (t *texts) put(i int, v any) error {
	from := len(t.scratch)
	text, utf8, err := function.Text(t.ctx, t.scratch[from:], t.types[i], v)
	if err != nil {
		return err
	}
	if cap(t.scratch)-from >= len(text) && len(text) > 0 && &text[0] == &t.scratch[:from+1][from] {
		t.scratch = t.scratch[:from+len(text)]
	}
	t.row[i] = sql.Value{Val: text}
	if utf8 {
		t.row[i].Typ = TextType
	}
	return nil
}

// of are the texts of a row, valid until the next call.
func (t *texts) of(row sql.Row) (sql.ValueRow, error) {
	t.scratch = t.scratch[:0]
	for i, v := range row {
		if err := t.put(i, v); err != nil {
			return nil, err
		}
	}
	return t.row, nil
}

// next are the texts of the next row of an operator.
func (t *texts) next(ctx *sql.Context, rows sql.RowIter) (sql.ValueRow, error) {
	row, err := rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	return t.of(row)
}

// An output makes rows of the items of a pipeline, or writes their values as texts.
type output struct {
	worker  *worker
	columns []sql.Expression // in terms of the pipeline's columns; nil for those of the read
	texts   *texts
	cells   []outputCell // of texts
}

// An outputCell is a column of the read, or whatever gives a value of the row.
type outputCell struct {
	column int // -1 for others
	text   bool
	other  *vector.ByRow
}

func newOutput(w *worker, columns []sql.Expression, schema sql.Schema) *output {
	o := &output{worker: w, columns: columns, texts: newTexts(w.run.ctx, schema)}
	if columns == nil {
		columns = fieldsOf(schema, 0)
	}
	for i, e := range columns {
		cell := outputCell{column: -1, other: w.program.ByRow(e)}
		if f, ok := fieldOf(e); ok && f.Index() < w.cells.Width() {
			cell.column = f.Index()
		}
		_, cell.text = o.texts.types[i].(sql.StringType)
		o.cells = append(o.cells, cell)
	}
	return o
}

// row makes the row of the i-th item of a chunk.
func (o *output) row(c *vector.Chunk, i int) (sql.Row, error) { return o.worker.row(c, i, o.columns) }

// write writes the values of the i-th item of a chunk, without making what the page
// has as it is wanted. The texts are valid until the next call and as long as the
// batch.
func (o *output) write(c *vector.Chunk, i int) (sql.ValueRow, error) {
	t, item := o.texts, int(c.Rows[i])
	t.scratch = t.scratch[:0]
	for at := range o.cells {
		cell := &o.cells[at]
		if cell.column >= 0 {
			text, scratch, ok := o.worker.cells.Text(c.Batch, item, cell.column, t.scratch)
			if t.scratch = scratch; ok {
				t.row[at] = sql.Value{Val: text}
				if cell.text {
					t.row[at].Typ = TextType
				}
				continue
			}
		}
		v, err := cell.other.Value(c, i)
		if err == nil {
			err = t.put(at, withoutSign(v))
		}
		if err != nil {
			return nil, err
		}
	}
	return t.row, nil
}

// withoutSign is 0 for -0, as projections have it.
func withoutSign(v any) any {
	if f, ok := v.(float64); ok && f == 0 {
		return float64(0)
	}
	return v
}

// hide puts a number behind the values of the next row that is packed.
func (t *texts) hide(n uint64) {
	if len(t.row) == len(t.types) {
		t.row = append(t.row, sql.Value{Val: make([]byte, 8)})
	}
	binary.LittleEndian.PutUint64(t.row[len(t.types)].Val, n)
}

// onlyFields reports whether expressions are all columns, so that writing their
// values says nothing and fails at nothing but a column that cannot hold one.
func onlyFields(list []sql.Expression) bool {
	for _, e := range list {
		if _, ok := fieldOf(e); !ok {
			return false
		}
	}
	return true
}

// pack appends the texts of the i-th item of a chunk, for unpack: their length, and
// of each its length and whether it is in UTF-8.
func (o *output) pack(dst []byte, c *vector.Chunk, i int) ([]byte, error) {
	row, err := o.write(c, i)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, v := range row {
		size += uvarintSize(textHead(v)) + len(v.Val)
	}
	dst = binary.AppendUvarint(dst, uint64(size))
	for _, v := range row {
		dst = append(binary.AppendUvarint(dst, textHead(v)), v.Val...)
	}
	return dst, nil
}

// textHead is 0 for NULL.
func textHead(v sql.Value) uint64 {
	head := uint64(len(v.Val)+1) << 1
	switch {
	case v.Val == nil:
		return 0
	case v.Typ == TextType:
		return head | 1
	}
	return head
}

func uvarintSize(n uint64) int { return (bits.Len64(n|1) + 6) / 7 }

// packedRow is the packed row, with its length, that bytes begin with.
func packedRow(b []byte) []byte {
	size, n := binary.Uvarint(b)
	return b[: n+int(size) : n+int(size)]
}

// unpack are the texts of a packed row, valid as long as it.
func (t *texts) unpack(packed []byte) sql.ValueRow {
	_, n := binary.Uvarint(packed)
	packed = packed[n:]
	for i := range t.row {
		head, n := binary.Uvarint(packed)
		packed = packed[n:]
		if head == 0 {
			t.row[i] = sql.Value{}
			continue
		}
		size := int(head>>1) - 1
		t.row[i] = sql.Value{Val: packed[:size:size]}
		if head&1 == 1 {
			t.row[i].Typ = TextType
		}
		packed = packed[size:]
	}
	return t.row
}
