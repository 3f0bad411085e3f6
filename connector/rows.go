package connector

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// rows turns the batches of a stream into the engine's rows.
type rows struct {
	read      *Read
	stream    *read.Stream
	maker     *codec.RowMaker
	batch     *page.Batch
	next      int   // in the batch
	left      int64 // rows of the batch still to be returned
	nullDrift bool
}

func newRows(r *Read, s *read.Stream, nullDrift bool) *rows {
	return &rows{read: r, stream: s, maker: codec.NewRowMaker(r.columns, s.Columns()), nullDrift: nullDrift}
}

// Next implements sql.RowIter.
func (it *rows) Next(ctx *sql.Context) (sql.Row, error) {
	if it.left == 0 {
		var err error
		it.batch, it.left, err = it.stream.NextBatch()
		if err == io.EOF {
			return nil, io.EOF
		}
		if err != nil {
			return nil, it.read.explain(err)
		}
		it.next = 0
	}
	if it.left&0xff == 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	it.left--
	row := make(sql.Row, len(it.read.columns))
	if it.read.plan.Count {
		return row, nil
	}
	item := it.next
	it.next++
	misfits, err := it.maker.Row(it.batch, item, row)
	if err != nil {
		return nil, it.read.malformed(err)
	}
	for _, i := range misfits {
		if err := it.read.drift(ctx, it.batch, item, i, it.nullDrift); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// Close implements sql.RowIter.
func (it *rows) Close(*sql.Context) error { return it.stream.Close() }

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
