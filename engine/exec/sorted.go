package exec

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
)

// sorted is the order of rows in a window, with the places where a partition
// or a group of peers begins.
type sorted struct {
	rows   []int32 // the numbers of the rows, in order
	begins []begin // what begins at each place of the order
}

type begin uint8

const (
	nothing begin = iota
	peers
	partition
)

// A term is what rows are put in order by.
type term struct {
	of         sql.Expression
	descending bool
}

// sortRows puts rows in the order of a window: by its partitions, whose order
// is that of their values, and within them by its order. Each key is computed
// once a row. Equal rows stay as they come.
func sortRows(ctx *sql.Context, rows []sql.Row, w *sql.WindowDefinition) (*sorted, error) {
	partitions, of, err := partitionsOf(ctx, rows, w.PartitionBy)
	if err != nil {
		return nil, err
	}
	terms := make([]term, len(w.OrderBy))
	for i, f := range w.OrderBy {
		terms[i] = term{f.Column, f.Order == sql.Descending}
	}
	keys, err := newSortKeys(ctx, rows, terms)
	if err != nil {
		return nil, err
	}
	entries := keys.entries(partitions, of)
	out := &sorted{make([]int32, len(rows)), make([]begin, len(rows))}
	start := 0
	for _, end := range partitions {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		part := entries[start:end]
		if len(terms) > 0 {
			keys.sort(part)
		}
		for i, e := range part {
			out.rows[start+i] = e.row
			switch {
			case i == 0:
				out.begins[start] = partition
			case !keys.same(e, part[i-1]):
				out.begins[start+i] = peers
			}
		}
		start = end
	}
	return out, nil
}

// partitionsOf returns where each partition ends when rows are put together by
// them, and for each row its partition. Partitions are in the order of their
// values.
func partitionsOf(ctx *sql.Context, rows []sql.Row, by []sql.Expression) (ends []int, of []int32, err error) {
	of = make([]int32, len(rows))
	if len(by) == 0 || len(rows) == 0 {
		return []int{len(rows)}, of, nil
	}
	terms := make([]term, len(by))
	for i, e := range by {
		terms[i].of = e
	}
	keys, err := newSortKeys(ctx, rows, terms)
	if err != nil {
		return nil, nil, err
	}
	var found key.Table
	for row := range int32(len(rows)) {
		n, _ := found.Number(keys.of(row))
		of[row] = int32(n)
	}
	order := make([]int32, found.Len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return found.Compare(int(a), int(b)) })
	place := make([]int32, len(order))
	for i, n := range order {
		place[n] = int32(i)
	}
	ends = make([]int, len(order))
	for row, n := range of {
		of[row] = place[n]
		ends[place[n]]++
	}
	for i := range ends[1:] {
		ends[i+1] += ends[i]
	}
	return ends, of, nil
}

// sortKeys are the keys of rows, one after the other.
type sortKeys struct {
	bytes []byte
	ends  []int // of each row's key; none if there is nothing to sort by
}

func newSortKeys(ctx *sql.Context, rows []sql.Row, terms []term) (*sortKeys, error) {
	k := &sortKeys{}
	if len(terms) == 0 {
		return k, nil
	}
	orders, places, err := ordersOf(ctx, rows, terms)
	if err != nil {
		return nil, err
	}
	k.ends = make([]int, len(rows))
	for i, row := range rows {
		if i&cancelMask == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j, t := range terms {
			if places[j] != nil {
				k.bytes = binary.BigEndian.AppendUint32(k.bytes, places[j][i])
				continue
			}
			v, err := t.of.Eval(ctx, row)
			if err != nil {
				return nil, err
			}
			if k.bytes, err = orders[j].AppendValue(ctx, k.bytes, v); err != nil {
				return nil, err
			}
		}
		k.ends[i] = len(k.bytes)
		if i == cancelMask { // the keys of so many rows tell how long all will be
			k.bytes = slices.Grow(k.bytes, len(k.bytes)/i*(len(rows)-i))
		}
	}
	return k, nil
}

// ordersOf returns the order of each term and, for one whose values have no
// key with an order, as documents, the place of each row's value among all.
func ordersOf(ctx *sql.Context, rows []sql.Row, terms []term) ([]key.Order, [][]uint32, error) {
	orders, places := make([]key.Order, len(terms)), make([][]uint32, len(terms))
	for i, t := range terms {
		if orders[i] = key.NewOrder(t.of.Type(ctx), t.descending); orders[i].Bytes() {
			continue
		}
		var err error
		if places[i], err = placesOf(ctx, rows, t.of, orders[i]); err != nil {
			return nil, nil, err
		}
	}
	return orders, places, nil
}

func placesOf(ctx *sql.Context, rows []sql.Row, of sql.Expression, by key.Order) ([]uint32, error) {
	values := make([]any, len(rows))
	order := make([]int, len(rows))
	for i, row := range rows {
		v, err := of.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		values[i], order[i] = v, i
	}
	var failed error
	compare := func(a, b int) int {
		c, err := by.Compare(ctx, values[a], values[b])
		if err != nil {
			failed = err
		}
		return c
	}
	slices.SortFunc(order, compare)
	places := make([]uint32, len(rows))
	for at := 1; at < len(order); at++ {
		places[order[at]] = places[order[at-1]]
		if compare(order[at-1], order[at]) != 0 {
			places[order[at]]++
		}
	}
	return places, failed
}

// of is the key of a row.
func (k *sortKeys) of(row int32) []byte {
	if row == 0 {
		return k.bytes[:k.ends[0]]
	}
	return k.bytes[k.ends[row-1]:k.ends[row]]
}

// An entry is a row with the first bytes of its key, which mostly decide.
type entry struct {
	first uint64
	row   int32
	whole bool // first has the whole key
}

func (e entry) bytes() uint64 { return e.first }

// sort sorts entries by their keys; equal ones stay as they come.
func (k *sortKeys) sort(entries []entry) {
	if len(entries) < radixRows {
		slices.SortFunc(entries, k.compare)
		return
	}
	sortByFirst(entries)
	for start := 0; start < len(entries); {
		end, whole := start+1, entries[start].whole
		for ; end < len(entries) && entries[end].first == entries[start].first; end++ {
			whole = whole && entries[end].whole
		}
		if !whole && end > start+1 {
			slices.SortFunc(entries[start:end], k.compare)
		}
		start = end
	}
}

// entries are the rows with their keys, put together by partitions.
func (k *sortKeys) entries(ends []int, of []int32) []entry {
	next := make([]int, len(ends))
	copy(next[1:], ends)
	out := make([]entry, len(of))
	for row, n := range of {
		e := entry{row: int32(row), whole: true}
		if k.ends != nil {
			key := k.of(e.row)
			e.first, e.whole = prefixOf(key), len(key) <= 8
		}
		out[next[n]] = e
		next[n]++
	}
	return out
}

func (k *sortKeys) compare(a, b entry) int {
	if a.first != b.first {
		return cmp.Compare(a.first, b.first)
	}
	if !a.whole || !b.whole {
		if c := bytes.Compare(k.of(a.row), k.of(b.row)); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.row, b.row)
}

// same reports whether two rows have equal keys. No key begins another.
func (k *sortKeys) same(a, b entry) bool {
	return a.first == b.first && (a.whole && b.whole || bytes.Equal(k.of(a.row), k.of(b.row)))
}
