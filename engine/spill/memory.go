// Package spill bounds the memory of operators: it counts what they hold, and
// keeps rows in temporary files when that is too much.
package spill

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/codec"
)

// Memory is a bound on what operators hold, in bytes. It is safe for concurrent
// use.
type Memory struct {
	limit   int64
	used    atomic.Int64
	spilled atomic.Int64
	whole   *Memory // of which this is a part, or nil
}

// NewMemory makes a bound; 0 is none. A part counts in the whole as well.
func NewMemory(limit int64, whole *Memory) *Memory { return &Memory{limit: limit, whole: whole} }

// DefaultLimit is a quarter of the memory that the process may have: that of its
// control group, else of the machine; 1 GiB where neither is known.
var DefaultLimit = sync.OnceValue(func() int64 {
	for _, of := range []memlimit.Provider{memlimit.FromCgroup, memlimit.FromSystem} {
		if n, err := of(); err == nil && n > 0 && n < 1<<60 {
			return int64(n / 4)
		}
	}
	return 1 << 30
})

// Limit is the bound, or 0.
func (m *Memory) Limit() int64 { return m.limit }

// Spilled is how many bytes have been written to temporary files.
func (m *Memory) Spilled() int64 { return m.spilled.Load() }

// take counts bytes and reports whether that is still within the bounds.
func (m *Memory) take(n int64) bool {
	within := true
	for ; m != nil; m = m.whole {
		if used := m.used.Add(n); m.limit > 0 && used > m.limit {
			within = false
		}
	}
	return within
}

// HalfFree reports whether there is room for as much again as is held.
func (m *Memory) HalfFree() bool {
	for ; m != nil; m = m.whole {
		if m.limit > 0 && m.used.Load() > m.limit/2 {
			return false
		}
	}
	return true
}

func (m *Memory) wrote(n int64) {
	for ; m != nil; m = m.whole {
		m.spilled.Add(n)
	}
}

// An Account is what one operator holds. It belongs to one goroutine.
type Account struct {
	of   *Memory
	held int64
}

// Account opens an account.
func (m *Memory) Account() *Account { return &Account{of: m} }

// Check reports whether the bytes held have changed so much since the last Grow
// that the account should be told.
func (a *Account) Check(held int64) bool {
	step := int64(64 << 10)
	if a.of.limit > 0 {
		step = min(step, a.of.limit/16)
	}
	return held-a.held >= step
}

// Grow counts n more bytes and reports whether there is room for them. They
// count even if there is not.
func (a *Account) Grow(n int64) bool {
	a.held += n
	return a.of.take(n)
}

// Set makes the account hold n bytes, and reports whether there is room.
func (a *Account) Set(n int64) bool { return a.Grow(n - a.held) }

// most is what an operator that can go to no file may hold, in bytes, where
// others have taken all that there is.
const most = 16 << 20

// Beyond reports whether the operator has to give up: there is no room, neither
// for the statement nor among all, and it is not the others' doing.
func (a *Account) Beyond() bool {
	if a.held <= most {
		return false
	}
	for m := a.of; m != nil; m = m.whole {
		if m.limit > 0 && m.used.Load() > m.limit {
			return true
		}
	}
	return false
}

// Free gives back all that the account holds.
func (a *Account) Free() {
	a.of.take(-a.held)
	a.held = 0
}

// Held is what the account holds.
func (a *Account) Held() int64 { return a.held }

// A FullError ends a statement whose operator holds more than it may and cannot
// put any of it into a file.
type FullError struct {
	Operator string // what the memory is for
	Held     int64
	Limit    int64
}

// Full is the error of an operator that can go no further.
func (a *Account) Full(operator string) error { return &FullError{operator, a.held, a.of.limit} }

func (e *FullError) Error() string {
	return fmt.Sprintf("%s needs more memory than a statement may have: %d MB of %d MB", e.Operator, e.Held>>20, e.Limit>>20)
}

// Hint says how to go on.
func (e *FullError) Hint() string {
	return "narrow the statement with a condition, or SET ddb_memory_limit to more bytes"
}

// SizeOf is the memory that a row takes, about.
func SizeOf(row sql.Row) int64 {
	n := int64(24 + 16*len(row))
	for _, v := range row {
		n += sizeOfValue(v)
	}
	return n
}

func sizeOfValue(v any) int64 {
	switch v := v.(type) {
	case nil, bool, int8, uint8:
		return 0
	case string:
		return int64(16 + len(v))
	case []byte:
		return int64(24 + len(v))
	case *apd.Decimal:
		return 64
	case codec.Document:
		return 64 + 4*v.Size()
	case sql.JSONWrapper:
		return 512
	}
	return 16
}
