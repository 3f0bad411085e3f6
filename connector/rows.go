package connector

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// rows are the engine's rows of a running read.
type rows struct {
	cells *Cells
	batch *page.Batch
	next  int   // in the batch
	left  int64 // rows of the batch still to be returned
}

func newRows(b *Batches) *rows { return &rows{cells: b.Cells(), batch: b.NewBatch()} }

// Next implements sql.RowIter.
func (it *rows) Next(ctx *sql.Context) (sql.Row, error) {
	if it.left == 0 {
		var err error
		if it.left, err = it.cells.of.Next(it.batch); err != nil {
			return nil, err
		}
		it.next = 0
	}
	if it.left&0xff == 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	it.left--
	if it.cells.of.read.plan.Count {
		return make(sql.Row, it.cells.Width()), nil
	}
	it.next++
	return it.cells.Row(ctx, it.batch, it.next-1)
}

// Close implements sql.RowIter.
func (it *rows) Close(*sql.Context) error { return it.cells.of.Close() }

func (r *Read) explain(err error) error {
	var known interface{ Hint() string }
	if errors.As(err, &known) {
		return err
	}
	return ddb.Explain(err, ddb.Target{Action: r.plan.Op.String(), Table: r.table.schema.Name, Index: r.plan.Index})
}

// drift deals with a value that its column cannot hold: an error that widens
// the column for the next statement, or NULL with a counted warning.
func (r *Read) drift(ctx *sql.Context, b *page.Batch, row, column int, isNull bool) error {
	item, err := b.ItemMap(row)
	if err != nil {
		return err
	}
	c, t := r.columns[column], r.table.schema
	e := codec.NewDriftError(t.Name, keyText(t, item), c, item)
	if isNull {
		if s, ok := ctx.Session.(Session); ok {
			s.Drifted(e)
		}
		return nil
	}
	if !c.Pinned {
		r.table.db.catalog.Widen(t.Name, c.Attribute, e.Kind)
	}
	return e
}

func keyText(t *schema.Table, item ddb.Item) string {
	var parts []string
	for _, a := range t.Key.Attrs() {
		if v, ok := codec.KeyScalar(item[a.Name], a.Kind); ok {
			parts = append(parts, fmt.Sprintf("%s = '%s'", a.Name, v.Text))
		}
	}
	return strings.Join(parts, ", ")
}
