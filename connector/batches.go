package connector

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/connector/schema"
)

// Batches is a running Read that hands out its items as they were decoded, for
// operators that work on typed values. It is safe for concurrent use.
type Batches struct {
	read      *Read
	nullDrift bool

	mu     sync.Mutex // guards stream
	stream *read.Stream
}

// Batched reports whether OpenBatches serves the read: its rows are gone through
// once, do not depend on an enclosing query, and no value is looked at of which
// it is counted how often it did not fit.
func (r *Read) Batched(ctx *sql.Context) bool {
	return r.kept == nil && !r.correlated && !driftIsNull(ctx)
}

// OpenBatches runs the read. Nothing is sent before the first Next. The batches
// must be closed.
func (r *Read) OpenBatches(ctx *sql.Context) (*Batches, error) {
	return r.start(ctx, nil)
}

// NewBatch makes an empty batch for Next.
func (b *Batches) NewBatch() *page.Batch { return b.stream.NewBatch() }

// Again makes a batch of items that were kept as the text that Batch.Span gives
// for a whole item.
func (b *Batches) Again(items [][]byte, into *page.Batch) error {
	body := append(into.Buffer(), `{"Items":[`...)
	body = append(append(body, bytes.Join(items, []byte{','})...), "]}"...)
	_, err := page.NewDecoder(b.stream.Columns()).Decode(body, into)
	return err
}

// Next replaces the items of a batch by the next ones and returns their number,
// or io.EOF. A read that only counts leaves the batch empty.
func (b *Batches) Next(into *page.Batch) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.stream.NextInto(into)
	if err != nil && err != io.EOF {
		err = b.read.explain(err)
	}
	return n, err
}

// Close ends the read and waits for its requests.
func (b *Batches) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stream.Close()
}

// Cells gives the values of columns in items. It belongs to one goroutine.
type Cells struct {
	of    *Batches
	maker *codec.RowMaker
}

// Cells makes a source of values.
func (b *Batches) Cells() *Cells {
	return &Cells{b, codec.NewRowMaker(b.read.columns, b.stream.Columns())}
}

// Width is the number of columns of a row.
func (c *Cells) Width() int { return len(c.of.read.columns) }

// Direct tells where in a batch the values of a column are as DynamoDB has them;
// it reports false for a column that is more than an attribute.
func (c *Cells) Direct(column int) (at int, t schema.Type, ok bool) { return c.maker.Direct(column) }

// Text is Value as MySQL's text protocol has it, if the batch has it so; see
// codec.RowMaker.
func (c *Cells) Text(b *page.Batch, item, column int, scratch []byte) (text, _ []byte, ok bool) {
	return c.maker.Text(b, item, column, scratch)
}

// Copy adds an item to a batch that NewBatch made: its values, and the item as a
// whole where a value needs it.
func (c *Cells) Copy(to, from *page.Batch, item int) {
	if c.maker.Plain(from, item) {
		to.AppendValues(from, item)
		return
	}
	to.AppendRow(from, item)
}

// Value is the value that a row has in a column. A value that the column cannot
// hold is an error, or NULL and a counted warning.
func (c *Cells) Value(ctx *sql.Context, b *page.Batch, item, column int) (any, error) {
	v, fits, err := c.maker.Cell(b, item, column)
	if err != nil {
		return nil, c.of.read.malformed(err)
	}
	if !fits {
		return nil, c.of.read.drift(ctx, b, item, column, c.of.nullDrift)
	}
	return v, nil
}

// Row makes the row of an item.
func (c *Cells) Row(ctx *sql.Context, b *page.Batch, item int) (sql.Row, error) {
	row := make(sql.Row, c.Width())
	if err := c.Into(ctx, b, item, row); err != nil {
		return nil, err
	}
	return row, nil
}

// Into fills a row of Width columns with the values of an item.
func (c *Cells) Into(ctx *sql.Context, b *page.Batch, item int, row sql.Row) error {
	misfits, err := c.maker.Row(b, item, row)
	if err != nil {
		return c.of.read.malformed(err)
	}
	for _, column := range misfits {
		if err := c.of.read.drift(ctx, b, item, column, c.of.nullDrift); err != nil {
			return err
		}
	}
	return nil
}

func (r *Read) malformed(err error) error {
	return fmt.Errorf("table '%s': an item is not as DynamoDB writes it: %w", r.table.schema.Name, err)
}
