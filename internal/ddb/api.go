package ddb

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is one DynamoDB item: attribute values by attribute name.
type Item = map[string]types.AttributeValue

// The request and response shapes of the SDK under names of ours, so that no
// other package imports the package that can build a client.
type (
	Options = dynamodb.Options

	ListTablesInput         = dynamodb.ListTablesInput
	ListTablesOutput        = dynamodb.ListTablesOutput
	DescribeTableInput      = dynamodb.DescribeTableInput
	DescribeTableOutput     = dynamodb.DescribeTableOutput
	GetItemInput            = dynamodb.GetItemInput
	GetItemOutput           = dynamodb.GetItemOutput
	BatchGetItemInput       = dynamodb.BatchGetItemInput
	BatchGetItemOutput      = dynamodb.BatchGetItemOutput
	QueryInput              = dynamodb.QueryInput
	QueryOutput             = dynamodb.QueryOutput
	ScanInput               = dynamodb.ScanInput
	ScanOutput              = dynamodb.ScanOutput
	CreateTableInput        = dynamodb.CreateTableInput
	CreateTableOutput       = dynamodb.CreateTableOutput
	UpdateTableInput        = dynamodb.UpdateTableInput
	UpdateTableOutput       = dynamodb.UpdateTableOutput
	DeleteTableInput        = dynamodb.DeleteTableInput
	DeleteTableOutput       = dynamodb.DeleteTableOutput
	PutItemInput            = dynamodb.PutItemInput
	PutItemOutput           = dynamodb.PutItemOutput
	UpdateItemInput         = dynamodb.UpdateItemInput
	UpdateItemOutput        = dynamodb.UpdateItemOutput
	DeleteItemInput         = dynamodb.DeleteItemInput
	DeleteItemOutput        = dynamodb.DeleteItemOutput
	BatchWriteItemInput     = dynamodb.BatchWriteItemInput
	BatchWriteItemOutput    = dynamodb.BatchWriteItemOutput
	DescribeLimitsInput     = dynamodb.DescribeLimitsInput
	DescribeLimitsOutput    = dynamodb.DescribeLimitsOutput
	DescribeTimeToLiveInput = dynamodb.DescribeTimeToLiveInput

	DescribeTimeToLiveOutput = dynamodb.DescribeTimeToLiveOutput
	ListTagsOfResourceInput  = dynamodb.ListTagsOfResourceInput
	ListTagsOfResourceOutput = dynamodb.ListTagsOfResourceOutput
)

// Reader is every read that dynasql sends: the six actions of the least IAM
// policy. The methods are those of the SDK's client; any of its errors may come
// back, Classify tells them apart.
type Reader interface {
	ListTables(context.Context, *ListTablesInput, ...func(*Options)) (*ListTablesOutput, error)
	DescribeTable(context.Context, *DescribeTableInput, ...func(*Options)) (*DescribeTableOutput, error)
	GetItem(context.Context, *GetItemInput, ...func(*Options)) (*GetItemOutput, error)
	BatchGetItem(context.Context, *BatchGetItemInput, ...func(*Options)) (*BatchGetItemOutput, error)
	Query(context.Context, *QueryInput, ...func(*Options)) (*QueryOutput, error)
	Scan(context.Context, *ScanInput, ...func(*Options)) (*ScanOutput, error)
}

// Writer is what loading and changing tables needs.
type Writer interface {
	CreateTable(context.Context, *CreateTableInput, ...func(*Options)) (*CreateTableOutput, error)
	UpdateTable(context.Context, *UpdateTableInput, ...func(*Options)) (*UpdateTableOutput, error)
	DeleteTable(context.Context, *DeleteTableInput, ...func(*Options)) (*DeleteTableOutput, error)
	PutItem(context.Context, *PutItemInput, ...func(*Options)) (*PutItemOutput, error)
	UpdateItem(context.Context, *UpdateItemInput, ...func(*Options)) (*UpdateItemOutput, error)
	DeleteItem(context.Context, *DeleteItemInput, ...func(*Options)) (*DeleteItemOutput, error)
	BatchWriteItem(context.Context, *BatchWriteItemInput, ...func(*Options)) (*BatchWriteItemOutput, error)
}

// Client reads and writes.
type Client interface {
	Reader
	Writer
}
