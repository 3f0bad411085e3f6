package localdb

import (
	"bytes"
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
	"github.com/dynasql/dynasql/internal/localdb/wire"
)

// maxItemBytes is the service's limit on an item, by its own accounting.
const maxItemBytes = 400 << 10

// write is one change of one item: item for a Put, nothing for a Delete, and
// for an Update what next makes of the old item.
type write struct {
	table     *table
	at        position
	condition *expr.Condition
	failure   types.ReturnValuesOnConditionCheckFailure
	item      []byte
	next      func(old []byte) ([]byte, error)
}

// run makes the change and gives the item before it and its cost.
func (s *Store) run(w write) (old []byte, cost charge, err error) {
	w.table.mu.Lock()
	defer w.table.mu.Unlock()
	return s.runLocked(w)
}

// runLocked is run for a caller that holds the table's lock.
func (s *Store) runLocked(w write) (old []byte, cost charge, err error) {
	t := w.table
	if err := s.passWrite(t, w.at.hash); err != nil {
		return nil, charge{}, err
	}
	next := w.item
	if w.condition != nil || w.next != nil {
		if next, err = w.decide(); err != nil {
			s.takeWrite(t, w.at.hash, charge{table: 1})
			return nil, charge{}, err
		}
	}
	old, cost = t.replace(w.at, next, s.now())
	s.takeWrite(t, w.at.hash, cost)
	return old, cost, nil
}

// decide looks at the old item for a condition or an update.
func (w write) decide() ([]byte, error) {
	old, _ := w.table.items.get(w.at)
	if w.condition != nil && !matches(w.condition, old) {
		return nil, conditionError(old, w.failure)
	}
	if w.next != nil {
		return w.next(old)
	}
	return w.item, nil
}

// matches evaluates a condition on an item, which is nil if there is none.
func matches(c *expr.Condition, item []byte) bool {
	if item == nil {
		return c.Match(attr.Item{})
	}
	return c.MatchEncoded(item)
}

func conditionError(old []byte, failure types.ReturnValuesOnConditionCheckFailure) error {
	e := &apiError{code: conditionFailed, message: "The conditional request failed"}
	if failure == types.ReturnValuesOnConditionCheckFailureAllOld {
		e.item = old
	}
	return e
}

