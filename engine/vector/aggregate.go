package vector

import (
	"encoding/binary"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/key"
)

// An accumulator computes one column of the result for every group. Groups are
// numbered from 0.
type accumulator interface {
	// update takes the rows of a chunk, of which row i belongs to groups[i]. There
	// are n groups now.
	update(c *Chunk, groups []uint32, n int) error
	// merge takes the groups of another accumulator of the same kind, of which
	// group i is to[i] here, unless that is left. There are n groups now.
	merge(other accumulator, to []uint32, n int) error
	// value is the result for a group.
	value(group int) (any, error)
	// bytes is the memory in use, about.
	bytes() int64
}

// Aggregates reports whether a column of a GROUP BY can be computed here.
func Aggregates(ctx *sql.Context, e sql.Expression) bool {
	if !Serves(ctx, e) {
		return false
	}
	switch x := e.(type) {
	case *exact.CountDistinct:
		return true
	case sql.Aggregation:
		_, _, ok := exact.FoldOf(ctx, x)
		return ok
	}
	return true
}

func (p *Program) accumulator(e sql.Expression) accumulator {
	switch x := e.(type) {
	case *exact.Sum:
		if kindOf(p.ctx, x.Child) == Number {
			return &sums{p: p, of: p.Compile(x.Child)}
		}
	case *exact.Average:
		if kindOf(p.ctx, x.Child) == Number {
			return &sums{p: p, of: p.Compile(x.Child), average: true}
		}
	case *aggregation.Count:
		if _, constant := literal(x.Child); constant || isStar(x.Child) {
			return &counts{}
		}
		return &counts{of: p.Compile(x.Child)}
	case *exact.CountDistinct:
		return &distinctCounts{keys: NewKeys(p, x.ChildExpressions)}
	case *aggregation.Max:
		return newExtremes(p, x.Child, 1)
	case *aggregation.Min:
		return newExtremes(p, x.Child, -1)
	}
	if a, ok := e.(sql.Aggregation); ok {
		empty, of, _ := exact.FoldOf(p.ctx, a)
		return &folds{p: p, of: p.Compile(of), empty: empty}
	}
	return p.firsts(e)
}

func isStar(e sql.Expression) bool {
	_, ok := e.(*expression.Star)
	return ok
}

// grown makes room for n groups.
func grown[T any](s []T, n int) []T {
	if n > len(s) {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}

// counts is COUNT(*), and COUNT of an expression.
type counts struct {
	of Expr // nil for all rows
	n  []int64
}

func (a *counts) update(c *Chunk, groups []uint32, n int) error {
	a.n = grown(a.n, n)
	if a.of == nil {
		for _, g := range groups {
			a.n[g]++
		}
		return nil
	}
	v, err := a.of.Eval(c)
	if err != nil {
		return err
	}
	for i, g := range groups {
		if !v.Null[i] {
			a.n[g]++
		}
	}
	return nil
}

func (a *counts) merge(other accumulator, to []uint32, n int) error {
	a.n = grown(a.n, n)
	for i, count := range other.(*counts).n {
		if to[i] != left {
			a.n[to[i]] += count
		}
	}
	return nil
}

func (a *counts) value(group int) (any, error) {
	if group >= len(a.n) {
		return int64(0), nil
	}
	return a.n[group], nil
}

func (a *counts) bytes() int64 { return int64(8 * cap(a.n)) }

// distinctCounts is COUNT(DISTINCT ..).
type distinctCounts struct {
	keys    *Keys
	seen    key.Table // of group and key
	n       []int64
	scratch []byte
}

func (a *distinctCounts) update(c *Chunk, groups []uint32, n int) error {
	a.n = grown(a.n, n)
	if err := a.keys.eval(c); err != nil {
		return err
	}
	for i, g := range groups {
		k, null, err := a.keys.append(binary.LittleEndian.AppendUint32(a.scratch[:0], g), i)
		if err != nil {
			return err
		}
		if a.scratch = k; !null {
			a.add(k, g)
		}
	}
	return nil
}

func (a *distinctCounts) add(k []byte, group uint32) {
	if _, isNew := a.seen.Number(k); isNew {
		a.n[group]++
	}
}

func (a *distinctCounts) merge(other accumulator, to []uint32, n int) error {
	a.n = grown(a.n, n)
	o := other.(*distinctCounts)
	for i := range o.seen.Len() {
		k := o.seen.Key(i)
		g := to[binary.LittleEndian.Uint32(k)]
		if g == left {
			continue
		}
		a.scratch = append(binary.LittleEndian.AppendUint32(a.scratch[:0], g), k[4:]...)
		a.add(a.scratch, g)
	}
	return nil
}

func (a *distinctCounts) value(group int) (any, error) {
	if group >= len(a.n) {
		return int64(0), nil
	}
	return a.n[group], nil
}

func (a *distinctCounts) bytes() int64 { return a.seen.Bytes() + int64(8*cap(a.n)) }
