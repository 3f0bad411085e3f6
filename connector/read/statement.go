package read

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/dynasql/dynasql/connector/access"
)

// Limits bound what one statement may take. Zero is no bound, unless said
// otherwise.
type Limits struct {
	MaxReadUnits float64 // read units (ddb_max_rcu)
	MaxSeconds   float64 // since NewStatement (ddb_max_seconds)
	MaxRowsRead  int64   // items read, before filters (ddb_max_rows_read)

	RatePercent        float64 // of a provisioned rate (ddb_rate_percent); 0 is 50
	ReadUnitsPerSecond float64 // on any one table or index (ddb_rcu_per_second)

	DollarsPerMillion float64 // price of a million read units, for Progress and Usage
}

// Statement is the account and the budget of one SQL statement, shared by all
// its streams. It is safe for concurrent use.
type Statement struct {
	limits  Limits
	started time.Time

	mu       sync.Mutex
	usage    Usage   // guarded by mu, like the rest
	expected float64 // read units of the plans begun: estimates, and what the ended ones took
	walking  int     // streams from hash key to hash key, of which nobody knows how many there are, nor which comes last
	running  int
}

// Usage is what a statement has consumed so far.
type Usage struct {
	Requests  map[string]int // by action, each attempt counted
	Items     int64          // items read, before filters
	Returned  int64          // rows handed out
	Bytes     int64          // of answers
	Pages     int64          // answers with items or counts
	ReadUnits float64
	Dollars   float64
	Throttles int       // answers that asked to slow down
	Retries   int       // calls sent again, for whatever reason
	Plans     []PlanUse // the plans begun, each kind once
}

// PlanUse is what was read how. Plans that differ in their conditions only are
// of one kind: of them it has the sums.
type PlanUse struct {
	Table     string `json:"table"`
	Operation string `json:"operation"`
	Index     string `json:"index"`

	// KeyCondition and Filter are those of the first such plan, in SQL's
	// notation; empty for none. Keys is how many keys all of them had.
	KeyCondition string `json:"-"`
	Filter       string `json:"-"`
	Keys         int    `json:"-"`

	Requests  map[string]int `json:"-"` // by action, each attempt counted
	Items     int64          `json:"-"` // items read, before filters
	Returned  int64          `json:"-"` // rows handed out
	ReadUnits float64        `json:"-"`
}

// Progress is how far a statement has come.
type Progress struct {
	Usage
	Elapsed time.Duration
	Share   float64       // of the read units expected, 0 to 1; 0 when nothing is known
	Left    time.Duration // at the pace so far; 0 when nothing is known
}

// NewStatement opens an account; its clock starts now.
func NewStatement(l Limits) *Statement {
	if l.RatePercent <= 0 {
		l.RatePercent = 50
	}
	return &Statement{limits: l, started: time.Now(), usage: Usage{Requests: map[string]int{}}}
}

// Limits returns the limits in force.
func (s *Statement) Limits() Limits { return s.limits }

// Usage returns a copy of the account.
func (s *Statement) Usage() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copyUsage()
}

func (s *Statement) copyUsage() Usage {
	u := s.usage
	u.Requests = maps.Clone(u.Requests)
	u.Plans = slices.Clone(u.Plans)
	for i := range u.Plans {
		u.Plans[i].Requests = maps.Clone(u.Plans[i].Requests)
	}
	u.Dollars = u.ReadUnits * s.limits.DollarsPerMillion / 1e6
	return u
}

// Progress returns the account with the share done. A statement is done at 1
// only when none of its streams is open.
func (s *Statement) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Progress{Usage: s.copyUsage(), Elapsed: time.Since(s.started)}
	if s.expected > 0 && s.walking == 0 {
		p.Share = min(1, p.ReadUnits/s.expected)
		if s.running > 0 {
			p.Share = min(0.99, p.Share)
		}
	}
	if p.Share > 0 {
		p.Left = time.Duration(float64(p.Elapsed) * (1 - p.Share) / p.Share)
	}
	return p
}

