package localdb

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
)

func (s *Store) batchWriteItem(in *ddb.BatchWriteItemInput) (*ddb.BatchWriteItemOutput, error) {
	if err := checkBatchWrite(in); err != nil {
		return nil, err
	}
	out := &ddb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{}}
	names := slices.Sorted(maps.Keys(in.RequestItems))
	batches := make([][]write, len(names))
	for i, name := range names {
		var err error
		if batches[i], err = s.newBatch(name, in.RequestItems[name]); err != nil {
			return nil, err
		}
	}
	wrote := 0
	var refusal error
	for i, name := range names {
		n, err := s.writeBatch(name, batches[i], in, out)
		wrote += n
		if err != nil {
			refusal = err
		}
	}
	if wrote == 0 && refusal != nil {
		return nil, refusal
	}
	return out, nil
}

func checkBatchWrite(in *ddb.BatchWriteItemInput) error {
	if len(in.RequestItems) == 0 {
		return invalid("The requestItems parameter is required for BatchWriteItem")
	}
	var c constraints
	enum(&c, in.ReturnConsumedCapacity, "returnConsumedCapacity")
	enum(&c, in.ReturnItemCollectionMetrics, "returnItemCollectionMetrics")
	total := 0
	for _, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
		n := len(in.RequestItems[name])
		total += n
		if n < 1 || n > maxBatchWrites {
			c.violate(fmt.Sprintf("'{%s=[%d write requests]}'", name, n), "requestItems",
				"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]")
		}
	}
	if err := c.err(); err != nil {
		return err
	}
	if total > maxBatchWrites {
		return invalid("Too many items requested for the BatchWriteItem call")
	}
	return nil
}

func (s *Store) newBatch(name string, requests []types.WriteRequest) ([]write, error) {
	t, err := s.open(&name)
	if err != nil {
		return nil, err
	}
	batch := make([]write, len(requests))
	for i, r := range requests {
		if batch[i], err = newWrite(t, r); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(batch[:i], func(w write) bool { return w.at == batch[i].at }) {
			return nil, invalid("Provided list of item keys contains duplicates")
		}
	}
	return batch, nil
}

// newWrite is the write of one request of a batch.
func newWrite(t *table, r types.WriteRequest) (write, error) {
	w := write{table: t}
	switch {
	case (r.PutRequest == nil) == (r.DeleteRequest == nil):
		return w, invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	case r.DeleteRequest != nil:
		key, err := attr.FromSDK(r.DeleteRequest.Key)
		if err != nil {
			return w, err
		}
		if err := t.key.checkKey(key); err != nil {
			return w, err
		}
		w.at = t.key.tablePosition(key)
		return w, nil
	}
	item, err := itemToPut(r.PutRequest.Item)
	if err != nil {
		return w, err
	}
	if err := t.checkPut(item); err != nil {
		return w, err
	}
	w.at = t.key.tablePosition(item)
	w.item = item
	return w, nil
}

// writeBatch writes to one table; what is throttled comes back as unprocessed.
func (s *Store) writeBatch(name string, batch []write, in *ddb.BatchWriteItemInput, out *ddb.BatchWriteItemOutput) (wrote int, refusal error) {
	t := batch[0].table
	var sum charge
	refused := make([]error, len(batch))
	s.runAll(t, batch, &sum, refused)
	for i, w := range batch {
		if refused[i] != nil {
			refusal = refused[i]
			out.UnprocessedItems[name] = append(out.UnprocessedItems[name], in.RequestItems[name][i])
			continue
		}
		wrote++
		if m := t.collection(w.at, in.ReturnItemCollectionMetrics); m != nil {
			if out.ItemCollectionMetrics == nil {
				out.ItemCollectionMetrics = map[string][]types.ItemCollectionMetrics{}
			}
			out.ItemCollectionMetrics[name] = append(out.ItemCollectionMetrics[name], *m)
		}
	}
	if r := sum.report(in.ReturnConsumedCapacity, t.name); r != nil {
		out.ConsumedCapacity = append(out.ConsumedCapacity, *r)
	}
	return wrote, refusal
}

// runAll makes the changes under one lock of their table: a lock for each would
// let the writers of a load wait for each other 25 times a batch.
func (s *Store) runAll(t *table, batch []write, sum *charge, refused []error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, w := range batch {
		var cost charge
		if _, cost, refused[i] = s.runLocked(w); refused[i] == nil {
			sum.merge(cost)
		}
	}
}
