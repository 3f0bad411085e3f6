package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/memo"
)

// losesFilter reports whether an order of joins leaves out a condition of the
// statement. The library makes such orders where a table that is joined to the
// right side of a LEFT JOIN is joined to its left side as well:
//
//	a LEFT JOIN b ON .. JOIN c ON c.x = b.x AND c.y = a.y
//
// becomes (a JOIN c) LEFT JOIN b, in which there is no place for c.x = b.x.
func losesFilter(ctx *sql.Context, n memo.RelExpr) bool {
	join, ok := n.(memo.JoinRel)
	if !ok {
		return false
	}
	original := lastOf(join.Group())
	if original == n {
		return false
	}
	kept := conditions{}
	kept.addRel(ctx, n)
	wanted := conditions{}
	wanted.addRel(ctx, original)
	for c := range wanted {
		if !kept[c] {
			return true
		}
	}
	return false
}

// lastOf is the first member that a group was given: the statement's own order,
// or the first way that was found to join a set of tables.
func lastOf(g *memo.ExprGroup) memo.RelExpr {
	var last memo.RelExpr
	for rel := range g.Iter() {
		last = rel
	}
	return last
}

// conditions are those of all joins in a tree, by their texts.
type conditions map[string]bool

func (c conditions) addRel(ctx *sql.Context, n memo.RelExpr) {
	switch x := n.(type) {
	case memo.JoinRel:
		private := x.JoinPrivate()
		for _, f := range private.Filter {
			for _, part := range expression.SplitConjunction(ctx, f) {
				c[part.String()] = true
			}
		}
		c.addRel(ctx, lastOf(private.Left))
		c.addRel(ctx, lastOf(private.Right))
	case *memo.Filter:
		c.addRel(ctx, lastOf(x.Child))
	case *memo.Project:
		c.addRel(ctx, lastOf(x.Child))
	case *memo.Distinct:
		c.addRel(ctx, lastOf(x.Child))
	}
}
