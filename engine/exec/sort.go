package exec

import (
	"io"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/spill"
)

// A Session has a bound on what the operators of its statement hold.
type Session interface{ Memory() *spill.Memory }

func memoryOf(ctx *sql.Context) *spill.Memory {
	if s, ok := ctx.Session.(Session); ok {
		return s.Memory()
	}
	return spill.NewMemory(0, nil)
}

// An ordering is ORDER BY with or without LIMIT.
type ordering struct {
	fields sql.SortFields
	most   int // rows; 0 for all
	child  sql.Node
}

// mostTop is the LIMIT up to which the rows wanted are kept while reading;
// beyond it all are sorted, which can go to files.
const mostTop = 10_000

func orderingOf(ctx *sql.Context, n sql.Node) (ordering, bool) {
	switch n := n.(type) {
	case *plan.Sort:
		return ordering{fields: n.SortFields, child: n.Child}, true
	case *plan.TopN:
		v, err := n.Limit.Eval(ctx, nil)
		if n.CalcFoundRows || err != nil {
			return ordering{}, false
		}
		limit, _, err := types.Int64.Convert(ctx, v)
		if most, ok := limit.(int64); ok && err == nil && most > 0 && most <= mostTop {
			return ordering{n.Fields, int(most), n.Child}, true
		}
	}
	return ordering{}, false
}

// sortedAndCut sorts and then cuts where a limit is large, or all rows are to be
// counted; nil leaves the node as it is. The library's operator fails on LIMIT 10,
// 18446744073709551615, by which MySQL's manual skips rows.
func sortedAndCut(ctx *sql.Context, n *plan.TopN) (sql.Node, error) {
	v, err := n.Limit.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	converted, _, err := types.Int64.Convert(ctx, v)
	limit, ok := converted.(int64)
	if err != nil || !ok || limit >= 0 && limit <= mostTop && !n.CalcFoundRows {
		return nil, err
	}
	if limit < 0 { // the sum of limit and offset went beyond 64 bits
		limit = math.MaxInt64
	}
	cut := plan.NewLimit(expression.NewLiteral(limit, types.Int64), plan.NewSort(n.Fields, n.Child))
	return cut.WithCalcFoundRows(n.CalcFoundRows), nil
}

func (o ordering) build(ctx *sql.Context, b sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	if len(row) == 0 {
		if p, ok := pipelineOf(ctx, o.child); ok {
			if it := typedSort(ctx, b, p, o); it != nil {
				return it, nil
			}
		}
	}
	child, err := b.Build(ctx, o.child, row)
	if err != nil {
		return nil, err
	}
	return &sortedRows{ordering: o, from: child}, nil
}

// rowList are rows that a sorter puts in order.
type rowList struct{ rows []sql.Row }

func (l *rowList) row(at int) (sql.Row, error) { return l.rows[at], nil }

func (l *rowList) forget(kept []int) {
	rows := make([]sql.Row, len(kept))
	for i, at := range kept {
		rows[i] = l.rows[at]
	}
	l.rows = rows
}

// sortedRows sorts the rows of another operator.
type sortedRows struct {
	ordering
	from   sql.RowIter
	sorter *sorter
	kept   rowList
	out    rowSource
	limit  limited
}

// limited counts the rows of an ordering down.
type limited struct{ given int }

func (l *limited) next(o *ordering, from rowSource) (sql.Row, error) {
	if o.most > 0 && l.given == o.most {
		return nil, io.EOF
	}
	l.given++
	return from.row()
}

// Next implements sql.RowIter.
func (it *sortedRows) Next(ctx *sql.Context) (sql.Row, error) {
	if it.out == nil {
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	return it.limit.next(&it.ordering, it.out)
}

func (it *sortedRows) fill(ctx *sql.Context) error {
	s := newSorter(ctx, it.fields, it.most, memoryOf(ctx))
	it.sorter, s.row, s.forget = s, it.kept.row, it.kept.forget
	var k []byte
	for n := 0; ; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := it.from.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		var values []any
		if k, values, err = s.keyOf(it.fields, 0, k[:0], row); err != nil {
			return err
		}
		if s.byBytes && !s.wanted(k) {
			continue
		}
		it.kept.rows = append(it.kept.rows, row)
		if err := s.add(k, values, spill.SizeOf(row)); err != nil {
			return err
		}
	}
	var err error
	it.out, err = s.finish()
	return err
}

// keyOf evaluates the terms of an ORDER BY over a row, from one on.
func (s *sorter) keyOf(fields sql.SortFields, from int, k []byte, row sql.Row) ([]byte, []any, error) {
	var values []any
	for i := from; i < len(fields); i++ {
		v, err := fields[i].Column.Eval(s.ctx, row)
		if err != nil {
			return nil, nil, err
		}
		if !s.byBytes {
			values = append(values, v)
			continue
		}
		if k, err = s.orders[i].AppendValue(s.ctx, k, v); err != nil {
			return nil, nil, err
		}
	}
	return k, values, nil
}

// Close implements sql.RowIter.
func (it *sortedRows) Close(ctx *sql.Context) error {
	if it.sorter != nil {
		it.sorter.close()
	}
	it.kept.rows, it.out = nil, nil
	return it.from.Close(ctx)
}
