package engine

import (
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/function"
)

func isDecimal(t *sqlparser.ConvertType) bool {
	return t != nil && strings.EqualFold(t.Type, "decimal")
}

// The bounds of DECIMAL, and what it is without digits.
const (
	mostDigits    = 65
	mostScale     = 30
	defaultDigits = 10
)

func checkDecimal(t *sqlparser.ConvertType) error {
	digits, scale := decimalSize(t)
	message := ""
	switch {
	case digits > mostDigits:
		message = "Too-big precision " + strconv.Itoa(digits) + " specified for a DECIMAL. Maximum is 65"
	case scale > mostScale:
		message = "Too big scale " + strconv.Itoa(scale) + " specified for a DECIMAL. Maximum is 30"
	case scale > digits:
		message = "For DECIMAL(M,D), M must be >= D"
	default:
		return nil
	}
	return &Error{Number: erWrongPrecision, State: "42000", Offset: -1, Message: message}
}

func decimalSize(t *sqlparser.ConvertType) (digits, scale int) {
	digits = defaultDigits
	if t.Length != nil {
		if n, err := strconv.Atoi(string(t.Length.Val)); err == nil && n > 0 {
			digits = n
		}
	}
	if t.Scale != nil {
		scale, _ = strconv.Atoi(string(t.Scale.Val))
	}
	return digits, scale
}

// Literals with up to these digits in front of and behind the point survive
// the conversion to DECIMAL(65,30).
const (
	keptDigits = 19 // of integers, which end at 64 bits
	keptWhole  = 35
	keptScale  = 30
)

func manyDigits(v *sqlparser.SQLVal) bool {
	switch v.Type {
	case sqlparser.IntVal:
		return len(v.Val) > keptDigits+1
	case sqlparser.FloatVal:
		text := string(v.Val)
		if strings.ContainsAny(text, "eE") {
			return false
		}
		whole, fraction, _ := strings.Cut(text, ".")
		return len(whole) > keptWhole || len(fraction) > keptScale
	}
	return false
}

// exactNumber is what stands in place of an expression, or nil.
func exactNumber(e sqlparser.Expr) sqlparser.Expr {
	switch x := e.(type) {
	case *sqlparser.ConvertExpr:
		if f := temporalCast(x); f != nil {
			return f
		}
		if f := integerCast(x); f != nil {
			return f
		}
		if f := charCast(x); f != nil {
			return f
		}
		if isDecimal(x.Type) {
			digits, scale := decimalSize(x.Type)
			return call(exact.CastFunction, x.Expr, integer(digits), integer(scale))
		}
	case *sqlparser.SQLVal:
		if manyDigits(x) {
			return call(exact.NumberFunction, sqlparser.NewStrVal(x.Val))
		}
	}
	return nil
}

// temporalCast is a cast to a date or a time: the library takes digits for one
// that are none, as 2024-01-32, and does not read numbers.
func temporalCast(x *sqlparser.ConvertExpr) sqlparser.Expr {
	if x.Type == nil {
		return nil
	}
	digits := 0
	if x.Type.Length != nil {
		digits, _ = strconv.Atoi(string(x.Type.Length.Val))
	}
	switch strings.ToLower(x.Type.Type) {
	case "date":
		return call("date", x.Expr)
	case "datetime":
		return call(function.ToDatetime, x.Expr, integer(digits))
	case "time":
		return call(function.ToTime, x.Expr, integer(digits))
	}
	return nil
}

// integerCast is a cast to an integer: the library makes 0 of a text with more
// than 64 bits, 2^64-1 of -0.1, and says nothing of what does not fit.
func integerCast(x *sqlparser.ConvertExpr) sqlparser.Expr {
	if x.Type == nil {
		return nil
	}
	switch strings.ToLower(x.Type.Type) {
	case "signed", "signed integer":
		return call(function.ToSigned, x.Expr)
	case "unsigned", "unsigned integer":
		return call(function.ToUnsigned, x.Expr)
	}
	return nil
}

// charCast is a cast to CHAR(n): the library cuts a text within a character.
func charCast(x *sqlparser.ConvertExpr) sqlparser.Expr {
	if x.Type == nil || x.Type.Length == nil || x.Type.Charset != "" {
		return nil
	}
	switch strings.ToLower(x.Type.Type) {
	case "char", "nchar", "character":
		whole := *x.Type
		whole.Length = nil
		return call(function.ToChar, &sqlparser.ConvertExpr{Name: x.Name, Expr: x.Expr, Type: &whole}, x.Type.Length)
	}
	return nil
}

func integer(n int) sqlparser.Expr { return sqlparser.NewIntVal([]byte(strconv.Itoa(n))) }

func call(name string, args ...sqlparser.Expr) *sqlparser.FuncExpr {
	f := &sqlparser.FuncExpr{Name: sqlparser.NewColIdent(name)}
	for _, a := range args {
		f.Exprs = append(f.Exprs, &sqlparser.AliasedExpr{Expr: a})
	}
	return f
}
