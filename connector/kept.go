package connector

import (
	"fmt"
	"io"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
)

// kept holds the rows of a table that a statement goes through more than once:
// on the inner side of a nested loop, or in a subquery that runs for each row
// around it. They are read once, the first time.
type kept struct {
	mu   sync.Mutex // guards the fields below
	done bool
	rows []sql.Row
	// index finds rows by outer columns; nil if no condition allows that.
	index *keptIndex
}

// fill reads all rows of an iterator, unless that has been done.
func (k *kept) fill(ctx *sql.Context, table string, open func() (sql.RowIter, error)) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.done {
		return nil
	}
	k.rows = nil
	if k.index != nil {
		k.index.byKey, k.index.odd = nil, nil
	}
	iter, err := open()
	if err != nil {
		return err
	}
	held := OpenAccount(ctx)
	for {
		row, err := iter.Next(ctx)
		if err == io.EOF {
			break
		}
		if err == nil && !held.Grow(row) {
			err = held.Full(fmt.Sprintf("table '%s', which is kept in memory because the statement goes through it more than once,", table))
		}
		if err == nil && k.index != nil {
			err = k.index.add(ctx, row)
		}
		if err != nil {
			held.Free()
			k.rows = nil
			_ = iter.Close(ctx) // the first error counts
			return err
		}
		k.rows = append(k.rows, row)
	}
	k.done = true
	return iter.Close(ctx)
}

// matching are the rows that can matter for a row of the query around.
func (k *kept) matching(ctx *sql.Context, outer sql.Row) []sql.Row {
	if k.index != nil {
		if rows, ok := k.index.find(ctx, outer); ok {
			return rows
		}
	}
	return k.rows
}

// keptRows goes through kept rows. The rows are read with the first Next.
type keptRows struct {
	from  *kept
	table string
	open  func() (sql.RowIter, error)
	outer sql.Row // of the query around
	rows  []sql.Row
	next  int
}

// Next implements sql.RowIter. A nested loop spends its time here, so that this
// is where it notices that the statement has been cancelled.
func (it *keptRows) Next(ctx *sql.Context) (sql.Row, error) {
	if it.next == 0 {
		if err := it.from.fill(ctx, it.table, it.open); err != nil {
			return nil, err
		}
		it.rows = it.from.matching(ctx, it.outer)
	}
	if it.next&0xff == 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if it.next == len(it.rows) {
		return nil, io.EOF
	}
	row := it.rows[it.next]
	it.next++
	return row, nil
}

// Close implements sql.RowIter.
func (it *keptRows) Close(*sql.Context) error { return nil }
