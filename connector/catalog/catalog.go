// Package catalog finds the tables of a connection, samples their items to
// infer columns, and keeps both. It reads through a ddb.Reader and knows
// nothing of SQL beyond the column types of package schema.
package catalog

import (
	"context"
	"errors"
	"slices"
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
	// Pins are what a schema file says of tables, by their exact names.
	Pins map[string][]schema.Pin
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

// Since is what was read after an earlier time.
func (s Sampling) Since(earlier Sampling) Sampling {
	return Sampling{
		Requests:  s.Requests - earlier.Requests,
		Items:     s.Items - earlier.Items,
		ReadUnits: s.ReadUnits - earlier.ReadUnits,
	}
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
	outlines map[string]*entry
	items    map[string]int // sizes of samples that Refresh was asked for
	pins     map[string][]schema.Pin
	sampling Sampling
	changes  int
}

// New returns a catalog that reads through the client.
func New(client ddb.Reader, opts Options) *Catalog {
	return &Catalog{
		client: client, opts: opts.withDefaults(), pins: opts.Pins,
		entries: map[string]*entry{}, outlines: map[string]*entry{}, items: map[string]int{},
	}
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
	if !slices.Equal(c.names, names) {
		c.changes++
	}
	c.names, c.namesAt = names, c.opts.Now()
	return names, nil
}

// PeekNames are the names last listed: it sends nothing.
func (c *Catalog) PeekNames() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names
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

// Sampling returns what samples have read since the catalog was made.
func (c *Catalog) Sampling() Sampling {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sampling
}
