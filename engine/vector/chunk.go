package vector

import (
	"sync/atomic"

	"github.com/dynasql/dynasql/connector/codec/page"
)

// A Chunk is some of the items of a batch, or of their pairs with rows of the
// right sides of joins.
type Chunk struct {
	Batch *page.Batch
	Rows  []int32 // their places in the batch
	// Rights has for each right side that has been joined the rows of it that
	// belong to Rows: 1 + the place in the side, or 0 for none.
	Rights [][]int32
	// From is free for whoever makes the chunk: a number for each row.
	From []int32
	gen  uint64 // changes with the rows; no two chunks have the same
}

// MaxRows is how many rows a chunk has at most.
const MaxRows = 1024

var generations atomic.Uint64

func (c *Chunk) changed() { c.gen = generations.Add(1) }

// Set makes the chunk the n items from one on, without right sides.
func (c *Chunk) Set(b *page.Batch, from, n int) {
	c.Clear(b)
	for i := range n {
		c.Rows = append(c.Rows, int32(from+i))
	}
}

// Clear drops all rows; before others are added to the lists it has to be called.
func (c *Chunk) Clear(b *page.Batch) {
	c.Batch, c.Rows, c.From = b, c.Rows[:0], c.From[:0]
	for i := range c.Rights {
		c.Rights[i] = c.Rights[i][:0]
	}
	c.changed()
}

// Copy makes a chunk of its own, with the items in an empty batch of its own.
func (c *Chunk) Copy(into *page.Batch) *Chunk {
	out := &Chunk{}
	out.Clear(into)
	for i, row := range c.Rows {
		if i == 0 || row != c.Rows[i-1] {
			into.AppendRow(c.Batch, int(row))
		}
		out.Rows = append(out.Rows, int32(into.Rows()-1))
	}
	for _, right := range c.Rights {
		out.Rights = append(out.Rights, append([]int32(nil), right...))
	}
	return out
}

// keep drops the rows for which a condition is not true.
func (c *Chunk) keep(truth *Column) {
	for i := range c.Rows { // NULL and numbers of many digits become 0 and 1
		if truth.Null[i] {
			truth.setTruth(i, false)
		} else if truth.Scale[i] == Wide {
			truth.setTruth(i, !isZero(truth, i))
		}
	}
	c.Rows, c.From = kept(c.Rows, truth.Num), kept(c.From, truth.Num)
	for i, right := range c.Rights {
		c.Rights[i] = kept(right, truth.Num)
	}
	c.changed()
}

// kept are the elements of a list for whose rows there is no 0. Whether there is one
// cannot be foretold, so that it decides by arithmetic and not by a branch.
func kept(list []int32, truth []int64) []int32 {
	n := 0
	truth = truth[:len(list)]
	for i, v := range list {
		list[n] = v
		n += int(uint64(truth[i]|-truth[i]) >> 63)
	}
	return list[:n]
}
