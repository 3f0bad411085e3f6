package engine

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/spill"
)

// rowAccount is a connector.Account of the memory of a statement.
type rowAccount struct {
	mu sync.Mutex
	of *spill.Account
}

// Grow implements connector.Account.
func (a *rowAccount) Grow(row sql.Row) bool { return a.GrowBytes(spill.SizeOf(row)) }

// GrowBytes implements connector.Account.
func (a *rowAccount) GrowBytes(n int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of.Grow(n)
}

// Full implements connector.Account.
func (a *rowAccount) Full(what string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.of.Beyond() {
		return nil
	}
	return a.of.Full(what)
}

// Free implements connector.Account.
func (a *rowAccount) Free() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.of.Free()
}

// Account implements connector.Session.
func (s *Session) Account() connector.Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &rowAccount{of: s.memory.Account()}
	s.accounts = append(s.accounts, a)
	return a
}

// freeAccounts ends the accounts of a statement.
func (s *Session) freeAccounts() {
	s.mu.Lock()
	accounts := s.accounts
	s.accounts = nil
	s.mu.Unlock()
	for _, a := range accounts {
		a.Free()
	}
}
