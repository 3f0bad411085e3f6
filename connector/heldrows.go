package connector

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
)

// keyedRows are the left rows of a reduced join, which are held back until their
// keys are known.
//
// Under a LIMIT they come in steps, if the join asks for that: first as many as
// the rows that are wanted, then four times as many and so on. At the end of each
// step Next gives io.EOF, and the right side has to be read again, by the keys
// of the next. Once it has been read as a whole there are no more steps.
type keyedRows struct {
	child     sql.RowIter
	reduction *reduction
	outer     sql.Row // row of the enclosing queries and joins
	width     int     // of a left row
	held      []sql.Row
	account   Account // of them
	filled    bool
	ended     bool
	step      int // how many rows this step has at most; 0 without steps
}

// Steps are left rows of a join that can come in steps.
type Steps interface {
	sql.RowIter
	// BeginSteps has the rows come in steps, if that may save read units. It is
	// called before the first Next.
	BeginSteps()
	// NextStep goes on after io.EOF, and reports whether there are more rows.
	NextStep(*sql.Context) (bool, error)
}

// BeginSteps implements Steps.
func (it *keyedRows) BeginSteps() { it.step = int(it.reduction.goal) }

// Next implements sql.RowIter.
func (it *keyedRows) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if err := it.hold(ctx); err != nil {
			return nil, err
		}
	}
	if len(it.held) > 0 {
		row := it.held[0]
		it.held = it.held[1:]
		return row, nil
	}
	if it.ended || it.step > 0 && !it.reduction.whole {
		return nil, io.EOF
	}
	return it.child.Next(ctx)
}

// NextStep implements Steps.
func (it *keyedRows) NextStep(ctx *sql.Context) (bool, error) {
	if it.ended || it.step == 0 || it.reduction.whole {
		return false, nil
	}
	it.account.Free()
	it.step *= 4
	it.reduction.reset()
	err := it.hold(ctx)
	return len(it.held) > 0, err
}

// hold reads left rows until there are no more, or no room for more, or reading
// by keys is out of the question, or the step has all its rows.
func (it *keyedRows) hold(ctx *sql.Context) error {
	it.account = OpenAccount(ctx)
	for room := true; room && !it.reduction.enough(); {
		row, err := it.child.Next(ctx)
		if err == io.EOF {
			it.ended, it.reduction.complete = true, true
			return nil
		}
		if err != nil {
			return err
		}
		it.held = append(it.held, row)
		room = it.account.Grow(row)
		// The join's expressions count from the outer row on.
		full := append(append(sql.Row(nil), it.outer...), row[len(row)-it.width:]...)
		if ok, err := it.reduction.add(ctx, full); err != nil || !ok {
			return err
		}
		if len(it.held) == it.step {
			it.reduction.complete = true
			return nil
		}
	}
	return nil
}

// Close implements sql.RowIter.
func (it *keyedRows) Close(ctx *sql.Context) error {
	if it.account != nil {
		it.account.Free()
	}
	it.held = nil
	return it.child.Close(ctx)
}

// mayEnd has the read begin with small pages where the join above may need no
// more than some of its rows.
func (r *Read) mayEnd(at spot) {
	if at.goal > 0 && r.request.Limit == 0 && len(r.request.Order) == 0 && !r.request.Count && !r.request.NoPushdown && !at.looped && !at.again && !r.correlated {
		r.request.Limit, r.early = at.goal, true
	}
}
