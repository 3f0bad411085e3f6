package exec

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// fanout is into how many files rows are spread that do not fit into memory.
const fanout = 16

// mostLevels is how often rows are spread again before an operator gives up:
// rows with one and the same key stay together.
const mostLevels = 6

// partitions are files into which rows are spread by their keys.
type partitions struct {
	memory *spill.Memory
	level  int
	files  [fanout]*spill.File
}

// partOf is the file of the keys with a hash, on a level.
func partOf(hash uint64, level int) int { return int(hash >> (60 - 4*level) & (fanout - 1)) }

func (p *partitions) write(k []byte, row sql.Row) error {
	return p.writeTo(partOf(key.Hash(k), p.level), k, row)
}

func (p *partitions) writeTo(at int, k []byte, row sql.Row) error {
	if p.files[at] == nil {
		var err error
		if p.files[at], err = p.memory.Create(); err != nil {
			return err
		}
	}
	return p.files[at].Write(k, row)
}

// has reports whether a key may be in the files.
func (p *partitions) has(k []byte) bool {
	return p != nil && p.files[partOf(key.Hash(k), p.level)] != nil
}

func (p *partitions) close() {
	if p != nil {
		closeFiles(p.files[:])
	}
}

// A waitingFile has rows that an operator has still to go through.
type waitingFile struct {
	file  *spill.File
	level int // on which it is spread if it has to be
}

// parts are the files of partitions that have rows.
func (p *partitions) parts() []waitingFile {
	var out []waitingFile
	for _, f := range p.files {
		if f != nil {
			out = append(out, waitingFile{f, p.level + 1})
		}
	}
	return out
}

// A keyedSource gives keys of rows, which are valid until the next call, and
// io.EOF after the last.
type keyedSource interface {
	next(ctx *sql.Context) ([]byte, error)
	// row is the row of the last key. It may be made anew with each call.
	row(ctx *sql.Context) (sql.Row, error)
}

// fileRows are the rows of a file.
type fileRows struct {
	from *spill.Reader
	last sql.Row
}

func (f *fileRows) next(ctx *sql.Context) (k []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k, f.last, err = f.from.Next()
	return k, err
}

func (f *fileRows) row(*sql.Context) (sql.Row, error) { return f.last, nil }

// An overflow lets an operator that gathers rows by key go on when memory is
// full: rows with keys that it has not taken in wait in files, which become its
// input when it has done with what it has.
type overflow struct {
	input   keyedSource
	memory  *spill.Memory
	account *spill.Account
	full    bool
	level   int
	current *spill.File // that is being read, or nil
	spread  *partitions // of this input
	waiting []waitingFile
}

func newOverflow(ctx *sql.Context, input keyedSource) overflow {
	m := memoryOf(ctx)
	return overflow{input: input, memory: m, account: m.Account()}
}

// took counts the memory for a key that has been taken in.
// Once there was no room there is none, even if others have freed some: rows of
// keys that come now may wait already.
func (o *overflow) took(bytes int64) { o.full = !o.account.Grow(bytes) || o.full }

// wait puts a row aside.
func (o *overflow) wait(operator string, k []byte, row sql.Row) error {
	if o.level == mostLevels {
		return o.account.Full(operator)
	}
	if o.spread == nil {
		o.spread = &partitions{memory: o.memory, level: o.level}
	}
	return o.spread.write(k, row)
}

// again makes the next rows that wait the input. It reports false when none do.
func (o *overflow) again() (bool, error) {
	o.account.Free()
	o.full = false
	_ = o.current.Close() // read to its end
	o.current = nil
	if o.spread != nil {
		o.waiting = append(o.waiting, o.spread.parts()...)
		o.spread = nil
	}
	if len(o.waiting) == 0 {
		return false, nil
	}
	last := o.waiting[len(o.waiting)-1]
	o.waiting = o.waiting[:len(o.waiting)-1]
	from, err := last.file.Read()
	if err != nil {
		return false, err
	}
	o.input, o.current, o.level = &fileRows{from: from}, last.file, last.level
	return true, nil
}

func (o *overflow) close() {
	o.account.Free()
	_ = o.current.Close()
	o.spread.close()
	for _, p := range o.waiting {
		_ = p.file.Close()
	}
	o.spread, o.waiting = nil, nil
}
