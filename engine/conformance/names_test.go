package conformance

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// renaming lets tables have the names of the library's tests, which DynamoDB
// would not take: they may be short, or have any characters.
type renaming struct{ ddb.Client }

func stored(name *string) *string { return aws.String(fmt.Sprintf("t.%x", *name)) }

func shown(name *string) *string {
	var out string
	_, _ = fmt.Sscanf(strings.TrimPrefix(*name, "t."), "%x", &out) // as stored wrote it
	return &out
}

func (r renaming) ListTables(ctx context.Context, in *ddb.ListTablesInput, opts ...func(*ddb.Options)) (*ddb.ListTablesOutput, error) {
	all := *in
	if in.ExclusiveStartTableName != nil {
		all.ExclusiveStartTableName = stored(in.ExclusiveStartTableName)
	}
	out, err := r.Client.ListTables(ctx, &all, opts...)
	if err != nil {
		return nil, err
	}
	for i := range out.TableNames {
		out.TableNames[i] = *shown(&out.TableNames[i])
	}
	if out.LastEvaluatedTableName != nil {
		out.LastEvaluatedTableName = shown(out.LastEvaluatedTableName)
	}
	return out, nil
}

func (r renaming) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, opts ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	out, err := r.Client.DescribeTable(ctx, &ddb.DescribeTableInput{TableName: stored(in.TableName)}, opts...)
	if err == nil && out.Table != nil {
		table := *out.Table
		table.TableName = in.TableName
		out.Table = &table
	}
	return out, err
}

func (r renaming) CreateTable(ctx context.Context, in *ddb.CreateTableInput, opts ...func(*ddb.Options)) (*ddb.CreateTableOutput, error) {
	c := *in
	c.TableName = stored(in.TableName)
	return r.Client.CreateTable(ctx, &c, opts...)
}

func (r renaming) PutItem(ctx context.Context, in *ddb.PutItemInput, opts ...func(*ddb.Options)) (*ddb.PutItemOutput, error) {
	c := *in
	c.TableName = stored(in.TableName)
	return r.Client.PutItem(ctx, &c, opts...)
}

func (r renaming) GetItem(ctx context.Context, in *ddb.GetItemInput, opts ...func(*ddb.Options)) (*ddb.GetItemOutput, error) {
	c := *in
	c.TableName = stored(in.TableName)
	return r.Client.GetItem(ctx, &c, opts...)
}

func (r renaming) Query(ctx context.Context, in *ddb.QueryInput, opts ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	c := *in
	c.TableName = stored(in.TableName)
	return r.Client.Query(ctx, &c, opts...)
}

func (r renaming) Scan(ctx context.Context, in *ddb.ScanInput, opts ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	c := *in
	c.TableName = stored(in.TableName)
	return r.Client.Scan(ctx, &c, opts...)
}

func (r renaming) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, opts ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	c := *in
	c.RequestItems = map[string]types.KeysAndAttributes{}
	for name, keys := range in.RequestItems {
		c.RequestItems[*stored(&name)] = keys
	}
	out, err := r.Client.BatchGetItem(ctx, &c, opts...)
	if err != nil {
		return nil, err
	}
	responses, open := map[string][]map[string]types.AttributeValue{}, map[string]types.KeysAndAttributes{}
	for name, items := range out.Responses {
		responses[*shown(&name)] = items
	}
	for name, keys := range out.UnprocessedKeys {
		open[*shown(&name)] = keys
	}
	out.Responses, out.UnprocessedKeys = responses, open
	return out, nil
}
