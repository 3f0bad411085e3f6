package exact

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// An exists is EXISTS (SELECT ..), where it is not run as a join. Of a subquery
// whose rows are always the same it asks once; the library asks for each row.
type exists struct {
	*plan.ExistsSubquery

	mu     sync.Mutex
	known  bool // whether result has been found
	result any
}

// Eval implements sql.Expression.
func (x *exists) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if !x.Query.CanCacheResults() {
		return x.ExistsSubquery.Eval(ctx, row)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.known {
		return x.result, nil
	}
	var err error
	x.result, err = x.ExistsSubquery.Eval(ctx, row)
	x.known = err == nil
	return x.result, err
}

// WithChildren implements sql.Expression.
func (x *exists) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := x.ExistsSubquery.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &exists{ExistsSubquery: e.(*plan.ExistsSubquery)}, nil
}
