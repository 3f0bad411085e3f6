// Package catalog finds the tables of a connection, samples their items to
// infer columns, and keeps both. It reads through a ddb.Reader and knows
// nothing of SQL beyond the column types of package schema.
package catalog

import (
	"context"
	"errors"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// Options adjusts a Catalog; the zero value is usable.
type Options struct {
	// SampleItems is how many items a sample holds; 0 means 1,000. One item is
	// the least.
	SampleItems int
	// SampleUnits bounds the read units that one sample may take; 0 means 250.
	SampleUnits float64
	// NamesAge is how long the list of table names is served from memory; 0
	// means 10 seconds.
	NamesAge time.Duration
	// TableAge is how long a table's description is served from memory; 0
	// means 10 minutes.
	TableAge time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.SampleItems <= 0 {
		o.SampleItems = 1000
	}
	if o.SampleUnits <= 0 {
		o.SampleUnits = 250
	}
	if o.NamesAge <= 0 {
		o.NamesAge = 10 * time.Second
	}
	if o.TableAge <= 0 {
		o.TableAge = 10 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// ErrNoTable is returned for a table that does not exist.
var ErrNoTable = errors.New("no such table")

// AmbiguousError reports a name that matches several tables when case is
// ignored, and none of them exactly.
type AmbiguousError struct {
	Name   string
	Tables []string
}

func (e *AmbiguousError) Error() string {
	return "table name " + quote(e.Name) + " matches several tables that differ in case: " +
		strings.Join(e.Tables, ", ") + "; write one of them exactly"
}

func quote(name string) string { return "'" + name + "'" }

// Sampling is what taking samples has read so far.
type Sampling struct {
	Requests  int64
	Items     int64
	ReadUnits float64
}

// Catalog describes the tables of one connection. It is safe for concurrent
// use: two callers that need the same table share one description.
type Catalog struct {
	client ddb.Reader
	opts   Options

	mu       sync.Mutex // guards the fields below
	names    []string
	namesAt  time.Time
	entries  map[string]*entry
	sampling Sampling
}

// An entry is one table's description, made by the first caller.
type entry struct {
	ready chan struct{} // closed when table and err are set
	table *schema.Table
	err   error
	at    time.Time
	// sample is what the table was inferred from; widened keeps the kinds that
	// statements met later.
	sample  sample
	widened map[string]schema.Counts
}

// New returns a catalog that reads through the client.
func New(client ddb.Reader, opts Options) *Catalog {
	return &Catalog{client: client, opts: opts.withDefaults(), entries: map[string]*entry{}}
}

// Names lists the tables in byte order.
func (c *Catalog) Names(ctx context.Context) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names != nil && c.opts.Now().Sub(c.namesAt) < c.opts.NamesAge {
		return c.names, nil
	}
	names := []string{}
	in := &ddb.ListTablesInput{}
	for {
		out, err := c.client.ListTables(ctx, in)
		if err != nil {
			return nil, err
		}
		names = append(names, out.TableNames...)
		if out.LastEvaluatedTableName == nil {
			break
		}
		in = &ddb.ListTablesInput{ExclusiveStartTableName: out.LastEvaluatedTableName}
	}
	sort.Strings(names)
	c.names, c.namesAt = names, c.opts.Now()
	return names, nil
}

// Resolve finds the table that a name in SQL means: the exact one, else the
// only one that differs in case. The error is ErrNoTable or an AmbiguousError.
func (c *Catalog) Resolve(ctx context.Context, name string) (string, error) {
	names, err := c.Names(ctx)
	if err != nil {
		return "", err
	}
	var folded []string
	for _, n := range names {
		if n == name {
			return n, nil
		}
		if strings.EqualFold(n, name) {
			folded = append(folded, n)
		}
	}
	switch len(folded) {
	case 0:
		return "", ErrNoTable
	case 1:
		return folded[0], nil
	}
	return "", &AmbiguousError{Name: name, Tables: folded}
}

// Table describes a table by its exact name, from memory when that is young
// enough. Taking the sample reads at most Options.SampleUnits read units.
func (c *Catalog) Table(ctx context.Context, name string) (*schema.Table, error) {
	for {
		e, mine := c.entry(name)
		if mine {
			e.table, e.sample, e.err = c.describe(ctx, name)
			if e.err != nil {
				c.drop(name, e)
			}
			close(e.ready)
			return e.table, e.err
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// The caller that was describing the table may have been cancelled;
		// that is its end, not ours.
		if e.err == nil || !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			return c.current(e)
		}
	}
}

func (c *Catalog) current(e *entry) (*schema.Table, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return e.table, e.err
}

// entry returns the entry of a table, and whether the caller has to fill it.
func (c *Catalog) entry(name string) (*entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[name]; ok && c.opts.Now().Sub(e.at) < c.opts.TableAge {
		return e, false
	}
	e := &entry{ready: make(chan struct{}), at: c.opts.Now(), widened: map[string]schema.Counts{}}
	c.entries[name] = e
	return e, true
}

func (c *Catalog) drop(name string, e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[name] == e {
		delete(c.entries, name)
	}
}

// Forget drops what is known of a table, or of all tables for "", so that the
// next use describes and samples it again.
func (c *Catalog) Forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names = nil
	if name == "" {
		c.entries = map[string]*entry{}
		return
	}
	delete(c.entries, name)
}

// Widen records that an attribute was met with a kind that its column cannot
// hold, so that the next statement sees a column that can.
func (c *Catalog) Widen(name, attribute string, kind schema.Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[name]
	if !ok || e.table == nil {
		return
	}
	counts := e.widened[attribute]
	counts[kind]++
	e.widened[attribute] = counts
	t := *e.table
	t.Columns = columns(&t, e.sample, e.widened)
	e.table = &t
}

// Sampling returns what samples have read since the catalog was made.
func (c *Catalog) Sampling() Sampling {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sampling
}
