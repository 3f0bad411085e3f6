package localdb

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// maxItemBytes is the service's limit on an item, by its own accounting.
const maxItemBytes = 400 << 10

// changing is a PutItem, an UpdateItem or a DeleteItem. The first and the last
// are given as an UpdateItem without update.
type changing struct {
	*ddb.UpdateItemInput
	kind      changeKind
	put       attr.Form // the item of a PutItem
	key       attr.Form // of the others
	update    *expr.Update
	condition *expr.Condition

	table   *table
	made    attr.Form // the item as an update leaves it
	touched []expr.Path
}

type changeKind uint8

const (
	putting changeKind = iota
	updating
	deleting
)

func (s *Store) putItem(in *ddb.PutItemInput) (*ddb.PutItemOutput, error) {
	c := changing{kind: putting, UpdateItemInput: &ddb.UpdateItemInput{
		TableName: in.TableName, ConditionExpression: in.ConditionExpression, Expected: in.Expected, ConditionalOperator: in.ConditionalOperator,
		ExpressionAttributeNames: in.ExpressionAttributeNames, ExpressionAttributeValues: in.ExpressionAttributeValues,
		ReturnConsumedCapacity: in.ReturnConsumedCapacity, ReturnItemCollectionMetrics: in.ReturnItemCollectionMetrics,
		ReturnValues: in.ReturnValues, ReturnValuesOnConditionCheckFailure: in.ReturnValuesOnConditionCheckFailure,
	}}
	if err := c.check("item", in.Item); err != nil {
		return nil, err
	}
	var err error
	if c.put, err = itemToPut(in.Item); err != nil {
		return nil, err
	}
	out, err := s.change(&c)
	return (*ddb.PutItemOutput)(out), err
}

func (s *Store) deleteItem(in *ddb.DeleteItemInput) (*ddb.DeleteItemOutput, error) {
	out, err := s.changeAt(deleting, &ddb.UpdateItemInput{
		TableName: in.TableName, Key: in.Key, ConditionExpression: in.ConditionExpression, Expected: in.Expected, ConditionalOperator: in.ConditionalOperator,
		ExpressionAttributeNames: in.ExpressionAttributeNames, ExpressionAttributeValues: in.ExpressionAttributeValues,
		ReturnConsumedCapacity: in.ReturnConsumedCapacity, ReturnItemCollectionMetrics: in.ReturnItemCollectionMetrics,
		ReturnValues: in.ReturnValues, ReturnValuesOnConditionCheckFailure: in.ReturnValuesOnConditionCheckFailure,
	})
	return (*ddb.DeleteItemOutput)(out), err
}

func (s *Store) updateItem(in *ddb.UpdateItemInput) (*ddb.UpdateItemOutput, error) {
	return s.changeAt(updating, in)
}

// changeAt makes a change of the item with a key.
func (s *Store) changeAt(kind changeKind, in *ddb.UpdateItemInput) (*ddb.UpdateItemOutput, error) {
	c := changing{kind: kind, UpdateItemInput: in}
	if err := c.check("key", in.Key); err != nil {
		return nil, err
	}
	var err error
	if c.key, err = attr.FromSDK(in.Key); err != nil {
		return nil, err
	}
	return s.change(&c)
}

// check checks the parameters and that the item or key, the member subject, is
// there.
func (c *changing) check(subject string, given ddb.Item) error {
	if err := checkTable(c.TableName); err != nil {
		return err
	}
	var v constraints
	enum(&v, c.ReturnConsumedCapacity, "returnConsumedCapacity")
	enum(&v, c.ReturnItemCollectionMetrics, "returnItemCollectionMetrics")
	enum(&v, c.ReturnValues, "returnValues")
	enum(&v, c.ReturnValuesOnConditionCheckFailure, "returnValuesOnConditionCheckFailure")
	enum(&v, c.ConditionalOperator, "conditionalOperator")
	v.notNull(given != nil, subject)
	if err := v.err(); err != nil {
		return err
	}
	expressions := []parameter{{"ConditionExpression", c.ConditionExpression != nil}}
	if c.kind == updating {
		expressions = append([]parameter{{"UpdateExpression", c.UpdateExpression != nil}}, expressions...)
	}
	return checkMixed(c.ExpressionAttributeNames, c.ExpressionAttributeValues, expressions, []parameter{
		{"AttributeUpdates", c.AttributeUpdates != nil}, {"Expected", c.Expected != nil}, {"ConditionalOperator", c.ConditionalOperator != ""},
	})
}

