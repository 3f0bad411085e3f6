package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// A sideRow is a row of one side with its key, which is valid until the next row.
type sideRow struct {
	row  sql.Row
	key  []byte
	null bool // there is no key, because a term of it is NULL
}

// An input has the rows of one side: those of an operator, or of a file.
type input struct {
	from sql.RowIter
	key  *joinKey
	file *spill.File
	read *fileRows // of the file, or nil
	back *sideRow  // was given back
}

func (s *input) next(ctx *sql.Context) (r sideRow, err error) {
	if s.back != nil {
		r, s.back = *s.back, nil
		return r, nil
	}
	if s.read != nil {
		r.key, err = s.read.next(ctx)
		r.row = s.read.last
		return r, err
	}
	if s.from == nil {
		return r, io.EOF
	}
	if r.row, err = s.from.Next(ctx); err != nil {
		return r, err
	}
	r.key, r.null, err = s.key.key(ctx, r.row)
	return r, err
}

// open goes on with a file, or with no rows if there is none.
func (s *input) open(f *spill.File) error {
	_ = s.file.Close() // read to its end
	s.file, s.read = f, nil
	if f == nil {
		return nil
	}
	from, err := f.Read()
	if err == nil {
		s.read = &fileRows{from: from}
	}
	return err
}

func (s *input) close() { _ = s.file.Close() }

// rightRows are the rows of the right side by their keys.
type rightRows struct {
	keys    key.Table
	first   []int32 // by key: 1 + the row that came first
	last    []int32
	rows    []sql.Row
	next    []int32 // by row: 1 + the next with its key, or 0
	account *spill.Account
}

// add reports whether there is room for more.
func (r *rightRows) add(k []byte, row sql.Row) bool {
	r.rows, r.next = append(r.rows, row), append(r.next, 0)
	at := int32(len(r.rows))
	if n, isNew := r.keys.Number(k); isNew {
		r.first, r.last = append(r.first, at), append(r.last, at)
	} else {
		r.next[r.last[n]-1] = at
		r.last[n] = at
	}
	return r.account.Grow(spill.SizeOf(row) + int64(len(k)) + 64)
}

// find returns 1 + the first row with a key, or 0.
func (r *rightRows) find(k []byte) int32 {
	if n, ok := r.keys.Find(k); ok {
		return r.first[n]
	}
	return 0
}