func (s *Store) putItem(_ context.Context, in *ddb.PutItemInput) (*ddb.PutItemOutput, error) {
	if err := checkPut(in); err != nil {
		return nil, err
	}
	item, err := s.encodeItem(in.Item)
	if err != nil {
		return nil, err
	}
	if in.ReturnValues != "" && in.ReturnValues != types.ReturnValueAllOld && in.ReturnValues != types.ReturnValueNone {
		return nil, invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	condition, err := writeCondition(in.ConditionExpression, in.Expected, in.ConditionalOperator, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	t, err := s.open(in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.checkWrite(encoded(item), condition); err != nil {
		return nil, err
	}
	w := write{table: t, at: t.key.tablePosition(encoded(item)), condition: condition, failure: in.ReturnValuesOnConditionCheckFailure, item: item}
	old, cost, err := s.run(w)
	if err != nil {
		return nil, err
	}
	out := &ddb.PutItemOutput{ConsumedCapacity: cost.report(in.ReturnConsumedCapacity, t.name)}
	if in.ReturnValues == types.ReturnValueAllOld && old != nil {
		out.Attributes = attr.EncodedToSDK(old)
	}
	out.ItemCollectionMetrics = t.collection(w.at, in.ReturnItemCollectionMetrics)
	return out, nil
}

// writeOptions are the parameters that PutItem, UpdateItem and DeleteItem share.
type writeOptions struct {
	table       *string
	capacity    types.ReturnConsumedCapacity
	collections types.ReturnItemCollectionMetrics
	values      types.ReturnValue
	onFailure   types.ReturnValuesOnConditionCheckFailure
	operator    types.ConditionalOperator
}

// checkWriteOptions also checks that the item or key, the member subject, is there.
func checkWriteOptions(o writeOptions, subject string, given bool) error {
	if err := checkTable(o.table); err != nil {
		return err
	}
	var c constraints
	c.consumedCapacity(o.capacity)
	c.collectionMetrics(o.collections)
	c.returnValues(o.values)
	c.onConditionFailure(o.onFailure)
	c.conditionalOperator(o.operator)
	c.notNull(given, subject)
	return c.err()
}

func checkPut(in *ddb.PutItemInput) error {
	err := checkWriteOptions(writeOptions{
		in.TableName, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValues,
		in.ReturnValuesOnConditionCheckFailure, in.ConditionalOperator,
	}, "item", in.Item != nil)
	if err != nil {
		return err
	}
	return checkMixed(in.ExpressionAttributeNames, in.ExpressionAttributeValues,
		[]parameter{{"ConditionExpression", in.ConditionExpression != nil}},
		[]parameter{{"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""}})
}

// encodeItem gives the stored form of an item to be put.
func (s *Store) encodeItem(item map[string]types.AttributeValue) ([]byte, error) {
	e, ok := wire.StoredForm(item)
	if !ok {
		var err error
		if e, err = s.encodeSDK(item); err != nil {
			return nil, err
		}
	}
	if attr.EncodedSize(e) > maxItemBytes {
		return nil, invalidValue("Item size has exceeded the maximum allowed size")
	}
	return e, nil
}

func (s *Store) encodeSDK(item map[string]types.AttributeValue) ([]byte, error) {
	scratch := s.scratch.Get().(*[]byte)
	defer s.scratch.Put(scratch)
	e, err := attr.EncodeSDK((*scratch)[:0], item)
	if err != nil {
		return nil, err
	}
	*scratch = e
	return bytes.Clone(e), nil
}

// writeCondition compiles the condition of a Put or Delete, nil if there is none.
func writeCondition(expression *string, expected map[string]types.ExpectedAttributeValue, operator types.ConditionalOperator,
	names map[string]string, values map[string]types.AttributeValue) (*expr.Condition, error) {
	env, err := newEnv(names, values)
	if err != nil {
		return nil, err
	}
	condition, err := parseCondition(expression, expected, operator, env)
	if err != nil {
		return nil, err
	}
	return condition, env.Unused()
}

// checkWrite checks an item to be put, and its condition, against the schema.
func (t *table) checkWrite(get lookup, condition *expr.Condition) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err := t.checkItem(get); err != nil {
		return err
	}
	if condition == nil {
		return nil
	}
	return t.checkKeyPaths(condition.Paths())
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
	var hash attr.Value
	t.items.walk(span{from: position{hash: p.hash}, to: position{hash: p.hash + 1}, unbounded: p.hash+1 == 0}, false, func(r record) bool {
		bytes += attr.EncodedSize(r.item)
		hash, _ = attr.Lookup(r.item, t.key.hash.Name)
		return true
	})
	if hash.Kind == attr.Invalid {
		return nil
	}
	low := float64(bytes >> 30)
	return &types.ItemCollectionMetrics{
		ItemCollectionKey:   attr.ToSDK(attr.Item{t.key.hash.Name: hash}),
		SizeEstimateRangeGB: []float64{low, low + 1},
	}
}

func (s *Store) deleteItem(_ context.Context, in *ddb.DeleteItemInput) (*ddb.DeleteItemOutput, error) {
	if err := checkDelete(in); err != nil {
		return nil, err
	}
	key, err := sdkKey(in.Key)
	if err != nil {
		return nil, err
	}
	if in.ReturnValues != "" && in.ReturnValues != types.ReturnValueAllOld && in.ReturnValues != types.ReturnValueNone {
		return nil, invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	condition, err := writeCondition(in.ConditionExpression, in.Expected, in.ConditionalOperator, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	t, err := s.open(in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.checkKeyedWrite(key, condition); err != nil {
		return nil, err
	}
	w := write{table: t, at: t.key.tablePosition(decoded(key)), condition: condition, failure: in.ReturnValuesOnConditionCheckFailure}
	metrics := t.collection(w.at, in.ReturnItemCollectionMetrics)
	old, cost, err := s.run(w)
	if err != nil {
		return nil, err
	}
	out := &ddb.DeleteItemOutput{ConsumedCapacity: cost.report(in.ReturnConsumedCapacity, t.name), ItemCollectionMetrics: metrics}
	if in.ReturnValues == types.ReturnValueAllOld && old != nil {
		out.Attributes = attr.EncodedToSDK(old)
	}
	return out, nil
}

func checkDelete(in *ddb.DeleteItemInput) error {
	err := checkWriteOptions(writeOptions{
		in.TableName, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValues,
		in.ReturnValuesOnConditionCheckFailure, in.ConditionalOperator,
	}, "key", in.Key != nil)
	if err != nil {
		return err
	}
	return checkMixed(in.ExpressionAttributeNames, in.ExpressionAttributeValues,
		[]parameter{{"ConditionExpression", in.ConditionExpression != nil}},
		[]parameter{{"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""}})
}

func (t *table) checkKeyedWrite(key attr.Item, condition *expr.Condition) error {
	if err := t.key.checkKey(key); err != nil {
		return err
	}
	if condition == nil {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.checkKeyPaths(condition.Paths())
}
