package connector

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// An Estimate is what reading one table of a join takes.
type Estimate struct {
	ReadUnits float64
	Rows      float64 // a guess where conditions stand that no key serves
	request   access.Request
	read      *Read
}

// EstimateTable estimates the reading of one of our tables under the conjuncts
// that stand on it alone. It reports false for any other node.
func EstimateTable(ctx *sql.Context, n sql.Node, where []sql.Expression) (Estimate, bool) {
	c, ok := chainTo(ctx, n)
	if !ok || len(c.nodes) > 1 {
		return Estimate{}, false
	}
	r := newRead(ctx, c, nil)
	r.where = where
	if err := r.choose(ctx, nil); err != nil {
		return Estimate{}, false
	}
	return Estimate{
		ReadUnits: r.plan.Cost.ReadUnits, Rows: r.plan.Cost.Items * r.passing(),
		request: r.request, read: r,
	}, true
}

// The shares of rows that pass a condition which no key serves, for want of
// statistics: the usual guesses.
const (
	equalShare = 0.1
	otherShare = 0.5
)

// passing guesses the share of the rows read that pass the conditions which the
// key conditions do not enforce.
func (r *Read) passing() float64 {
	share := 1.0
	for i, e := range r.where {
		if at := r.preds[i]; at >= 0 && r.servedByKey(at) {
			continue
		}
		switch e.(type) {
		case *expression.Equals, *expression.NullSafeEquals:
			share *= equalShare
		default:
			share *= otherShare
		}
	}
	return share
}

// servedByKey reports whether a predicate is on a key that the plan fixes.
func (r *Read) servedByKey(at int) bool {
	if r.plan.Op == access.Scan {
		return false
	}
	return r.plan.Key().Has(r.request.Where[at].Path.Attribute)
}

// PerKey estimates the read units that each distinct key takes when the table
// is read by the values of the columns, and the rows it gives. It reports false
// when the columns fix no key.
func (e Estimate) PerKey(ctx *sql.Context, columns []sql.Expression) (units, rows float64, ok bool) {
	req := e.request
	req.Where = append([]access.Pred(nil), req.Where...)
	l := e.read.lowerer(ctx, nil)
	for _, x := range terms(expression.Tuple(columns)) {
		c, ok := l.column(x)
		if !ok {
			continue
		}
		if s, ok := sketched(c); ok {
			req.Where = append(req.Where, access.Pred{Op: access.Eq, Path: path(c), Args: []schema.Scalar{s}, Kind: s.Kind})
		}
	}
	p, err := access.Choose(req)
	if err != nil || p.Op == access.Scan || p.Op == access.Nothing {
		return 0, 0, false
	}
	return p.Cost.ReadUnits, p.Cost.Items, true
}
