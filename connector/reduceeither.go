package connector

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// eitherOf returns an equality of each side of an OR in the condition of a join,
// by the hash key of the right table or of one of its indexes; nil if a side has
// none.
func (d *reduction) eitherOf(ctx *sql.Context, left sql.Schema, e sql.Expression) []pair {
	or, ok := e.(*expression.Or)
	if !ok {
		return nil
	}
	var all []pair
	for _, side := range []sql.Expression{or.LeftChild, or.RightChild} {
		if inner := d.eitherOf(ctx, left, side); inner != nil {
			all = append(all, inner...)
			continue
		}
		of := &reduction{read: d.read}
		for _, e := range expression.SplitConjunction(ctx, side) {
			if eq, ok := e.(*expression.Equals); ok {
				of.addPair(ctx, left, eq.Left(), eq.Right())
				of.addPair(ctx, left, eq.Right(), eq.Left())
			}
		}
		found := false
		for _, p := range of.pairs {
			if one := (&reduction{read: d.read, pairs: []pair{p}}); !found && one.useful() {
				all, found = append(all, p), true
			}
		}
		if !found {
			return nil
		}
	}
	return all
}

// addEither takes the keys of a left row for the alternatives. It reports false
// when a value cannot be put as a condition on the right table.
func (d *reduction) addEither(ctx *sql.Context, row sql.Row) (bool, error) {
	l := d.read.lowerer(ctx, nil)
	for i, p := range d.either {
		s, null, ok, err := p.key(ctx, l, row)
		if null {
			continue // equal to nothing
		}
		if err != nil || !ok {
			return false, err
		}
		d.ofEither[i][s] = true
	}
	return true, nil
}

// alternatives are what the keys say of the right table: an OR of lists.
func (d *reduction) alternatives() access.Pred {
	var kids []access.Pred
	for i, p := range d.either {
		in := access.Pred{Op: access.In, Path: path(p.right)}
		for s := range d.ofEither[i] {
			in.Args, in.Kind = append(in.Args, s), s.Kind
		}
		if len(in.Args) > 0 {
			kids = append(kids, in)
		}
	}
	switch len(kids) {
	case 0:
		return access.Pred{Op: access.False}
	case 1:
		return kids[0]
	}
	return access.Pred{Op: access.Or, Kids: kids}
}

// byEither has the right table read by the alternatives, if that takes fewer read
// units than without them.
func (d *reduction) byEither(req access.Request) {
	plans := access.Either(req)
	if plans == nil {
		return
	}
	a := d.read.byAll(plans)
	if a == nil || d.spent+a.units >= d.read.units() {
		return
	}
	d.byAny, d.whole, d.spent = a, false, d.spent+a.units
}

func emptyKeys(n int) []map[schema.Scalar]bool {
	keys := make([]map[schema.Scalar]bool, n)
	for i := range keys {
		keys[i] = map[schema.Scalar]bool{}
	}
	return keys
}
