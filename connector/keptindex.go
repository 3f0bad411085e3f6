package connector

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// A keptIndex finds kept rows by the columns that a correlated subquery sets
// equal to columns of the query around it, so that not every outer row goes
// through all of them. What it finds includes every row that matters; the
// engine applies the conditions to it.
type keptIndex struct {
	on    lowerer
	by    []keptColumn
	byKey map[string][]sql.Row
	odd   []sql.Row // rows with a value that has no key
}

// A keptColumn is one equality of a column with something of the outer query.
type keptColumn struct {
	equality sql.Expression
	column   *schema.Column
	at       int // its place in the rows
}

// newKeptIndex returns nil if no condition is such an equality.
func newKeptIndex(ctx *sql.Context, r *Read) *keptIndex {
	x := &keptIndex{on: r.lowerer(ctx, nil)}
	x.on.hints = nil
	for _, e := range r.where {
		eq, ok := e.(*expression.Equals)
		if !ok || !x.on.refersOutside(e) {
			continue
		}
		c, ok := x.on.column(eq.Left())
		if !ok {
			c, ok = x.on.column(eq.Right())
		}
		if ok && !c.Pinned && (c.Type == schema.Text || c.Type == schema.Decimal) {
			x.by = append(x.by, keptColumn{e, c, r.schema.IndexOfColName(c.Name)})
		}
	}
	for _, b := range x.by {
		if b.at < 0 {
			return nil
		}
	}
	if len(x.by) == 0 {
		return nil
	}
	return x
}

// add takes a row in.
func (x *keptIndex) add(ctx *sql.Context, row sql.Row) error {
	l := x.on
	l.ctx = ctx
	var k strings.Builder
	for _, b := range x.by {
		v, err := sql.UnwrapAny(ctx, row[b.at])
		if err != nil {
			return err
		}
		if v == nil {
			return nil // equal to nothing
		}
		s, ok := l.scalar(b.column, v)
		if !ok {
			x.odd = append(x.odd, row)
			return nil
		}
		appendScalar(&k, s)
	}
	if x.byKey == nil {
		x.byKey = map[string][]sql.Row{}
	}
	x.byKey[k.String()] = append(x.byKey[k.String()], row)
	return nil
}

// find returns the rows that can match for a row of the outer query. It reports
// false when that cannot be told.
func (x *keptIndex) find(ctx *sql.Context, outer sql.Row) ([]sql.Row, bool) {
	l := x.on
	l.ctx, l.outer = ctx, outer
	var k strings.Builder
	for _, b := range x.by {
		p, _, ok := l.lower(b.equality)
		switch {
		case ok && p.Op == access.False:
			return nil, true
		case !ok || p.Op != access.Eq || len(p.Args) != 1:
			return nil, false
		}
		appendScalar(&k, p.Args[0])
	}
	rows := x.byKey[k.String()]
	if len(x.odd) == 0 {
		return rows, true
	}
	return append(rows[:len(rows):len(rows)], x.odd...), true
}

func appendScalar(k *strings.Builder, s schema.Scalar) {
	k.WriteString(strconv.Itoa(len(s.Text)))
	k.WriteByte(':')
	k.WriteString(s.Text)
}
