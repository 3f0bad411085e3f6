package read

import (
	"context"
	"math"
	"math/bits"

	"github.com/dynasql/dynasql/connector/access"
)

// Sample says how much of a table a first look reads. One of the two is set.
type Sample struct {
	Rows    int64   // about so many items are read
	Percent float64 // of the table, above 0 up to 100
}

// chosen are the segments of a Scan that are read.
type chosen struct{ segments, of int }

const (
	sampleBytes       = 1 << 20 // of a segment, about: one page
	maxSampleSegments = 1 << 16 // DynamoDB allows a million
)

// OpenSample is Open of a Scan that reads only as many segments as the sample
// asks for, spread evenly over the hash keys, and always the same ones of a
// table of one size. Since segments are read whole, more rows may come than
// Sample.Rows. Stream.Share says how much of the table was read.
func (r *Reader) OpenSample(ctx context.Context, p access.Plan, s Sample, st *Statement) (*Stream, error) {
	c := choose(s, p.Table.Items, bytesOf(&p))
	share := float64(c.segments) / float64(c.of)
	p.Cost.Requests *= share
	p.Cost.Items *= share
	p.Cost.Bytes *= share
	p.Cost.ReadUnits *= share
	stream, err := r.Open(ctx, p, st)
	if err != nil {
		return nil, err
	}
	stream.job.chosen = &c
	return stream, nil
}

func choose(s Sample, items, bytes int64) chosen {
	share := s.Percent / 100
	if s.Rows > 0 && items > 0 {
		share = float64(s.Rows) / float64(items)
	}
	pages := max(1, (bytes+sampleBytes-1)/sampleBytes)
	of := min(maxSampleSegments, 1<<bits.Len64(uint64(pages-1)))
	if share <= 0 || share >= 1 {
		return chosen{of, of}
	}
	return chosen{max(1, int(math.Ceil(share*float64(of)))), of}
}

// segment is the i-th of the chosen segments.
func (c *chosen) segment(i int) int32 { return int32(i * c.of / c.segments) }

// Share is the share of the table's hash keys that the stream reads, from 0 to
// 1: less than 1 only for a stream of OpenSample.
func (s *Stream) Share() float64 {
	if c := s.job.chosen; c != nil {
		return float64(c.segments) / float64(c.of)
	}
	return 1
}
