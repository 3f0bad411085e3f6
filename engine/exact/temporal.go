package exact

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	builtin "github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/function"
)

// ofText are functions of the library that take texts.
var ofText = names(`concat concat_ws length octet_length bit_length char_length character_length lower lcase upper ucase
	left right substring substr mid trim ltrim rtrim lpad rpad replace locate position instr ascii ord hex to_base64
	md5 sha sha1 sha2 crc32 strcmp`)

func names(list string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(list) {
		all[name] = true
	}
	return all
}

// withTemporals makes dates and times texts where texts are wanted, and numbers
// where those are; nil if there are none. The library fails on times and writes
// a midnight behind dates, and of 2024-01-31 + 0 it makes 2024. Its LEFT and
// RIGHT fail on numbers too.
func withTemporals(ctx *sql.Context, e sql.Expression) sql.Expression {
	children := append([]sql.Expression(nil), e.Children()...)
	changed := false
	for i, as := range wantedOf(ctx, e) {
		c := children[i]
		if c == nil || as == nil {
			continue
		}
		if t := c.Type(ctx); types.IsTime(t) || types.IsTimespan(t) || i == 0 && isCut(e) && types.IsNumber(t) {
			children[i], changed = as(ctx, c), true
		}
	}
	return rebuilt(ctx, e, children, changed)
}

// A conversion makes an expression one of another type.
type conversion func(*sql.Context, sql.Expression) sql.Expression

// wantedOf says as what the children of an expression are wanted, nil standing
// for those that stay.
func wantedOf(ctx *sql.Context, e sql.Expression) []conversion {
	all := func(as conversion) []conversion {
		out := make([]conversion, len(e.Children()))
		for i := range out {
			out[i] = as
		}
		return out
	}
	switch x := e.(type) {
	case *expression.Convert:
		switch t := x.Type(ctx); {
		case types.IsText(t):
			return all(function.AsText)
		case types.IsNumber(t):
			return all(function.AsNumber)
		}
	case *expression.Arithmetic, *expression.Mod, *expression.IntDiv, *expression.Div:
		for _, c := range e.Children() {
			if _, ok := c.(*expression.Interval); ok {
				return nil
			}
		}
		return all(function.AsNumber)
	case *expression.Like:
		return all(function.AsText)
	case *expression.Case:
		if types.IsText(x.Type(ctx)) {
			return resultsOfCase(x, len(all(nil)))
		}
	case *builtin.If, *builtin.IfNull, *builtin.Coalesce:
		if !types.IsText(e.Type(ctx)) {
			return nil
		}
		out := all(function.AsText)
		if _, ok := e.(*builtin.If); ok {
			out[0] = nil // the condition
		}
		return out
	case sql.FunctionExpression:
		if strings.EqualFold(x.FunctionName(), "json_object") { // its names
			out := all(nil)
			for i := 0; i < len(out); i += 2 {
				out[i] = function.AsText
			}
			return out
		}
		if ofText[strings.ToLower(x.FunctionName())] {
			return all(function.AsText)
		}
	}
	return nil
}

// resultsOfCase are the results among the children of a CASE, which are its
// value, if there is one, a condition and a result each, and that of ELSE.
func resultsOfCase(c *expression.Case, children int) []conversion {
	out := make([]conversion, children)
	at := 0
	if c.Expr != nil {
		at = 1
	}
	for range c.Branches {
		out[at+1] = function.AsText
		at += 2
	}
	if c.Else != nil {
		out[at] = function.AsText
	}
	return out
}

// isCut reports whether an expression is LEFT or RIGHT.
func isCut(e sql.Expression) bool {
	f, ok := e.(sql.FunctionExpression)
	return ok && (strings.EqualFold(f.FunctionName(), "left") || strings.EqualFold(f.FunctionName(), "right"))
}
