package exec

import (
	"bytes"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/engine/spill"
)

// stagedWindows are windows over more rows than fit into memory. The rows go
// through a sort for each window that differs in its partitions or its order,
// which may use files; what is in memory of them is one partition. Behind the
// columns of a row stand the values of the functions computed so far.
type stagedWindows struct {
	exprs  []sql.Expression
	at     []int // where in a row the value of an expression of the select list is; -1 if it has to be evaluated
	stages []*windowStage
	ready  []sql.Row // of the last stage
}

// newStagedWindows takes the functions by their windows, and the number of
// columns of the rows that will come.
func newStagedWindows(ctx *sql.Context, exprs []sql.Expression, all [][]placed, columns int) *stagedWindows {
	w := &stagedWindows{exprs: exprs, at: make([]int, len(exprs))}
	for i, e := range exprs {
		w.at[i] = -1
		if f, ok := e.(*expression.GetField); ok && f.Index() < columns {
			w.at[i] = f.Index()
		}
	}
	for _, same := range all {
		w.stages = append(w.stages, newWindowStage(ctx, same))
		for _, f := range same {
			w.at[f.place] = columns
			columns++
		}
	}
	return w
}

// add takes a row in.
func (w *stagedWindows) add(row sql.Row) error { return w.stages[0].add(row) }

// finish takes the rows through all stages but the last.
func (w *stagedWindows) finish(ctx *sql.Context) error {
	for i, s := range w.stages {
		if err := s.finish(); err != nil {
			return err
		}
		if i == len(w.stages)-1 {
			return nil
		}
		for {
			rows, err := s.nextPartition(ctx)
			if err == io.EOF {
				break
			}
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := w.stages[i+1].add(row); err != nil {
					return err
				}
			}
		}
		s.close()
	}
	return nil
}

// next is the next row of the select list.
func (w *stagedWindows) next(ctx *sql.Context) (sql.Row, error) {
	for len(w.ready) == 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var err error
		if w.ready, err = w.stages[len(w.stages)-1].nextPartition(ctx); err != nil {
			return nil, err
		}
	}
	row := w.ready[0]
	w.ready = w.ready[1:]
	out := make(sql.Row, len(w.exprs))
	for i, e := range w.exprs {
		if at := w.at[i]; at >= 0 {
			out[i] = row[at]
			continue
		}
		var err error
		if out[i], err = e.Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (w *stagedWindows) close() {
	if w == nil {
		return
	}
	for _, s := range w.stages {
		s.close()
	}
	w.ready = nil
}

// A windowStage sorts rows for the functions of one window and goes through its
// partitions.
type windowStage struct {
	functions []placed
	terms     sql.SortFields
	by        int // how many terms are of PARTITION BY
	sorter    *sorter
	kept      rowList
	out       rowSource
	account   *spill.Account // of the partition
	later     *sortedRow     // the first row of the next partition
}

// A sortedRow is a row with what it was sorted by.
type sortedRow struct {
	row    sql.Row
	key    []byte
	first  int // the bytes of the key that are of PARTITION BY
	values []any
}

func newWindowStage(ctx *sql.Context, same []placed) *windowStage {
	window, memory := same[0].window, memoryOf(ctx)
	s := &windowStage{functions: same, by: len(window.PartitionBy), account: memory.Account()}
	for _, e := range window.PartitionBy {
		s.terms = append(s.terms, sql.SortField{Column: e, Order: sql.Ascending, NullOrdering: sql.NullsFirst})
	}
	s.terms = append(s.terms, window.OrderBy...)
	s.sorter = newSorter(ctx, s.terms, 0, memory)
	s.sorter.row, s.sorter.forget = s.kept.row, s.kept.forget
	return s
}

func (s *windowStage) add(row sql.Row) error {
	k, values, err := s.sorter.keyOf(s.terms, 0, nil, row)
	if err != nil {
		return err
	}
	s.kept.rows = append(s.kept.rows, row)
	return s.sorter.add(k, values, spill.SizeOf(row))
}

func (s *windowStage) finish() (err error) {
	s.out, err = s.sorter.finish()
	return err
}

// next is the next row in order.
func (s *windowStage) next() (*sortedRow, error) {
	if r := s.later; r != nil {
		s.later = nil
		return r, nil
	}
	row, err := s.out.row()
	if err != nil {
		return nil, err
	}
	r := &sortedRow{row: row}
	var partition, values []any
	if r.key, partition, err = s.sorter.keyOf(s.terms[:s.by], 0, nil, row); err != nil {
		return nil, err
	}
	r.first = len(r.key)
	r.key, values, err = s.sorter.keyOf(s.terms, s.by, r.key, row)
	r.values = append(partition, values...)
	return r, err
}

// nextPartition is the rows of the next partition, in order, each with the
// values of the functions behind its columns.
func (s *windowStage) nextPartition(ctx *sql.Context) ([]sql.Row, error) {
	s.account.Free()
	last, err := s.next()
	if err != nil {
		return nil, err
	}
	order := &sorted{begins: []begin{partition}}
	rows := []sql.Row{last.row}
	for {
		r, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		begins, err := s.begins(last, r)
		if err != nil {
			return nil, err
		}
		if begins == partition {
			s.later = r
			break
		}
		rows, order.begins, last = append(rows, r.row), append(order.begins, begins), r
		if !s.account.Grow(spill.SizeOf(r.row)+int64(32+32*len(s.functions))) && s.account.Beyond() {
			return nil, s.account.Full("a partition of a window, which is kept in memory,")
		}
		if len(rows)&cancelMask == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	order.rows = make([]int32, len(rows))
	for i := range rows {
		order.rows[i] = int32(i)
	}
	return s.compute(ctx, rows, order)
}

func (s *windowStage) compute(ctx *sql.Context, rows []sql.Row, order *sorted) ([]sql.Row, error) {
	results := make([][]any, len(s.functions))
	for i, f := range s.functions {
		var err error
		if results[i], err = f.compute(ctx, rows, order, true); err != nil {
			return nil, err
		}
	}
	for i, row := range rows {
		longer := append(make(sql.Row, 0, len(row)+len(results)), row...)
		for _, values := range results {
			longer = append(longer, values[i])
		}
		rows[i] = longer
	}
	return rows, nil
}

// begins is what begins at a row that comes after another.
func (s *windowStage) begins(last, r *sortedRow) (begin, error) {
	if s.sorter.byBytes {
		switch {
		case r.first != last.first || !bytes.Equal(r.key[:r.first], last.key[:last.first]):
			return partition, nil
		case !bytes.Equal(r.key, last.key):
			return peers, nil
		}
		return nothing, nil
	}
	for i, o := range s.sorter.orders {
		c, err := o.Compare(s.sorter.ctx, last.values[i], r.values[i])
		switch {
		case err != nil:
			return nothing, err
		case c != 0 && i < s.by:
			return partition, nil
		case c != 0:
			return peers, nil
		}
	}
	return nothing, nil
}

func (s *windowStage) close() {
	s.sorter.close()
	s.account.Free()
	s.kept.rows, s.out, s.later = nil, nil, nil
}
