package connector

import (
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/codec"
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
	return c, ok && c.Attribute != ""
}

// constant evaluates an expression that is the same for every row. With an
// outer row, columns of the enclosing query are constants.
func (l lowerer) constant(e sql.Expression) (any, bool) {
	if !l.isConstant(e) {
		return nil, false
	}
	if collation, strength := sql.GetCoercibility(l.ctx, e); types.IsText(e.Type(l.ctx)) && strength < 2 && collation != Collation {
		return nil, false // an explicit COLLATE decides the comparison
	}
	if l.sketch && l.refersOutside(e) {
		return unknown{}, true
	}
	v, err := e.Eval(l.ctx, l.outer)
	if err != nil {
		return nil, false
	}
	v, err = sql.UnwrapAny(l.ctx, v)
	return v, err == nil
}

// unknown is the value of a constant in a sketch.
type unknown struct{}

// sketched is how an unknown constant shows in EXPLAIN.
func sketched(c *schema.Column) (schema.Scalar, bool) {
	switch c.Type {
	case schema.Text, schema.MixedText:
		return schema.Str("<outer value>"), true
	case schema.Decimal:
		return schema.Num("0"), true
	case schema.Bytes:
		return schema.Scalar{Kind: schema.B, Text: "<outer value>"}, true
	}
	return schema.Scalar{}, false
}

// refersOutside reports whether an expression has a column of another table.
func (l lowerer) refersOutside(e sql.Expression) bool {
	outside := false
	sql.Inspect(l.ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok && !strings.EqualFold(f.Table(), l.alias) {
			outside = true
		}
		return !outside
	})
	return outside
}

func (l lowerer) isConstant(e sql.Expression) bool {
	constant := true
	sql.Inspect(l.ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch x := e.(type) {
		case nil, *expression.Literal, expression.Tuple, *expression.UserVar, *expression.SystemVar:
		case *expression.GetField:
			// A column of the enclosing query lies in front of our own row.
			outside := !strings.EqualFold(x.Table(), l.alias)
			constant = constant && outside && (l.sketch || l.outer != nil && x.Index() < len(l.outer))
		case sql.NonDeterministicExpression:
			constant = constant && !x.IsNonDeterministic()
		case sql.FunctionExpression:
			constant = constant && !hasEffect[strings.ToLower(x.FunctionName())]
		case *expression.Arithmetic, *expression.UnaryMinus, *expression.Convert, *expression.Interval:
		default:
			constant = false
		}
		return constant
	})
	return constant
}

// hasEffect lists the functions that must run as often as SQL says, and so are
// not evaluated ahead of time.
var hasEffect = map[string]bool{
	"sleep": true, "benchmark": true, "get_lock": true, "release_lock": true, "release_all_locks": true,
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
	s, ok := l.scalar(c, v)
	if !ok || c.Type == schema.Boolean && op != access.Eq {
		return access.Pred{}, false, false
	}
	return access.Pred{Op: op, Path: path(c), Args: []schema.Scalar{s}, Kind: s.Kind}, true, true
}

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
	if ok && v == nil {
		return access.Pred{Op: access.IsNull, Path: path(c)}, true, true
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
	return p, !null, true
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

func path(c *schema.Column) access.Path { return access.Path{Attribute: c.Attribute} }

// scalar turns a constant into a value of the column's kind, if comparing the
// two as DynamoDB does gives what the engine's comparison gives.
func (l lowerer) scalar(c *schema.Column, v any) (schema.Scalar, bool) {
	if _, ok := v.(unknown); ok {
		return sketched(c)
	}
	switch c.Type {
	case schema.Text, schema.MixedText:
		if s, ok := v.(string); ok {
			return schema.Str(s), true
		}
		l.hintQuote(c, v)
	case schema.Decimal:
		return numberScalar(v)
	case schema.Bytes:
		switch b := v.(type) {
		case []byte:
			return schema.Scalar{Kind: schema.B, Text: string(b)}, true
		case string:
			return schema.Scalar{Kind: schema.B, Text: b}, true
		}
	case schema.Boolean:
		if s, ok := numberScalar(v); ok && (s.Text == "0" || s.Text == "1") {
			return schema.Scalar{Kind: schema.Bool, Text: [...]string{"false", "true"}[s.Text[0]-'0']}, true
		}
	}
	return schema.Scalar{}, false
}

// hintQuote advises on a number compared with a text key: by MySQL's rules both
// are compared as floating-point numbers, for which no key can be used.
func (l lowerer) hintQuote(c *schema.Column, v any) {
	if _, number := numberScalar(v); number && c.Fixed == schema.S && l.hints != nil {
		*l.hints = append(*l.hints, "'"+c.Name+"' is a string: quote the number that it is compared with to use its key")
	}
}

func numberScalar(v any) (schema.Scalar, bool) {
	if s, ok := v.(string); ok {
		// A text that is a number throughout compares as that number.
		d, _, err := apd.NewFromString(s)
		if err != nil || strings.TrimSpace(s) != s || d.NumDigits() > 15 {
			return schema.Scalar{}, false
		}
		v = d
	}
	if b, ok := v.(bool); ok {
		v = int8(0)
		if b {
			v = int8(1)
		}
	}
	switch v.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, *apd.Decimal:
	default:
		return schema.Scalar{}, false
	}
	d, err := types.InternalDecimalType.ConvertToDecimal(v)
	if err != nil || d == nil {
		return schema.Scalar{}, false
	}
	text, ok := codec.NumberText(d)
	return schema.Num(text), ok
}

