package engine

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/read"
)

// upStatus adds to the library's status variables how long the process has run.
// Clients divide by it.
type upStatus struct {
	sql.StatusVariableRegistry
	started time.Time
}

// NewGlobalMap implements sql.StatusVariableRegistry.
func (s upStatus) NewGlobalMap() map[string]sql.StatusVarValue {
	all := s.StatusVariableRegistry.NewGlobalMap()
	seconds := uint64(time.Since(s.started)/time.Second) + 1
	for _, name := range []string{"Uptime", "Uptime_since_flush_status"} {
		if v := all[name]; v != nil {
			_ = v.Set(seconds) // of its type
		}
	}
	return all
}

// GetAllStatusVariables implements sql.Session. It adds what the last statement
// that read anything has consumed, and what sampling tables has.
func (s *Session) GetAllStatusVariables(ctx *sql.Context) map[string]sql.StatusVarValue {
	all := s.BaseSession.GetAllStatusVariables(ctx)
	for name, value := range s.usageVariables() {
		all[name] = &sql.ImmutableStatusVarValue{
			Var: &sql.MySQLStatusVariable{Name: name, Scope: sql.StatusVariableScope_Session, Type: types.Float64, Default: value},
			Val: value,
		}
	}
	return all
}

func (s *Session) usageVariables() map[string]any {
	s.mu.Lock()
	u := s.last
	s.mu.Unlock()
	requests := 0
	for _, n := range u.Requests {
		requests += n
	}
	sampling := s.engine.Sampling()
	return map[string]any{
		"ddb_requests":            int64(requests),
		"ddb_items_read":          u.Items,
		"ddb_items_returned":      u.Returned,
		"ddb_read_units":          u.ReadUnits,
		"ddb_cost_usd":            u.Dollars,
		"ddb_throttles":           int64(u.Throttles),
		"ddb_sampling_requests":   sampling.Requests,
		"ddb_sampling_items_read": sampling.Items,
		"ddb_sampling_read_units": sampling.ReadUnits,
	}
}

// keep remembers the account of a statement that has ended, if it read
// anything, for SHOW STATUS.
func (s *Session) keep(u read.Usage) {
	if len(u.Requests) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = u
}