func (s *Store) change(c *changing) (*ddb.UpdateItemOutput, error) {
	if err := c.parse(); err != nil {
		return nil, err
	}
	t, err := s.open(c.TableName)
	if err != nil {
		return nil, err
	}
	c.table = t
	if err := c.checkAgainst(t); err != nil {
		return nil, err
	}
	w := write{table: t, condition: c.condition, failure: c.ReturnValuesOnConditionCheckFailure, item: c.put}
	if c.kind == putting {
		w.at = t.key.tablePosition(c.put)
	} else {
		w.at = t.key.tablePosition(c.key)
	}
	if c.kind == updating {
		w.next = c.next
	}
	metrics := t.collection(w.at, c.ReturnItemCollectionMetrics)
	old, cost, err := s.run(w)
	if err != nil {
		return nil, err
	}
	if c.kind != deleting {
		metrics = t.collection(w.at, c.ReturnItemCollectionMetrics)
	}
	return &ddb.UpdateItemOutput{
		Attributes:            c.returned(old),
		ConsumedCapacity:      cost.report(c.ReturnConsumedCapacity, t.name),
		ItemCollectionMetrics: metrics,
	}, nil
}

// parse compiles the expressions of the request.
func (c *changing) parse() error {
	if c.kind != updating && c.ReturnValues != "" && c.ReturnValues != types.ReturnValueAllOld && c.ReturnValues != types.ReturnValueNone {
		return invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	env, err := newEnv(c.ExpressionAttributeNames, c.ExpressionAttributeValues)
	if err != nil {
		return err
	}
	if c.update, err = parseUpdate(c.UpdateExpression, c.AttributeUpdates, env); err != nil {
		return err
	}
	if c.condition, err = parseCondition(c.ConditionExpression, c.Expected, c.ConditionalOperator, env); err != nil {
		return err
	}
	return env.Unused()
}

// checkAgainst checks a change against the schema. What an update may do comes
// before its key, as in the service.
func (c *changing) checkAgainst(t *table) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	switch c.kind {
	case putting:
		if err := t.checkItem(c.put); err != nil {
			return err
		}
	case deleting:
		if err := t.key.checkKey(c.key); err != nil {
			return err
		}
	}
	if c.update != nil {
		if err := t.checkUpdatePaths(c.update.Paths()); err != nil {
			return err
		}
	}
	if c.condition != nil {
		if err := t.checkKeyPaths(c.condition.Paths()); err != nil {
			return err
		}
	}
	if c.kind == updating {
		return t.key.checkKey(c.key)
	}
	return nil
}

// checkUpdatePaths refuses an update of the key.
func (t *table) checkUpdatePaths(paths []expr.Path) error {
	for _, p := range paths {
		if t.key.has(p[0].Name) {
			return invalidValue("Cannot update attribute %s. This attribute is part of the key", p[0].Name)
		}
	}
	return t.checkKeyPaths(paths)
}

// next makes the item of an update.
func (c *changing) next(old attr.Form) (attr.Form, error) {
	if old == "" {
		old = c.key
	}
	c.made = old
	if c.update != nil {
		var err error
		if c.made, c.touched, err = c.update.Apply(old); err != nil {
			return "", err
		}
	}
	if c.made.Size() > maxItemBytes {
		return "", invalid("Item size to update has exceeded the maximum allowed size")
	}
	return c.made, c.table.checkIndexKeys(c.made)
}

// returned are the attributes that ReturnValues asks for.
func (c *changing) returned(old attr.Form) ddb.Item {
	item := old
	if c.ReturnValues == types.ReturnValueAllNew || c.ReturnValues == types.ReturnValueUpdatedNew {
		item = c.made
	}
	switch c.ReturnValues {
	case types.ReturnValueAllNew, types.ReturnValueAllOld:
		return item.SDK()
	case types.ReturnValueUpdatedNew, types.ReturnValueUpdatedOld:
		if part := expr.Extract(item, c.touched); part.Len() > 0 {
			return part.SDK()
		}
	}
	return nil
}
