package exact

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/function"
)

// ofText are functions of the library that take texts.
var ofText = names(`concat concat_ws length octet_length bit_length char_length character_length lower lcase upper ucase
	left right substring substr mid trim ltrim rtrim lpad rpad replace locate position instr ascii ord hex to_base64
	md5 sha sha1 sha2 crc32 strcmp`)

var cutting = names("left right")

func names(list string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(list) {
		all[name] = true
	}
	return all
}

// withTemporals makes dates and times texts where texts are wanted, and numbers
// where those are; nil if there are none. The library fails on times and writes
// a midnight behind dates, and of 2024-01-31 + 0 it makes 2024.
func withTemporals(ctx *sql.Context, e sql.Expression) sql.Expression {
	as := function.AsText
	switch x := e.(type) {
	case *expression.Convert:
		switch t := x.Type(ctx); {
		case types.IsText(t):
		case types.IsNumber(t):
			as = function.AsNumber
		default:
			return nil
		}
	case *expression.Like:
	case *expression.Arithmetic, *expression.Mod, *expression.IntDiv, *expression.Div:
		as = function.AsNumber
	case sql.FunctionExpression:
		if !ofText[strings.ToLower(x.FunctionName())] {
			return nil
		}
	default:
		return nil
	}
	children := append([]sql.Expression(nil), e.Children()...)
	changed := false
	for i, c := range children {
		// The library's LEFT and RIGHT fail on numbers.
		if name, ok := e.(sql.FunctionExpression); ok && i == 0 && cutting[strings.ToLower(name.FunctionName())] && types.IsNumber(c.Type(ctx)) {
			children[i], changed = as(ctx, c), true
			continue
		}
		if _, ok := c.(*expression.Interval); ok {
			return nil
		}
		if c != nil && (types.IsTime(c.Type(ctx)) || types.IsTimespan(c.Type(ctx))) {
			children[i], changed = as(ctx, c), true
		}
	}
	if !changed {
		return nil
	}
	out, err := e.WithChildren(ctx, children...)
	if err != nil {
		return nil
	}
	return out
}
