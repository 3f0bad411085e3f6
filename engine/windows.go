package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exec"
)

// planWindows makes every function with an OVER clause a call of
// exec.OverFunction, with its window written out: the library forgets the order
// of a window that is named, and takes functions for the same whose windows
// differ.
func planWindows(stmt sqlparser.Statement) error {
	var failed error
	var known []*sqlparser.FuncExpr
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Select:
			if failed = refuseMisplaced(n); failed == nil {
				failed = writeOutWindows(n)
			}
		case *sqlparser.FuncExpr:
			if n.Over != nil {
				failed = overFunction(n, &known)
			}
		}
		return failed == nil, failed
	}, stmt)
	return failed
}

// refuseMisplaced refuses functions over windows in clauses that choose or group
// the rows of the windows.
func refuseMisplaced(s *sqlparser.Select) error {
	return sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if f, ok := node.(*sqlparser.FuncExpr); ok && f.Over != nil {
			return false, misplaced(strings.ToUpper(f.Name.String()))
		}
		_, subquery := node.(*sqlparser.Subquery)
		return !subquery, nil
	}, s.From, s.Where, s.GroupBy, s.Having, s.Limit)
}

func misplaced(name string) error {
	return &Error{Number: 3593, State: "HY000", Offset: -1,
		Message: "a function over a window, as " + name + ", can be in the select list and in ORDER BY only",
		Advice:  "select it under a name in a derived table, and use the name in WHERE of the query around it"}
}

// overFunction turns a function over a window, whose window is written out, into
// a call. Equal ones get the same number among those known.
func overFunction(f *sqlparser.FuncExpr, known *[]*sqlparser.FuncExpr) error {
	name := f.Name.Lowered()
	switch {
	case !exec.HasOver(name):
		return nil // the library says so
	case f.Distinct:
		return unsupported(strings.ToUpper(name)+"(DISTINCT ..) OVER (..)", "aggregate in a derived table with GROUP BY, and join it")
	}
	if exec.WholePartition(name) && (len(f.Over.OrderBy) > 0 || f.Over.Frame != nil) {
		return unsupported(strings.ToUpper(name)+" over a window with ORDER BY or a frame", "OVER (PARTITION BY ..) alone: the order is that of its own values")
	}
	number := slices.IndexFunc(*known, func(k *sqlparser.FuncExpr) bool { return reflect.DeepEqual(k, f) })
	if number < 0 {
		number = len(*known)
		was := *f
		*known = append(*known, &was)
	}
	args := sqlparser.SelectExprs{
		&sqlparser.AliasedExpr{Expr: sqlparser.NewStrVal([]byte(name))},
		&sqlparser.AliasedExpr{Expr: sqlparser.NewIntVal([]byte(strconv.Itoa(number)))},
	}
	for _, arg := range f.Exprs {
		if _, star := arg.(*sqlparser.StarExpr); star {
			arg = &sqlparser.AliasedExpr{Expr: sqlparser.NewIntVal([]byte("1"))}
		}
		args = append(args, arg)
	}
	f.Name, f.Exprs = sqlparser.NewColIdent(exec.OverFunction), args
	return nil
}

func unsupported(what, advice string) error {
	return &Error{Number: erNotSupported, State: "42000", Offset: -1, Message: what + " is not supported", Advice: advice}
}

// writeOutWindows puts the windows that a query names where they are used.
func writeOutWindows(s *sqlparser.Select) error {
	named := map[string]*sqlparser.WindowDef{}
	for _, w := range s.Window {
		name := w.Name.Lowered()
		if named[name] != nil {
			return windowError(3591, "window '%s' is defined twice", w.Name.String())
		}
		named[name] = w
	}
	s.Window = nil
	for _, part := range []sqlparser.SQLNode{s.SelectExprs, s.OrderBy, s.Having} {
		err := sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
			switch n := node.(type) {
			case *sqlparser.Subquery:
				return false, nil
			case *sqlparser.FuncExpr:
				if n.Over == nil {
					return true, nil
				}
				w, err := writtenOut((*sqlparser.WindowDef)(n.Over), named, len(named))
				n.Over = (*sqlparser.Over)(w)
				return err == nil, err
			}
			return true, nil
		}, part)
		if err != nil {
			return err
		}
	}
	return nil
}

// writtenOut is a window without reference to another. References go at most so
// deep, unless they go round.
func writtenOut(w *sqlparser.WindowDef, named map[string]*sqlparser.WindowDef, deep int) (*sqlparser.WindowDef, error) {
	if w.NameRef.IsEmpty() {
		return w, nil
	}
	base := named[w.NameRef.Lowered()]
	switch {
	case base == nil:
		return nil, windowError(3579, "window '%s' is not defined", w.NameRef.String())
	case deep == 0:
		return nil, windowError(3580, "window '%s' refers to itself", w.NameRef.String())
	}
	base, err := writtenOut(base, named, deep-1)
	if err != nil {
		return nil, err
	}
	out := *base
	out.Name, out.NameRef = sqlparser.ColIdent{}, sqlparser.ColIdent{}
	alone := len(w.PartitionBy) == 0 && len(w.OrderBy) == 0 && w.Frame == nil
	switch {
	case alone:
		return &out, nil
	case len(w.PartitionBy) > 0:
		return nil, windowError(3581, "a window that refers to '%s' cannot have a PARTITION BY of its own", w.NameRef.String())
	case base.Frame != nil:
		return nil, windowError(3582, "window '%s' has a frame and cannot be built upon", w.NameRef.String())
	case len(w.OrderBy) > 0 && len(base.OrderBy) > 0:
		return nil, windowError(3583, "a window that refers to '%s' cannot have an ORDER BY too", w.NameRef.String())
	}
	if len(w.OrderBy) > 0 {
		out.OrderBy = w.OrderBy
	}
	out.Frame = w.Frame
	return &out, nil
}

func windowError(number int, format, name string) error {
	return &Error{Number: number, State: "HY000", Offset: -1, Message: fmt.Sprintf(format, name)}
}
