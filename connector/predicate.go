package connector

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// A lowerer puts the engine's expressions over one table as predicates of the
// planner. It gives up (false) on whatever does not mean exactly the same; such
// a conjunct is applied by the engine alone.
type lowerer struct {
	ctx   *sql.Context
	table *table
	// alias is the name under which columns of the table appear.
	alias string
	// outer is the row of the enclosing query, or nil while planning: columns
	// of other tables are constants for one run of a correlated subquery.
	outer sql.Row
	// sketch takes columns of the enclosing query as constants whose values are
	// not known yet, to see how the table would be read.
	sketch bool
	// driftIsNull says that values which a column cannot hold are read as NULL.
	driftIsNull bool
	// hints collects advice for the user, such as a key compared with a
	// constant of the wrong type.
	hints *[]string
}

// column returns the column that an expression names, if it is nothing else.
func (l lowerer) column(e sql.Expression) (*schema.Column, bool) {
	f, ok := e.(*expression.GetField)
	if !ok || !strings.EqualFold(f.Table(), l.alias) {
		return nil, false
	}
	c, ok := l.table.schema.Column(f.Name())
	return c, ok && c.Attribute != "" && lowerable(c)
}

// lower translates one conjunct. The second result says that the predicate
// means exactly the conjunct; otherwise the conjunct implies the predicate,
// and has to be applied to the rows as well.
func (l lowerer) lower(e sql.Expression) (p access.Pred, exact, ok bool) {
	switch x := e.(type) {
	case *expression.And:
		return l.connect(access.And, x.LeftChild, x.RightChild)
	case *expression.Or:
		return l.connect(access.Or, x.LeftChild, x.RightChild)
	case *expression.Not:
		return l.not(x.Child)
	case *expression.IsNull:
		if c, ok := l.column(x.Child); ok && !l.driftIsNull {
			return access.Pred{Op: access.IsNull, Path: path(c)}, true, true
		}
	case *expression.Between:
		return l.between(x)
	case *expression.InTuple:
		return l.in(x.Left(), x.Right())
	case *expression.HashInTuple:
		return l.in(x.Left(), x.Right())
	case *expression.Like:
		return l.like(x)
	case *expression.Literal:
		if v, ok := l.constant(x); ok && falsy(l.ctx, v) {
			return access.Pred{Op: access.False}, v != nil, true
		}
	case *expression.GetField:
		if c, ok := l.column(x); ok && c.Type == schema.Boolean {
			return l.term(access.Eq, c, int8(1))
		}
	case *expression.NullSafeEquals:
		return l.nullSafe(x.Left(), x.Right())
	case expression.Comparer:
		if op, ok := comparison(e); ok {
			return l.compare(op, x.Left(), x.Right())
		}
	}
	return access.Pred{}, false, false
}

func falsy(ctx *sql.Context, v any) bool {
	if v == nil {
		return true
	}
	b, err := sql.ConvertToBool(ctx, v)
	return err == nil && !b
}

func comparison(e sql.Expression) (access.Op, bool) {
	switch e.(type) {
	case *expression.Equals:
		return access.Eq, true
	case *expression.LessThan:
		return access.Lt, true
	case *expression.LessThanOrEqual:
		return access.Le, true
	case *expression.GreaterThan:
		return access.Gt, true
	case *expression.GreaterThanOrEqual:
		return access.Ge, true
	}
	return 0, false
}

// mirrored is the operator with its operands exchanged.
var mirrored = map[access.Op]access.Op{
	access.Eq: access.Eq, access.Lt: access.Gt, access.Le: access.Ge, access.Gt: access.Lt, access.Ge: access.Le,
}

func (l lowerer) connect(op access.Op, left, right sql.Expression) (access.Pred, bool, bool) {
	a, exactA, okA := l.lower(left)
	b, exactB, okB := l.lower(right)
	switch {
	case okA && okB:
		return access.Pred{Op: op, Kids: []access.Pred{a, b}}, exactA && exactB, true
	case op == access.And && okA:
		return a, false, true
	case op == access.And && okB:
		return b, false, true
	}
	return access.Pred{}, false, false
}

// not needs an exact child: the negation of a superset is not one.
func (l lowerer) not(child sql.Expression) (access.Pred, bool, bool) {
	p, exact, ok := l.lower(child)
	if !ok || !exact {
		return access.Pred{}, false, false
	}
	return access.Pred{Op: access.Not, Kids: []access.Pred{p}}, true, true
}

func (l lowerer) compare(op access.Op, left, right sql.Expression) (access.Pred, bool, bool) {
	c, ok := l.column(left)
	if !ok {
		if c, ok = l.column(right); !ok {
			if p, exact, ok := l.inside(op, left, right); ok {
				return p, exact, ok
			}
			return l.tupleEquals(op, left, right)
		}
		right, op = left, mirrored[op]
	}
	v, ok := l.constant(right)
	if !ok {
		return access.Pred{}, false, false
	}
	return l.term(op, c, v)
}

