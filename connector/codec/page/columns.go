package page

import "github.com/dynasql/dynasql/connector/schema"

// These take the values of one column out of many rows, each into the place of its
// row, and append to rest the places of those rows that have another kind of value.

// Numbers takes the numbers that are Small.
func (b *Batch) Numbers(rows []int32, column int, digits []int64, scales []uint8, rest []int32) []int32 {
	width := len(b.columns) + 1
	digits, scales = digits[:len(rows)], scales[:len(rows)]
	for i, row := range rows {
		v := &b.vals[int(row)*width+column]
		digits[i], scales[i] = int64(v.at), v.scale
		if v.Kind != schema.N || v.scale == wide {
			rest = append(rest, int32(i))
		}
	}
	return rest
}

// Truths takes each BOOL, as 1 or 0.
func (b *Batch) Truths(rows []int32, column int, digits []int64, rest []int32) []int32 {
	width := len(b.columns) + 1
	digits = digits[:len(rows)]
	for i, row := range rows {
		v := &b.vals[int(row)*width+column]
		digits[i] = int64(v.at)
		if v.Kind != schema.Bool {
			rest = append(rest, int32(i))
		}
	}
	return rest
}

// Texts takes the span of each S. It reads a little of each, many at a time, so that
// the processor need not wait for one after the other when they are looked at.
func (b *Batch) Texts(rows []int32, column int, texts [][]byte, rest []int32) []int32 {
	width := len(b.columns) + 1
	texts = texts[:len(rows)]
	touched := b.touched
	for i, row := range rows {
		v := &b.vals[int(row)*width+column]
		if v.Kind != schema.S {
			rest = append(rest, int32(i))
			continue
		}
		texts[i] = b.buf[v.at : v.at+uint64(v.size)]
		if v.size > 0 {
			touched += b.buf[v.at]
		}
	}
	b.touched = touched
	return rest
}
