package read

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/internal/ddb"
)

const capacity = types.ReturnConsumedCapacityTotal

// caller makes the call for a page that begins after the key from.
type caller func(ctx context.Context, from ddb.Item, limit int64, opts ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error)

func (j *job) scanCaller(segment, segments int32) caller {
	e := rendered(j.p.Expression(0))
	in := ddb.ScanInput{
		TableName: &j.p.Table.Name, IndexName: j.index(), ConsistentRead: j.consistent(),
		FilterExpression: e.filter, ProjectionExpression: e.projection,
		ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
		Select: j.selects(), ReturnConsumedCapacity: capacity,
	}
	if segments > 1 {
		in.Segment, in.TotalSegments = &segment, &segments
	}
	return func(ctx context.Context, from ddb.Item, limit int64, opts ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error) {
		q := in
		q.ExclusiveStartKey, q.Limit = from, limitPointer(limit)
		out, err := j.r.client.Scan(ctx, &q, opts...)
		if err != nil {
			return nil, page.Answer{}, err
		}
		return out.Items, page.Answer{Count: int64(out.Count), Scanned: int64(out.ScannedCount),
			Units: consumed(out.ConsumedCapacity), LastKey: out.LastEvaluatedKey}, nil
	}
}

// queryCaller reads the i-th of the plan's keys.
func (j *job) queryCaller(i int) caller {
	e := rendered(j.p.Expression(i))
	in := ddb.QueryInput{
		TableName: &j.p.Table.Name, IndexName: j.index(), ConsistentRead: j.consistent(),
		KeyConditionExpression: e.key, FilterExpression: e.filter, ProjectionExpression: e.projection,
		ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
		Select: j.selects(), ReturnConsumedCapacity: capacity,
	}
	if j.p.Reverse {
		in.ScanIndexForward = aws.Bool(false)
	}
	return func(ctx context.Context, from ddb.Item, limit int64, opts ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error) {
		q := in
		q.ExclusiveStartKey, q.Limit = from, limitPointer(limit)
		out, err := j.r.client.Query(ctx, &q, opts...)
		if err != nil {
			return nil, page.Answer{}, err
		}
		return out.Items, page.Answer{Count: int64(out.Count), Scanned: int64(out.ScannedCount),
			Units: consumed(out.ConsumedCapacity), LastKey: out.LastEvaluatedKey}, nil
	}
}

// getItem reads the one item of a GetItem plan.
func (j *job) getItem(ctx context.Context, rep *reply, into *page.Batch) error {
	e := rendered(j.p.Expression(0))
	in := &ddb.GetItemInput{
		TableName: &j.p.Table.Name, Key: j.tableKey(j.p.Keys[0]), ConsistentRead: j.consistent(),
		ProjectionExpression: e.projection, ExpressionAttributeNames: e.names, ReturnConsumedCapacity: capacity,
	}
	send := func(ctx context.Context, opts ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error) {
		out, err := j.r.client.GetItem(ctx, in, opts...)
		if err != nil || out.Item == nil {
			return nil, page.Answer{Units: unitsOf(out)}, err
		}
		return []ddb.Item{out.Item}, page.Answer{Units: unitsOf(out)}, nil
	}
	_, err := j.fetch(ctx, request{action: j.action(), units: j.pageUnits(1), send: send}, rep, into)
	return err
}

func unitsOf(out *ddb.GetItemOutput) float64 {
	if out == nil {
		return 0
	}
	return consumed(out.ConsumedCapacity)
}

// getBatch reads keys, at most a hundred, and returns those left unprocessed.
func (j *job) getBatch(ctx context.Context, keys []ddb.Item, rep *reply, into *page.Batch) ([]ddb.Item, error) {
	e := rendered(j.p.Expression(0))
	if j.p.Complete {
		e = rendered(j.p.Completion())
	}
	in := &ddb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{j.p.Table.Name: {
			Keys: keys, ConsistentRead: j.consistent(),
			ProjectionExpression: e.projection, ExpressionAttributeNames: e.names,
		}},
		ReturnConsumedCapacity: capacity,
	}
	send := func(ctx context.Context, opts ...func(*ddb.Options)) ([]ddb.Item, page.Answer, error) {
		out, err := j.r.client.BatchGetItem(ctx, in, opts...)
		if err != nil {
			return nil, page.Answer{}, err
		}
		a := page.Answer{Unprocessed: out.UnprocessedKeys[j.p.Table.Name].Keys}
		for i := range out.ConsumedCapacity {
			a.Units += consumed(&out.ConsumedCapacity[i])
		}
		return out.Responses[j.p.Table.Name], a, nil
	}
	units := max(0.5, j.itemUnits()) * float64(len(keys))
	a, err := j.fetch(ctx, request{action: j.action(), units: units, send: send}, rep, into)
	return a.Unprocessed, err
}

func (j *job) index() *string {
	if j.p.Index == "" {
		return nil
	}
	return &j.p.Index
}

func (j *job) consistent() *bool {
	if !j.p.Consistent {
		return nil
	}
	return &j.p.Consistent
}

func (j *job) selects() types.Select {
	return types.Select(j.p.Select())
}

func limitPointer(limit int64) *int32 {
	if limit == 0 {
		return nil
	}
	return aws.Int32(int32(min(limit, 1<<30)))
}

func consumed(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}