// term is a comparison of a column with the value of a constant.
func (l lowerer) term(op access.Op, c *schema.Column, v any) (access.Pred, bool, bool) {
	if v == nil { // unknown, and so is its negation: not exact under NOT
		return access.Pred{Op: access.False}, false, true
	}
	if p, ok, such := l.approximate(op, c, v); such {
		return p, false, ok
	}
	s, ok := l.scalar(c, v)
	if !ok || c.Type == schema.Boolean && op != access.Eq {
		return access.Pred{}, false, false
	}
	return access.Pred{Op: op, Path: path(c), Args: []schema.Scalar{s}, Kind: s.Kind}, l.sure(c), true
}

// sure reports whether every stored value that a predicate can be true of is
// one that the column holds, and not read as NULL.
func (l lowerer) sure(c *schema.Column) bool { return !l.driftIsNull || !c.Pinned }

// nullSafe is <=>: an equality, or IS NULL.
func (l lowerer) nullSafe(left, right sql.Expression) (access.Pred, bool, bool) {
	c, ok := l.column(left)
	if !ok {
		if c, ok = l.column(right); !ok {
			return access.Pred{}, false, false
		}
		right = left
	}
	v, ok := l.constant(right)
	if ok && v == nil && !l.driftIsNull {
		return access.Pred{Op: access.IsNull, Path: path(c)}, true, true
	}
	if ok && v == nil {
		return access.Pred{}, false, false
	}
	if !ok {
		return access.Pred{}, false, false
	}
	// Unlike =, it is false and not unknown on NULL: not exact under NOT.
	p, _, ok := l.term(access.Eq, c, v)
	return p, false, ok
}

func (l lowerer) between(b *expression.Between) (access.Pred, bool, bool) {
	return l.connect(access.And,
		expression.NewGreaterThanOrEqual(b.Val, b.Lower),
		expression.NewLessThanOrEqual(b.Val, b.Upper))
}

func (l lowerer) in(left, right sql.Expression) (access.Pred, bool, bool) {
	list, ok := right.(expression.Tuple)
	if !ok {
		return access.Pred{}, false, false
	}
	if columns, ok := left.(expression.Tuple); ok {
		return l.tupleIn(columns, list)
	}
	c, ok := l.column(left)
	if !ok {
		return access.Pred{}, false, false
	}
	p := access.Pred{Op: access.In, Path: path(c)}
	null := false
	for _, e := range list {
		v, ok := l.constant(e)
		if !ok {
			return access.Pred{}, false, false
		}
		if v == nil {
			null = true
			continue
		}
		s, ok := l.scalar(c, v)
		if !ok {
			return access.Pred{}, false, false
		}
		p.Args, p.Kind = append(p.Args, s), s.Kind
	}
	if len(p.Args) == 0 {
		return access.Pred{Op: access.False}, !null, true
	}
	// With a NULL in the list, NOT IN is never true.
	return p, !null && l.sure(c), true
}

// tupleEquals is (a, b) = (1, 2).
func (l lowerer) tupleEquals(op access.Op, left, right sql.Expression) (access.Pred, bool, bool) {
	columns, okL := left.(expression.Tuple)
	values, okR := right.(expression.Tuple)
	if op != access.Eq || !okL || !okR {
		return access.Pred{}, false, false
	}
	return l.tupleIn(columns, expression.Tuple{values})
}

// tupleIn is (a, b) IN ((1, 2), (3, 4)).
func (l lowerer) tupleIn(columns, rows expression.Tuple) (access.Pred, bool, bool) {
	p := access.Pred{Op: access.Tuple}
	nulls := false
	cols := make([]*schema.Column, len(columns))
	for i, e := range columns {
		c, ok := l.column(e)
		if !ok {
			return access.Pred{}, false, false
		}
		cols[i] = c
		nulls = nulls || !l.sure(c)
		p.Paths = append(p.Paths, path(c))
	}
	for _, e := range rows {
		row, null, ok := l.tupleRow(cols, e)
		if !ok {
			return access.Pred{}, false, false
		}
		if null {
			nulls = true
			continue
		}
		p.Rows = append(p.Rows, row)
	}
	if len(p.Rows) == 0 {
		return access.Pred{Op: access.False}, false, true
	}
	return p, !nulls, true
}

func (l lowerer) tupleRow(cols []*schema.Column, e sql.Expression) (row []schema.Scalar, null, ok bool) {
	values, ok := e.(expression.Tuple)
	if !ok || len(values) != len(cols) {
		return nil, false, false
	}
	for i, e := range values {
		v, ok := l.constant(e)
		if !ok {
			return nil, false, false
		}
		if v == nil {
			null = true
			continue
		}
		s, ok := l.scalar(cols[i], v)
		if !ok {
			return nil, false, false
		}
		row = append(row, s)
	}
	return row, null, true
}

func path(c *schema.Column) access.Path {
	return access.Path{Attribute: c.Attribute, Elems: c.Path}
}
