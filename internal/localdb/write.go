package localdb

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// write is one change of one item: item for a Put, nothing for a Delete, and
// for an Update what next makes of the old item.
type write struct {
	table     *table
	at        position
	condition *expr.Condition
	failure   types.ReturnValuesOnConditionCheckFailure
	item      attr.Form
	next      func(old attr.Form) (attr.Form, error)
}

// run makes the change and gives the item before it and its cost.
func (s *Store) run(w write) (old attr.Form, cost charge, err error) {
	w.table.mu.Lock()
	defer w.table.mu.Unlock()
	return s.runLocked(w)
}

// runLocked is run for a caller that holds the table's lock.
func (s *Store) runLocked(w write) (old attr.Form, cost charge, err error) {
	t := w.table
	if err := s.passWrite(t, w.at.hash); err != nil {
		return "", charge{}, err
	}
	next := w.item
	if w.condition != nil || w.next != nil {
		if next, err = w.decide(); err != nil {
			s.takeWrite(t, w.at.hash, charge{table: 1})
			return "", charge{}, err
		}
	}
	old, cost = t.replace(w.at, next, s.now())
	s.takeWrite(t, w.at.hash, cost)
	return old, cost, nil
}

// decide looks at the old item for a condition or an update.
func (w write) decide() (attr.Form, error) {
	old := w.table.items.get(w.at)
	if w.condition != nil && !w.condition.Match(old) {
		return "", conditionError(old, w.failure)
	}
	if w.next != nil {
		return w.next(old)
	}
	return w.item, nil
}

func conditionError(old attr.Form, failure types.ReturnValuesOnConditionCheckFailure) error {
	e := &apiError{code: conditionFailed, message: "The conditional request failed"}
	if failure == types.ReturnValuesOnConditionCheckFailureAllOld {
		e.item = old
	}
	return e
}

// collection is the size of an item collection, if asked for and if the table
// has local indexes.
func (t *table) collection(p position, mode types.ReturnItemCollectionMetrics) *types.ItemCollectionMetrics {
	if mode != types.ReturnItemCollectionMetricsSize {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.hasLocalIndex() {
		return nil
	}
	bytes := 0
	var member attr.Form
	all := span{from: position{hash: p.hash}, to: position{hash: p.hash + 1}, unbounded: p.hash+1 == 0}
	t.items.walk(all, false, func(r record) bool {
		bytes += r.item.Size()
		member = r.item
		return true
	})
	if member == "" {
		return nil
	}
	low := float64(bytes >> 30)
	return &types.ItemCollectionMetrics{
		ItemCollectionKey:   attr.Form(member.Select(nil, []string{t.key[0].Name})).SDK(),
		SizeEstimateRangeGB: []float64{low, low + 1},
	}
}

// itemToPut is the item of a PutItem or a PutRequest.
func itemToPut(item ddb.Item) (attr.Form, error) {
	form, err := attr.FromSDK(item)
	if err == nil && form.Size() > maxItemBytes {
		err = invalidValue("Item size has exceeded the maximum allowed size")
	}
	return form, err
}

// checkPut checks an item to be put against the schema.
func (t *table) checkPut(item attr.Form) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.checkItem(item)
}
