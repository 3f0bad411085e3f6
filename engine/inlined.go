package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// keepInlinedColumns puts a rule of ours before the library's ordering of joins.
// A derived table of columns of one table becomes an alias of
// it, which has the table's columns by their numbers but not in its schema, once
// they were pruned; the library then takes the wrong column, or none, where it
// makes a join of IN (SELECT ..). Columns are pruned again by package connector.
func keepInlinedColumns(optimize analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		n, unchanged, err := transform.Node(ctx, n, withAllColumns)
		if err != nil {
			return n, unchanged, err
		}
		n, same, err := optimize(ctx, a, n, scope, sel, flags)
		return n, same && unchanged, err
	}
}

// withAllColumns gives the alias of a pruned table all columns of the table.
func withAllColumns(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	alias, ok := n.(*plan.TableAlias)
	if !ok {
		return n, transform.SameTree, nil
	}
	of, ok := alias.Child.(*plan.ResolvedTable)
	if !ok {
		return n, transform.SameTree, nil
	}
	pruned, isProjected := of.Table.(sql.ProjectedTable)
	keyed, isKeyed := of.Table.(sql.PrimaryKeyTable)
	if !isProjected || !isKeyed {
		return n, transform.SameTree, nil
	}
	all := keyed.PrimaryKeySchema(ctx).Schema
	if len(all) == len(of.Table.Schema(ctx)) {
		return n, transform.SameTree, nil
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	whole, err := pruned.WithProjections(ctx, names)
	if err != nil {
		return nil, transform.SameTree, err
	}
	child, err := of.WithTable(ctx, whole)
	if err != nil {
		return nil, transform.SameTree, err
	}
	n, err = alias.WithChildren(ctx, child.(sql.Node))
	return n, transform.NewTree, err
}
