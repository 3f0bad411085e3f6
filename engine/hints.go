package engine

import (
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/connector"
)

// keepIndexHints makes USE, FORCE and IGNORE INDEX count. The library parses
// them and forgets them; they reach the planner in the name of the table, which
// keeps its old name as an alias.
func keepIndexHints(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		t, ok := node.(*sqlparser.AliasedTableExpr)
		if !ok || t.Hints == nil {
			return true, nil
		}
		name, ok := t.Expr.(sqlparser.TableName)
		if !ok {
			return true, nil
		}
		if t.As.IsEmpty() {
			t.As = name.Name
		}
		var indexes []string
		for _, x := range t.Hints.Indexes {
			indexes = append(indexes, x.String())
		}
		verb := strings.TrimSpace(t.Hints.Type)
		name.Name = sqlparser.NewTableIdent(connector.HintedName(name.Name.String(), verb, indexes))
		t.Expr, t.Hints = name, nil
		return true, nil
	}, stmt)
}
