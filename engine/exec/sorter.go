package exec

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// A sorter puts rows in the order of keys. Rows that are equal stay in the order
// in which they came. What does not fit into memory goes to files, each in
// order, which are merged at the end.
type sorter struct {
	ctx     *sql.Context
	orders  []key.Order
	byBytes bool // every order has bytes
	most    int  // rows that are wanted; 0 for all
	memory  *spill.Account
	source  *spill.Memory
	row     func(at int) (sql.Row, error) // makes the row that was added as the at-th
	forget  func(kept []int)              // keeps only these rows, which are numbered anew
	ahead   func(next []sortEntry)        // is told what row will be asked for; may be nil

	entries []sortEntry
	keys    arena
	values  [][]any // of the terms, where an order has no bytes; by number of the row
	held    int64   // of rows
	added   int     // since rows were last forgotten
	total   int
	scratch []byte
	packed  bool   // rows stand behind their keys, see output.pack, and the others are made of them
	bar     []byte // key of the last row that is wanted; later ones have to be less
	files   []*spill.File
}

// A sortEntry stands for a row.
type sortEntry struct {
	prefix uint64 // of the key
	from   uint64 // the key's place
	size   uint32
	at     uint32 // number of the row
}

func newSorter(ctx *sql.Context, fields sql.SortFields, most int, memory *spill.Memory) *sorter {
	s := &sorter{ctx: ctx, byBytes: true, most: most, source: memory, memory: memory.Account()}
	for _, f := range fields {
		o := key.OrderOf(ctx, f)
		s.orders = append(s.orders, o)
		s.byBytes = s.byBytes && o.Bytes()
	}
	return s
}

// wanted reports whether a row with a key may be among those that are wanted.
func (s *sorter) wanted(k []byte) bool { return s.bar == nil || bytes.Compare(k, s.bar) < 0 }

// add takes the next row, by its key or else the values of its terms, and what
// the row holds in memory.
func (s *sorter) add(k []byte, values []any, size int64) error {
	return s.addPacked(k, nil, values, size)
}

// addPacked is add of a row that stands behind its key.
func (s *sorter) addPacked(k, row []byte, values []any, size int64) error {
	e := sortEntry{prefix: prefixOf(k), from: s.keys.add(k, row), size: uint32(len(k)), at: uint32(s.added)}
	if !s.byBytes {
		s.values = append(s.values, values)
		size += spill.SizeOf(values)
	}
	s.entries = append(doubled(s.entries), e)
	s.added++
	s.total++
	s.held += size
	if s.most > 0 && len(s.entries) >= 2*s.most+1024 {
		return s.prune()
	}
	if held := s.held + int64(24*cap(s.entries)+s.keys.bytes); s.memory.Check(held) && !s.memory.Set(held) && s.held >= s.leastRun() {
		return s.flush()
	}
	return nil
}

// leastRun is from how many bytes on rows are worth a file of their own. Where
// another operator of the statement has taken all memory, a sort has so much.
func (s *sorter) leastRun() int64 { return min(s.source.Limit()/16, 16<<20) }

// prefixOf is the first eight bytes of a key, by which most keys are compared.
func prefixOf(k []byte) uint64 {
	if len(k) >= 8 {
		return binary.BigEndian.Uint64(k)
	}
	var b [8]byte
	copy(b[:], k)
	return binary.BigEndian.Uint64(b[:])
}

func (s *sorter) key(e sortEntry) []byte { return s.keys.at(e.from, e.size) }

// packedRow is the row behind the key of an entry.
func (s *sorter) packedRow(e sortEntry) []byte { return packedRow(s.keys.behind(e.from, e.size)) }

func (e sortEntry) bytes() uint64 { return e.prefix }

// sort puts the entries in order. Their prefixes are of no use after it.
func (s *sorter) sort() (failed error) {
	if s.byBytes {
		s.sortFrom(s.entries, 0)
		return nil
	}
	slices.SortFunc(s.entries, func(a, b sortEntry) (c int) {
		if failed == nil {
			c, failed = s.compare(s.values[a.at], s.values[b.at])
		}
		return cmp.Or(c, cmp.Compare(a.at, b.at))
	})
	return failed
}

