package localdb

import (
	"math/bits"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// maxSegments is the service's limit on TotalSegments.
const maxSegments = 1_000_000

func (s *Store) scan(in *ddb.ScanInput) (*page, error) {
	q := &ddb.QueryInput{ // what both have in common
		TableName: in.TableName, IndexName: in.IndexName, Select: in.Select, Limit: in.Limit, ConsistentRead: in.ConsistentRead,
		FilterExpression: in.FilterExpression, QueryFilter: in.ScanFilter, ConditionalOperator: in.ConditionalOperator,
		ProjectionExpression: in.ProjectionExpression, AttributesToGet: in.AttributesToGet,
		ExpressionAttributeNames: in.ExpressionAttributeNames, ExpressionAttributeValues: in.ExpressionAttributeValues,
		ExclusiveStartKey: in.ExclusiveStartKey, ReturnConsumedCapacity: in.ReturnConsumedCapacity,
	}
	if err := checkScan(in, q); err != nil {
		return nil, err
	}
	r, err := parseReading(q, func(*expr.Env) error { return nil })
	if err != nil {
		return nil, err
	}
	if err := s.aim(r, q); err != nil {
		return nil, err
	}
	segment, total := segmentOf(in)
	r.span = segmentSpan(segment, total)
	if r.startKey != "" {
		p, err := r.start()
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

func checkScan(in *ddb.ScanInput, q *ddb.QueryInput) error {
	if err := checkTable(in.TableName); err != nil {
		return err
	}
	var c constraints
	c.reading(q, "scanFilter")
	if in.Limit != nil {
		c.atLeast(int64(*in.Limit), 1, "limit")
	}
	c.segments(in)
	if err := c.err(); err != nil {
		return err
	}
	if err := checkMixedReading(q, "ScanFilter", nil); err != nil {
		return err
	}
	if err := checkSegments(in); err != nil {
		return err
	}
	return checkSelect(q, "Scanning")
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
