package engine

import (
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/schema"
)

// nameHiddenColumns gives _item and _ddb the names under which the library
// leaves them out of SELECT *: it goes by a mark in the name. In the result they
// keep the names the user wrote. Only a SELECT that names a table in its FROM
// can mean the columns of a table; elsewhere the names are those of a derived
// table.
func nameHiddenColumns(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		s, ok := node.(*sqlparser.Select)
		if !ok || !fromTable(s.From) {
			return true, nil
		}
		for _, e := range s.SelectExprs {
			keepName(e)
		}
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			if inner, ok := node.(*sqlparser.Select); ok && inner != s {
				return false, nil // visited on its own
			}
			if c, ok := node.(*sqlparser.ColName); ok && isHidden(c.Name.String()) {
				c.Name = sqlparser.NewColIdent(connector.HiddenName(c.Name.Lowered()))
			}
			return true, nil
		}, s)
		return true, nil
	}, stmt)
}

func isHidden(name string) bool {
	return strings.EqualFold(name, schema.ItemColumn) || strings.EqualFold(name, schema.WireColumn)
}

// keepName makes the written name of a hidden column its name in the result.
func keepName(e sqlparser.SelectExpr) {
	a, ok := e.(*sqlparser.AliasedExpr)
	if !ok || !a.As.IsEmpty() {
		return
	}
	if c, ok := a.Expr.(*sqlparser.ColName); ok && isHidden(c.Name.String()) {
		a.As = sqlparser.NewColIdent(c.Name.String())
	}
}

// fromTable reports whether a FROM clause has a table that is not derived.
func fromTable(from sqlparser.TableExprs) bool {
	found := false
	for _, t := range from {
		_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			switch node.(type) {
			case *sqlparser.Subquery:
				return false, nil
			case sqlparser.TableName:
				found = true
			}
			return !found, nil
		}, t)
	}
	return found
}
