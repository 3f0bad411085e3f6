package ddb

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/smithy-go/middleware"
)

// annotate makes each failed call an *Error that knows its target.
func annotate(info Info) func(*middleware.Stack) error {
	return func(s *middleware.Stack) error {
		action := s.ID()
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("dynasqlTarget",
			func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
				out, md, err := next.HandleInitialize(ctx, in)
				if err != nil {
					t := targetOf(in.Parameters)
					t.Action, t.Region, t.Host, t.Profile = action, info.Region, info.Host(), info.Profile
					err = Explain(err, t)
				}
				return out, md, err
			}), middleware.Before)
	}
}

func targetOf(input any) Target {
	table := func(name *string) Target { return Target{Table: aws.ToString(name)} }
	switch in := input.(type) {
	case *ScanInput:
		return Target{Table: aws.ToString(in.TableName), Index: aws.ToString(in.IndexName)}
	case *QueryInput:
		return Target{Table: aws.ToString(in.TableName), Index: aws.ToString(in.IndexName)}
	case *GetItemInput:
		return table(in.TableName)
	case *BatchGetItemInput:
		for name := range in.RequestItems {
			return Target{Table: name}
		}
	case *BatchWriteItemInput:
		for name := range in.RequestItems {
			return Target{Table: name}
		}
	case *DescribeTableInput:
		return table(in.TableName)
	case *CreateTableInput:
		return table(in.TableName)
	case *UpdateTableInput:
		return table(in.TableName)
	case *DeleteTableInput:
		return table(in.TableName)
	case *PutItemInput:
		return table(in.TableName)
	case *UpdateItemInput:
		return table(in.TableName)
	case *DeleteItemInput:
		return table(in.TableName)
	}
	return Target{}
}
