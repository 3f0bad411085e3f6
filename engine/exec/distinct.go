package exec

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// keyed goes through rows with their keys: equal rows have equal keys. A row may
// begin with the row of an enclosing query, which the key leaves out.
type keyed struct {
	rows     sql.RowIter
	encoders []key.Encoder
	last     sql.Row
	scratch  bytes.Buffer
	read     int
}

func keyedRows(rows sql.RowIter, schema sql.Schema) *keyed {
	return &keyed{rows: rows, encoders: key.Of(schema)}
}

// next looks for a cancelled statement now and then.
func (it *keyed) next(ctx *sql.Context) (k []byte, err error) {
	if it.last, err = it.rows.Next(ctx); err != nil {
		return nil, err
	}
	if it.read++; it.read&0x3ff == 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	it.scratch.Reset()
	err = key.AppendRow(ctx, &it.scratch, it.encoders, it.last[len(it.last)-len(it.encoders):])
	return it.scratch.Bytes(), err
}

func (it *keyed) row(*sql.Context) (sql.Row, error) { return it.last, nil }

// Close closes the rows.
func (it *keyed) Close(ctx *sql.Context) error { return it.rows.Close(ctx) }

// distinct is DISTINCT: the first of all equal rows, in the order in which they
// came, since ORDER BY may stand below.
type distinct struct {
	overflow
	from interface {
		keyedSource
		Close(*sql.Context) error
	}
	seen  key.Table
	place uint64 // of the next row
	kept  rowList
	late  *sorter   // of rows that waited, by their places
	out   rowSource // of late, once all are in
}

func newDistinct(ctx *sql.Context, child sql.RowIter, schema sql.Schema) *distinct {
	from := keyedRows(child, schema)
	return &distinct{overflow: newOverflow(ctx, from), from: from}
}

// Next implements sql.RowIter.
func (it *distinct) Next(ctx *sql.Context) (sql.Row, error) {
	for it.out == nil {
		k, err := it.input.next(ctx)
		if err == io.EOF {
			if err = it.end(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		it.place++
		if it.isNew(k) {
			return it.input.row(ctx)
		}
		if !it.waits(k) {
			continue
		}
		row, err := it.input.row(ctx)
		if err == nil {
			err = it.putAside(k, row, it.place)
		}
		if err != nil {
			return nil, err
		}
	}
	return it.out.row()
}

// isNew takes a key in, if there is room, and reports whether it was new.
func (it *distinct) isNew(k []byte) bool {
	if it.full {
		return false
	}
	_, isNew := it.seen.Number(k)
	if isNew {
		it.took(int64(len(k) + 48))
	}
	return isNew
}

// waits reports whether the row of a key that is not new has to wait, because the
// key has not been taken in either.
func (it *distinct) waits(k []byte) bool {
	if !it.full {
		return false
	}
	_, known := it.seen.Find(k)
	return !known
}

// putAside has a row wait.
func (it *distinct) putAside(k []byte, row sql.Row, place uint64) error {
	return it.wait("DISTINCT", k, append(sql.Row{place}, row...))
}

// end goes through the rows that wait. With none it ends the rows.
func (it *distinct) end(ctx *sql.Context) error {
	for {
		it.seen = key.Table{}
		more, err := it.again()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if it.late == nil {
			it.late = newSorter(ctx, nil, 0, it.memory)
			it.late.row, it.late.forget = it.kept.row, it.kept.forget
		}
		if err := it.takeLate(ctx); err != nil {
			return err
		}
	}
	if it.late == nil {
		return io.EOF
	}
	var err error
	it.out, err = it.late.finish()
	return err
}

// takeLate goes through one file of rows that wait.
func (it *distinct) takeLate(ctx *sql.Context) error {
	for {
		k, err := it.input.next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		row, err := it.input.row(ctx)
		if err != nil {
			return err
		}
		place, row := row[0].(uint64), row[1:]
		switch {
		case it.isNew(k):
			it.kept.rows = append(it.kept.rows, row)
			err = it.late.add(binary.BigEndian.AppendUint64(nil, place), nil, spill.SizeOf(row))
		case it.waits(k):
			err = it.putAside(k, row, place)
		}
		if err != nil {
			return err
		}
	}
}

func errOr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// Close implements sql.RowIter.
func (it *distinct) Close(ctx *sql.Context) error {
	it.close()
	if it.late != nil {
		it.late.close()
	}
	it.seen, it.kept.rows = key.Table{}, nil
	return it.from.Close(ctx)
}
