package connector

import "github.com/dolthub/go-mysql-server/sql"

// An Account counts the memory of rows that are kept while a statement runs. It
// is safe for concurrent use, and is freed with the statement if not before.
type Account interface {
	// Grow counts a row, and reports whether there is room for it.
	Grow(row sql.Row) bool
	// GrowBytes counts anything else by its bytes, as Grow does a row.
	GrowBytes(n int64) bool
	// Full is the error of a statement that keeps more than it may of what is
	// named, or nil if it can go on without room.
	Full(what string) error
	// Free gives back all that was counted.
	Free()
}

// OpenAccount opens an account of the running statement.
func OpenAccount(ctx *sql.Context) Account {
	if s, ok := ctx.Session.(Session); ok {
		return s.Account()
	}
	return unbounded{}
}

// unbounded is the account of a session without a bound.
type unbounded struct{}

func (unbounded) Grow(sql.Row) bool { return true }

func (unbounded) GrowBytes(int64) bool { return true }

func (unbounded) Full(string) error { return nil }

func (unbounded) Free() {}
