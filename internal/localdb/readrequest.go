package localdb

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
	"github.com/dynasql/dynasql/internal/localdb/wire"
)

// What Query and Scan have in common in their requests. A Scan is given as a
// Query without key condition.

func (c *constraints) reading(in *ddb.QueryInput, filter string) {
	enum(c, in.Select, "select")
	c.name(in.IndexName, "indexName")
	enum(c, in.ReturnConsumedCapacity, "returnConsumedCapacity")
	c.comparisons(in.QueryFilter, filter)
	enum(c, in.ConditionalOperator, "conditionalOperator")
	c.attributesToGet(in.AttributesToGet)
}

// checkMixedReading is checkMixed with the older filter's name and what a Query
// has beside a Scan.
func checkMixedReading(in *ddb.QueryInput, filter string, expressions []parameter, legacy ...parameter) error {
	return checkMixed(in.ExpressionAttributeNames, in.ExpressionAttributeValues,
		append([]parameter{{"ProjectionExpression", in.ProjectionExpression != nil}, {"FilterExpression", in.FilterExpression != nil}}, expressions...),
		append([]parameter{
			{"AttributesToGet", in.AttributesToGet != nil}, {filter, in.QueryFilter != nil}, {"ConditionalOperator", in.ConditionalOperator != ""},
		}, legacy...))
}

// checkSelect holds Select against the attributes named; verb begins the
// sentence about a missing index.
func checkSelect(in *ddb.QueryInput, verb string) error {
	parameter := ""
	switch {
	case in.ProjectionExpression != nil:
		parameter = "ProjectionExpression"
	case in.AttributesToGet != nil:
		parameter = "AttributesToGet"
	}
	wanted := string(in.Select)
	switch {
	case in.Select == types.SelectAllProjectedAttributes && in.IndexName == nil:
		return invalid("ALL_PROJECTED_ATTRIBUTES can be used only when %s using an IndexName", verb)
	case in.Select == types.SelectSpecificAttributes && parameter == "":
		return invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case in.Select == "" || in.Select == types.SelectSpecificAttributes || parameter == "":
		return nil
	case in.Select == types.SelectCount:
		wanted = "only the Count"
	}
	return invalid("Cannot specify the %s when choosing to get %s", parameter, wanted)
}

// parseReading compiles the expressions of a request; first is called before
// the filter is.
func parseReading(in *ddb.QueryInput, first func(*expr.Env) error) (*reading, error) {
	r := &reading{consistent: isTrue(in.ConsistentRead), countOnly: in.Select == types.SelectCount, capacity: in.ReturnConsumedCapacity}
	if in.Limit != nil {
		r.limit = int(*in.Limit)
	}
	env, err := newEnv(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	if err := first(env); err != nil {
		return nil, err
	}
	if r.filter, err = parseFilter(in.FilterExpression, in.QueryFilter, in.ConditionalOperator, env); err != nil {
		return nil, err
	}
	if r.projection, err = parseProjection(in.ProjectionExpression, in.AttributesToGet, env); err != nil {
		return nil, err
	}
	return r, env.Unused()
}

// aim points a reading at the table or one of its indexes.
func (s *Store) aim(r *reading, in *ddb.QueryInput) (err error) {
	if r.startKey, err = attr.FromSDK(in.ExclusiveStartKey); err != nil {
		return wire.Located(err, "ExclusiveStartKey")
	}
	if r.table, err = s.open(in.TableName); err != nil {
		return err
	}
	r.table.mu.RLock()
	defer r.table.mu.RUnlock()
	if in.IndexName != nil {
		now := s.now()
		r.index = r.table.index(*in.IndexName, now)
		if err := r.useIndex(*in.IndexName, in.Select, now); err != nil {
			return err
		}
	}
	if r.projection != nil {
		if err := r.table.checkKeyPaths(r.projection.Paths()); err != nil {
			return err
		}
	}
	if r.filter != nil {
		return r.table.checkKeyPaths(r.filter.Paths())
	}
	return nil
}
