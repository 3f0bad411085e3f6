package exec

import (
	"bytes"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
)

// A lateRow is a row that had no room, with its key and where the keys end.
type lateRow struct {
	row  sql.Row
	key  []byte
	ends []int
}

// arrange puts what has been read in order.
func (it *rollup) arrange() (err error) {
	slices.SortFunc(it.leaves, func(a, b *group) int { return bytes.Compare(a.key, b.key) })
	if it.late == nil {
		return nil
	}
	if it.lateRows, err = it.late.finish(); err != nil {
		return err
	}
	return it.nextLate()
}

func (it *rollup) nextLate() error {
	row, err := it.lateRows.row()
	if err == io.EOF {
		it.next = nil
		return nil
	}
	if err != nil {
		return err
	}
	r := &lateRow{row: row, ends: make([]int, len(it.by))}
	r.key, err = it.keyOf(it.late.ctx, nil, r.ends, row)
	it.next = r
	return err
}

// advance puts the groups into out that are complete with the next leaf.
func (it *rollup) advance(ctx *sql.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	last := it.given
	leaf, err := it.nextLeaf(ctx)
	if err != nil {
		return err
	}
	it.given = leaf
	switch {
	case last != nil:
		for g := last; g != nil && !leaf.within(g); g = g.above {
			it.give(g)
		}
	case leaf == nil && it.byKey != nil: // of no rows
		it.give(it.byKey[""])
		it.byKey = nil
	}
	if leaf == nil && len(it.out) == 0 {
		return io.EOF
	}
	return nil
}

func (it *rollup) give(g *group) {
	it.out = append(it.out, g)
	delete(it.byKey, string(g.key))
	if g.level == 0 {
		it.byKey = nil
	}
}

// nextLeaf is the next group of the last level, with all its rows; nil after the
// last.
func (it *rollup) nextLeaf(ctx *sql.Context) (*group, error) {
	var leaf *group
	if len(it.leaves) > 0 && (it.next == nil || bytes.Compare(it.leaves[0].key, it.next.key) <= 0) {
		leaf = it.leaves[0]
		it.leaves = it.leaves[1:]
	} else if it.next != nil {
		var err error
		if leaf, err = it.group(ctx, it.next.key, it.next.ends); err != nil {
			return nil, err
		}
	}
	for it.next != nil && bytes.Equal(it.next.key, leaf.key) {
		if err := it.update(ctx, leaf, it.next.row); err != nil {
			return nil, err
		}
		if err := it.nextLate(); err != nil {
			return nil, err
		}
	}
	return leaf, nil
}

func (g *group) within(other *group) bool {
	for ; g != nil; g = g.above {
		if g == other {
			return true
		}
	}
	return false
}
