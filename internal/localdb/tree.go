package localdb

import (
	"cmp"

	"github.com/tidwall/btree"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// position is a place in a tree: items are ordered by the hash of their hash
// key, so that a segment of a Scan is a range, then by the encoded key, so that
// the items of one hash key are adjacent and in the order of their sort keys.
type position struct {
	hash uint64
	key  string
}

func (p position) compare(q position) int {
	if c := cmp.Compare(p.hash, q.hash); c != 0 {
		return c
	}
	return cmp.Compare(p.key, q.key)
}

// after is the position directly behind p.
func (p position) after() position { return position{p.hash, p.key + "\x00"} }

// record is one item of a table, or one entry of an index.
type record struct {
	position
	item attr.Form
}

// tree holds the records of a table or of an index in order, with their size.
// It is not safe for concurrent use.
type tree struct {
	records *btree.BTreeG[record]
	bytes   int64 // sum of the item sizes
}

func newTree() *tree {
	less := func(a, b record) bool { return a.compare(b.position) < 0 }
	return &tree{records: btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

func (t *tree) len() int64 { return int64(t.records.Len()) }

// get gives the item at a position, or "".
func (t *tree) get(p position) attr.Form {
	r, _ := t.records.Get(record{position: p})
	return r.item
}

// put stores a record and gives the item it replaced, or "".
func (t *tree) put(r record) attr.Form {
	old, _ := t.records.Set(r)
	t.bytes += int64(r.item.Size() - old.item.Size())
	return old.item
}

// remove deletes a record and gives its item, or "".
func (t *tree) remove(p position) attr.Form {
	old, _ := t.records.Delete(record{position: p})
	t.bytes -= int64(old.item.Size())
	return old.item
}

// span is a half-open range of positions. Unbounded means that it has no end.
type span struct {
	from, to  position
	unbounded bool
}

func (s span) contains(p position) bool {
	return p.compare(s.from) >= 0 && (s.unbounded || p.compare(s.to) < 0)
}

// walk visits the records of a span in order, or in reverse, until visit
// returns false.
func (t *tree) walk(s span, reverse bool, visit func(record) bool) {
	if !reverse {
		t.records.Ascend(record{position: s.from}, func(r record) bool {
			return s.contains(r.position) && visit(r)
		})
		return
	}
	inside := func(r record) bool {
		if r.compare(s.from) < 0 {
			return false
		}
		if !s.contains(r.position) {
			return true // the end itself, which Descend includes
		}
		return visit(r)
	}
	if s.unbounded {
		t.records.Reverse(inside)
		return
	}
	t.records.Descend(record{position: s.to}, inside)
}
