package codec

import (
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
)

// RowMaker makes the engine's rows of the items of batches, with the values that
// Value gives. It belongs to one goroutine.
type RowMaker struct {
	columns []rowColumn
	misfits []int
}

type rowColumn struct {
	kind   schema.Type
	at     int            // in the batch
	path   []any          // inside the attribute
	pinned *schema.Column // not nil for a type that Value does not serve
}

// NewRowMaker makes rows with these columns from batches with these attributes.
// A column that is nil, or whose attribute the batches lack, is always NULL.
func NewRowMaker(columns []*schema.Column, attributes []string) *RowMaker {
	positions := make(map[string]int, len(attributes))
	for i, a := range attributes {
		positions[a] = i
	}
	m := &RowMaker{columns: make([]rowColumn, len(columns))}
	for i, c := range columns {
		m.columns[i].at = -1
		if c == nil {
			continue
		}
		m.columns[i].kind = c.Type
		m.columns[i].path = c.Path
		if c.Digits > 0 || c.Form != schema.AsIs || c.Type >= schema.BigInt {
			whole := *c
			whole.Path = nil
			m.columns[i].pinned = &whole
		}
		if at, ok := positions[c.Attribute]; ok {
			m.columns[i].at = at
		}
	}
	return m
}

// Row fills a row, which must be as long as there are columns, from an item. It
// returns the columns that cannot hold their value, whose place in the row is
// nil; the slice is valid until the next call. The row keeps nothing of the
// batch. The error reports a batch whose documents are not DynamoDB JSON.
func (m *RowMaker) Row(b *page.Batch, item int, row []any) (misfits []int, err error) {
	values := b.Row(item)
	texts, numbers := m.sizes(values)
	a := arena{numbers: make([]apd.Decimal, numbers)}
	a.text.Grow(texts)
	m.misfits = m.misfits[:0]
	for i := range m.columns {
		fits := true
		if row[i], fits, err = a.cell(&m.columns[i], b, item); err != nil {
			return nil, err
		}
		if !fits {
			m.misfits = append(m.misfits, i)
		}
	}
	return m.misfits, nil
}

// Cell is the value that Row puts into one column; it reports false, and gives
// nil, where the column cannot hold the item's.
func (m *RowMaker) Cell(b *page.Batch, item, column int) (v any, fits bool, err error) {
	var a arena
	return a.cell(&m.columns[column], b, item)
}

// Text is the value that Row puts into one column as MySQL's text protocol has it:
// the text of the batch, or one at the end of scratch, which is returned with it;
// nil is NULL. It reports false for a value that Cell has to give.
func (m *RowMaker) Text(b *page.Batch, item, column int, scratch []byte) (text, _ []byte, ok bool) {
	c := &m.columns[column]
	if c.at < 0 || len(c.path) > 0 || c.pinned != nil {
		return nil, scratch, false
	}
	from := len(scratch)
	switch v := b.Value(item, c.at); {
	case v.Null():
		return nil, scratch, true
	case v.Kind == schema.S && (c.kind == schema.Text || c.kind == schema.MixedText):
		return b.Span(v), scratch, true
	case v.Kind == schema.N && c.kind == schema.Decimal:
		if _, _, small := v.Small(); !small {
			return nil, scratch, false
		}
		scratch = b.AppendNumber(scratch, v)
	case v.Kind == schema.Bool && c.kind == schema.Boolean && v.True():
		scratch = append(scratch, '1')
	case v.Kind == schema.Bool && c.kind == schema.Boolean:
		scratch = append(scratch, '0')
	default:
		return nil, scratch, false
	}
	return scratch[from:], scratch, true
}

