package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// describe fills an entry with a table and its columns.
func (c *Catalog) describe(ctx context.Context, name string, e *entry) error {
	t, err := c.definition(ctx, name)
	if err != nil {
		return err
	}
	if e.sample, err = c.take(ctx, t); err != nil {
		return fmt.Errorf("sample table %s: %w", quote(name), err)
	}
	t.Sampled, t.SampleBytes = len(e.sample.items), e.sample.bytes
	t.SampleUnits, t.SampledAt = e.sample.units, e.at
	if t.Columns, err = columns(t, e, c.Pins(name)); err != nil {
		return err
	}
	t.DistinctHash, t.SparseSort = keyStatistics(t, e.sample)
	t.HashShares = hashShares(t, e.sample)
	e.table = t
	return nil
}

// outline fills an entry with a table as far as it is defined.
func (c *Catalog) outline(ctx context.Context, name string, e *entry) error {
	t, err := c.definition(ctx, name)
	if err != nil {
		return err
	}
	t.Described = true
	if t.Columns, err = columns(t, e, c.Pins(name)); err != nil {
		return err
	}
	e.table = t
	return nil
}

func (c *Catalog) definition(ctx context.Context, name string) (*schema.Table, error) {
	out, err := c.client.DescribeTable(ctx, &ddb.DescribeTableInput{TableName: &name})
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) {
		return nil, ErrNoTable
	}
	if err != nil {
		return nil, err
	}
	t, err := tableOf(out.Table)
	if s, ok := c.client.(Sourcer); ok && err == nil {
		t.Source = s.Source(name)
	}
	return t, err
}

// A Sourcer is a client whose tables may be exports.
type Sourcer interface {
	// Source is a table's schema.Table.Source.
	Source(table string) string
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
		Status:    string(d.TableStatus),
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
		if len(s.items) > 0 {
			sparse[x.Name] = 0
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
	seen := hashCounts(a, s)
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

func hashCounts(a schema.Attr, s sample) map[schema.Scalar]int {
	seen := map[schema.Scalar]int{}
	for _, item := range s.items {
		if v, ok := codec.KeyScalar(item[a.Name], a.Kind); ok {
			seen[v]++
		}
	}
	return seen
}

// mostShares is of how many hash key values of an index the share is kept.
const mostShares = 100

// hashShares estimates how often the hash key values of indexes are there. A
// sample has whole runs of items with the table's own hash key, so that it says
// nothing of those.
func hashShares(t *schema.Table, s sample) map[string]map[schema.Scalar]float64 {
	shares := map[string]map[schema.Scalar]float64{}
	for i := range t.Indexes {
		x := &t.Indexes[i]
		if x.Key.Hash == t.Key.Hash {
			continue
		}
		seen := hashCounts(x.Key.Hash, s)
		total := 0
		for _, n := range seen {
			total += n
		}
		common := slices.SortedFunc(maps.Keys(seen), func(a, b schema.Scalar) int {
			return cmp.Or(cmp.Compare(seen[b], seen[a]), cmp.Compare(a.Text, b.Text))
		})
		shares[x.Name] = map[schema.Scalar]float64{}
		for _, v := range common[:min(len(common), mostShares)] {
			shares[x.Name][v] = float64(seen[v]) / float64(total)
		}
	}
	return shares
}
