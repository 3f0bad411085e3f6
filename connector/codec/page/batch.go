package page

import (
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// Spare is the number of bytes that must follow a body in its buffer: the
// decoder reads sixteen bytes at a time.
const Spare = 16

// Batch holds items, each with a value for every column, and the bytes that
// these refer to. It is reused: everything read from it is valid until the next
// change. A batch belongs to one goroutine at a time.
type Batch struct {
	columns []string
	buf     []byte  // cap is at least len + Spare
	vals    []Value // row-major; the last of each row is the whole item
	rows    int
	touched byte // what Texts read last, so that its reading is not left out
}

// NewBatch makes an empty batch with a column for each attribute.
func NewBatch(attributes []string) *Batch { return &Batch{columns: attributes} }

// Columns are the attributes of the batch, in order. The slice must not be
// changed.
func (b *Batch) Columns() []string { return b.columns }

// Column finds the column of an attribute, or -1.
func (b *Batch) Column(attribute string) int { return slices.Index(b.columns, attribute) }

// Rows is the number of items.
func (b *Batch) Rows() int { return b.rows }

// Value is the attribute of the column in the item of the row.
func (b *Batch) Value(row, column int) Value { return b.vals[row*(len(b.columns)+1)+column] }

// Item is the whole item as it came, as a value of kind M.
func (b *Batch) Item(row int) Value { return b.vals[row*(len(b.columns)+1)+len(b.columns)] }

// Row are the values of one item, one for each column, then the whole item.
func (b *Batch) Row(row int) []Value {
	width := len(b.columns) + 1
	return b.vals[row*width : (row+1)*width : (row+1)*width]
}

// Touch reads a little of an item, which brings it into the processor's caches.
// What it returns means nothing.
func (b *Batch) Touch(row int) (sum byte) {
	for _, v := range b.Row(row) {
		if v.spans() && v.size > 0 {
			sum += b.buf[v.at]
		}
	}
	return sum
}

// Truncate drops the rows from n on.
func (b *Batch) Truncate(n int) {
	if n < b.rows {
		b.rows = n
		b.vals = b.vals[:n*(len(b.columns)+1)]
	}
}

// Clear drops all rows and keeps the memory.
func (b *Batch) Clear() {
	b.rows, b.vals, b.buf = 0, b.vals[:0], b.buf[:0]
}

// Buffer lends the memory of the batch to whoever reads the next body into it,
// and drops all rows. Decoder.Decode gives it back.
func (b *Batch) Buffer() []byte {
	b.Clear()
	return b.buf[:0:cap(b.buf)]
}

// Bytes is the memory in use, for limits on the number of rows held.
func (b *Batch) Bytes() int { return len(b.buf) + len(b.vals)*16 }

// AppendRow copies an item of another batch with the same columns.
func (b *Batch) AppendRow(from *Batch, row int) {
	src := from.Row(row)
	item := src[len(src)-1]
	start := uint64(len(b.buf))
	b.append(from.Span(item))
	for _, v := range src {
		switch {
		case !v.spans():
		case v.at >= item.at && v.at+uint64(v.size) <= item.at+uint64(item.size):
			v.at += start - item.at
		default: // text that was unescaped outside the body
			at := uint64(len(b.buf))
			b.append(from.Span(v))
			v.at = at
		}
		b.vals = append(b.vals, v)
	}
	b.rows++
}

// AppendValues copies the values of an item of another batch with the same columns,
// without the item as a whole, of which Item is empty then.
func (b *Batch) AppendValues(from *Batch, row int) {
	src := from.Row(row)
	for _, v := range src[:len(src)-1] {
		if v.spans() {
			at := uint64(len(b.buf))
			b.buf = append(b.buf, from.Span(v)...)
			v.at = at
		}
		b.vals = append(b.vals, v)
	}
	b.vals = append(b.vals, Value{Kind: schema.M})
	b.rows++
}

// Reserve makes room for as much as another batch holds.
func (b *Batch) Reserve(like *Batch) {
	b.buf, b.vals = slices.Grow(b.buf, len(like.buf)+Spare), slices.Grow(b.vals, len(like.vals))
}

func (v Value) spans() bool {
	switch v.Kind {
	case schema.Missing, schema.Null, schema.Bool:
		return false
	case schema.N:
		return v.scale == wide
	}
	return true
}

func (b *Batch) append(p []byte) {
	b.buf = slices.Grow(b.buf, len(p)+Spare)
	b.buf = append(b.buf, p...)
}

// padded is the buffer and the spare bytes after it, which are zero.
func (b *Batch) padded() []byte {
	b.buf = slices.Grow(b.buf, Spare)
	p := b.buf[:len(b.buf)+Spare]
	clear(p[len(b.buf):])
	return p
}
