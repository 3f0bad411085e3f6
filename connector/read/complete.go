package read

import (
	"context"
	"io"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/internal/ddb"
)

// completed reads the items whose keys an index names, in the order of the
// index. Items that are gone by then give no row.
type completed struct {
	index, table *job
	source       source      // of index rows
	batch        *page.Batch // of index rows
	items        *fanOut     // of the rows in batch
}

func (c *completed) next(ctx context.Context, into *page.Batch) (int64, error) {
	for {
		if c.items != nil {
			n, err := c.items.next(ctx, into)
			if err != io.EOF {
				return n, err
			}
			c.items.close()
			c.items = nil
		}
		if _, err := c.source.next(ctx, c.batch); err != nil {
			return 0, err
		}
		keys, err := c.keys()
		if err != nil {
			return 0, err
		}
		c.items = c.table.batchesOf(keys)
		c.items.ordered = inOrder(&c.table.p)
	}
}

// keys are the table keys of the index rows.
func (c *completed) keys() ([]ddb.Item, error) {
	keys := make([]ddb.Item, c.batch.Rows())
	for row := range keys {
		key := ddb.Item{}
		for _, attr := range c.table.p.Table.Key.Attrs() {
			v, err := c.batch.Attribute(c.batch.Value(row, c.batch.Column(attr.Name)))
			if err != nil || v == nil {
				return nil, &AnswerError{Table: c.index.p.Table.Name, Action: c.index.action(), Why: "an item has no key attribute " + attr.Name}
			}
			key[attr.Name] = v
		}
		keys[row] = key
	}
	return keys, nil
}

func (c *completed) close() {
	c.source.close()
	if c.items != nil {
		c.items.close()
	}
}
