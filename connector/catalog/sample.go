package catalog

import (
	"context"
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
	units float64 // read units that taking it took
	whole bool
}

// segments is how many places of the key space a sample of a larger table is
// taken from: one page each.
const segments = 10

// smallTable is the size in bytes up to which a table is read as one page.
const smallTable = 1 << 20

// take reads the sample: the whole table when it is small, else one page from
// each of several segments, so that newly written items and all parts of the
// key space have their share. The same table gives the same sample. DynamoDB's
// figures may be six hours old: a table that is larger than they say is sampled
// like any large one.
func (c *Catalog) take(ctx context.Context, t *schema.Table) (sample, error) {
	limit := c.sampleItems(t.Name)
	if average := t.AverageItem(); average > 0 {
		affordable := c.opts.SampleUnits * 8192 / float64(average)
		limit = max(1, min(limit, int(affordable)))
	}
	s := sample{}
	if t.SizeBytes <= smallTable && t.Items <= int64(limit) {
		first, err := c.page(ctx, t.Name, int32(limit), 0, 1)
		if err != nil || first.whole {
			return first, err
		}
		s.units = first.units
	}
	each := int32(math.Ceil(float64(limit) / segments))
	for i := range int32(segments) {
		if s.units >= c.opts.SampleUnits {
			break
		}
		p, err := c.page(ctx, t.Name, each, i, segments)
		if err != nil {
			return sample{}, err
		}
		s.items = append(s.items, p.items...)
		s.bytes, s.units = s.bytes+p.bytes, s.units+p.units
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
	s := sample{items: out.Items, whole: total == 1 && len(out.LastEvaluatedKey) == 0}
	if out.ConsumedCapacity != nil && out.ConsumedCapacity.CapacityUnits != nil {
		s.units = *out.ConsumedCapacity.CapacityUnits
	}
	for _, item := range out.Items {
		s.bytes += codec.ItemSize(item)
	}
	c.mu.Lock()
	c.sampling.Requests++
	c.sampling.Items += int64(out.ScannedCount)
	c.sampling.ReadUnits += s.units
	c.mu.Unlock()
	return s, nil
}
