package engine

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/exec"
)

// Planning takes longer than reading one item. A session therefore remembers the
// plans of point reads, which are SELECTs of columns of one table where the
// columns of its key equal constants, and runs them again with other constants.
// A plan is forgotten when the session sets a variable or the accounts change,
// and not used when the table is no longer known as it was.

// A point is the remembered plan of a point read.
type point struct {
	read     *connector.PointRead
	columns  []sql.Expression // over the row of the read; nil for the row itself
	schema   sql.Schema
	accounts uint64 // see Engine.accountChanges
}

// mostPoints is how many plans a session remembers.
const mostPoints = 256

// plan plans a statement and builds its iterators, by a remembered plan if there
// is one.
func (e *Engine) plan(ctx *sql.Context, text string, parsed sqlparser.Statement, values map[string]sqlparser.Expr) (sql.Schema, sql.RowIter, error) {
	s, ours := ctx.Session.(*Session)
	shape, constants, isPoint := pointShape(ctx, parsed, values)
	if !ours || !isPoint {
		schema, iter, _, err := e.sql.QueryWithBindings(ctx, text, parsed, values, nil)
		return schema, iter, err
	}
	if schema, iter, ok, err := s.runPoint(ctx, shape, constants); ok || err != nil {
		return schema, iter, err
	}
	s.note(true)
	schema, iter, _, err := e.sql.QueryWithBindings(ctx, text, parsed, values, nil)
	if n := s.note(false); err == nil {
		s.rememberPoint(ctx, n, shape, schema)
	}
	return schema, iter, err
}

// runPoint runs a remembered plan, if there is one that is still right.
func (s *Session) runPoint(ctx *sql.Context, shape string, constants map[string]any) (sql.Schema, sql.RowIter, bool, error) {
	s.mu.Lock()
	p := s.points[shape]
	s.mu.Unlock()
	if p == nil || p.accounts != s.engine.accountChanges.Load() || !p.read.Current(ctx) {
		return nil, nil, false, nil
	}
	read, ok := p.read.With(ctx, constants)
	if !ok {
		return nil, nil, false, nil
	}
	s.ClearWarnings()
	for _, counter := range []string{"Questions", "Com_select"} { // as the library does
		sql.IncrementStatusVariable(ctx, counter, 1)
	}
	s.enter(running)
	if err := s.Statement().Admit(read.Plan()); err != nil {
		return nil, nil, false, err
	}
	iter, err := read.RowIter(ctx, nil)
	if err != nil {
		return nil, nil, false, err
	}
	if p.columns != nil {
		iter = exec.Project(iter, p.columns)
	}
	return p.schema, plan.AddTrackedRowIter(ctx, read, iter), true, nil
}

// note begins or ends the noting of plans that are executed, and returns what
// was noted.
func (s *Session) note(on bool) (noted sql.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	noted, s.plan, s.noting = s.plan, nil, on
	return noted
}

// built says which plan is being executed.
func (s *Session) built(n sql.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noting {
		s.plan = n
	}
}

// rememberPoint remembers a plan if it is that of a point read.
func (s *Session) rememberPoint(ctx *sql.Context, n sql.Node, shape string, schema sql.Schema) {
	p := &point{schema: schema, accounts: s.engine.accountChanges.Load()}
	if project, ok := n.(*plan.Project); ok {
		for _, e := range project.Projections {
			if _, ok := e.(*expression.GetField); !ok {
				return
			}
		}
		n, p.columns = project.Child, project.Projections
	}
	read, ok := n.(*connector.Read)
	if !ok {
		return
	}
	if p.read, ok = read.Point(ctx); !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.points == nil || len(s.points) >= mostPoints {
		s.points = map[string]*point{}
	}
	s.points[shape] = p
}

// SetSessionVariable implements sql.Session. Plans may depend on variables.
func (s *Session) SetSessionVariable(ctx *sql.Context, name string, value any) error {
	s.mu.Lock()
	s.points = nil
	s.mu.Unlock()
	return s.BaseSession.SetSessionVariable(ctx, name, value)
}

// pointShape is what a statement that may be a point read has beside its
// constants, which it returns by the names of their columns in lower case.
func pointShape(ctx *sql.Context, parsed sqlparser.Statement, values map[string]sqlparser.Expr) (string, map[string]any, bool) {
	s, ok := pointSelectOf(parsed)
	if !ok {
		return "", nil, false
	}
	// Names are in the shape as they are written, since results show them so.
	shape := append([]string{ctx.GetCurrentDatabase(), s.table.DbQualifier.String(), s.table.Name.String()}, s.columns...)
	shape = append(shape, "")
	constants := map[string]any{}
	parameters := 0
	for _, eq := range s.where {
		e := eq.value
		if name, ok := parameterOf(e); ok {
			e = values[name]
			parameters++
		}
		v, ok := constantOf(e)
		column := strings.ToLower(eq.column)
		if _, twice := constants[column]; !ok || twice {
			return "", nil, false
		}
		kind := "number"
		if _, text := v.(string); text {
			kind = "text"
		}
		constants[column] = v
		shape = append(shape, column, kind)
	}
	return strings.Join(shape, "\x00"), constants, parameters == len(values)
}

