package engine

import "github.com/dynasql/dynasql/connector/read"

// Resume makes a statement that has begun earlier the running one, as when rows
// of an open cursor are fetched, and returns the one that was.
func (s *Session) Resume(st *read.Statement) (before *read.Statement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.statement = s.statement, st
	return before
}
