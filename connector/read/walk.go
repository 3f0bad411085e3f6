package read

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// sortBytes is how long a sort key may be.
const sortBytes = 1024

// behindHash is a start key behind all items that have the hash key of an item's
// key: the greatest sort key that there can be.
func (j *job) behindHash(key ddb.Item) ddb.Item {
	k := j.p.Table.Key
	return ddb.Item{k.Hash.Name: key[k.Hash.Name], k.Sort.Name: greatest(k.Sort.Kind)}
}

// greatest is the last sort key of its kind in DynamoDB's order.
func greatest(kind schema.Kind) types.AttributeValue {
	switch kind {
	case schema.N:
		return &types.AttributeValueMemberN{Value: "9." + strings.Repeat("9", 37) + "E+125"}
	case schema.B:
		return &types.AttributeValueMemberB{Value: []byte(strings.Repeat("\xff", sortBytes))}
	}
	return &types.AttributeValueMemberS{Value: strings.Repeat("\U0010FFFF", sortBytes/4)}
}
