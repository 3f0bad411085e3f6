package localdb

import (
	"context"
	"reflect"

	"github.com/dynasql/dynasql/internal/localdb/wire"
)

// method is how the store serves one operation. The answer is one of the SDK's
// structs, or one with the same fields in which items are attr.Form.
type method[In, Out any] func(*Store, *In) (*Out, error)

// do serves a request of either face. The fault is for the face to apply to
// the response.
func (run method[In, Out]) do(ctx context.Context, s *Store, name string, in *In) (*Out, Fault, error) {
	fault, err := s.admit(ctx, name, in)
	if err != nil {
		return nil, NoFault, err
	}
	out, err := run(s, in)
	return out, fault, err
}

// operation serves one request over HTTP: it appends the body of the response
// and tells which fault the response is to have.
type operation func(ctx context.Context, s *Store, name string, dst, body []byte) ([]byte, Fault, error)

func serving[In, Out any](run method[In, Out]) operation {
	return func(ctx context.Context, s *Store, name string, dst, body []byte) ([]byte, Fault, error) {
		var in In
		if err := wire.Decode(body, &in); err != nil {
			return dst, NoFault, err
		}
		out, fault, err := run.do(ctx, s, name, &in)
		if err != nil {
			return dst, NoFault, err
		}
		return wire.Append(dst, out), fault, nil
	}
}

// operations are all that the HTTP face serves, by name.
var operations = map[string]operation{
	"CreateTable":        serving((*Store).createTable),
	"UpdateTable":        serving((*Store).updateTable),
	"DeleteTable":        serving((*Store).deleteTable),
	"DescribeTable":      serving((*Store).describeTable),
	"DescribeTimeToLive": serving((*Store).describeTimeToLive),
	"ListTables":         serving((*Store).listTables),
	"DescribeLimits":     serving((*Store).describeLimits),
	"ListTagsOfResource": serving((*Store).listTagsOfResource),
	"PutItem":            serving((*Store).putItem),
	"UpdateItem":         serving((*Store).updateItem),
	"DeleteItem":         serving((*Store).deleteItem),
	"BatchWriteItem":     serving((*Store).batchWriteItem),
	"GetItem":            serving((*Store).getItem),
	"BatchGetItem":       serving((*Store).batchGetItem),
	"Query":              serving((*Store).query),
	"Scan":               serving((*Store).scan),
}

// call is the request that rules look at.
type call struct {
	operation, table, index string
}

// callOf takes the names from a request; a batch has one only if it is on one
// table.
func callOf(operation string, in any) call {
	request := reflect.ValueOf(in).Elem()
	name := func(field string) string {
		if f := request.FieldByName(field); f.IsValid() && !f.IsNil() {
			return f.Elem().String()
		}
		return ""
	}
	c := call{operation, name("TableName"), name("IndexName")}
	if items := request.FieldByName("RequestItems"); items.IsValid() && items.Len() == 1 {
		c.table = items.MapKeys()[0].String()
	}
	return c
}
