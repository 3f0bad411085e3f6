package exec

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/exact"
)

// slide computes an aggregate over frames whose ends only go forward, in time
// that grows with the number of rows alone. The rows of a frame are in two
// parts. Of the one behind there is a single fold, to which rows are added. Of
// the one in front there is, for each row, the fold from it up to the part's
// end, so that a row is left out by going on to the next. When the front is used
// up, the rows behind become the front.
type slide struct {
	frames
	of   sql.Expression
	fold func() exact.Fold // makes an empty one

	values     []any // of the partition
	first, end int   // the rows taken in
	middle     int   // where the rows behind begin
	behind     exact.Fold
	front      []exact.Fold // of the rows from first to middle, the last row's first
	changed    bool
	result     any
}

func (s *slide) begin(p *part) (err error) {
	if s.values, err = p.column(s.of); err != nil {
		return err
	}
	s.forget(0)
	return s.frames.begin(p)
}

// forget begins with an empty frame at a place.
func (s *slide) forget(at int) {
	s.first, s.middle, s.end, s.behind, s.changed = at, at, at, s.fold(), true
	s.front = s.front[:0]
}

func (s *slide) value(p *part, at int) (any, error) {
	first, end, err := s.frame(p, at)
	if err != nil {
		return nil, err
	}
	if first >= s.end {
		s.forget(first)
	}
	for ; s.end < end; s.end++ {
		if v := s.values[s.end]; v != nil {
			s.changed = true
			if err := s.behind.Add(p.ctx, v); err != nil {
				return nil, err
			}
		}
	}
	for ; s.first < first; s.first++ {
		if err := s.drop(p.ctx); err != nil {
			return nil, err
		}
	}
	if s.changed {
		s.changed = false
		s.result, err = s.total(p.ctx)
	}
	return s.result, err
}

// drop leaves the first row out.
func (s *slide) drop(ctx *sql.Context) error {
	if s.first == s.middle {
		if err := s.turn(ctx); err != nil {
			return err
		}
	}
	s.changed = true
	s.front = s.front[:len(s.front)-1]
	return nil
}

// turn makes the rows behind the front.
func (s *slide) turn(ctx *sql.Context) error {
	for i := s.end - 1; i >= s.first; i-- {
		f := s.fold()
		if v := s.values[i]; v != nil {
			if err := f.Add(ctx, v); err != nil {
				return err
			}
		}
		if n := len(s.front); n > 0 {
			if err := f.Merge(ctx, s.front[n-1]); err != nil {
				return err
			}
		}
		s.front = append(s.front, f)
	}
	s.middle, s.behind = s.end, s.fold()
	return nil
}

func (s *slide) total(ctx *sql.Context) (any, error) {
	if len(s.front) == 0 {
		return s.behind.Value(ctx)
	}
	all := s.fold()
	if err := all.Merge(ctx, s.front[len(s.front)-1]); err != nil {
		return nil, err
	}
	if err := all.Merge(ctx, s.behind); err != nil {
		return nil, err
	}
	return all.Value(ctx)
}

// anew computes an aggregate anew for each frame that is not that of the row
// before.
type anew struct {
	frames
	aggregate sql.Aggregation

	first, end int
	result     any
}

func (a *anew) begin(p *part) error {
	a.end = -1
	return a.frames.begin(p)
}

func (a *anew) value(p *part, at int) (any, error) {
	first, end, err := a.frame(p, at)
	if err != nil || a.end >= 0 && first == a.first && end == a.end {
		return a.result, err
	}
	a.first, a.end = first, end
	b, err := a.aggregate.NewBuffer(p.ctx)
	if err != nil {
		return nil, err
	}
	defer b.Dispose(p.ctx)
	for i := first; i < end; i++ {
		if i&cancelMask == 0 && p.ctx.Err() != nil {
			return nil, p.ctx.Err()
		}
		if err := b.Update(p.ctx, p.row(i)); err != nil {
			return nil, err
		}
	}
	a.result, err = b.Eval(p.ctx)
	return a.result, err
}
