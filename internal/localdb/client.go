package localdb

import (
	"context"

	"github.com/aws/smithy-go"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// client is the in-process face: the SDK's methods without HTTP. Option
// functions of a call are ignored, since there is no request to change.
type client struct{ s *Store }

var _ ddb.Client = client{}

// Client gives the store as the SDK's client shows it. Errors are those of the
// SDK: a smithy.OperationError around the service's exception. Latency and
// faults of the store apply; nothing is retried.
func (s *Store) Client() ddb.Client { return client{s} }

// do runs one operation in process.
func do[In, Out any](ctx context.Context, c client, name string, in *In, run method[In, Out]) (*Out, error) {
	out, fault, err := run.do(ctx, c.s, name, in)
	if err == nil && (fault == CutBody || fault == WrongChecksum) {
		err = errCutBody
	}
	if err != nil {
		return nil, operationError(name, err)
	}
	return out, nil
}

func operationError(operation string, err error) error {
	if api := asAPIError(err); api.code != internalError || isAPIError(err) {
		err = api.sdk()
	}
	return &smithy.OperationError{ServiceID: "DynamoDB", OperationName: operation, Err: err}
}

func isAPIError(err error) bool {
	_, ok := err.(*apiError)
	return ok
}

func (c client) CreateTable(ctx context.Context, in *ddb.CreateTableInput, _ ...func(*ddb.Options)) (*ddb.CreateTableOutput, error) {
	return do(ctx, c, "CreateTable", in, (*Store).createTable)
}

func (c client) UpdateTable(ctx context.Context, in *ddb.UpdateTableInput, _ ...func(*ddb.Options)) (*ddb.UpdateTableOutput, error) {
	return do(ctx, c, "UpdateTable", in, (*Store).updateTable)
}

func (c client) DeleteTable(ctx context.Context, in *ddb.DeleteTableInput, _ ...func(*ddb.Options)) (*ddb.DeleteTableOutput, error) {
	return do(ctx, c, "DeleteTable", in, (*Store).deleteTable)
}

func (c client) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, _ ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	return do(ctx, c, "DescribeTable", in, (*Store).describeTable)
}

func (c client) ListTables(ctx context.Context, in *ddb.ListTablesInput, _ ...func(*ddb.Options)) (*ddb.ListTablesOutput, error) {
	return do(ctx, c, "ListTables", in, (*Store).listTables)
}

func (c client) PutItem(ctx context.Context, in *ddb.PutItemInput, _ ...func(*ddb.Options)) (*ddb.PutItemOutput, error) {
	return do(ctx, c, "PutItem", in, (*Store).putItem)
}

func (c client) UpdateItem(ctx context.Context, in *ddb.UpdateItemInput, _ ...func(*ddb.Options)) (*ddb.UpdateItemOutput, error) {
	return do(ctx, c, "UpdateItem", in, (*Store).updateItem)
}

func (c client) DeleteItem(ctx context.Context, in *ddb.DeleteItemInput, _ ...func(*ddb.Options)) (*ddb.DeleteItemOutput, error) {
	return do(ctx, c, "DeleteItem", in, (*Store).deleteItem)
}

func (c client) BatchWriteItem(ctx context.Context, in *ddb.BatchWriteItemInput, _ ...func(*ddb.Options)) (*ddb.BatchWriteItemOutput, error) {
	return do(ctx, c, "BatchWriteItem", in, (*Store).batchWriteItem)
}

func (c client) GetItem(ctx context.Context, in *ddb.GetItemInput, _ ...func(*ddb.Options)) (*ddb.GetItemOutput, error) {
	f, err := do(ctx, c, "GetItem", in, (*Store).getItem)
	if err != nil {
		return nil, err
	}
	return &ddb.GetItemOutput{Item: f.Item.SDK(), ConsumedCapacity: f.ConsumedCapacity}, nil
}

func (c client) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, _ ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	g, err := do(ctx, c, "BatchGetItem", in, (*Store).batchGetItem)
	if err != nil {
		return nil, err
	}
	responses := make(map[string][]ddb.Item, len(g.Responses))
	for name, items := range g.Responses {
		responses[name] = sdkItems(items)
	}
	return &ddb.BatchGetItemOutput{Responses: responses, UnprocessedKeys: g.UnprocessedKeys, ConsumedCapacity: g.ConsumedCapacity}, nil
}

func (c client) Query(ctx context.Context, in *ddb.QueryInput, _ ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	p, err := do(ctx, c, "Query", in, (*Store).query)
	if err != nil {
		return nil, err
	}
	return p.sdk(), nil
}

func (c client) Scan(ctx context.Context, in *ddb.ScanInput, _ ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	p, err := do(ctx, c, "Scan", in, (*Store).scan)
	if err != nil {
		return nil, err
	}
	return (*ddb.ScanOutput)(p.sdk()), nil
}

func (p *page) sdk() *ddb.QueryOutput {
	return &ddb.QueryOutput{
		Items: sdkItems(p.Items), Count: p.Count, ScannedCount: p.ScannedCount,
		LastEvaluatedKey: p.LastEvaluatedKey.SDK(), ConsumedCapacity: p.ConsumedCapacity,
	}
}

func sdkItems(items []attr.Form) []ddb.Item {
	if items == nil {
		return nil
	}
	list := make([]ddb.Item, len(items))
	for i, item := range items {
		list[i] = item.SDK()
	}
	return list
}
