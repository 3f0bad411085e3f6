package exec

import (
	"bytes"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/key"
)

// keyed goes through rows with their keys: equal rows have equal keys. A row may
// begin with the row of an enclosing query, which the key leaves out.
type keyed struct {
	rows     sql.RowIter
	encoders []key.Encoder
	scratch  bytes.Buffer
	read     int
}

func keyedRows(rows sql.RowIter, schema sql.Schema) *keyed {
	return &keyed{rows: rows, encoders: key.Of(schema)}
}

// next returns a row and its key, which is valid until the next call. It looks
// for a cancelled statement now and then.
func (it *keyed) next(ctx *sql.Context) (sql.Row, []byte, error) {
	row, err := it.rows.Next(ctx)
	if err != nil {
		return nil, nil, err
	}
	if it.read++; it.read&0x3ff == 0 && ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	it.scratch.Reset()
	err = key.AppendRow(ctx, &it.scratch, it.encoders, row[len(row)-len(it.encoders):])
	return row, it.scratch.Bytes(), err
}

// distinct is DISTINCT: the first of all equal rows.
type distinct struct {
	*keyed
	seen map[string]struct{}
}

func newDistinct(child sql.RowIter, schema sql.Schema) *distinct {
	return &distinct{keyedRows(child, schema), map[string]struct{}{}}
}

// Next implements sql.RowIter.
func (it *distinct) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, k, err := it.next(ctx)
		if err != nil {
			return nil, err
		}
		if _, known := it.seen[string(k)]; !known {
			it.seen[string(k)] = struct{}{}
			return row, nil
		}
	}
}

// Close implements sql.RowIter.
func (it *distinct) Close(ctx *sql.Context) error {
	it.seen = nil
	return it.rows.Close(ctx)
}

// counted is INTERSECT and EXCEPT: rows of the left side that are, or are not,
// among those of the right side, each right row standing for one left row.
type counted struct {
	left, right *keyed
	except      bool
	counts      map[string]int
}

// Next implements sql.RowIter.
func (it *counted) Next(ctx *sql.Context) (sql.Row, error) {
	if it.counts == nil {
		if err := it.count(ctx); err != nil {
			return nil, err
		}
	}
	for {
		row, k, err := it.left.next(ctx)
		if err != nil {
			return nil, err
		}
		found := it.counts[string(k)] > 0
		if found {
			it.counts[string(k)]--
		}
		if found != it.except {
			return row, nil
		}
	}
}

func (it *counted) count(ctx *sql.Context) error {
	it.counts = map[string]int{}
	for {
		_, k, err := it.right.next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		it.counts[string(k)]++
	}
}

// Close implements sql.RowIter.
func (it *counted) Close(ctx *sql.Context) error {
	it.counts = nil
	left, right := it.left.rows.Close(ctx), it.right.rows.Close(ctx)
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
		return newDistinct(it, schema), nil
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
		left, right = newDistinct(left, schema), newDistinct(right, schema)
	}
	return &counted{left: keyedRows(left, schema), right: keyedRows(right, schema), except: s.SetOpType == plan.ExceptType}, nil
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
	var n sql.Node = setRows{s}
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
