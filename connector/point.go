package connector

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// A PointRead is the read of one item by its full key, which can be run again
// with other values for the key. It is immutable.
type PointRead struct {
	read *Read
	keys []*schema.Column // of the conjuncts, in their order
}

// Point makes a PointRead of a Read that is nothing but one GetItem: each of its
// conjuncts is a column of text or numbers that equals a constant, and the plan
// enforces all of them.
func (r *Read) Point(ctx *sql.Context) (*PointRead, bool) {
	if r.correlated || r.dynamic || r.reduction != nil || r.kept != nil || r.table.index != nil ||
		len(r.also) > 0 || len(r.hints) > 0 || !r.onlyGetsItem() {
		return nil, false
	}
	p := &PointRead{read: r}
	for _, e := range r.where {
		eq, ok := e.(*expression.Equals)
		if !ok {
			return nil, false
		}
		c, ok := r.lowerer(ctx, nil).column(eq.Left())
		if !ok {
			c, ok = r.lowerer(ctx, nil).column(eq.Right())
		}
		if !ok || c.Pinned || c.Type != schema.Text && c.Type != schema.Decimal {
			return nil, false
		}
		p.keys = append(p.keys, c)
	}
	return p, true
}

func (r *Read) onlyGetsItem() bool {
	return r.plan.Op == access.GetItem && len(r.plan.Keys) == 1 && len(r.plan.Residual) == 0 && r.request.Opaque == 0 &&
		r.request.Limit == 0 && len(r.request.Order) == 0 && !r.request.Count
}

// Current reports whether the table is known as it was when the read was
// planned. Like planning it may describe the table.
func (p *PointRead) Current(ctx *sql.Context) bool {
	t := p.read.table
	name, err := t.db.catalog.Resolve(ctx, t.schema.Name)
	if err != nil || name != t.schema.Name {
		return false
	}
	now, err := t.db.catalog.Table(ctx, name)
	return err == nil && now == t.schema
}

// With is the read with other values, by the names of their columns: texts for
// columns of text, int64 for numbers. It gives up where planning might not come
// to a GetItem for these values.
func (p *PointRead) With(ctx *sql.Context, values map[string]any) (*Read, bool) {
	if len(values) != len(p.keys) {
		return nil, false
	}
	r := *p.read
	r.hints = nil
	l := r.lowerer(ctx, nil)
	r.request.Where = make([]access.Pred, len(p.keys))
	for i, c := range p.keys {
		v, ok := values[strings.ToLower(c.Name)]
		if _, text := v.(string); !ok || text != (c.Type == schema.Text) {
			return nil, false
		}
		pred, exact, ok := l.term(access.Eq, c, v)
		if !ok || !exact {
			return nil, false
		}
		r.request.Where[i] = pred
	}
	ok := false
	r.plan, ok = p.read.plan.WithKey(&r.request)
	return &r, ok && len(r.hints) == 0
}