// A pointSelect is a SELECT of nothing but columns, from one table, where
// columns equal something.
type pointSelect struct {
	table   sqlparser.TableName
	columns []string // as they are written; * for all
	where   []equality
}

type equality struct {
	column string
	value  sqlparser.Expr
}

func pointSelectOf(parsed sqlparser.Statement) (pointSelect, bool) {
	s, ok := parsed.(*sqlparser.Select)
	if !ok || s.Into != nil || s.With != nil || s.Limit != nil || s.Having != nil || s.Where == nil || s.Lock != nil && s.Lock.Type != "" || len(s.GroupBy) > 0 ||
		len(s.Comments) > 0 || len(s.Window) > 0 || len(s.OrderBy) > 0 || len(s.From) != 1 || !plainOptions(s.QueryOpts) {
		return pointSelect{}, false
	}
	from, ok := s.From[0].(*sqlparser.AliasedTableExpr)
	if !ok || from.Hints != nil || from.AsOf != nil || !from.As.IsEmpty() || len(from.Partitions) > 0 || from.Lateral {
		return pointSelect{}, false
	}
	var p pointSelect
	if p.table, ok = from.Expr.(sqlparser.TableName); !ok || !p.table.SchemaQualifier.IsEmpty() {
		return pointSelect{}, false
	}
	for _, e := range s.SelectExprs {
		column, ok := selected(e)
		if !ok {
			return pointSelect{}, false
		}
		p.columns = append(p.columns, column)
	}
	return p, equalities(s.Where.Expr, &p.where)
}

// isPlain reports whether a statement has nothing that has to be adapted or
// refused: looking for that in the most frequent statements takes as long as
// parsing them.
func isPlain(parsed sqlparser.Statement) bool {
	s, ok := pointSelectOf(parsed)
	if !ok || !s.table.DbQualifier.IsEmpty() {
		return false
	}
	for _, column := range s.columns {
		if isHidden(column) {
			return false
		}
	}
	for _, eq := range s.where {
		v, ok := eq.value.(*sqlparser.SQLVal)
		if !ok || isHidden(eq.column) || strings.EqualFold(eq.column, "table_name") {
			return false
		}
		switch {
		case v.Type == sqlparser.StrVal, v.Type == sqlparser.ValArg, v.Type == sqlparser.IntVal && len(v.Val) <= mostPlainDigits:
		default:
			return false
		}
	}
	return true
}

// mostPlainDigits is how many digits a number may have that is the same as a
// floating-point number.
const mostPlainDigits = 15

func plainOptions(o sqlparser.QueryOpts) bool {
	return !o.All && !o.Distinct && len(o.DistinctOn) == 0 && !o.StraightJoinHint && !o.SQLCalcFoundRows && !o.SQLCache && !o.SQLNoCache
}

// selected is the name of a plain column in a select list, or the star.
func selected(e sqlparser.SelectExpr) (string, bool) {
	switch e := e.(type) {
	case *sqlparser.StarExpr:
		return "*", e.TableName.IsEmpty()
	case *sqlparser.AliasedExpr:
		name, ok := plainColumn(e.Expr)
		return name, ok && e.As.IsEmpty() && (e.InputExpression == "" || e.InputExpression == name)
	}
	return "", false
}

func plainColumn(e sqlparser.Expr) (string, bool) {
	c, ok := e.(*sqlparser.ColName)
	if !ok || c.StoredProcVal != nil || !c.Qualifier.IsEmpty() {
		return "", false
	}
	return c.Name.String(), true
}

// equalities collects the conjuncts of the form column = expression, and reports
// whether there are no others.
func equalities(e sqlparser.Expr, found *[]equality) bool {
	switch e := e.(type) {
	case *sqlparser.AndExpr:
		return equalities(e.Left, found) && equalities(e.Right, found)
	case *sqlparser.ParenExpr:
		return equalities(e.Expr, found)
	case *sqlparser.ComparisonExpr:
		column, ok := plainColumn(e.Left)
		*found = append(*found, equality{column, e.Right})
		return ok && e.Operator == sqlparser.EqualStr && e.Escape == nil
	}
	return false
}

// parameterOf is the name of a parameter.
func parameterOf(e sqlparser.Expr) (string, bool) {
	v, ok := e.(*sqlparser.SQLVal)
	if !ok || v.Type != sqlparser.ValArg || len(v.Val) < 2 {
		return "", false
	}
	return string(v.Val[1:]), true
}

// constantOf is a text, or a number that is an int64.
func constantOf(e sqlparser.Expr) (any, bool) {
	v, ok := e.(*sqlparser.SQLVal)
	if !ok {
		return nil, false
	}
	switch v.Type {
	case sqlparser.StrVal:
		return string(v.Val), true
	case sqlparser.IntVal:
		n, err := strconv.ParseInt(string(v.Val), 10, 64)
		return n, err == nil
	}
	return nil, false
}