// Admit refuses plans that are estimated, all together, above what is left of
// the budget: for whoever knows all plans of a statement before the first one
// runs. Open refuses a plan by itself.
func (s *Statement) Admit(plans ...access.Plan) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var total float64
	var worst *access.Plan
	for i := range plans {
		p := &plans[i]
		if p.Op == access.Nothing || p.Table.Source != "" {
			continue
		}
		total += p.Cost.ReadUnits
		if worst == nil || p.Cost.ReadUnits > worst.Cost.ReadUnits {
			worst = p
		}
	}
	limit := s.limits.MaxReadUnits
	if worst == nil || limit <= 0 || s.usage.ReadUnits+total <= limit {
		return nil
	}
	return &RefusedError{Table: worst.Table.Name, Hash: worst.Table.Key.Hash.Name, Operation: worst.Op.String(),
		Estimate: worst.Cost.ReadUnits, Others: s.usage.ReadUnits + total - worst.Cost.ReadUnits, Limit: limit}
}

// begin enters a plan whose first request is about to leave, and returns the
// place of its kind among Usage.Plans. The context ends with the statement's
// time.
func (s *Statement) begin(ctx context.Context, p *access.Plan) (context.Context, context.CancelFunc, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running++
	s.expected += p.Cost.ReadUnits
	if p.Walk {
		s.walking++
	}
	kind := s.kind(p)
	if s.limits.MaxSeconds <= 0 {
		ctx, cancel := context.WithCancel(ctx)
		return ctx, cancel, kind
	}
	end := s.started.Add(time.Duration(s.limits.MaxSeconds * float64(time.Second)))
	cause := &StoppedError{Table: p.Table.Name, What: Seconds, Used: s.limits.MaxSeconds, Limit: s.limits.MaxSeconds}
	ctx, cancel := context.WithDeadlineCause(ctx, end, cause)
	return ctx, cancel, kind
}

// kind finds the entry for plans like p, or makes it.
func (s *Statement) kind(p *access.Plan) int {
	operation := p.Op.String()
	i := slices.IndexFunc(s.usage.Plans, func(u PlanUse) bool {
		return u.Table == p.Table.Name && u.Operation == operation && u.Index == p.Index
	})
	if i < 0 {
		i = len(s.usage.Plans)
		use := PlanUse{Table: p.Table.Name, Operation: operation, Index: p.Index, Requests: map[string]int{}}
		use.KeyCondition, use.Filter = p.Conditions()
		s.usage.Plans = append(s.usage.Plans, use)
	}
	s.usage.Plans[i].Keys += len(p.Keys)
	return i
}

// end replaces the plan's estimate by the read units it took.
func (s *Statement) end(p *access.Plan, took float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	s.expected += took - p.Cost.ReadUnits
	if p.Walk {
		s.walking--
	}
}

// admit says whether one more request may leave.
func (s *Statement) admit(table string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, u := s.limits, s.usage
	switch {
	case l.MaxReadUnits > 0 && u.ReadUnits >= l.MaxReadUnits:
		return &StoppedError{Table: table, What: ReadUnits, Used: u.ReadUnits, Limit: l.MaxReadUnits}
	case l.MaxRowsRead > 0 && u.Items >= l.MaxRowsRead:
		return &StoppedError{Table: table, What: Rows, Used: float64(u.Items), Limit: float64(l.MaxRowsRead)}
	}
	return nil
}

// rowsLeft is how many items may still be read, or 0 for any number.
func (s *Statement) rowsLeft() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limits.MaxRowsRead == 0 {
		return 0
	}
	return max(1, s.limits.MaxRowsRead-s.usage.Items)
}

// sent counts a request of a plan of the kind.
func (s *Statement) sent(kind int, action string, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage.Requests[action]++
	s.usage.Plans[kind].Requests[action]++
	if again {
		s.usage.Retries++
	}
}

func (s *Statement) throttled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage.Throttles++
}

func (s *Statement) received(kind int, items, bytes int64, units float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage.Pages++
	s.usage.Items += items
	s.usage.Bytes += bytes
	s.usage.ReadUnits += units
	s.usage.Plans[kind].Items += items
	s.usage.Plans[kind].ReadUnits += units
}

func (s *Statement) returned(kind int, rows int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage.Returned += rows
	s.usage.Plans[kind].Returned += rows
}
