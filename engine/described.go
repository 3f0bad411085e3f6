package engine

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// noteDescribed notes what a statement wants of the columns of tables. Those
// that a question to information_schema names, as in WHERE table_name =
// 'orders', are sampled for them; of all others it gets what DescribeTable says.
// In a NATURAL JOIN no table has hidden columns, by which it would join too.
func noteDescribed(ctx context.Context, stmt sqlparser.Statement) {
	sctx, ok := ctx.(*sql.Context)
	if !ok {
		return
	}
	s, ok := sctx.Session.(*Session)
	if !ok {
		return
	}
	if isPlain(stmt) {
		s.describing(nil, false)
		return
	}
	names, natural := map[string]bool{}, false
	for _, part := range withParts(stmt) {
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			switch n := node.(type) {
			case *sqlparser.ComparisonExpr:
				addNames(names, n.Left, n.Right)
				addNames(names, n.Right, n.Left)
			case *sqlparser.JoinTableExpr:
				natural = natural || strings.HasPrefix(n.Join, "natural")
			}
			return true, nil
		}, part)
	}
	s.describing(names, natural)
}

func (s *Session) describing(names map[string]bool, natural bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.described, s.natural = names, natural
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

// Natural implements connector.Session.
func (s *Session) Natural() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.natural
}
