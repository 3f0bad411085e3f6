package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/spill"
)

// counted is INTERSECT and EXCEPT: rows of the left side that are, or are not,
// among those of the right side, each right row standing for one left row. Keys
// of the right side for which there is no room are spread over files by their
// hashes, and so are the left rows that may be among them.
type counted struct {
	left, right *keyed
	except      bool
	memory      *spill.Memory
	account     *spill.Account

	input   keyedSource // of left rows
	counts  map[string]int
	level   int
	keys    *partitions // of the right side, that had no room; nil if all had
	rows    *partitions // of the left side, that may be among them
	current pairOfParts // that is being read
	waiting []pairOfParts
}

func newCounted(ctx *sql.Context, left, right *keyed, except bool) *counted {
	m := memoryOf(ctx)
	return &counted{left: left, right: right, except: except, memory: m, account: m.Account(), input: left}
}

// Next implements sql.RowIter.
func (it *counted) Next(ctx *sql.Context) (sql.Row, error) {
	if it.counts == nil {
		if err := it.count(ctx, it.right); err != nil {
			return nil, err
		}
	}
	for {
		k, err := it.input.next(ctx)
		if err == io.EOF {
			more, err := it.again(ctx)
			if err != nil || !more {
				return nil, errOr(err, io.EOF)
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		left, known := it.counts[string(k)]
		if !known && it.keys.has(k) {
			row, err := it.input.row(ctx)
			if err == nil {
				err = it.rows.write(k, row)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		if left > 0 {
			it.counts[string(k)]--
		}
		if (left > 0) != it.except {
			return it.input.row(ctx)
		}
	}
}

// count counts the keys of right rows, as far as there is room.
func (it *counted) count(ctx *sql.Context, right keyedSource) error {
	it.counts = map[string]int{}
	full := false
	for {
		k, err := right.next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, known := it.counts[string(k)]; known || !full || it.level == mostLevels {
			it.counts[string(k)]++
			if !known {
				full = !it.account.Grow(int64(len(k) + 48))
			}
			if full && it.account.Beyond() {
				return it.account.Full("the right side of INTERSECT or EXCEPT")
			}
			continue
		}
		if it.keys == nil {
			it.keys = &partitions{memory: it.memory, level: it.level}
			it.rows = &partitions{memory: it.memory, level: it.level}
		}
		if err := it.keys.write(k, nil); err != nil {
			return err
		}
	}
}

// again makes the next pair of files the two sides. It reports false when there
// is none.
func (it *counted) again(ctx *sql.Context) (bool, error) {
	it.account.Free()
	it.closeCurrent()
	if it.keys != nil {
		for i, rows := range it.rows.files {
			if rows == nil {
				_ = it.keys.files[i].Close()
				continue
			}
			it.waiting = append(it.waiting, pairOfParts{rows, it.keys.files[i], it.level + 1})
		}
		it.keys, it.rows = nil, nil
	}
	if len(it.waiting) == 0 {
		return false, nil
	}
	last := len(it.waiting) - 1
	it.current, it.waiting = it.waiting[last], it.waiting[:last]
	it.level = it.current.level
	left, err := it.current.left.Read()
	if err != nil {
		return false, err
	}
	right, err := it.current.right.Read()
	if err != nil {
		return false, err
	}
	it.input = &fileRows{from: left}
	return true, it.count(ctx, &fileRows{from: right})
}

func (it *counted) closeCurrent() {
	_ = it.current.left.Close()
	_ = it.current.right.Close()
	it.current = pairOfParts{}
}

// Close implements sql.RowIter.
func (it *counted) Close(ctx *sql.Context) error {
	it.counts = nil
	it.account.Free()
	it.closeCurrent()
	it.keys.close()
	it.rows.close()
	for _, p := range it.waiting {
		_ = p.left.Close()
		_ = p.right.Close()
	}
	it.keys, it.rows, it.waiting = nil, nil, nil
	left, right := it.left.Close(ctx), it.right.Close(ctx)
	if left != nil {
		return left
	}
	return right
}

// setRows is a UNION, INTERSECT or EXCEPT without its order and limit.
type setRows struct{ *plan.SetOp }

var _ sql.ExecBuilderNode = setRows{}

// BuildRowIter implements sql.ExecBuilderNode.
func (s setRows) BuildRowIter(ctx *sql.Context, b sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	schema := s.Schema(ctx)
	if s.SetOpType == plan.UnionType {
		all := plan.NewSetOp(plan.UnionType, s.Left(), s.Right(), false, nil, nil, nil)
		it, err := b.Build(ctx, all, row)
		if err != nil || !s.Distinct {
			return it, err
		}
		return newDistinct(ctx, it, schema), nil
	}
	left, err := b.Build(ctx, s.Left(), row)
	if err != nil {
		return nil, err
	}
	right, err := b.Build(ctx, s.Right(), row)
	if err != nil {
		_ = left.Close(ctx)
		return nil, err
	}
	if s.Distinct {
		left, right = newDistinct(ctx, left, schema), newDistinct(ctx, right, schema)
	}
	return newCounted(ctx, keyedRows(left, schema), keyedRows(right, schema), s.SetOpType == plan.ExceptType), nil
}

// WithChildren implements sql.Node.
func (s setRows) WithChildren(ctx *sql.Context, children ...sql.Node) (sql.Node, error) {
	n, err := s.SetOp.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return setRows{n.(*plan.SetOp)}, nil
}

// setOperation puts the order and the limit of a set operation above it: the
// library skips the rows of OFFSET before it sorts.
func setOperation(s *plan.SetOp) sql.Node {
	return orderedAndCut(s, setRows{s})
}

// orderedAndCut puts the order and the limit of a set operation above its rows.
func orderedAndCut(s *plan.SetOp, n sql.Node) sql.Node {
	if len(s.SortFields) > 0 {
		n = plan.NewSort(s.SortFields, n)
	}
	if s.Offset != nil {
		n = plan.NewOffset(s.Offset, n)
	}
	if s.Limit != nil {
		n = plan.NewLimit(s.Limit, n)
	}
	return n
}
