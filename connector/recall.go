package connector

import (
	"fmt"
	"io"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
)

// A recall keeps what the reads of a correlated subquery gave, so that rows of
// the enclosing query that ask for the same read it once. It keeps what there is
// room for.
type recall struct {
	mu      sync.Mutex // guards the fields below
	account Account
	byWhere map[string][]sql.Row
	full    bool
}

func (r *recall) find(where string) ([]sql.Row, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows, ok := r.byWhere[where]
	return rows, ok
}

// grow reports whether a row may be kept.
func (r *recall) grow(ctx *sql.Context, row sql.Row) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.account == nil {
		r.account = OpenAccount(ctx)
	}
	if !r.full && !r.account.Grow(row) {
		r.full, r.byWhere = true, nil
		r.account.Free()
	}
	return !r.full
}

func (r *recall) keep(ctx *sql.Context, where string, rows []sql.Row) {
	if !r.grow(ctx, sql.Row{where}) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byWhere == nil {
		r.byWhere = map[string][]sql.Row{}
	}
	r.byWhere[where] = rows
}

// recalled runs a correlated read for a row of the enclosing query, or gives
// again what the same read gave.
func (r *Read) recalled(ctx *sql.Context, outer sql.Row) (sql.RowIter, error) {
	run, err := r.chosen(ctx, outer)
	if err != nil {
		return nil, err
	}
	where := fmt.Sprintf("%#v", run.request.Where)
	if rows, ok := r.recall.find(where); ok {
		return sql.RowsToRowIter(rows...), nil
	}
	from, err := run.stream(ctx)
	if err != nil {
		return nil, err
	}
	return &recallingRows{RowIter: newRows(from), of: r.recall, where: where, keeps: true}, nil
}

// recallingRows keeps the rows of a read that is gone through to its end.
type recallingRows struct {
	sql.RowIter
	of    *recall
	where string
	rows  []sql.Row
	keeps bool
}

// Next implements sql.RowIter.
func (it *recallingRows) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := it.RowIter.Next(ctx)
	switch {
	case !it.keeps:
	case err == nil && it.of.grow(ctx, row):
		it.rows = append(it.rows, row)
	case err == io.EOF:
		it.keeps = false
		it.of.keep(ctx, it.where, it.rows)
	default:
		it.keeps, it.rows = false, nil
	}
	return row, err
}
