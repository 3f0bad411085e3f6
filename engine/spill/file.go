package spill

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
)

// A File is a temporary file of rows with their keys. It is written first and
// then read, as often as wanted. It belongs to one goroutine.
type File struct {
	of      *Memory
	f       *os.File
	w       *bufio.Writer
	rows    int64
	written int64
	scratch []byte
}

const prefix = "dynasql-"

// clean removes what a process that was killed has left in the folder of
// temporary files. On Unix there is none: a file has no name while it is used.
// Elsewhere a file that is in use cannot be removed.
var clean = sync.OnceFunc(func() {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*.rows"))
	if err != nil {
		return
	}
	for _, name := range left {
		_ = os.Remove(name)
	}
})

// Create makes an empty file in the folder of temporary files (TMPDIR).
func (m *Memory) Create() (*File, error) {
	clean()
	f, err := os.CreateTemp("", prefix+"*.rows")
	if err != nil {
		return nil, failed(err)
	}
	_ = os.Remove(f.Name()) // on Unix the file lives on without its name
	return &File{of: m, f: f, w: bufio.NewWriterSize(f, 256<<10)}, nil
}

// Rows is the number of rows written.
func (f *File) Rows() int64 { return f.rows }

// Write adds a row.
func (f *File) Write(key []byte, row sql.Row) error {
	b := append(f.scratch[:0], 0, 0, 0, 0)
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = append(b, key...)
	b, err := AppendRow(b, row)
	if err != nil {
		return err
	}
	f.scratch = b
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	if _, err := f.w.Write(b); err != nil {
		return failed(err)
	}
	f.rows++
	f.written += int64(len(b))
	f.of.wrote(int64(len(b)))
	return nil
}

// Read begins to read from the first row.
func (f *File) Read() (*Reader, error) {
	if err := f.w.Flush(); err != nil {
		return nil, failed(err)
	}
	return &Reader{r: bufio.NewReaderSize(io.NewSectionReader(f.f, 0, f.written), 64<<10)}, nil
}

// Close removes the file.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	err := f.f.Close()
	_ = os.Remove(f.f.Name())
	if err != nil && !errors.Is(err, os.ErrClosed) {
		return failed(err)
	}
	return nil
}

// A Reader goes through the rows of a file.
type Reader struct {
	r   *bufio.Reader
	buf []byte
}

// Next returns the next row and its key, which is valid until the next call, or
// io.EOF.
func (r *Reader) Next() (key []byte, row sql.Row, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		if err == io.EOF {
			return nil, nil, io.EOF
		}
		return nil, nil, failed(err)
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if cap(r.buf) < n {
		r.buf = make([]byte, n+n/2)
	}
	b := r.buf[:n]
	if _, err := io.ReadFull(r.r, b); err != nil {
		return nil, nil, failed(err)
	}
	size, at := binary.Uvarint(b)
	key, b = b[at:at+int(size)], b[at+int(size):]
	row, err = ParseRow(b)
	return key, row, err
}

func failed(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &fileError{err}
}

type fileError struct{ cause error }

func (e *fileError) Error() string {
	return fmt.Sprintf("a temporary file in '%s' for rows that do not fit into memory: %v", os.TempDir(), e.cause)
}

// Hint says how to go on.
func (e *fileError) Hint() string {
	return "free space there, or set TMPDIR to another folder, or SET ddb_memory_limit to more bytes"
}

func (e *fileError) Unwrap() error { return e.cause }