// like translates a pattern: p% is a prefix, %x% a substring, and one without
// wildcards an equality. Of any other pattern the part before its first
// wildcard is a prefix that every match has.
func (l lowerer) like(x *expression.Like) (access.Pred, bool, bool) {
	c, ok := l.column(x.LeftChild)
	if !ok || c.Type != schema.Text {
		return access.Pred{}, false, false
	}
	v, ok := l.constant(x.RightChild)
	if !ok {
		return access.Pred{}, false, false
	}
	if v == nil {
		return access.Pred{Op: access.False}, false, true
	}
	pattern, ok := v.(string)
	escape, okE := l.escape(x)
	if !ok || !okE {
		return access.Pred{}, false, false
	}
	p, exact, ok := likePred(pattern, escape)
	p.Path, p.Kind = path(c), schema.S
	return p, exact, ok
}

func (l lowerer) escape(x *expression.Like) (rune, bool) {
	if x.Escape == nil {
		return '\\', true
	}
	v, ok := l.constant(x.Escape)
	s, isText := v.(string)
	if !ok || !isText || len([]rune(s)) != 1 {
		return 0, false
	}
	return []rune(s)[0], true
}

// likePred takes a LIKE pattern apart. An empty prefix says nothing.
func likePred(pattern string, escape rune) (p access.Pred, exact, ok bool) {
	var texts []string // literal texts between runs of wildcards
	var text strings.Builder
	onlyPercent := true
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			text.WriteRune(r)
			escaped = false
		case r == escape:
			escaped = true
		case r == '%' || r == '_':
			onlyPercent = onlyPercent && r == '%'
			texts = append(texts, text.String())
			text.Reset()
		default:
			text.WriteRune(r)
		}
	}
	if escaped {
		return access.Pred{}, false, false
	}
	texts = append(texts, text.String())
	first := texts[0]
	arg := func(s string) []schema.Scalar { return []schema.Scalar{schema.Str(s)} }
	switch {
	case len(texts) == 1:
		return access.Pred{Op: access.Eq, Args: arg(first)}, true, true
	case len(texts) == 2 && onlyPercent && texts[1] == "" && first != "":
		return access.Pred{Op: access.Prefix, Args: arg(first)}, true, true
	case len(texts) == 3 && onlyPercent && first == "" && texts[2] == "" && texts[1] != "":
		return access.Pred{Op: access.Contains, Args: arg(texts[1])}, true, true
	case first != "":
		return access.Pred{Op: access.Prefix, Args: arg(first)}, false, true
	}
	return access.Pred{}, false, false
}
