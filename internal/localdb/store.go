package localdb

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Options of a store. The zero value is a fast store without limits: tables are
// usable as soon as they are created, nothing is throttled, nothing fails.
type Options struct {
	// Clock tells the time; time.Now if nil.
	Clock func() time.Time
	// Sleep waits for latency; a timer if nil.
	Sleep func(context.Context, time.Duration) error
	// Seed of the random choices of Rules.
	Seed uint64

	// How long tables stay CREATING, UPDATING and DELETING, and how long a
	// global index of UpdateTable stays CREATING or DELETING.
	CreateDelay, UpdateDelay, DeleteDelay, IndexDelay time.Duration
	// IndexLag is how long a write takes to show in global indexes.
	IndexLag time.Duration
	// PageBytes is where Query and Scan cut a page; 1 MiB if 0.
	PageBytes int

	// Throttle enforces the provisioned throughput of tables and global
	// indexes, and the limits of partitions.
	Throttle bool
	// Burst is how much unused throughput is kept; 300 s, as in the service, if 0.
	Burst time.Duration

	// FreeReads has reads consume nothing.
	FreeReads bool

	// Latency is added to each request, PageLatency to each Query and Scan too.
	Latency, PageLatency time.Duration
	// Rules inject faults and latency into chosen requests.
	Rules []Rule
	// Credentials maps access keys to secrets. If not nil, the HTTP face
	// verifies the SigV4 signature of each request against them.
	Credentials map[string]string
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	o.PageBytes = cmp.Or(o.PageBytes, 1<<20)
	o.Burst = cmp.Or(o.Burst, 300*time.Second)
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Store is a set of tables. It is safe for concurrent use.
type Store struct {
	opts  Options
	rules *injector

	mu     sync.RWMutex // guards tables and made
	tables map[string]*table
	made   int // tables ever created, for their ids
}

// Open makes an empty store. It needs no closing.
func Open(opts Options) *Store {
	opts = opts.withDefaults()
	return &Store{
		opts:   opts,
		rules:  newInjector(opts),
		tables: map[string]*table{},
	}
}

func (s *Store) now() time.Time { return s.opts.Clock() }

// find gives a table in any state, or nil.
func (s *Store) find(name string) *table {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t := s.tables[name]
	if t == nil || t.status(s.now()) == "" {
		return nil
	}
	return t
}

func (t *table) status(now time.Time) types.TableStatus {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.state.at(now)
}

// open gives a table whose items can be read and written.
func (s *Store) open(name *string) (*table, error) {
	now := s.now()
	if t := s.find(tableName(str(name))); t != nil {
		if phase := t.status(now); phase == types.TableStatusActive || phase == types.TableStatusUpdating {
			t.settle(now)
			return t, nil
		}
	}
	return nil, fail(notFound, "Requested resource not found")
}

// tableName is the name in a table's name or ARN.
func tableName(nameOrARN string) string {
	if !strings.HasPrefix(nameOrARN, "arn:") {
		return nameOrARN
	}
	_, name, _ := strings.Cut(nameOrARN, ":table/")
	return name
}
