package engine

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exact"
)

// typesInSets gives the columns of UNION and the like the types that both sides
// are converted to.
//
// Where the types of the two sides differ, in length alone too, the library
// makes them text, which loses every binary value that is not UTF-8; MySQL makes
// them binary. Numbers of different types it may make text too, which sorts 10
// before 9. And it sorts by the type that the left side had before.
func typesInSets(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		set, ok := n.(*plan.SetOp)
		if !ok {
			return n, transform.SameTree, nil
		}
		left, okL := set.Left().(*plan.Project)
		right, okR := set.Right().(*plan.Project)
		if !okL || !okR || len(left.Projections) != len(right.Projections) {
			return n, transform.SameTree, nil
		}
		out, err := set.WithChildren(ctx, typedAs(ctx, left, right), typedAs(ctx, right, left))
		if err != nil {
			return nil, transform.SameTree, err
		}
		set = out.(*plan.SetOp)
		n, err = set.WithExpressions(ctx, sortedAs(ctx, set)...)
		return n, transform.NewTree, err
	})
}

// typedAs returns one side of a set operation with binary columns wherever one
// of the two sides had them, and with numbers wherever both had.
func typedAs(ctx *sql.Context, side, other *plan.Project) sql.Node {
	list := append([]sql.Expression(nil), side.Projections...)
	for i := range list {
		a, okA := converted(ctx, list[i])
		b, okB := converted(ctx, other.Projections[i])
		if !okA || !okB {
			continue
		}
		l, r := a.Type(ctx), b.Type(ctx)
		switch {
		case bytesOnly(l) || bytesOnly(r):
			list[i] = renamedAs(ctx, list[i], expression.NewConvert(a, expression.ConvertToBinary))
		case exact.IsNumber(l) && exact.IsNumber(r) && (types.IsFloat(l) || types.IsFloat(r)):
			list[i] = renamedAs(ctx, list[i], expression.NewConvert(a, expression.ConvertToDouble))
		case exact.IsNumber(l) && exact.IsNumber(r):
			list[i] = renamedAs(ctx, list[i], exact.AsNumber(a))
		}
	}
	return plan.NewProject(ctx, list, side.Child)
}

// bytesOnly reports whether a type has bytes that need not be text. The library
// counts documents among them.
func bytesOnly(t sql.Type) bool { return types.IsBinaryType(t) && !types.IsJSON(t) }

// sortedAs are the expressions of a set operation, its ORDER BY, with the types
// of the columns they name.
func sortedAs(ctx *sql.Context, set *plan.SetOp) []sql.Expression {
	list := append([]sql.Expression(nil), set.Expressions()...)
	schema := set.Left().Schema(ctx)
	for i, e := range list {
		f, ok := e.(*expression.GetField)
		if !ok {
			continue
		}
		for _, c := range schema {
			if strings.EqualFold(c.Name, f.Name()) && !c.Type.Equals(f.Type(ctx)) {
				list[i] = expression.NewGetFieldWithTable(int(f.Id()), int(f.TableId()), c.Type, f.Database(), f.Table(), f.Name(), f.IsNullable(ctx))
			}
		}
	}
	return list
}

// converted returns what the library converts to text, or to its own DECIMAL, so
// that both sides have the same type.
func converted(ctx *sql.Context, e sql.Expression) (sql.Expression, bool) {
	alias, ok := e.(*expression.Alias)
	if !ok {
		return nil, false
	}
	c, ok := alias.Child.(*expression.Convert)
	if !ok || !types.IsTextOnly(c.Type(ctx)) && !sql.IsDecimalType(c.Type(ctx)) {
		return nil, false
	}
	return c.Child, true
}

// renamedAs is an expression under another's name.
func renamedAs(ctx *sql.Context, named, e sql.Expression) sql.Expression {
	alias := named.(*expression.Alias)
	return expression.NewAlias(ctx, alias.Name(), e).WithId(alias.Id()).(sql.Expression)
}

// checkColumns refuses a UNION of selects with different numbers of columns, on
// which the library fails.
func checkColumns(stmt sqlparser.Statement) error {
	return sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		set, ok := node.(*sqlparser.SetOp)
		if !ok {
			return true, nil
		}
		left, right := columnsOf(set.Left), columnsOf(set.Right)
		if left >= 0 && right >= 0 && left != right {
			return false, columnCounts(fmt.Sprintf(": %d and %d", left, right))
		}
		return true, nil
	}, stmt)
}

// columnCounts is MySQL's error for a UNION of selects with different numbers of
// columns.
func columnCounts(numbers string) *Error {
	return &Error{
		Number: erColumnCounts, State: "21000", Offset: -1,
		Message: "The used SELECT statements have a different number of columns" + numbers,
		Advice:  "give both the same columns; NULL stands for one that is missing",
	}
}

// pairsColumns is the function of the library that pairs the columns of a UNION
// and panics where the second select has fewer.
const pairsColumns = "mergeSetOpScopeColumns"

// knownPanic is the error that a panic of the library, which is being recovered
// from, stands for; nil if it is an unknown one.
func knownPanic() error {
	if bytes.Contains(debug.Stack(), []byte(pairsColumns)) {
		return columnCounts("")
	}
	return nil
}

// erColumnCounts is ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT.
const erColumnCounts = 1222

// columnsOf is the number of columns of a select, or -1 if a star hides it.
func columnsOf(s sqlparser.SelectStatement) int {
	switch s := s.(type) {
	case *sqlparser.ParenSelect:
		return columnsOf(s.Select)
	case *sqlparser.SetOp:
		return columnsOf(s.Left)
	case *sqlparser.Select:
		for _, e := range s.SelectExprs {
			if _, star := e.(*sqlparser.StarExpr); star {
				return -1
			}
		}
		return len(s.SelectExprs)
	}
	return -1
}

// nameConstants gives the constants of a UNION's first select names, those that
// their columns have anyway. By ORDER BY 1 the library sorts by the column's
// expression, and by nothing where that is a constant.
func nameConstants(stmt sqlparser.Statement) {
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		set, ok := node.(*sqlparser.SetOp)
		if !ok || len(set.OrderBy) == 0 {
			return true, nil
		}
		first, ok := firstSelect(set).(*sqlparser.Select)
		if !ok {
			return true, nil
		}
		for i, e := range first.SelectExprs {
			column, ok := e.(*sqlparser.AliasedExpr)
			if !ok || !column.As.IsEmpty() || !isLiteral(column.Expr) {
				continue
			}
			named := *column
			if named.As = sqlparser.NewColIdent(column.InputExpression); named.As.IsEmpty() {
				named.As = sqlparser.NewColIdent(sqlparser.String(column.Expr))
			}
			first.SelectExprs[i] = &named
		}
		return true, nil
	}, stmt)
}

// firstSelect is the first of the selects of a set operation.
func firstSelect(s sqlparser.SelectStatement) sqlparser.SelectStatement {
	for {
		switch x := s.(type) {
		case *sqlparser.SetOp:
			s = x.Left
		case *sqlparser.ParenSelect:
			s = x.Select
		default:
			return s
		}
	}
}
