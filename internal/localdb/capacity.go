package localdb

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// A read unit is 4 KB read consistently, a write unit is 1 KB; half a read unit
// is 4 KB read eventually consistently.
const (
	readUnitBytes  = 4096
	writeUnitBytes = 1024
)

// readUnits is the cost of reading size bytes at once; nothing costs one unit too.
func readUnits(size int, consistent bool) float64 {
	units := float64(max((size+readUnitBytes-1)/readUnitBytes, 1))
	if consistent {
		return units
	}
	return units / 2
}

// writeUnits is the cost of writing an item; none for no item.
func writeUnits(item attr.Form) float64 {
	return float64((item.Size() + writeUnitBytes - 1) / writeUnitBytes)
}

// charge is what one request consumed, in units, by table and index.
type charge struct {
	table   float64
	indexes map[*index]float64
}

func (c *charge) add(x *index, units float64) {
	if units == 0 {
		return
	}
	if c.indexes == nil {
		c.indexes = map[*index]float64{}
	}
	c.indexes[x] += units
}

func (c *charge) merge(d charge) {
	c.table += d.table
	for x, units := range d.indexes {
		c.add(x, units)
	}
}

func (c charge) total() float64 {
	sum := c.table
	for _, units := range c.indexes {
		sum += units
	}
	return sum
}

// report is the charge as a response carries it, or nil if it was not asked for.
func (c charge) report(mode types.ReturnConsumedCapacity, table string) *types.ConsumedCapacity {
	if mode != types.ReturnConsumedCapacityTotal && mode != types.ReturnConsumedCapacityIndexes {
		return nil
	}
	r := &types.ConsumedCapacity{TableName: &table, CapacityUnits: ptr(c.total())}
	if mode == types.ReturnConsumedCapacityTotal {
		return r
	}
	r.Table = &types.Capacity{CapacityUnits: &c.table}
	for x, units := range c.indexes {
		to := &r.LocalSecondaryIndexes
		if x.global {
			to = &r.GlobalSecondaryIndexes
		}
		if *to == nil {
			*to = map[string]types.Capacity{}
		}
		(*to)[x.name] = types.Capacity{CapacityUnits: &units}
	}
	return r
}
