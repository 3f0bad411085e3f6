package exec

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// typedRanks is ROW_NUMBER, RANK and DENSE_RANK over one window, for rows of columns
// that are asked for as texts: the items are sorted by partition and order, and
// counted as they come out.
type typedRanks struct {
	sorted  *typedSorted // of the columns
	columns []rankColumn

	row       sql.ValueRow
	last      []byte // the key of the last row
	partition int    // the bytes of it that are of PARTITION BY
	counts    map[string]int64
	digits    []byte
}

// A rankColumn is a function, by its name, or a column of the rows that are sorted.
type rankColumn struct {
	function string
	at       int
}

// ranksOf returns nil for a window that is to be computed on rows. Above are fields of
// it, or nil for all.
func ranksOf(ctx *sql.Context, library sql.NodeExecBuilder, n *plan.Window, above []sql.Expression) writer {
	all := functionsByWindow(n.SelectExprs)
	p, ok := pipelineOf(ctx, n.Child)
	if !ok || len(p.joins) > 0 || len(all) != 1 {
		return nil
	}
	window := all[0][0].window
	o := ordering{child: n.Child}
	for _, e := range window.PartitionBy {
		o.fields = append(o.fields, sql.SortField{Column: e, Order: sql.Ascending, NullOrdering: sql.NullsFirst})
	}
	o.fields = append(o.fields, window.OrderBy...)
	it := &typedRanks{sorted: typedSort(ctx, library, p, o), counts: map[string]int64{}}
	if it.sorted == nil {
		return nil
	}
	if above == nil {
		above = fieldsOf(n.Schema(ctx), 0)
	}
	var columns []sql.Expression
	for _, e := range above {
		field, ok := fieldOf(e)
		if !ok {
			return nil
		}
		e = n.SelectExprs[field.Index()]
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		if f, ok := e.(*over); ok {
			if f.name != "row_number" && f.name != "rank" && f.name != "dense_rank" {
				return nil
			}
			it.columns = append(it.columns, rankColumn{function: f.name})
			continue
		}
		if _, ok := fieldOf(e); !ok {
			return nil
		}
		it.columns = append(it.columns, rankColumn{at: len(columns)})
		columns = append(columns, e)
	}
	schema := make(sql.Schema, len(columns))
	for i, e := range columns {
		schema[i] = &sql.Column{Name: e.String(), Type: e.Type(ctx)}
	}
	if !it.sorted.project(ctx, columns, schema) || !onlyFields(it.sorted.columns) {
		return nil
	}
	it.sorted.partitions, it.sorted.ranked = len(window.PartitionBy), true
	it.row = make(sql.ValueRow, len(it.columns))
	return it
}

// fieldOf is the column that an expression is.
func fieldOf(e sql.Expression) (*expression.GetField, bool) {
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	f, ok := e.(*expression.GetField)
	return f, ok
}

// NextValueRow implements writer.
func (it *typedRanks) NextValueRow(ctx *sql.Context) (sql.ValueRow, error) {
	row, err := it.sorted.NextValueRow(ctx)
	if err != nil {
		return nil, err
	}
	k, c := it.sorted.key, it.counts
	switch {
	case it.last == nil || !bytes.HasPrefix(k, it.last[:it.partition]): // no key begins another
		c["row_number"], c["rank"], c["dense_rank"] = 1, 1, 1
		it.partition = int(binary.LittleEndian.Uint64(row[len(row)-1].Val))
	case bytes.Equal(k, it.last):
		c["row_number"]++
	default:
		c["row_number"]++
		c["rank"] = c["row_number"]
		c["dense_rank"]++
	}
	it.last = append(append(it.last[:0], k...), 0)[:len(k)] // not nil
	it.digits = it.digits[:0]
	for i, column := range it.columns {
		if column.function == "" {
			it.row[i] = row[column.at]
			continue
		}
		from := len(it.digits)
		it.digits = strconv.AppendInt(it.digits, c[column.function], 10)
		it.row[i] = sql.Value{Val: it.digits[from:]}
	}
	return it.row, nil
}

// stopAfter implements writer: all items have to be sorted.
func (it *typedRanks) stopAfter(int64) {}

// Close implements writer.
func (it *typedRanks) Close(ctx *sql.Context) error { return it.sorted.Close(ctx) }
