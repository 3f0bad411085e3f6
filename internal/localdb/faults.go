package localdb

import (
	"context"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/smithy-go"
)

// Fault is what a Rule does to a request.
type Fault uint8

// The faults. Those that cut or falsify the response happen after the request
// was served; all others instead of it, except that DeleteTable and DeleteIndex
// delete first and then let the request meet what is left.
const (
	NoFault            Fault = iota
	ServerError              // InternalServerError, HTTP status 500
	Throttled                // ProvisionedThroughputExceededException
	RequestThrottled         // ThrottlingException
	ExpiredCredentials       // ExpiredTokenException
	AccessDenied             // AccessDeniedException naming the operation
	CutBody                  // the connection ends in the middle of the response
	WrongChecksum            // X-Amz-Crc32 does not match the body
	DeleteTable              // the table is deleted before the request is served
	DeleteIndex              // the index of the request is deleted before it is served
)

// Rule picks requests and says what happens to them. A rule with a zero field
// does not look at that property of a request.
type Rule struct {
	Operation string // such as "Scan"
	Table     string
	Index     string
	// First is the number of the first request, of those picked by the fields
	// above, that the rule applies to; counted from 1, and 0 means 1.
	First int
	// Count is how many of them it applies to; 0 means all.
	Count int
	// Probability of applying to a request; 0 means always.
	Probability float64

	Latency time.Duration // added
	Fault   Fault
}

func (r Rule) picks(c call) bool {
	return (r.Operation == "" || r.Operation == c.operation) &&
		(r.Table == "" || r.Table == c.table) &&
		(r.Index == "" || r.Index == c.index)
}

// injector applies the rules of a store.
type injector struct {
	rules []Rule

	mu     sync.Mutex // guards seen and random
	seen   []int      // requests picked so far, by rule
	random *rand.Rand
}

func newInjector(o Options) *injector {
	return &injector{rules: o.Rules, seen: make([]int, len(o.Rules)), random: rand.New(rand.NewPCG(o.Seed, 1))}
}

// decide gives the latency of all rules that apply and the fault of the first.
func (in *injector) decide(c call) (latency time.Duration, fault Fault) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for i, r := range in.rules {
		if !r.picks(c) {
			continue
		}
		in.seen[i]++
		first := max(r.First, 1)
		if in.seen[i] < first || r.Count > 0 && in.seen[i] >= first+r.Count {
			continue
		}
		if r.Probability > 0 && in.random.Float64() >= r.Probability {
			continue
		}
		latency += r.Latency
		if fault == NoFault {
			fault = r.Fault
		}
	}
	return latency, fault
}

// admit lets a request wait for its latency and meet its fault. The fault it
// returns is for the response.
func (s *Store) admit(ctx context.Context, operation string, in any) (Fault, error) {
	if err := ctx.Err(); err != nil {
		return NoFault, err
	}
	var c call
	if len(s.rules.rules) > 0 {
		c = callOf(operation, in)
	}
	latency, fault := s.rules.decide(c)
	latency += s.opts.Latency
	if operation == "Query" || operation == "Scan" {
		latency += s.opts.PageLatency
	}
	if latency > 0 {
		if err := s.opts.Sleep(ctx, latency); err != nil {
			return NoFault, err
		}
	}
	return fault, s.strike(fault, c)
}

func (s *Store) strike(fault Fault, c call) error {
	switch fault {
	case ServerError:
		return fail(internalError, "Internal server error")
	case Throttled:
		return (&table{}).throttled(nil)
	case RequestThrottled:
		return fail(throttling, "Rate of requests exceeds the allowed throughput.")
	case ExpiredCredentials:
		return fail(expiredToken, "The security token included in the request is expired")
	case AccessDenied:
		return fail(accessDenied, "User: arn:aws:iam::000000000000:user/local is not authorized to perform: dynamodb:%s on resource: %s",
			c.operation, tableARN(c.table))
	case DeleteTable:
		s.drop(c.table)
	case DeleteIndex:
		s.dropIndex(c.table, c.index)
	}
	return nil
}

// drop deletes a table at once.
func (s *Store) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tables, name)
}

// dropIndex deletes a global index at once.
func (s *Store) dropIndex(tableName, name string) {
	t := s.find(tableName)
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if x := t.index(name, s.now()); x != nil {
		x.state = lifecycle{phase: "DELETING", until: s.now()}
	}
}

// errCutBody is how a response that was cut or falsified looks in process: the
// SDK's client sees a body that it cannot read.
var errCutBody = &smithy.DeserializationError{Err: io.ErrUnexpectedEOF}
