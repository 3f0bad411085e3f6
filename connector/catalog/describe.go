package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// A sample is a number of items of a table, and whether they are all of it.
type sample struct {
	items []ddb.Item
	bytes int64
	whole bool
}

func (c *Catalog) describe(ctx context.Context, name string) (*schema.Table, sample, error) {
	out, err := c.client.DescribeTable(ctx, &ddb.DescribeTableInput{TableName: &name})
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) {
		return nil, sample{}, ErrNoTable
	}
	if err != nil {
		return nil, sample{}, err
	}
	t, err := tableOf(out.Table)
	if err != nil {
		return nil, sample{}, err
	}
	s, err := c.take(ctx, t)
	if err != nil {
		return nil, sample{}, fmt.Errorf("sample table %s: %w", quote(name), err)
	}
	t.Sampled, t.SampleBytes = len(s.items), s.bytes
	t.Columns = columns(t, s, nil)
	t.DistinctHash, t.SparseSort = keyStatistics(t, s)
	return t, s, nil
}

// tableOf turns DynamoDB's description into ours, without columns.
func tableOf(d *types.TableDescription) (*schema.Table, error) {
	kinds := map[string]schema.Kind{}
	for _, a := range d.AttributeDefinitions {
		kind, ok := schema.KindOf(string(a.AttributeType))
		if !ok {
			return nil, fmt.Errorf("table %s: key attribute %s has the unknown type %s", quote(*d.TableName), quote(*a.AttributeName), a.AttributeType)
		}
		kinds[*a.AttributeName] = kind
	}
	t := &schema.Table{
		Name:      *d.TableName,
		Key:       keyOf(d.KeySchema, kinds),
		Items:     value(d.ItemCount),
		SizeBytes: value(d.TableSizeBytes),
		ReadUnits: readUnits(d.ProvisionedThroughput),
	}
	if d.TableArn != nil {
		t.Arn = *d.TableArn
	}
	for _, g := range d.GlobalSecondaryIndexes {
		x := indexOf(*g.IndexName, g.KeySchema, kinds, g.Projection)
		x.Global, x.Active = true, g.IndexStatus == types.IndexStatusActive
		x.Items, x.SizeBytes = value(g.ItemCount), value(g.IndexSizeBytes)
		x.ReadUnits = readUnits(g.ProvisionedThroughput)
		t.Indexes = append(t.Indexes, x)
	}
	for _, l := range d.LocalSecondaryIndexes {
		x := indexOf(*l.IndexName, l.KeySchema, kinds, l.Projection)
		x.Active, x.ReadUnits = true, t.ReadUnits
		x.Items, x.SizeBytes = value(l.ItemCount), value(l.IndexSizeBytes)
		t.Indexes = append(t.Indexes, x)
	}
	return t, nil
}

func indexOf(name string, elements []types.KeySchemaElement, kinds map[string]schema.Kind, p *types.Projection) schema.Index {
	x := schema.Index{Name: name, Key: keyOf(elements, kinds)}
	if p == nil || p.ProjectionType == types.ProjectionTypeAll {
		x.All = true
	} else {
		x.Include = p.NonKeyAttributes
	}
	return x
}

func keyOf(elements []types.KeySchemaElement, kinds map[string]schema.Kind) schema.Key {
	var key schema.Key
	for _, e := range elements {
		attr := schema.Attr{Name: *e.AttributeName, Kind: kinds[*e.AttributeName]}
		if e.KeyType == types.KeyTypeHash {
			key.Hash = attr
		} else {
			key.Sort = attr
		}
	}
	return key
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func readUnits(p *types.ProvisionedThroughputDescription) int64 {
	if p == nil {
		return 0
	}
	return value(p.ReadCapacityUnits)
}

// segments is how many places of the key space a sample of a larger table is
// taken from: one page each.
const segments = 10

// take reads the sample: the whole table when it is small, else one page from
// each of several segments, so that newly written items and all parts of the
// key space have their share. The same table gives the same sample.
func (c *Catalog) take(ctx context.Context, t *schema.Table) (sample, error) {
	limit := c.opts.SampleItems
	if average := t.AverageItem(); average > 0 {
		affordable := c.opts.SampleUnits * 8192 / float64(average)
		limit = max(1, min(limit, int(affordable)))
	}
	if t.SizeBytes <= 1<<20 && t.Items <= int64(limit) {
		return c.page(ctx, t.Name, int32(limit), 0, 1)
	}
	s := sample{}
	each := int32(math.Ceil(float64(limit) / segments))
	for i := range int32(segments) {
		p, err := c.page(ctx, t.Name, each, i, segments)
		if err != nil {
			return sample{}, err
		}
		s.items = append(s.items, p.items...)
		s.bytes += p.bytes
	}
	return s, nil
}

func (c *Catalog) page(ctx context.Context, name string, limit, segment, total int32) (sample, error) {
	out, err := c.client.Scan(ctx, &ddb.ScanInput{
		TableName: &name, Limit: &limit, Segment: &segment, TotalSegments: &total,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return sample{}, err
	}
	c.mu.Lock()
	c.sampling.Requests++
	c.sampling.Items += int64(out.ScannedCount)
	if out.ConsumedCapacity != nil && out.ConsumedCapacity.CapacityUnits != nil {
		c.sampling.ReadUnits += *out.ConsumedCapacity.CapacityUnits
	}
	c.mu.Unlock()
	s := sample{items: out.Items, whole: total == 1 && len(out.LastEvaluatedKey) == 0}
	for _, item := range out.Items {
		s.bytes += codec.ItemSize(item)
	}
	return s, nil
}

// keyStatistics estimates from the sample how many hash keys there are, and
// counts for each index the items that it misses for want of a sort key.
func keyStatistics(t *schema.Table, s sample) (distinct map[string]int64, sparse map[string]int) {
	distinct, sparse = map[string]int64{}, map[string]int{}
	if d, ok := distinctHash(t.Key.Hash, s, t.Items); ok {
		distinct[""] = d
	}
	for i := range t.Indexes {
		x := &t.Indexes[i]
		if d, ok := distinctHash(x.Key.Hash, s, x.Items); ok {
			distinct[x.Name] = d
		}
		for _, item := range s.items {
			_, hash := codec.KeyScalar(item[x.Key.Hash.Name], x.Key.Hash.Kind)
			_, sort := codec.KeyScalar(item[x.Key.Sort.Name], x.Key.Sort.Kind)
			if hash && x.Key.HasSort() && !sort {
				sparse[x.Name]++
			}
		}
	}
	return distinct, sparse
}

// distinctHash estimates the number of distinct values of a hash key among
// total items: exactly for a whole table, else by the GEE estimator (Charikar
// et al., PODS 2000), which scales the values seen once by the square root of
// the sampling ratio.
func distinctHash(a schema.Attr, s sample, total int64) (int64, bool) {
	seen := map[schema.Scalar]int{}
	for _, item := range s.items {
		if v, ok := codec.KeyScalar(item[a.Name], a.Kind); ok {
			seen[v]++
		}
	}
	if len(seen) == 0 {
		return 0, s.whole
	}
	if s.whole {
		return int64(len(seen)), true
	}
	once := 0
	for _, n := range seen {
		if n == 1 {
			once++
		}
	}
	ratio := math.Max(1, float64(total)/float64(len(s.items)))
	return int64(math.Sqrt(ratio)*float64(once)) + int64(len(seen)-once), true
}
