package localdb

import (
	"context"
	"math/bits"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// maxSegments is the service's limit on TotalSegments.
const maxSegments = 1_000_000

func (s *Store) scan(_ context.Context, in *ddb.ScanInput) (*page, error) {
	if err := checkScan(in); err != nil {
		return nil, err
	}
	r, err := parseScan(in)
	if err != nil {
		return nil, err
	}
	start, err := startKey(in.ExclusiveStartKey)
	if err != nil {
		return nil, err
	}
	if r.table, err = s.open(in.TableName); err != nil {
		return nil, err
	}
	if err := s.aim(r, in.IndexName, in.Select); err != nil {
		return nil, err
	}
	segment, total := segmentOf(in)
	r.span = segmentSpan(segment, total)
	if start != nil {
		p, err := r.start(start)
		if err != nil {
			return nil, err
		}
		if !r.span.contains(p) {
			return nil, invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. "+
				"Please use ExclusiveStartKey with correct Segment. TotalSegments: %d Segment: %d", total, segment)
		}
		r.resume(p)
	}
	return s.read(r)
}

func segmentOf(in *ddb.ScanInput) (segment, total int) {
	if in.TotalSegments == nil {
		return 0, 1
	}
	return int(*in.Segment), int(*in.TotalSegments)
}

// segmentSpan is the part of the hash range that a segment reads.
func segmentSpan(segment, total int) span {
	s := span{from: position{hash: share(segment, total)}}
	if segment == total-1 {
		s.unbounded = true
	} else {
		s.to.hash = share(segment+1, total)
	}
	return s
}

// share is 2^64 * part / total, for part < total.
func share(part, total int) uint64 {
	q, _ := bits.Div64(uint64(part), 0, uint64(total))
	return q
}

func checkScan(in *ddb.ScanInput) error {
	if err := checkTable(in.TableName); err != nil {
		return err
	}
	var c constraints
	enum(&c, in.Select, "select", "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
	c.name(in.IndexName, "indexName")
	c.consumedCapacity(in.ReturnConsumedCapacity)
	c.comparisons(in.ScanFilter, "scanFilter")
	c.conditionalOperator(in.ConditionalOperator)
	c.attributesToGet(in.AttributesToGet)
	if in.Limit != nil {
		c.atLeast(int64(*in.Limit), 1, "limit")
	}
	c.segments(in)
	if err := c.err(); err != nil {
		return err
	}
	err := checkMixed(in.ExpressionAttributeNames, in.ExpressionAttributeValues,
		[]parameter{{"ProjectionExpression", in.ProjectionExpression != nil}, {"FilterExpression", in.FilterExpression != nil}},
		[]parameter{
			{"AttributesToGet", in.AttributesToGet != nil}, {"ScanFilter", in.ScanFilter != nil},
			{"ConditionalOperator", in.ConditionalOperator != ""},
		})
	if err != nil {
		return err
	}
	if err := checkSegments(in); err != nil {
		return err
	}
	return selection{"Scanning", in.Select, in.ProjectionExpression != nil, in.AttributesToGet != nil, in.IndexName != nil}.check()
}

func (c *constraints) segments(in *ddb.ScanInput) {
	if in.Segment != nil {
		c.atLeast(int64(*in.Segment), 0, "segment")
		c.atMost(int64(*in.Segment), maxSegments-1, "segment")
	}
	if in.TotalSegments != nil {
		c.atLeast(int64(*in.TotalSegments), 1, "totalSegments")
		c.atMost(int64(*in.TotalSegments), maxSegments, "totalSegments")
	}
}

func checkSegments(in *ddb.ScanInput) error {
	switch {
	case in.Segment != nil && in.TotalSegments == nil:
		return invalid("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case in.Segment == nil && in.TotalSegments != nil:
		return invalid("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case in.Segment != nil && *in.Segment >= *in.TotalSegments:
		return invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: "+
			"Segment: %d is not less than TotalSegments: %d", *in.Segment, *in.TotalSegments)
	}
	return nil
}

func parseScan(in *ddb.ScanInput) (*reading, error) {
	r := &reading{
		consistent: in.ConsistentRead != nil && *in.ConsistentRead,
		countOnly:  in.Select == types.SelectCount,
		capacity:   in.ReturnConsumedCapacity,
	}
	if in.Limit != nil {
		r.limit = int(*in.Limit)
	}
	env, err := newEnv(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	if r.filter, err = parseFilter(in.FilterExpression, in.ScanFilter, in.ConditionalOperator, env); err != nil {
		return nil, err
	}
	if r.projection, err = parseProjection(in.ProjectionExpression, in.AttributesToGet, env); err != nil {
		return nil, err
	}
	return r, env.Unused()
}
