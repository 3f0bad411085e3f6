package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// batchItems is how many items BatchWriteItem takes.
const batchItems = 25

// Loader loads data sets. The zero value of all but Client is usable.
type Loader struct {
	Client ddb.Client
	// Wait passes the time between two looks at a table that is not ready, or
	// two tries to write items that were not processed; attempt counts from 1.
	// If nil, it waits 50 ms, doubling to 2 s.
	Wait func(ctx context.Context, attempt int) error
	// Attempts is how often it waits for one thing; 60 if 0.
	Attempts int
}

// Summary is what a load did.
type Summary struct {
	Tables []string // created, in order
	Items  int      // written
}

// Load creates the tables of the set and writes their items, with a Loader's
// defaults.
func (s *Set) Load(ctx context.Context, client ddb.Client) (Summary, error) {
	return Loader{Client: client}.Load(ctx, s)
}

// Load creates the tables of a set and writes their items. A table that exists
// already is an error before anything is created; when anything fails, or ctx
// ends, the tables created so far are deleted again.
func (l Loader) Load(ctx context.Context, s *Set) (Summary, error) {
	if l.Wait == nil {
		l.Wait = wait
	}
	if l.Attempts == 0 {
		l.Attempts = 60
	}
	var done Summary
	if err := l.checkAbsent(ctx, s); err != nil {
		return done, err
	}
	for _, t := range s.Tables {
		if err := l.loadTable(ctx, t, &done); err != nil {
			return Summary{}, errors.Join(err, l.undo(ctx, done.Tables))
		}
	}
	return done, nil
}

func wait(ctx context.Context, attempt int) error {
	d := min(50*time.Millisecond<<min(attempt-1, 10), 2*time.Second)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l Loader) checkAbsent(ctx context.Context, s *Set) error {
	for _, t := range s.Tables {
		_, err := l.Client.DescribeTable(ctx, &ddb.DescribeTableInput{TableName: &t.Name})
		var missing *types.ResourceNotFoundException
		switch {
		case err == nil:
			return fmt.Errorf("table %q exists already: nothing was loaded; delete it first or load elsewhere", t.Name)
		case !errors.As(err, &missing):
			return fmt.Errorf("look for table %q: %w", t.Name, err)
		}
	}
	return nil
}

func (l Loader) loadTable(ctx context.Context, t Table, done *Summary) error {
	definition := t.Definition
	if _, err := l.Client.CreateTable(ctx, &definition); err != nil {
		return fmt.Errorf("create table %q: %w", t.Name, err)
	}
	done.Tables = append(done.Tables, t.Name)
	if err := l.waitActive(ctx, t.Name); err != nil {
		return err
	}
	first := 1
	for batch := range slices.Chunk(t.Items, batchItems) {
		if err := l.writeBatch(ctx, t.Name, batch); err != nil {
			return fmt.Errorf("write items %d to %d of table %q: %w", first, first+len(batch)-1, t.Name, err)
		}
		first += len(batch)
		done.Items += len(batch)
	}
	return nil
}

// waitActive waits until a table and its indexes can be used.
func (l Loader) waitActive(ctx context.Context, name string) error {
	for attempt := 1; attempt <= l.Attempts; attempt++ {
		out, err := l.Client.DescribeTable(ctx, &ddb.DescribeTableInput{TableName: &name})
		if err != nil {
			return fmt.Errorf("wait for table %q: %w", name, err)
		}
		if isActive(out.Table) {
			return nil
		}
		if err := l.Wait(ctx, attempt); err != nil {
			return fmt.Errorf("wait for table %q: %w", name, err)
		}
	}
	return fmt.Errorf("table %q is not active after %d looks at it", name, l.Attempts)
}

func isActive(t *types.TableDescription) bool {
	building := func(x types.GlobalSecondaryIndexDescription) bool { return x.IndexStatus != types.IndexStatusActive }
	return t.TableStatus == types.TableStatusActive && !slices.ContainsFunc(t.GlobalSecondaryIndexes, building)
}

// writeBatch writes up to 25 items, again those that were not processed.
func (l Loader) writeBatch(ctx context.Context, name string, items []ddb.Item) error {
	requests := make([]types.WriteRequest, len(items))
	for i, item := range items {
		requests[i].PutRequest = &types.PutRequest{Item: item}
	}
	for attempt := 1; ; attempt++ {
		out, err := l.Client.BatchWriteItem(ctx, &ddb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{name: requests}})
		if err != nil {
			return err
		}
		if requests = out.UnprocessedItems[name]; len(requests) == 0 {
			return nil
		}
		if attempt == l.Attempts {
			return fmt.Errorf("%d items were not processed in %d attempts: the table's write throughput is used up", len(requests), attempt)
		}
		if err := l.Wait(ctx, attempt); err != nil {
			return err
		}
	}
}

// undo deletes tables, also when ctx has ended.
func (l Loader) undo(ctx context.Context, tables []string) error {
	ctx = context.WithoutCancel(ctx)
	var failed error
	for _, name := range tables {
		if err := l.delete(ctx, name); err != nil {
			failed = errors.Join(failed, fmt.Errorf("table %q was created and could not be deleted again: %w", name, err))
		}
	}
	return failed
}

// delete deletes a table as soon as its state allows it.
func (l Loader) delete(ctx context.Context, name string) error {
	for attempt := 1; ; attempt++ {
		_, err := l.Client.DeleteTable(ctx, &ddb.DeleteTableInput{TableName: &name})
		var busy *types.ResourceInUseException
		if !errors.As(err, &busy) || attempt == l.Attempts {
			return err
		}
		if err := l.Wait(ctx, attempt); err != nil {
			return err
		}
	}
}
