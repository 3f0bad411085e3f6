// Package function has scalar functions of MySQL that the engine library lacks
// or computes otherwise than MySQL does. What each is to give is in the "MySQL
// 8.0 Reference Manual", chapter 14, "Functions and Operators". It knows values
// and expressions only: no tables, no DynamoDB.
package function

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// A definition says what a function takes and gives.
type definition struct {
	least, most int // arguments; most < 0 means any number
	typ         resultType
	eval        func(*call) (any, error)
	// takesNull says that eval is called with NULLs among the arguments, which
	// else make the result NULL.
	takesNull bool
	// varies says that two calls with the same arguments may differ.
	varies bool
}

// A resultType is the type of a function's result for the arguments it has.
type resultType func(*sql.Context, []sql.Expression) sql.Type

func always(t sql.Type) resultType {
	return func(*sql.Context, []sql.Expression) sql.Type { return t }
}

// text is a result type: text in the collation of the connection.
func text(ctx *sql.Context, _ []sql.Expression) sql.Type {
	return types.CreateLongText(ctx.GetCollation())
}

var (
	integer = always(types.Int64)
	boolean = always(types.Boolean)
	binary  = always(types.LongBlob)
	double  = always(types.Float64)
)

// definitions are all functions by their names in lower case.
var definitions = join(dates, clocks, formats, moments, encodings, texts, numbers, integerCasts, bits, sizes, addresses, documents, patterns)

func join(parts ...map[string]definition) map[string]definition {
	all := map[string]definition{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}

// Function returns a function that stands before the library's of that name.
func Function(name string) (sql.Function, bool) {
	name = strings.ToLower(name)
	switch name {
	case CompareAll, CompareAny:
		return sql.FunctionN{Name: name, Fn: newQuantified(name == CompareAll)}, true
	}
	d, ok := definitions[name]
	if !ok {
		return nil, false
	}
	return sql.FunctionN{Name: name, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < d.least || d.most >= 0 && len(args) > d.most {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(name), d.counts(), len(args))
		}
		return &scalar{Called{name, args}, &d, &compiled{}}, nil
	}}, true
}

// AsText is an expression as text, of dates and times as MySQL writes them.
func AsText(_ *sql.Context, e sql.Expression) sql.Expression { return wrapped(asText, e) }

// AsNumber is an expression as a number: of a date or a time what MySQL makes of
// it, of a text the number at its beginning.
func AsNumber(ctx *sql.Context, e sql.Expression) sql.Expression {
	return numbered(ctx, asNumber, e)
}

// AsExactNumber is an expression as a DECIMAL with all its digits: what a text
// is where one number is compared with it.
func AsExactNumber(ctx *sql.Context, e sql.Expression) sql.Expression {
	return numbered(ctx, asExactNumber, e)
}

func numbered(ctx *sql.Context, name string, e sql.Expression) sql.Expression {
	number := wrapped(name, e)
	if _, ok := e.(*expression.Literal); ok { // stays one, for a key to be compared with
		if v, err := number.Eval(ctx, nil); err == nil && v != nil {
			return expression.NewLiteral(v, number.Type(ctx))
		}
	}
	return number
}

func wrapped(name string, args ...sql.Expression) sql.Expression {
	d := definitions[name]
	return &scalar{Called{name, args}, &d, &compiled{}}
}

// Shown is a time, or a date before the year 1000, as MySQL shows it; nil for any
// other value. The library shows a fraction of six digits behind every time, and
// as many digits of a year as there are.
func Shown(v any, t sql.Type) []byte {
	switch v := v.(type) {
	case types.Timespan:
		return v.Bytes()
	case time.Time:
		if v.Year() < 1000 && types.IsTime(t) {
			return []byte(momentAt(v, dateOnly(t)).String())
		}
	}
	return nil
}

// Text is a value of a type as MySQL's text protocol has it; nil is NULL. It may
// use scratch, whose content is lost. utf8 says that it is text which has still to
// be put into the client's character set.
func Text(ctx *sql.Context, scratch []byte, t sql.Type, v any) (text []byte, utf8 bool, err error) {
	if v == nil {
		return nil, false, nil
	}
	if types.IsTextOnly(t) {
		switch v := v.(type) {
		case string:
			if v == "" {
				return []byte{}, true, nil
			}
			return append(scratch[:0], v...), true, nil
		case []byte:
			return v, true, nil
		case float64: // the library's own conversion loses the sign
			return strconv.AppendFloat(scratch[:0], v, 'g', -1, 64), false, nil
		}
	}
	if text := Shown(v, t); text != nil {
		return text, false, nil
	}
	out, err := t.SQL(ctx, scratch[:0], v)
	if err != nil || out.IsNull() {
		return nil, false, err
	}
	if text = out.ToBytes(); text == nil {
		text = []byte{}
	}
	return text, false, nil
}

// counts says how many arguments a function takes.
func (d *definition) counts() string {
	switch {
	case d.most < 0:
		return fmt.Sprintf("%d or more", d.least)
	case d.most == d.least:
		return fmt.Sprint(d.least)
	case d.most == d.least+1:
		return fmt.Sprintf("%d or %d", d.least, d.most)
	}
	return fmt.Sprintf("%d to %d", d.least, d.most)
}

// A scalar is a call of a function in a statement.
type scalar struct {
	Called
	*definition
	compiled *compiled
}

var (
	_ sql.FunctionExpression         = (*scalar)(nil)
	_ sql.CollationCoercible         = (*scalar)(nil)
	_ sql.NonDeterministicExpression = (*scalar)(nil)
)

// Description implements sql.FunctionExpression.
func (s *scalar) Description() string { return "MySQL's " + strings.ToUpper(s.Name) }

// IsNonDeterministic implements sql.NonDeterministicExpression.
func (s *scalar) IsNonDeterministic() bool { return s.varies }

// Type implements sql.Expression.
func (s *scalar) Type(ctx *sql.Context) sql.Type { return s.typ(ctx, s.Args) }

// CollationCoercibility implements sql.CollationCoercible.
func (s *scalar) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if types.IsTextOnly(s.Type(ctx)) {
		return ctx.GetCollation(), 4
	}
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (s *scalar) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	called, err := s.With(children)
	return &scalar{called, s.definition, &compiled{}}, err
}

// Eval implements sql.Expression.
func (s *scalar) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	c := call{ctx: ctx, scalar: s, values: make([]any, len(s.Args))}
	for i, a := range s.Args {
		v, err := a.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		if v == nil && !s.takesNull {
			return nil, nil
		}
		c.values[i] = v
	}
	return s.eval(&c)
}

// Names are the names of all functions, in lower case.
func Names() []string {
	var names []string
	for name := range definitions {
		if !strings.HasPrefix(name, "ddb_") { // stands for a syntax, nobody calls it
			names = append(names, name)
		}
	}
	return names
}
