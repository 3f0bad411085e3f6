package vector

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/key"
)

// Groups is GROUP BY: it takes chunks and has a row for every group. Without
// keys there is one group, whatever rows there are. It belongs to one goroutine.
type Groups struct {
	keys    *Keys // nil without keys
	table   key.Table
	columns []accumulator
	ids     []uint32
	list    key.List // keys of a chunk
}

// NewGroups groups by keys and computes columns, each of which Aggregates has
// approved.
func NewGroups(p *Program, keys, columns []sql.Expression) *Groups {
	g := &Groups{}
	if len(keys) > 0 {
		g.keys = NewKeys(p, keys)
	} else {
		g.table.Number(nil)
	}
	for _, e := range columns {
		g.columns = append(g.columns, p.accumulator(e))
	}
	return g
}

// Keyed reports whether there are keys.
func (g *Groups) Keyed() bool { return g.keys != nil }

// Hashes gives each row of a chunk, by its number there, with the hash of its key
// to take.
func (g *Groups) Hashes(c *Chunk, take func(i int, hash uint64) error) error {
	if err := g.keys.All(c, &g.list); err != nil {
		return err
	}
	for i := range c.Rows {
		if err := take(i, g.list.Hash(i)); err != nil {
			return err
		}
	}
	return nil
}

// Add takes the rows of a chunk.
func (g *Groups) Add(c *Chunk) error {
	if err := g.number(c); err != nil {
		return err
	}
	for _, a := range g.columns {
		if err := a.update(c, g.ids, g.table.Len()); err != nil {
			return err
		}
	}
	return nil
}

// number finds the group of each row.
func (g *Groups) number(c *Chunk) error {
	g.ids = grown(g.ids[:0], len(c.Rows))
	if g.keys == nil {
		clear(g.ids)
		return nil
	}
	if err := g.keys.All(c, &g.list); err != nil {
		return err
	}
	g.table.NumberAll(&g.list, g.ids)
	return nil
}

// Merge takes the groups of another that has the same keys and columns, as far
// as the hash of their keys is wanted.
func (g *Groups) Merge(other *Groups, wanted func(hash uint64) bool) error {
	to := make([]uint32, other.Len())
	for i := range to {
		if to[i] = left; wanted(other.table.Hash(i)) {
			to[i] = g.table.NumberOf(&other.table, i)
		}
	}
	for i, a := range g.columns {
		if err := a.merge(other.columns[i], to, g.table.Len()); err != nil {
			return err
		}
	}
	return nil
}

// left stands for a group that is not merged.
const left = ^uint32(0)

// Len is the number of groups.
func (g *Groups) Len() int { return g.table.Len() }

// Row is the result for a group.
func (g *Groups) Row(group int) (sql.Row, error) {
	row := make(sql.Row, len(g.columns))
	for i, a := range g.columns {
		var err error
		if row[i], err = a.value(group); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// Bytes is the memory that the groups take, about.
func (g *Groups) Bytes() int64 {
	n := g.table.Bytes()
	for _, a := range g.columns {
		n += a.bytes()
	}
	return n
}

// Conditions keeps the rows of chunks for which all of several conditions are
// true. It belongs to one goroutine.
type Conditions []Expr

// Filter drops the other rows.
func (f Conditions) Filter(c *Chunk) error {
	for _, e := range f {
		truth, err := e.Eval(c)
		if err != nil {
			return err
		}
		c.keep(truth)
		if len(c.Rows) == 0 {
			return nil
		}
	}
	return nil
}
