package engine

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// The library makes joins of EXISTS and IN (SELECT ..), and fails while it plans
// some of them. Such a statement is planned again with these conditions left as
// they are, each being asked of the rows.

// Execute plans a parsed statement, with values for its parameters, and builds
// its iterators. Nothing is read yet.
func (e *Engine) Execute(ctx *sql.Context, text string, parsed sqlparser.Statement, values map[string]sqlparser.Expr) (sql.Schema, sql.RowIter, error) {
	schema, iter, fault, err := e.tryToPlan(ctx, text, parsed, values)
	if fault == nil && !isPlannersFault(err) {
		return schema, iter, err
	}
	if other := e.withoutSemiJoins(ctx, text); other != nil {
		return e.plan(ctx, text, other, values)
	}
	if fault != nil {
		panic(fault)
	}
	return nil, nil, err
}

func (e *Engine) tryToPlan(ctx *sql.Context, text string, parsed sqlparser.Statement, values map[string]sqlparser.Expr) (schema sql.Schema, iter sql.RowIter, fault any, err error) {
	defer func() {
		if f := recover(); f != nil {
			if err = knownPanic(); err == nil {
				fault = fmt.Sprintf("%v\n%s", f, debug.Stack())
			}
		}
	}()
	schema, iter, err = e.plan(ctx, text, parsed, values)
	return schema, iter, nil, err
}

func isPlannersFault(err error) bool {
	return err != nil && (expression.ErrIndexOutOfBounds.Is(err) || strings.Contains(err.Error(), "failed to replan join"))
}

// withoutSemiJoins is a statement of which no subquery is made a join; nil if it
// has none. Where the text is prepared, it takes the place of the statement.
func (e *Engine) withoutSemiJoins(ctx *sql.Context, text string) sqlparser.Statement {
	stmt, _, _, err := e.sql.Parser.Parse(ctx, text, false)
	if err != nil {
		return nil
	}
	inner := stmt
	if x, ok := stmt.(*sqlparser.Explain); ok {
		inner = x.Statement
	}
	changed := false
	keep := func(e *sqlparser.Expr) {
		changed = keepQueries(e, func(sqlparser.Expr) bool { return true }) || changed
	}
	for _, part := range withParts(inner) {
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			switch n := node.(type) {
			case *sqlparser.Where:
				if n != nil {
					keep(&n.Expr)
				}
			case *sqlparser.JoinTableExpr:
				keep(&n.Condition.On)
			}
			return true, nil
		}, part)
	}
	if !changed {
		return nil
	}
	if _, prepared := ctx.Session.GetPreparedQuery(text); prepared {
		ctx.Session.PrepareQuery(text, stmt)
	}
	return stmt
}
