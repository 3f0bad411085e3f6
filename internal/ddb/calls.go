package ddb

import (
	"context"
	"maps"
	"sync"
)

// Counted is a client that counts the calls it passes on. It is safe for
// concurrent use.
type Counted struct {
	Client
	mu    sync.Mutex
	calls map[string]int // guarded by mu
}

// Count returns a client that counts the calls of c by action.
func Count(c Client) *Counted { return &Counted{Client: c, calls: map[string]int{}} }

// Calls returns how often each read action was called since Reset, by its name.
func (c *Counted) Calls() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.calls)
}

// Reset sets every count to zero.
func (c *Counted) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.calls)
}

func (c *Counted) add(action string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[action]++
}

// ListTables counts and passes on, like the five methods below.
func (c *Counted) ListTables(ctx context.Context, in *ListTablesInput, opts ...func(*Options)) (*ListTablesOutput, error) {
	c.add("ListTables")
	return c.Client.ListTables(ctx, in, opts...)
}

// DescribeTable counts and passes on.
func (c *Counted) DescribeTable(ctx context.Context, in *DescribeTableInput, opts ...func(*Options)) (*DescribeTableOutput, error) {
	c.add("DescribeTable")
	return c.Client.DescribeTable(ctx, in, opts...)
}

// GetItem counts and passes on.
func (c *Counted) GetItem(ctx context.Context, in *GetItemInput, opts ...func(*Options)) (*GetItemOutput, error) {
	c.add("GetItem")
	return c.Client.GetItem(ctx, in, opts...)
}

// BatchGetItem counts and passes on.
func (c *Counted) BatchGetItem(ctx context.Context, in *BatchGetItemInput, opts ...func(*Options)) (*BatchGetItemOutput, error) {
	c.add("BatchGetItem")
	return c.Client.BatchGetItem(ctx, in, opts...)
}

// Query counts and passes on.
func (c *Counted) Query(ctx context.Context, in *QueryInput, opts ...func(*Options)) (*QueryOutput, error) {
	c.add("Query")
	return c.Client.Query(ctx, in, opts...)
}

// Scan counts and passes on.
func (c *Counted) Scan(ctx context.Context, in *ScanInput, opts ...func(*Options)) (*ScanOutput, error) {
	c.add("Scan")
	return c.Client.Scan(ctx, in, opts...)
}
