package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/internal/ddb"
)

// lateClient opens a connection when it is first asked something, and again
// while that fails. It is safe for concurrent use.
type lateClient struct {
	name string
	open func(context.Context) (ddb.Reader, error)

	mu     sync.Mutex // guards client
	client ddb.Reader // nil until opened
}

var (
	_ ddb.Reader      = (*lateClient)(nil)
	_ catalog.Sourcer = (*lateClient)(nil)
)

func (l *lateClient) opened(ctx context.Context) (ddb.Reader, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client != nil {
		return l.client, nil
	}
	client, err := l.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("connection %q: %w", l.name, err)
	}
	l.client = client
	return client, nil
}

// Source implements catalog.Sourcer. It is asked about tables that were described.
func (l *lateClient) Source(table string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.client.(catalog.Sourcer); ok {
		return s.Source(table)
	}
	return ""
}

func (l *lateClient) ListTables(ctx context.Context, in *ddb.ListTablesInput, opts ...func(*ddb.Options)) (*ddb.ListTablesOutput, error) {
	client, err := l.opened(ctx)
	if err != nil {
		return nil, err
	}
	return client.ListTables(ctx, in, opts...)
}

func (l *lateClient) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, opts ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	client, err := l.opened(ctx)
	if err != nil {
		return nil, err
	}
	return client.DescribeTable(ctx, in, opts...)
}

func (l *lateClient) GetItem(ctx context.Context, in *ddb.GetItemInput, opts ...func(*ddb.Options)) (*ddb.GetItemOutput, error) {
	client, err := l.opened(ctx)
	if err != nil {
		return nil, err
	}
	return client.GetItem(ctx, in, opts...)
}

func (l *lateClient) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, opts ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	client, err := l.opened(ctx)
	if err != nil {
		return nil, err
	}
	return client.BatchGetItem(ctx, in, opts...)
}

func (l *lateClient) Query(ctx context.Context, in *ddb.QueryInput, opts ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	client, err := l.opened(ctx)
	if err != nil {
		return nil, err
	}
	return client.Query(ctx, in, opts...)
}

func (l *lateClient) Scan(ctx context.Context, in *ddb.ScanInput, opts ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	client, err := l.opened(ctx)
	if err != nil {
		return nil, err
	}
	return client.Scan(ctx, in, opts...)
}
