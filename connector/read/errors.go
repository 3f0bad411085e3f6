package read

import (
	"fmt"
	"math"

	"github.com/dynasql/dynasql/internal/ddb"
)

// RefusedError reports a plan that is estimated above the statement's budget,
// alone or together with what else the statement reads. Nothing of the plan has
// been read when it is returned.
type RefusedError struct {
	Table     string
	Hash      string // the table's hash key
	Operation string
	Estimate  float64 // read units
	Others    float64 // read units that the statement takes beside
	Limit     float64 // read units
}

func (e *RefusedError) Error() string {
	beside := ""
	if e.Others > 0 {
		beside = fmt.Sprintf(" beside the statement's other %s", units(e.Others))
	}
	return fmt.Sprintf("%s of table %q refused: it would take about %s read units%s, and the limit is %s",
		e.Operation, e.Table, units(e.Estimate), beside, units(e.Limit))
}

// Hint says what the user can change.
func (e *RefusedError) Hint() string {
	raise := fmt.Sprintf("SET ddb_max_rcu = %.0f", math.Ceil(e.Others+e.Estimate))
	if e.Operation != "Scan" {
		return "read less, or raise the limit: " + raise
	}
	return fmt.Sprintf("add a condition `%s` = ..., or raise the limit: %s", e.Hash, raise)
}

// Bound is what a running statement has run into.
type Bound uint8

// The bounds.
const (
	ReadUnits Bound = iota
	Seconds
	Rows
)

var bounds = [...]struct{ noun, variable string }{
	ReadUnits: {"read units", "ddb_max_rcu"},
	Seconds:   {"seconds", "ddb_max_seconds"},
	Rows:      {"items read", "ddb_max_rows_read"},
}

// StoppedError reports a statement that used up its budget while it ran. What it
// had read until then has been paid for.
type StoppedError struct {
	Table       string // where it was stopped
	What        Bound
	Used, Limit float64
}

func (e *StoppedError) Error() string {
	b := bounds[e.What]
	return fmt.Sprintf("stopped while reading table %q after %s %s: the limit is %s",
		e.Table, units(e.Used), b.noun, units(e.Limit))
}

// Hint says what the user can change.
func (e *StoppedError) Hint() string {
	return fmt.Sprintf("read less (a key condition, a LIMIT), or raise the limit: SET %s", bounds[e.What].variable)
}

func units(u float64) string {
	if u == math.Trunc(u) {
		return fmt.Sprintf("%.0f", u)
	}
	return fmt.Sprintf("%.1f", u)
}

// AnswerError reports an answer that makes no sense. Repeating it does not help.
type AnswerError struct{ Table, Action, Why string }

func (e *AnswerError) Error() string {
	return fmt.Sprintf("the answer to %s on table %q is unusable: %s", e.Action, e.Table, e.Why)
}

// Hint says what the user can do.
func (*AnswerError) Hint() string {
	return "repeat the statement; if this happens again, check that the endpoint is DynamoDB (--endpoint-url)"
}

// UnreadError reports keys that DynamoDB left unread again and again.
type UnreadError struct {
	Table    string
	Keys     int
	Attempts int
}

func (e *UnreadError) Error() string {
	return fmt.Sprintf("DynamoDB left %d keys of table %q unread in %d requests in a row", e.Keys, e.Table, e.Attempts)
}

// Hint says what the user can change.
func (e *UnreadError) Hint() string {
	return "the table is throttled: try again later, read more slowly (SET ddb_rcu_per_second), or raise its capacity"
}

func (j *job) malformed(action string) error {
	return &AnswerError{Table: j.p.Table.Name, Action: action, Why: "it is not DynamoDB JSON"}
}

func (j *job) explain(action string, err error) error {
	return ddb.Explain(err, ddb.Target{Action: action, Table: j.p.Table.Name, Index: j.p.Index})
}
