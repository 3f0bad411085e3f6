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
	terms := make([]term, 0, len(w.PartitionBy)+len(w.OrderBy))
	for _, e := range w.PartitionBy {
		terms = append(terms, term{of: e})
	}
	for _, f := range w.OrderBy {
		terms = append(terms, term{f.Column, f.Order == sql.Descending})
	}
	out := &sorted{make([]int32, len(rows)), make([]begin, len(rows))}
	if len(terms) == 0 {
		for i := range out.rows {
			out.rows[i] = int32(i)
		}
		if len(rows) > 0 {
			out.begins[0] = partition
		}
		return out, nil
	}
	keys, err := newSortKeys(ctx, rows, terms, len(w.PartitionBy))
	if err != nil {
		return nil, err
	}
	entries := keys.entries()
	slices.SortFunc(entries, keys.compare)
	for i, e := range entries {
		out.rows[i] = e.row
		switch {
		case i == 0 || !bytes.Equal(keys.partition(e.row), keys.partition(entries[i-1].row)):
			out.begins[i] = partition
		case !bytes.Equal(keys.of(e.row), keys.of(entries[i-1].row)):
			out.begins[i] = peers
		}
	}
	return out, nil
}

// sortKeys are the keys of rows, one after the other.
type sortKeys struct {
	bytes   []byte
	ends    []int // of each row's key
	divides []int // where in bytes the part of a row's key that tells its partition ends
}

func newSortKeys(ctx *sql.Context, rows []sql.Row, terms []term, partitioning int) (*sortKeys, error) {
	orders, places, err := ordersOf(ctx, rows, terms)
	if err != nil {
		return nil, err
	}
	k := &sortKeys{ends: make([]int, len(rows)), divides: make([]int, len(rows))}
	for i, row := range rows {
		if i&cancelMask == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j, t := range terms {
			if j == partitioning {
				k.divides[i] = len(k.bytes)
			}
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
		if len(terms) == partitioning {
			k.divides[i] = len(k.bytes)
		}
		k.ends[i] = len(k.bytes)
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
		if places[i], err = placesOf(ctx, rows, t); err != nil {
			return nil, nil, err
		}
	}
	return orders, places, nil
}

func placesOf(ctx *sql.Context, rows []sql.Row, t term) ([]uint32, error) {
	typ := t.of.Type(ctx)
	values := make([]any, len(rows))
	order := make([]int, len(rows))
	for i, row := range rows {
		v, err := t.of.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		values[i], order[i] = v, i
	}
	var failed error
	compare := func(a, b int) int {
		v, w := values[a], values[b]
		if t.descending {
			v, w = w, v
		}
		if v == nil || w == nil {
			return cmp.Compare(truth(v != nil), truth(w != nil))
		}
		c, err := typ.Compare(ctx, v, w)
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

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (k *sortKeys) start(row int32) int {
	if row == 0 {
		return 0
	}
	return k.ends[row-1]
}

func (k *sortKeys) of(row int32) []byte { return k.bytes[k.start(row):k.ends[row]] }

func (k *sortKeys) partition(row int32) []byte { return k.bytes[k.start(row):k.divides[row]] }

// An entry is a row with the first bytes of its key, which mostly decide.
type entry struct {
	first uint64
	row   int32
}

func (k *sortKeys) entries() []entry {
	out := make([]entry, len(k.ends))
	for i := range out {
		var first [8]byte
		copy(first[:], k.of(int32(i)))
		out[i] = entry{binary.BigEndian.Uint64(first[:]), int32(i)}
	}
	return out
}

func (k *sortKeys) compare(a, b entry) int {
	if a.first != b.first {
		return cmp.Compare(a.first, b.first)
	}
	if c := bytes.Compare(k.of(a.row), k.of(b.row)); c != 0 {
		return c
	}
	return cmp.Compare(a.row, b.row)
}
