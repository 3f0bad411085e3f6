package dataset

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// ByKey defines the table of an export by the names of its key attributes, hash
// key first. Their types are those of the first item; an empty export gets S.
func (e *Export) ByKey(ctx context.Context, name string, key []string) (*ddb.CreateTableInput, error) {
	item, err := e.First(ctx)
	if err != nil {
		return nil, err
	}
	definition := &ddb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	for i, attribute := range key {
		kind := string(types.ScalarAttributeTypeS)
		if item != nil {
			if _, kind = keyText(item[attribute]); len(kind) != 1 {
				return nil, fmt.Errorf("export %s: %q is not a key: the first item has it as %s; it has %s",
					e.dir, attribute, absentOr(kind), strings.Join(keyable(item), ", "))
			}
		}
		role := types.KeyTypeHash
		if i > 0 {
			role = types.KeyTypeRange
		}
		definition.AttributeDefinitions = append(definition.AttributeDefinitions,
			types.AttributeDefinition{AttributeName: &attribute, AttributeType: types.ScalarAttributeType(kind)})
		definition.KeySchema = append(definition.KeySchema, types.KeySchemaElement{AttributeName: &attribute, KeyType: role})
	}
	return definition, nil
}

func absentOr(kind string) string {
	if kind == "" {
		return "no attribute"
	}
	return "one " + kind
}

// keyable are the names of attributes that may be in a key.
func keyable(item ddb.Item) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if _, kind := keyText(item[name]); len(kind) == 1 {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	return names
}

// Like defines a table with the key and the indexes of another.
func Like(name string, of *ddb.DescribeTableOutput) *ddb.CreateTableInput {
	t := of.Table
	definition := &ddb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: t.AttributeDefinitions, KeySchema: t.KeySchema,
	}
	for _, x := range t.GlobalSecondaryIndexes {
		definition.GlobalSecondaryIndexes = append(definition.GlobalSecondaryIndexes,
			types.GlobalSecondaryIndex{IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection})
	}
	for _, x := range t.LocalSecondaryIndexes {
		definition.LocalSecondaryIndexes = append(definition.LocalSecondaryIndexes,
			types.LocalSecondaryIndex{IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection})
	}
	return definition
}
