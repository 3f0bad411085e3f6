package engine

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// noteDescribed notes the tables that a question to information_schema names, as
// in WHERE table_name = 'orders'. Of these the columns are wanted, for which
// items are sampled; of all other tables only what DescribeTable says.
func noteDescribed(ctx context.Context, stmt sqlparser.Statement) {
	sctx, ok := ctx.(*sql.Context)
	if !ok {
		return
	}
	s, ok := sctx.Session.(*Session)
	if !ok {
		return
	}
	names := map[string]bool{}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if c, ok := node.(*sqlparser.ComparisonExpr); ok {
			addNames(names, c.Left, c.Right)
			addNames(names, c.Right, c.Left)
		}
		return true, nil
	}, stmt)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.described = names
}

// addNames adds the texts with which a table's name is compared.
func addNames(names map[string]bool, column, with sqlparser.Expr) {
	c, ok := column.(*sqlparser.ColName)
	if !ok || !c.Name.EqualString("table_name") {
		return
	}
	list, ok := with.(sqlparser.ValTuple)
	if !ok {
		list = sqlparser.ValTuple{with}
	}
	for _, e := range list {
		if v, ok := e.(*sqlparser.SQLVal); ok && v.Type == sqlparser.StrVal {
			// A name in a pattern has its wildcards escaped.
			names[strings.ToLower(strings.ReplaceAll(string(v.Val), "\\", ""))] = true
		}
	}
}

// Describes implements connector.Session.
func (s *Session) Describes(table string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.described[strings.ToLower(table)]
}
