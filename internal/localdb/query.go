package localdb

import (
	"context"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func (s *Store) query(_ context.Context, in *ddb.QueryInput) (*page, error) {
	if err := checkQuery(in); err != nil {
		return nil, err
	}
	q, err := parseQuery(in)
	if err != nil {
		return nil, err
	}
	if q.table, err = s.open(in.TableName); err != nil {
		return nil, err
	}
	if err := s.aim(&q.reading, in.IndexName, in.Select); err != nil {
		return nil, err
	}
	if err := q.resolve(in); err != nil {
		return nil, err
	}
	return s.read(&q.reading)
}

func checkQuery(in *ddb.QueryInput) error {
	if err := checkTable(in.TableName); err != nil {
		return err
	}
	var c constraints
	enum(&c, in.Select, "select", "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
	c.name(in.IndexName, "indexName")
	c.consumedCapacity(in.ReturnConsumedCapacity)
	c.comparisons(in.QueryFilter, "queryFilter")
	c.conditionalOperator(in.ConditionalOperator)
	c.attributesToGet(in.AttributesToGet)
	if in.Limit != nil && *in.Limit < 1 {
		c.found = append(c.found, "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1")
	}
	c.comparisons(in.KeyConditions, "keyConditions")
	if err := c.err(); err != nil {
		return err
	}
	// KeyConditions may stand beside expressions, only not beside its successor.
	mixed := in.KeyConditions != nil && in.KeyConditionExpression != nil
	err := checkMixed(in.ExpressionAttributeNames, in.ExpressionAttributeValues,
		[]parameter{
			{"ProjectionExpression", in.ProjectionExpression != nil}, {"FilterExpression", in.FilterExpression != nil},
			{"KeyConditionExpression", in.KeyConditionExpression != nil},
		},
		[]parameter{
			{"AttributesToGet", in.AttributesToGet != nil}, {"QueryFilter", in.QueryFilter != nil},
			{"ConditionalOperator", in.ConditionalOperator != ""}, {"KeyConditions", mixed},
		})
	if err != nil {
		return err
	}
	if in.KeyConditions == nil && in.KeyConditionExpression == nil {
		return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	return selection{"Querying", in.Select, in.ProjectionExpression != nil, in.AttributesToGet != nil, in.IndexName != nil}.check()
}

// querying is a Query before its key condition is held against the schema.
type querying struct {
	reading
	condition expr.KeyCondition
	startKey  attr.Item
}

func parseQuery(in *ddb.QueryInput) (*querying, error) {
	q := &querying{reading: reading{
		reverse:    in.ScanIndexForward != nil && !*in.ScanIndexForward,
		consistent: in.ConsistentRead != nil && *in.ConsistentRead,
		countOnly:  in.Select == types.SelectCount,
		capacity:   in.ReturnConsumedCapacity,
	}}
	if in.Limit != nil {
		q.limit = int(*in.Limit)
	}
	env, err := newEnv(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	if in.KeyConditionExpression != nil {
		q.condition, err = expr.ParseKeyCondition(*in.KeyConditionExpression, env)
	} else {
		q.condition, err = parseKeyConditions(in.KeyConditions)
	}
	if err != nil {
		return nil, err
	}
	if q.filter, err = parseFilter(in.FilterExpression, in.QueryFilter, in.ConditionalOperator, env); err != nil {
		return nil, err
	}
	if q.projection, err = parseProjection(in.ProjectionExpression, in.AttributesToGet, env); err != nil {
		return nil, err
	}
	if err := env.Unused(); err != nil {
		return nil, err
	}
	if err := q.condition.Check(); err != nil {
		return nil, err
	}
	q.startKey, err = startKey(in.ExclusiveStartKey)
	return q, err
}

func startKey(key map[string]types.AttributeValue) (attr.Item, error) {
	item, err := sdkKey(key)
	if err != nil {
		return nil, invalid("The provided starting key is invalid: %s", asAPIError(err).message)
	}
	return item, nil
}

// aim points a reading at the table or one of its indexes.
func (s *Store) aim(r *reading, indexName *string, mode types.Select) error {
	now := s.now()
	t := r.table
	t.mu.RLock()
	defer t.mu.RUnlock()
	if indexName != nil {
		r.index = t.index(*indexName, now)
		phase := func() types.TableStatus { return r.index.state.at(now) }
		if err := r.useIndex(*indexName, mode, phase); err != nil {
			return err
		}
	}
	if r.projection != nil {
		if err := t.checkKeyPaths(r.projection.Paths()); err != nil {
			return err
		}
	}
	if r.filter != nil {
		return t.checkKeyPaths(r.filter.Paths())
	}
	return nil
}

// resolve turns the key condition and the start key into a span.
func (q *querying) resolve(in *ddb.QueryInput) error {
	key := q.key()
	hash, sort, err := q.condition.Resolve(key.hash, key.sort)
	if err != nil {
		return err
	}
	if err := checkConditionValues(key, hash, sort); err != nil {
		return err
	}
	if err := q.checkFilter(in); err != nil {
		return err
	}
	partition, bounded := keySpans(hash.Args[0], sort)
	q.span = bounded
	if q.startKey == nil {
		return nil
	}
	p, err := q.start(q.startKey)
	if err != nil {
		return err
	}
	switch {
	case !partition.contains(p) && sort != nil:
		return invalid("The query can return at most one row and cannot be restarted")
	case !partition.contains(p):
		return invalid("The provided starting key is outside query boundaries based on provided conditions")
	case !bounded.contains(p):
		return invalid("The provided starting key does not match the range key predicate")
	}
	q.resume(p)
	return nil
}

func checkConditionValues(key keySchema, hash expr.KeyTerm, sort *expr.KeyTerm) error {
	if err := checkKeyValue(key.hash, hash.Args[0], true); err != nil {
		return err
	}
	if sort == nil || sort.Op == expr.KeyBeginsWith {
		return nil
	}
	for _, v := range sort.Args {
		if err := checkKeyValue(key.sort, v, false); err != nil {
			return err
		}
	}
	return nil
}

// checkFilter refuses a filter on the key by which the Query goes.
func (q *querying) checkFilter(in *ddb.QueryInput) error {
	if q.filter == nil {
		return nil
	}
	parameter := "Filter Expression"
	if in.FilterExpression == nil {
		parameter = "QueryFilter"
	}
	for _, p := range q.filter.Paths() {
		if q.key().has(p[0].Name) {
			return invalid("%s can only contain non-primary key attributes: Primary key attribute: %s", parameter, p[0].Name)
		}
	}
	return nil
}

// keySpans are the spans of all items of a hash key and of those within the
// condition on the sort key.
func keySpans(hash attr.Value, sort *expr.KeyTerm) (partition, bounded span) {
	prefix := attr.AppendKey(nil, hash)
	h := hashKey(prefix)
	at := func(key []byte) position { return position{h, string(key)} }
	partition = span{from: at(prefix), to: at(prefixEnd(prefix))}
	if sort == nil {
		return partition, partition
	}
	bounded = partition
	low := attr.AppendKey(prefix[:len(prefix):len(prefix)], sort.Args[0])
	switch sort.Op {
	case expr.KeyEqual:
		bounded = span{from: at(low), to: at(prefixEnd(low))}
	case expr.KeyLess:
		bounded.to = at(low)
	case expr.KeyLessEqual:
		bounded.to = at(prefixEnd(low))
	case expr.KeyGreater:
		bounded.from = at(prefixEnd(low))
	case expr.KeyGreaterEqual:
		bounded.from = at(low)
	case expr.KeyBetween:
		high := attr.AppendKey(prefix[:len(prefix):len(prefix)], sort.Args[1])
		bounded = span{from: at(low), to: at(prefixEnd(high))}
	case expr.KeyBeginsWith:
		bounded.from = at(low)
		if next := prefixEnd([]byte(sort.Args[0].Text)); next != nil {
			end := attr.Value{Kind: sort.Args[0].Kind, Text: string(next)}
			bounded.to = at(attr.AppendKey(prefix[:len(prefix):len(prefix)], end))
		}
	}
	return partition, bounded
}

// prefixEnd is the least string above all that start with prefix, or nil if
// there is none.
func prefixEnd(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return nil
}