// Plain reports whether all values of a row can be had from those of the item, and
// none of them is such that its column cannot hold it: the item as a whole is not
// needed.
func (m *RowMaker) Plain(b *page.Batch, item int) bool {
	values := b.Row(item)
	for i := range m.columns {
		c := &m.columns[i]
		if len(c.path) > 0 || c.pinned != nil || c.kind == schema.WholeItem || c.kind == schema.WireItem {
			return false
		}
		if c.at < 0 || values[c.at].Null() {
			continue
		}
		switch kind := values[c.at].Kind; c.kind {
		case schema.Text, schema.MixedText:
			if kind != schema.S {
				return false
			}
		case schema.Decimal:
			if kind != schema.N {
				return false
			}
		case schema.Boolean:
			if kind != schema.Bool {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Direct tells where in a batch the values of a column are, and reports false
// if they are not an attribute as it is.
func (m *RowMaker) Direct(column int) (at int, t schema.Type, ok bool) {
	c := &m.columns[column]
	return c.at, c.kind, c.at >= 0 && len(c.path) == 0 && c.pinned == nil
}

func (a *arena) cell(c *rowColumn, b *page.Batch, item int) (v any, fits bool, err error) {
	switch {
	case c.kind == schema.WholeItem || c.kind == schema.WireItem:
		v, err = wholeItem(b, item, c.kind)
		return v, true, err
	case c.at < 0:
		return nil, true, nil
	}
	if v, fits, err = a.column(c, b, b.Value(item, c.at)); !fits {
		v = nil
	}
	return v, fits, err
}

// sizes are the bytes of text and the numbers of a row, so that each are
// allocated at once: they are kept or dropped with the row.
func (m *RowMaker) sizes(values []page.Value) (texts, numbers int) {
	for _, c := range m.columns {
		if c.at < 0 {
			continue
		}
		switch v := values[c.at]; v.Kind {
		case schema.S:
			texts += v.Size()
		case schema.N:
			numbers++
		}
	}
	return texts, numbers
}

// arena has the memory of one row.
type arena struct {
	text    strings.Builder
	numbers []apd.Decimal
}

func (a *arena) value(t schema.Type, b *page.Batch, v page.Value) (any, bool, error) {
	switch {
	case v.Null():
		return nil, true, nil
	case v.Kind == schema.S && (t == schema.Text || t == schema.MixedText):
		return a.string(b.Span(v)), true, nil
	case v.Kind == schema.N && t == schema.Decimal:
		return a.decimal(b, v)
	case v.Kind == schema.Bool && t == schema.Boolean:
		return boolean(v.True()), true, nil
	case v.Kind == schema.Bool && t == schema.MixedText:
		return strconv.FormatBool(v.True()), true, nil
	}
	if t == schema.JSON && v.Kind >= schema.M {
		tree, err := b.Document(v)
		return Document{tree: tree}, true, err
	}
	av, err := b.Attribute(v)
	if err != nil {
		return nil, false, err
	}
	value, fits := Value(t, av)
	return value, fits, nil
}

// column is the value of a column, or of the place inside of its attribute.
func (a *arena) column(c *rowColumn, b *page.Batch, v page.Value) (any, bool, error) {
	if len(c.path) > 0 && !v.Null() {
		var err error
		if v, err = b.Path(v, c.path...); err != nil {
			return nil, false, err
		}
	}
	if c.pinned == nil || v.Null() {
		return a.value(c.kind, b, v)
	}
	if c.kind == schema.BigInt && v.Kind == schema.N {
		if digits, scale, ok := v.Small(); ok && scale == 0 {
			return digits, true, nil
		}
	}
	av, err := b.Attribute(v)
	if err != nil {
		return nil, false, err
	}
	value, fits := ColumnValue(c.pinned, av)
	return value, fits, nil
}

// string copies a text; the copies of a row are one piece of memory.
func (a *arena) string(span []byte) string {
	from := a.text.Len()
	a.text.Write(span)
	return a.text.String()[from:]
}

func (a *arena) decimal(b *page.Batch, v page.Value) (any, bool, error) {
	digits, scale, ok := v.Small()
	if !ok {
		d, err := ParseDecimal(string(b.AppendNumber(nil, v)))
		return d, err == nil, nil
	}
	if len(a.numbers) == 0 {
		a.numbers = make([]apd.Decimal, 1)
	}
	d := &a.numbers[0]
	a.numbers = a.numbers[1:]
	d.SetFinite(digits, -int32(scale))
	return d, true, nil
}

func wholeItem(b *page.Batch, item int, t schema.Type) (any, error) {
	tree, err := b.Document(b.Item(item))
	if err != nil {
		return nil, err
	}
	return Document{tree: tree, item: true, wire: t == schema.WireItem}, nil
}
