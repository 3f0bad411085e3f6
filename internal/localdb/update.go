package localdb

import (
	"context"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

func (s *Store) updateItem(_ context.Context, in *ddb.UpdateItemInput) (*ddb.UpdateItemOutput, error) {
	if err := checkUpdate(in); err != nil {
		return nil, err
	}
	key, err := sdkKey(in.Key)
	if err != nil {
		return nil, err
	}
	env, err := newEnv(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	u := updating{key: key}
	if u.update, err = parseUpdate(in.UpdateExpression, in.AttributeUpdates, env); err != nil {
		return nil, err
	}
	condition, err := parseCondition(in.ConditionExpression, in.Expected, in.ConditionalOperator, env)
	if err != nil {
		return nil, err
	}
	if err := env.Unused(); err != nil {
		return nil, err
	}
	t, err := s.open(in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.checkUpdate(u, condition); err != nil {
		return nil, err
	}
	u.table = t
	w := write{table: t, at: t.key.tablePosition(decoded(key)), condition: condition, failure: in.ReturnValuesOnConditionCheckFailure, next: u.next}
	old, cost, err := s.run(w)
	if err != nil {
		return nil, err
	}
	out := &ddb.UpdateItemOutput{ConsumedCapacity: cost.report(in.ReturnConsumedCapacity, t.name)}
	out.Attributes = u.returned(in.ReturnValues, old)
	out.ItemCollectionMetrics = t.collection(w.at, in.ReturnItemCollectionMetrics)
	return out, nil
}

func checkUpdate(in *ddb.UpdateItemInput) error {
	err := checkWriteOptions(writeOptions{
		in.TableName, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValues,
		in.ReturnValuesOnConditionCheckFailure, in.ConditionalOperator,
	}, "key", in.Key != nil)
	if err != nil {
		return err
	}
	return checkMixed(in.ExpressionAttributeNames, in.ExpressionAttributeValues,
		[]parameter{{"UpdateExpression", in.UpdateExpression != nil}, {"ConditionExpression", in.ConditionExpression != nil}},
		[]parameter{{"AttributeUpdates", in.AttributeUpdates != nil}, {"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""}})
}

// checkUpdate checks an update against the schema: it may not touch the key.
func (t *table) checkUpdate(u updating, condition *expr.Condition) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if u.update != nil {
		for _, p := range u.update.Paths() {
			if t.key.has(p[0].Name) {
				return invalidValue("Cannot update attribute %s. This attribute is part of the key", p[0].Name)
			}
		}
		if err := t.checkKeyPaths(u.update.Paths()); err != nil {
			return err
		}
	}
	if condition != nil {
		if err := t.checkKeyPaths(condition.Paths()); err != nil {
			return err
		}
	}
	return t.key.checkKey(u.key)
}

// updating makes the next item of an update and remembers what it touched.
type updating struct {
	table   *table
	key     attr.Item
	update  *expr.Update // nil changes nothing but creates the item
	touched []expr.Path
	made    attr.Item
}

func (u *updating) next(old []byte) ([]byte, error) {
	item := maps.Clone(u.key)
	if old != nil {
		var err error
		if item, err = attr.Decode(old); err != nil {
			return nil, err
		}
	}
	u.made = item
	if u.update != nil {
		var err error
		if u.made, u.touched, err = u.update.Apply(item); err != nil {
			return nil, err
		}
	}
	if u.made.Size() > maxItemBytes {
		return nil, invalid("Item size to update has exceeded the maximum allowed size")
	}
	if err := u.table.checkIndexKeys(decoded(u.made)); err != nil {
		return nil, err
	}
	return attr.Encode(nil, u.made), nil
}

// returned are the attributes that ReturnValues asks for.
func (u *updating) returned(mode types.ReturnValue, old []byte) map[string]types.AttributeValue {
	switch {
	case mode == types.ReturnValueAllNew:
		return attr.ToSDK(u.made)
	case mode == types.ReturnValueUpdatedNew:
		return someAttributes(expr.Extract(u.made, u.touched))
	case old == nil:
		return nil
	case mode == types.ReturnValueAllOld:
		return attr.EncodedToSDK(old)
	case mode == types.ReturnValueUpdatedOld:
		item, err := attr.Decode(old)
		if err != nil {
			return nil
		}
		return someAttributes(expr.Extract(item, u.touched))
	}
	return nil
}

func someAttributes(item attr.Item) map[string]types.AttributeValue {
	if len(item) == 0 {
		return nil
	}
	return attr.ToSDK(item)
}
