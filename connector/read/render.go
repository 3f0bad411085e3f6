package read

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// expression has the expression parameters of a request in the SDK's form.
type expression struct {
	key, filter, projection *string
	names                   map[string]string
	values                  map[string]types.AttributeValue
}

func rendered(e access.Expression) expression {
	out := expression{key: optional(e.KeyCondition), filter: optional(e.Filter), projection: optional(e.Projection), names: e.Names}
	if len(e.Values) > 0 {
		out.values = make(map[string]types.AttributeValue, len(e.Values))
		for name, s := range e.Values {
			out.values[name] = attribute(s)
		}
	}
	return out
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// tableKey is the full key of one item.
func (j *job) tableKey(k access.KeyCond) ddb.Item {
	key := ddb.Item{j.p.Table.Key.Hash.Name: attribute(k.Hash)}
	if k.Sort != nil {
		key[j.p.Table.Key.Sort.Name] = attribute(k.Sort.Lo)
	}
	return key
}

func attribute(s schema.Scalar) types.AttributeValue {
	switch s.Kind {
	case schema.N:
		return &types.AttributeValueMemberN{Value: s.Text}
	case schema.B:
		return &types.AttributeValueMemberB{Value: []byte(s.Text)}
	case schema.Bool:
		return &types.AttributeValueMemberBOOL{Value: s.Text == "true"}
	}
	return &types.AttributeValueMemberS{Value: s.Text}
}
