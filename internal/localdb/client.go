package localdb

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
func do[In, Out any](ctx context.Context, s *Store, c call, in *In, run func(*Store, context.Context, *In) (*Out, error)) (*Out, error) {
	fault, err := s.admit(ctx, c)
	if err != nil {
		return nil, operationError(c.operation, err)
	}
	out, err := run(s, ctx, in)
	if err != nil {
		return nil, operationError(c.operation, err)
	}
	if fault == CutBody || fault == WrongChecksum {
		return nil, operationError(c.operation, errCutBody)
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
	return do(ctx, c.s, call{operation: "CreateTable", table: str(in.TableName)}, in, (*Store).createTable)
}

func (c client) UpdateTable(ctx context.Context, in *ddb.UpdateTableInput, _ ...func(*ddb.Options)) (*ddb.UpdateTableOutput, error) {
	return do(ctx, c.s, call{operation: "UpdateTable", table: str(in.TableName)}, in, (*Store).updateTable)
}

func (c client) DeleteTable(ctx context.Context, in *ddb.DeleteTableInput, _ ...func(*ddb.Options)) (*ddb.DeleteTableOutput, error) {
	return do(ctx, c.s, call{operation: "DeleteTable", table: str(in.TableName)}, in, (*Store).deleteTable)
}

func (c client) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, _ ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	return do(ctx, c.s, call{operation: "DescribeTable", table: str(in.TableName)}, in, (*Store).describeTable)
}

func (c client) ListTables(ctx context.Context, in *ddb.ListTablesInput, _ ...func(*ddb.Options)) (*ddb.ListTablesOutput, error) {
	return do(ctx, c.s, call{operation: "ListTables"}, in, (*Store).listTables)
}

func (c client) PutItem(ctx context.Context, in *ddb.PutItemInput, _ ...func(*ddb.Options)) (*ddb.PutItemOutput, error) {
	return do(ctx, c.s, call{operation: "PutItem", table: str(in.TableName)}, in, (*Store).putItem)
}

func (c client) UpdateItem(ctx context.Context, in *ddb.UpdateItemInput, _ ...func(*ddb.Options)) (*ddb.UpdateItemOutput, error) {
	return do(ctx, c.s, call{operation: "UpdateItem", table: str(in.TableName)}, in, (*Store).updateItem)
}

func (c client) DeleteItem(ctx context.Context, in *ddb.DeleteItemInput, _ ...func(*ddb.Options)) (*ddb.DeleteItemOutput, error) {
	return do(ctx, c.s, call{operation: "DeleteItem", table: str(in.TableName)}, in, (*Store).deleteItem)
}

func (c client) BatchWriteItem(ctx context.Context, in *ddb.BatchWriteItemInput, _ ...func(*ddb.Options)) (*ddb.BatchWriteItemOutput, error) {
	return do(ctx, c.s, call{operation: "BatchWriteItem", table: soleName(in.RequestItems)}, in, (*Store).batchWriteItem)
}

func (c client) GetItem(ctx context.Context, in *ddb.GetItemInput, _ ...func(*ddb.Options)) (*ddb.GetItemOutput, error) {
	f, err := do(ctx, c.s, call{operation: "GetItem", table: str(in.TableName)}, in, (*Store).getItem)
	if err != nil {
		return nil, err
	}
	out := &ddb.GetItemOutput{ConsumedCapacity: f.consumed}
	if f.item != nil {
		out.Item = attr.EncodedToSDK(f.item)
	}
	return out, nil
}

func (c client) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, _ ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	g, err := do(ctx, c.s, call{operation: "BatchGetItem", table: soleName(in.RequestItems)}, in, (*Store).batchGetItem)
	if err != nil {
		return nil, err
	}
	out := &ddb.BatchGetItemOutput{
		ConsumedCapacity: g.consumed,
		Responses:        make(map[string][]map[string]types.AttributeValue, len(g.responses)),
		UnprocessedKeys:  g.unprocessed,
	}
	for name, items := range g.responses {
		out.Responses[name] = sdkItems(items)
	}
	return out, nil
}

func (c client) Query(ctx context.Context, in *ddb.QueryInput, _ ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	p, err := do(ctx, c.s, call{"Query", str(in.TableName), str(in.IndexName)}, in, (*Store).query)
	if err != nil {
		return nil, err
	}
	return &ddb.QueryOutput{
		Items: p.sdkItems(), Count: int32(p.count), ScannedCount: int32(p.scanned),
		LastEvaluatedKey: p.sdkLast(), ConsumedCapacity: p.consumed,
	}, nil
}

func (c client) Scan(ctx context.Context, in *ddb.ScanInput, _ ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	p, err := do(ctx, c.s, call{"Scan", str(in.TableName), str(in.IndexName)}, in, (*Store).scan)
	if err != nil {
		return nil, err
	}
	return &ddb.ScanOutput{
		Items: p.sdkItems(), Count: int32(p.count), ScannedCount: int32(p.scanned),
		LastEvaluatedKey: p.sdkLast(), ConsumedCapacity: p.consumed,
	}, nil
}

func (p *page) sdkItems() []map[string]types.AttributeValue {
	if p.noItems {
		return nil
	}
	return sdkItems(p.items)
}

func (p *page) sdkLast() map[string]types.AttributeValue {
	if p.last == nil {
		return nil
	}
	return attr.ToSDK(p.last)
}

func sdkItems(items [][]byte) []map[string]types.AttributeValue {
	list := make([]map[string]types.AttributeValue, len(items))
	for i, item := range items {
		list[i] = attr.EncodedToSDK(item)
	}
	return list
}

// soleName is the table of a batch on one table, or "".
func soleName[T any](items map[string]T) string {
	if len(items) != 1 {
		return ""
	}
	for name := range items {
		return name
	}
	return ""
}