// sortFrom sorts entries whose keys are the same up to a place, from where on each
// prefix is: by their prefixes, and those that have the same one by the next
// bytes.
func (s *sorter) sortFrom(entries []sortEntry, place uint32) {
	if len(entries) < radixRows {
		slices.SortFunc(entries, func(a, b sortEntry) int {
			if a.prefix != b.prefix {
				return cmp.Compare(a.prefix, b.prefix)
			}
			return cmp.Compare(a.at, b.at)
		})
	} else {
		sortByFirst(entries)
	}
	place += 8
	for start := 0; start < len(entries); {
		end := start + 1
		for end < len(entries) && entries[end].prefix == entries[start].prefix {
			end++
		}
		run := entries[start:end]
		start = end
		if len(run) == 1 || run[0].size <= place { // no key begins another
			continue
		}
		if next := s.sharedTo(run, place); next < run[0].size {
			for i, e := range run {
				run[i].prefix = prefixOf(s.key(e)[next:])
			}
			s.sortFrom(run, next)
		}
	}
}

// sharedTo is up to where the keys of entries are the same, from a place on up to
// which they are known to be.
func (s *sorter) sharedTo(entries []sortEntry, place uint32) uint32 {
	first := s.key(entries[0])[place:]
	shared := len(first)
	for _, e := range entries[1:] {
		k := s.key(e)[place:]
		n := 0
		for n < shared && n < len(k) && first[n] == k[n] {
			n++
		}
		shared = n
	}
	return place + uint32(shared)
}

func (s *sorter) compare(a, b []any) (int, error) {
	for i, o := range s.orders {
		if c, err := o.Compare(s.ctx, a[i], b[i]); c != 0 || err != nil {
			return c, err
		}
	}
	return 0, nil
}

// prune drops the rows that are not wanted any more.
func (s *sorter) prune() error {
	if err := s.sort(); err != nil {
		return err
	}
	s.entries = s.entries[:min(s.most, len(s.entries))]
	var keys arena
	kept := make([]int, len(s.entries))
	var values [][]any
	for i, e := range s.entries {
		kept[i] = int(e.at)
		k := s.key(e)
		s.entries[i] = sortEntry{prefix: prefixOf(k), from: keys.add(k, nil), size: e.size, at: uint32(i)}
		if !s.byBytes {
			values = append(values, s.values[e.at])
		}
	}
	s.keys, s.values, s.added = keys, values, len(s.entries)
	if s.byBytes {
		s.bar = bytes.Clone(s.key(s.entries[len(s.entries)-1]))
	}
	s.forget(kept)
	return nil
}

// finish returns the rows in order; after it nothing may be added.
func (s *sorter) finish() (rowSource, error) {
	if len(s.files) == 0 {
		if err := s.sort(); err != nil {
			return nil, err
		}
		return &inMemory{of: s}, nil
	}
	if len(s.entries) > 0 {
		if err := s.flush(); err != nil {
			return nil, err
		}
	}
	m, err := s.merge()
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (s *sorter) close() {
	closeFiles(s.files)
	s.files, s.entries, s.keys, s.values = nil, nil, arena{}, nil
	s.memory.Free()
}

// A rowSource gives rows, and io.EOF after the last.
type rowSource interface{ row() (sql.Row, error) }

type inMemory struct {
	of *sorter
	at int
}

// aheadRows is for how many rows at a time ahead is called.
const aheadRows = 64

func (m *inMemory) row() (sql.Row, error) {
	e, err := m.next()
	if err != nil {
		return nil, err
	}
	return m.of.rowOf(e)
}

// rowOf is the row of an entry.
func (s *sorter) rowOf(e sortEntry) (sql.Row, error) {
	if s.packed {
		return sql.Row{s.packedRow(e)}, nil
	}
	return s.row(int(e.at))
}

// next is the next entry.
func (m *inMemory) next() (sortEntry, error) {
	entries := m.of.entries
	if m.at == len(entries) {
		return sortEntry{}, io.EOF
	}
	if m.of.ahead != nil && m.at%aheadRows == 0 {
		m.of.ahead(entries[m.at:min(m.at+aheadRows, len(entries))])
	}
	m.at++
	return entries[m.at-1], nil
}
