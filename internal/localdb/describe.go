package localdb

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// describe is the description of a table; the caller holds the lock. Counts and
// sizes are exact, where the service's are up to six hours old.
func (t *table) describe(now time.Time) *types.TableDescription {
	d := t.about
	d.TableStatus = t.state.at(now)
	d.AttributeDefinitions, d.KeySchema = slices.Clone(d.AttributeDefinitions), slices.Clone(d.KeySchema)
	d.ItemCount, d.TableSizeBytes = ptr(t.items.len()), ptr(t.items.bytes)
	for _, x := range t.indexes {
		phase := x.state.at(now)
		if phase == "" {
			continue
		}
		g := x.about
		g.IndexStatus = types.IndexStatus(phase)
		g.KeySchema = slices.Clone(g.KeySchema)
		g.ItemCount, g.IndexSizeBytes = ptr(x.entries.len()), ptr(x.entries.bytes)
		if phase == types.TableStatusCreating {
			g.Backfilling = ptr(true)
		}
		if x.global {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, g)
			continue
		}
		d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, types.LocalSecondaryIndexDescription{
			IndexName: g.IndexName, IndexArn: g.IndexArn, KeySchema: g.KeySchema, Projection: g.Projection, ItemCount: g.ItemCount, IndexSizeBytes: g.IndexSizeBytes,
		})
	}
	return &d
}

func ptr[T any](v T) *T { return &v }

// named gives a table in any state.
func (s *Store) named(name *string) (*table, error) {
	if err := checkTable(name); err != nil {
		return nil, err
	}
	t := s.find(tableName(*name))
	if t == nil {
		return nil, fail(notFound, "Requested resource not found: Table: %s not found", *name)
	}
	return t, nil
}

func (s *Store) describeTable(in *ddb.DescribeTableInput) (*ddb.DescribeTableOutput, error) {
	t, err := s.named(in.TableName)
	if err != nil {
		return nil, err
	}
	now := s.now()
	t.settle(now)
	t.mu.RLock()
	defer t.mu.RUnlock()
	return &ddb.DescribeTableOutput{Table: t.describe(now)}, nil
}

func (s *Store) listTables(in *ddb.ListTablesInput) (*ddb.ListTablesOutput, error) {
	var c constraints
	c.name(in.ExclusiveStartTableName, "exclusiveStartTableName")
	limit := 100
	if in.Limit != nil {
		c.atLeast(int64(*in.Limit), 1, "limit")
		c.atMost(int64(*in.Limit), 100, "limit")
		limit = int(*in.Limit)
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	names := s.names(str(in.ExclusiveStartTableName))
	out := &ddb.ListTablesOutput{TableNames: names}
	if len(names) > limit {
		out.TableNames = names[:limit]
		out.LastEvaluatedTableName = &names[limit-1]
	}
	return out, nil
}

// names are the sorted names of the tables behind one.
func (s *Store) names(after string) []string {
	now := s.now()
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := []string{}
	for name, t := range s.tables {
		if name > after && t.status(now) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *Store) describeTimeToLive(in *ddb.DescribeTimeToLiveInput) (*ddb.DescribeTimeToLiveOutput, error) {
	if _, err := s.named(in.TableName); err != nil {
		return nil, err
	}
	return &ddb.DescribeTimeToLiveOutput{
		TimeToLiveDescription: &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusDisabled},
	}, nil
}

// describeLimits gives the service's default quotas, which the store does not enforce.
func (s *Store) describeLimits(*ddb.DescribeLimitsInput) (*ddb.DescribeLimitsOutput, error) {
	return &ddb.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits:  ptr[int64](80_000),
		AccountMaxWriteCapacityUnits: ptr[int64](80_000),
		TableMaxReadCapacityUnits:    ptr[int64](40_000),
		TableMaxWriteCapacityUnits:   ptr[int64](40_000),
	}, nil
}

func (s *Store) listTagsOfResource(in *ddb.ListTagsOfResourceInput) (*ddb.ListTagsOfResourceOutput, error) {
	if in.ResourceArn == nil {
		return nil, invalid("Invalid TableArn")
	}
	t := s.find(tableName(*in.ResourceArn))
	if t == nil {
		return nil, fail(notFound, "Requested resource not found: ResourcArn: %s not found", *in.ResourceArn)
	}
	return &ddb.ListTagsOfResourceOutput{Tags: append([]types.Tag{}, t.tags...)}, nil
}
