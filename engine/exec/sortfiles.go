package exec

import (
	"bytes"
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/spill"
)

// mostFiles is how many files are merged at a time.
const mostFiles = 100

// flush writes the rows in order to a file and forgets them.
func (s *sorter) flush() error {
	if err := s.sort(); err != nil {
		return err
	}
	f, err := s.source.Create()
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	if s.most > 0 {
		s.entries = s.entries[:min(s.most, len(s.entries))]
	}
	for _, e := range s.entries {
		row, err := s.rowOf(e)
		if err != nil {
			return err
		}
		if !s.byBytes {
			row = append(append(make(sql.Row, 0, len(row)+len(s.orders)), s.values[e.at]...), row...)
		}
		if err := f.Write(s.key(e), row); err != nil {
			return err
		}
	}
	s.reset()
	if len(s.files) == mostFiles {
		return s.mergeFiles()
	}
	return nil
}

func (s *sorter) reset() {
	s.entries, s.keys, s.values, s.held, s.added = s.entries[:0], arena{}, nil, 0, 0
	s.forget(nil)
	s.memory.Set(int64(24 * cap(s.entries)))
}

// mergeFiles makes one file of all.
func (s *sorter) mergeFiles() error {
	m, err := s.merge()
	if err != nil {
		return err
	}
	f, err := s.source.Create()
	if err != nil {
		return err
	}
	for {
		k, row, err := m.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = f.Write(k, row)
		}
		if err != nil {
			_ = f.Close()
			return err
		}
	}
	closeFiles(s.files)
	s.files = []*spill.File{f}
	return nil
}

func closeFiles(files []*spill.File) {
	for _, f := range files {
		_ = f.Close() // a temporary file that cannot be removed is nobody's answer
	}
}

// A merge reads several files in order as one.
type merge struct {
	of   *sorter
	heap []*run
}

// A run is a file that is being read, and its next row.
type run struct {
	from *spill.Reader
	key  []byte
	row  sql.Row
	at   int // of the file: the rows of an earlier one came first
}

func (s *sorter) merge() (*merge, error) {
	m := &merge{of: s}
	for i, f := range s.files {
		from, err := f.Read()
		if err != nil {
			return nil, err
		}
		r := &run{from: from, at: i}
		switch r.key, r.row, err = from.Next(); err {
		case nil:
			m.heap = append(m.heap, r)
		case io.EOF:
		default:
			return nil, err
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		if err := m.down(i); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *merge) less(a, b *run) (bool, error) {
	c, err := bytes.Compare(a.key, b.key), error(nil)
	if !m.of.byBytes {
		c, err = m.of.compare(a.row, b.row)
	}
	return c < 0 || c == 0 && a.at < b.at, err
}

func (m *merge) down(i int) error {
	for {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child >= len(m.heap) {
				continue
			}
			less, err := m.less(m.heap[child], m.heap[least])
			if err != nil {
				return err
			}
			if less {
				least = child
			}
		}
		if least == i {
			return nil
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}

// next returns the next row as it is in its file. The key is valid until the
// next call.
func (m *merge) next() (k []byte, row sql.Row, err error) {
	if len(m.heap) == 0 {
		return nil, nil, io.EOF
	}
	first := m.heap[0]
	k, row = bytes.Clone(first.key), first.row
	switch first.key, first.row, err = first.from.Next(); err {
	case nil:
	case io.EOF:
		m.heap[0] = m.heap[len(m.heap)-1]
		m.heap = m.heap[:len(m.heap)-1]
	default:
		return nil, nil, err
	}
	return k, row, m.down(0)
}

func (m *merge) row() (sql.Row, error) {
	_, row, err := m.next()
	if err == nil && !m.of.byBytes {
		row = row[len(m.of.orders):]
	}
	return row, err
}
