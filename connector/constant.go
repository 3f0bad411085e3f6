package connector

import (
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
)

// Computed is an expression of the engine's own whose value follows from those
// of its children, and from nothing else.
type Computed interface{ Computed() }

// hasEffect lists the functions that must run as often as SQL says, and so are
// not evaluated ahead of time.
var hasEffect = map[string]bool{
	"sleep": true, "benchmark": true, "get_lock": true, "release_lock": true, "release_all_locks": true,
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
	case schema.Decimal, schema.BigInt:
		return schema.Num("0"), true
	case schema.DateTime:
		return schema.Num("0"), c.Form != schema.ISO8601
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
		case *plan.Subquery: // would read while the statement is planned
			constant = false
		case sql.NonDeterministicExpression:
			constant = constant && !x.IsNonDeterministic()
		case sql.FunctionExpression:
			constant = constant && !hasEffect[strings.ToLower(x.FunctionName())]
		case Computed, expression.ArithmeticOp, *expression.UnaryMinus, *expression.Convert, *expression.Interval:
		default:
			constant = false
		}
		return constant
	})
	return constant
}

// scalar turns a constant into a value of the column's kind, if comparing the
// two as DynamoDB does gives what the engine's comparison gives.
func (l lowerer) scalar(c *schema.Column, v any) (schema.Scalar, bool) {
	if _, ok := v.(unknown); ok {
		return sketched(c)
	}
	if s, ok, such := l.pinnedScalar(c, v); such {
		return s, ok
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
