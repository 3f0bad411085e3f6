package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/spill"
)

// inner is the right input of a join in memory.
type inner struct {
	rows    []sql.Row
	matched []bool // by a left row; for full outer joins

	left    joinKey            // of the left row in full
	right   joinKey            // of a right row in full
	byKey   map[string][]int32 // positions in rows; nil without equalities
	unknown []int32            // rows with a NULL in their key
	account *spill.Account
}

// readInner reads all rows and finds their keys. full has room for a row at its
// position at.
func readInner(ctx *sql.Context, iter sql.RowIter, keys exact.Equalities, full sql.Row, at int) (*inner, error) {
	in := &inner{left: joinKey{terms: keys.Left, as: keys.As}, right: joinKey{terms: keys.Right, as: keys.As}, account: memoryOf(ctx).Account()}
	if !keys.Empty() {
		in.byKey = map[string][]int32{}
	}
	width := len(full) - at
	for {
		row, err := iter.Next(ctx)
		if err == io.EOF {
			in.matched = make([]bool, len(in.rows))
			return in, iter.Close(ctx)
		}
		if err == nil && !in.account.Grow(spill.SizeOf(row)+32) && in.account.Beyond() {
			err = in.account.Full(in.what())
		}
		if err == nil && len(in.rows)&0x3ff == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = in.add(ctx, row[len(row)-width:], full, at)
		}
		if err != nil {
			in.account.Free()
			_ = iter.Close(ctx) // the first error counts
			return nil, err
		}
	}
}

// what names the rows for an error.
func (in *inner) what() string {
	if in.byKey == nil {
		return "the right side of a join that is not by an equality, which is kept in memory,"
	}
	return "the right side of NOT IN, or of a join inside of a subquery, which is kept in memory,"
}

func (in *inner) add(ctx *sql.Context, row, full sql.Row, at int) error {
	n := int32(len(in.rows))
	in.rows = append(in.rows, row)
	if in.byKey == nil {
		return nil
	}
	copy(full[at:], row)
	k, null, err := in.right.key(ctx, full)
	switch {
	case err != nil:
		return err
	case null:
		in.unknown = append(in.unknown, n)
	default:
		in.byKey[string(k)] = append(in.byKey[string(k)], n)
	}
	return nil
}

// candidates are the right rows that may match the left row in full. Where a
// condition that is NULL matters too, they include the rows for which it may be.
func (in *inner) candidates(ctx *sql.Context, full sql.Row, nulls bool) (candidates, error) {
	if in.byKey == nil {
		return candidates{all: len(in.rows)}, nil
	}
	k, null, err := in.left.key(ctx, full)
	switch {
	case err != nil:
		return candidates{}, err
	case null && nulls:
		return candidates{all: len(in.rows)}, nil
	case null:
		return candidates{}, nil
	case nulls:
		return candidates{first: in.byKey[string(k)], second: in.unknown}, nil
	}
	return candidates{first: in.byKey[string(k)]}, nil
}

// candidates are positions of right rows: those of two lists, or the first all.
type candidates struct {
	first, second []int32
	all, at       int
}

func (c *candidates) next() (int, bool) {
	if len(c.first) == 0 {
		c.first, c.second = c.second, nil
	}
	if len(c.first) > 0 {
		n := c.first[0]
		c.first = c.first[1:]
		return int(n), true
	}
	c.at++
	return c.at - 1, c.at <= c.all
}

// equalities finds the conjuncts that are equalities between a term of the left
// row, which is from mid up to end in what the condition looks at, and one of
// the right row, from end on.
func equalities(ctx *sql.Context, condition sql.Expression, mid, end int) exact.Equalities {
	var keys exact.Equalities
	if condition == nil {
		return keys
	}
	for _, e := range expression.SplitConjunction(ctx, condition) {
		eq, ok := e.(*expression.Equals)
		if !ok {
			continue
		}
		l, r := sideOf(ctx, eq.Left(), mid, end), sideOf(ctx, eq.Right(), mid, end)
		switch {
		case l == leftSide && r == rightSide:
			keys.Add(ctx, eq.Left(), eq.Right())
		case l == rightSide && r == leftSide:
			keys.Add(ctx, eq.Right(), eq.Left())
		}
	}
	return keys
}

type side uint8

const (
	noSide side = iota
	leftSide
	rightSide
	bothSides // or what is not known to be always the same
)

// sideOf is the side of a join whose row an expression looks at.
func sideOf(ctx *sql.Context, e sql.Expression, mid, end int) side {
	of := noSide
	sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
		switch x := e.(type) {
		case *expression.GetField:
			switch {
			case x.Index() >= end && of != leftSide && of != bothSides:
				of = rightSide
			case x.Index() < end && x.Index() >= mid && of != rightSide && of != bothSides:
				of = leftSide
			case x.Index() >= mid:
				of = bothSides
			}
		case *plan.Subquery, connector.Reference:
			of = bothSides
		case sql.NonDeterministicExpression:
			if x.IsNonDeterministic() {
				of = bothSides
			}
		}
		return of != bothSides
	})
	return of
}
