package localdb

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/wire"
)

// operations are all that the HTTP face serves, by name.
var operations = map[string]operation{
	"CreateTable":        plain((*Store).createTable, func(in *ddb.CreateTableInput) call { return call{table: str(in.TableName)} }),
	"UpdateTable":        plain((*Store).updateTable, func(in *ddb.UpdateTableInput) call { return call{table: str(in.TableName)} }),
	"DeleteTable":        plain((*Store).deleteTable, func(in *ddb.DeleteTableInput) call { return call{table: str(in.TableName)} }),
	"DescribeTable":      plain((*Store).describeTable, func(in *ddb.DescribeTableInput) call { return call{table: str(in.TableName)} }),
	"DescribeTimeToLive": plain((*Store).describeTimeToLive, func(in *ddb.DescribeTimeToLiveInput) call { return call{table: str(in.TableName)} }),
	"ListTables":         plain((*Store).listTables, func(*ddb.ListTablesInput) call { return call{} }),
	"DescribeLimits":     plain((*Store).describeLimits, func(*ddb.DescribeLimitsInput) call { return call{} }),
	"ListTagsOfResource": plain((*Store).listTagsOfResource, func(*ddb.ListTagsOfResourceInput) call { return call{} }),
	"PutItem":            plain((*Store).putItem, func(in *ddb.PutItemInput) call { return call{table: str(in.TableName)} }),
	"UpdateItem":         plain((*Store).updateItem, func(in *ddb.UpdateItemInput) call { return call{table: str(in.TableName)} }),
	"DeleteItem":         plain((*Store).deleteItem, func(in *ddb.DeleteItemInput) call { return call{table: str(in.TableName)} }),
	"BatchWriteItem":     plain((*Store).batchWriteItem, func(in *ddb.BatchWriteItemInput) call { return call{table: soleName(in.RequestItems)} }),

	"GetItem":      serving((*Store).getItem, func(in *ddb.GetItemInput) call { return call{table: str(in.TableName)} }, appendFound),
	"BatchGetItem": serving((*Store).batchGetItem, func(in *ddb.BatchGetItemInput) call { return call{table: soleName(in.RequestItems)} }, appendGathered),
	"Query":        serving((*Store).query, func(in *ddb.QueryInput) call { return call{table: str(in.TableName), index: str(in.IndexName)} }, appendPage),
	"Scan":         serving((*Store).scan, func(in *ddb.ScanInput) call { return call{table: str(in.TableName), index: str(in.IndexName)} }, appendPage),
}

// serving makes an operation out of a method of the store.
func serving[In, Out any](run func(*Store, context.Context, *In) (*Out, error), target func(*In) call, render func([]byte, *Out) ([]byte, error)) operation {
	return func(ctx context.Context, s *Store, name string, dst, body []byte) ([]byte, Fault, error) {
		var in In
		if err := wire.Decode(body, &in); err != nil {
			return dst, NoFault, err
		}
		c := target(&in)
		c.operation = name
		fault, err := s.admit(ctx, c)
		if err != nil {
			return dst, NoFault, err
		}
		out, err := run(s, ctx, &in)
		if err != nil {
			return dst, NoFault, err
		}
		dst, err = render(dst, out)
		return dst, fault, err
	}
}

// plain is an operation whose answer is one of the SDK's structs.
func plain[In, Out any](run func(*Store, context.Context, *In) (*Out, error), target func(*In) call) operation {
	return serving(run, target, func(dst []byte, out *Out) ([]byte, error) { return wire.Append(dst, out) })
}

func appendFound(dst []byte, f *found) ([]byte, error) {
	o := object{dst: append(dst, '{')}
	if f.item != nil {
		o.dst = attr.AppendEncodedJSON(o.key("Item"), f.item)
	}
	if f.consumed != nil {
		o.value("ConsumedCapacity", f.consumed)
	}
	return append(o.dst, '}'), o.err
}

func appendPage(dst []byte, p *page) ([]byte, error) {
	o := object{dst: append(dst, '{')}
	o.dst = strconv.AppendInt(o.key("Count"), int64(p.count), 10)
	o.dst = strconv.AppendInt(o.key("ScannedCount"), int64(p.scanned), 10)
	if !p.noItems {
		o.dst = appendItems(o.key("Items"), p.items)
	}
	if p.last != nil {
		o.dst = attr.AppendItemJSON(o.key("LastEvaluatedKey"), p.last)
	}
	if p.consumed != nil {
		o.value("ConsumedCapacity", p.consumed)
	}
	return append(o.dst, '}'), o.err
}

func appendGathered(dst []byte, g *gathered) ([]byte, error) {
	o := object{dst: append(dst, '{')}
	o.dst = append(o.key("Responses"), '{')
	for i, name := range slices.Sorted(maps.Keys(g.responses)) {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = append(wire.AppendString(o.dst, name), ':')
		o.dst = appendItems(o.dst, g.responses[name])
	}
	o.dst = append(o.dst, '}')
	o.value("UnprocessedKeys", g.unprocessed)
	if g.consumed != nil {
		o.value("ConsumedCapacity", g.consumed)
	}
	return append(o.dst, '}'), o.err
}

func appendItems(dst []byte, items [][]byte) []byte {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = attr.AppendEncodedJSON(dst, item)
	}
	return append(dst, ']')
}

// object appends the members of a JSON object.
type object struct {
	dst   []byte
	begun bool
	err   error
}

func (o *object) key(name string) []byte {
	if o.begun {
		o.dst = append(o.dst, ',')
	}
	o.begun = true
	return append(wire.AppendString(o.dst, name), ':')
}

func (o *object) value(name string, v any) {
	o.dst, o.err = wire.Append(o.key(name), v)
}
