package connector

import (
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/connector/access"
)

// addKeys takes the keys of a hash join. One that is a constant on the right is
// a condition on the left rows.
func (d *reduction) addKeys(ctx *sql.Context, lookup *plan.HashLookup) {
	lefts, rights := terms(lookup.LeftProbeKey), terms(lookup.RightEntryKey)
	if len(lefts) != len(rights) {
		return
	}
	l := d.read.lowerer(ctx, nil)
	for i, e := range rights {
		c, column := l.column(e)
		switch {
		case column && bytewise(ctx, lefts[i]):
			d.pairs = append(d.pairs, pair{lefts[i], c})
		case !column && l.isConstant(e) && !d.nullsMatter:
			d.only = append(d.only, expression.NewEquals(lefts[i], e))
		}
	}
}

// addConditions takes what the condition of a join says of its right table: the
// equalities that give keys, the conjuncts on left rows alone, and those on right
// rows alone, which it returns as far as they can be lowered.
func (d *reduction) addConditions(ctx *sql.Context, j *plan.JoinNode) []access.Pred {
	if j.Filter == nil {
		return nil
	}
	l := d.read.lowerer(ctx, nil)
	left := j.Left().Schema(ctx)
	var also []access.Pred
	for _, e := range expression.SplitConjunction(ctx, j.Filter) {
		if eq, ok := e.(*expression.Equals); ok {
			d.addPair(ctx, left, eq.Left(), eq.Right())
			d.addPair(ctx, left, eq.Right(), eq.Left())
		}
		if d.either == nil && !d.nullsMatter {
			d.either = d.eitherOf(ctx, left, e)
		}
		switch {
		case d.nullsMatter: // a condition that is NULL counts as well
		case namesOnly(ctx, e, left):
			d.only = append(d.only, e)
		case namesOnly(ctx, e, j.Right().Schema(ctx)):
			if p, _, ok := l.lower(e); ok {
				also = append(also, p)
			}
		}
	}
	return also
}

func (d *reduction) addPair(ctx *sql.Context, left sql.Schema, key, column sql.Expression) {
	c, ok := d.read.lowerer(ctx, nil).column(column)
	if ok && namesOnly(ctx, key, left) && bytewise(ctx, key) {
		d.pairs = append(d.pairs, pair{key, c})
	}
}

// namesOnly reports whether an expression names columns, all of a schema, and is
// always the same for the same values of them.
func namesOnly(ctx *sql.Context, e sql.Expression, schema sql.Schema) bool {
	only, some := true, false
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			some = true
			only = only && has(schema, f)
		}
		only = only && !varies(e)
		return only
	})
	return only && some
}

func has(schema sql.Schema, f *expression.GetField) bool {
	for _, c := range schema {
		if strings.EqualFold(c.Name, f.Name()) && strings.EqualFold(c.Source, f.Table()) {
			return true
		}
	}
	return false
}

// Independent reports whether a node's rows are the same whatever row stands to
// the left of it in a join.
func Independent(n sql.Node) bool {
	switch x := n.(type) {
	case *plan.JSONTable, sql.TableFunction:
		return false
	case *plan.JoinNode:
		if x.Op.IsLateral() {
			return false
		}
	case *plan.SubqueryAlias:
		if x.IsLateral {
			return false
		}
	}
	for _, child := range n.Children() {
		if !Independent(child) {
			return false
		}
	}
	return true
}

// rowsOrWhole are the rows that a reduction left of a table or, if there are
// none, all of them: for a NULL on the left it matters whether there is any.
type rowsOrWhole struct {
	sql.RowIter
	whole func() (sql.RowIter, error)
	any   bool
}

// Next implements sql.RowIter.
func (it *rowsOrWhole) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := it.RowIter.Next(ctx)
	if err != io.EOF || it.any {
		it.any = true
		return row, err
	}
	it.any = true
	if err := it.Close(ctx); err != nil {
		return nil, err
	}
	if it.RowIter, err = it.whole(); err != nil {
		return nil, err
	}
	return it.RowIter.Next(ctx)
}
