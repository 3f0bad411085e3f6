// Package text has functions of text that the engine library computes without
// regard to collation or to characters of several bytes. It knows values and
// expressions only: no tables, no DynamoDB.
package text

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	engine "github.com/dynasql/dynasql/engine/function"
)

// Function returns a function that stands before the library's of that name.
func Function(name string) (sql.Function, bool) {
	switch name = strings.ToLower(name); name {
	case "locate":
		return sql.FunctionN{Name: name, Fn: newLocate}, true
	case "instr":
		return sql.Function2{Name: name, Fn: newInstr}, true
	case "lpad":
		return sql.FunctionN{Name: name, Fn: newPad(function.NewLeftPad)}, true
	case "rpad":
		return sql.FunctionN{Name: name, Fn: newPad(function.NewRightPad)}, true
	}
	return nil, false
}

// locate is LOCATE(part, text[, from]), POSITION(part IN text) and INSTR(text,
// part): the place of the first part, counted in characters from 1, or 0. The
// library ignores case in LOCATE and counts bytes.
type locate struct{ engine.Called } // with its arguments in the order of LOCATE

var (
	_ sql.FunctionExpression = (*locate)(nil)
	_ sql.CollationCoercible = (*locate)(nil)
)

func newLocate(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) != 2 && len(args) != 3 {
		return nil, sql.ErrInvalidArgumentNumber.New("LOCATE", "2 or 3", len(args))
	}
	return &locate{engine.Called{Name: "locate", Args: args}}, nil
}

func newInstr(_ *sql.Context, text, part sql.Expression) sql.Expression {
	return &locate{engine.Called{Name: "instr", Args: []sql.Expression{part, text}}}
}

// Description implements sql.FunctionExpression.
func (l *locate) Description() string { return "returns the place of a text in another" }

// Type implements sql.Expression.
func (l *locate) Type(*sql.Context) sql.Type { return types.Int64 }

// CollationCoercibility implements sql.CollationCoercible.
func (l *locate) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

func (l *locate) String() string {
	shown := l.Called
	if l.Name == "instr" {
		shown.Args = []sql.Expression{l.Args[1], l.Args[0]}
	}
	return shown.String()
}

// WithChildren implements sql.Expression.
func (l *locate) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	called, err := l.With(children)
	return &locate{called}, err
}

// Eval implements sql.Expression.
func (l *locate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	part, null, err := textOf(ctx, l.Args[0], row)
	if null || err != nil {
		return nil, err
	}
	text, null, err := textOf(ctx, l.Args[1], row)
	if null || err != nil {
		return nil, err
	}
	from := int64(1)
	if len(l.Args) == 3 {
		v, err := l.Args[2].Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		n, _, err := types.Int64.Convert(ctx, v)
		if err != nil {
			return nil, err
		}
		from = n.(int64)
	}
	if types.IsBinaryType(l.Args[0].Type(ctx)) || types.IsBinaryType(l.Args[1].Type(ctx)) {
		return place(part, text, from, func(s string) int { return len(s) }, func(_ string, n int64) int { return int(n) }), nil
	}
	if ignoresCase(ctx, l.Args[0], l.Args[1]) {
		part, text = strings.ToLower(part), strings.ToLower(text)
	}
	return place(part, text, from, utf8.RuneCountInString, afterRunes), nil
}

// place finds part in text from a position on, both counted by count; skip is
// the number of bytes of n of what is counted.
func place(part, text string, from int64, count func(string) int, skip func(string, int64) int) int64 {
	if from < 1 || from > int64(count(text))+1 {
		return 0
	}
	start := skip(text, from-1)
	at := strings.Index(text[start:], part)
	if at < 0 {
		return 0
	}
	return from + int64(count(text[start:start+at]))
}

func afterRunes(text string, n int64) int {
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}

// ignoresCase says that the collation in which two texts are compared does.
func ignoresCase(ctx *sql.Context, a, b sql.Expression) bool {
	leftCollation, left := sql.GetCoercibility(ctx, a)
	rightCollation, right := sql.GetCoercibility(ctx, b)
	collation, _ := sql.ResolveCoercibility(leftCollation, left, rightCollation, right)
	return strings.HasSuffix(collation.Name(), "_ci")
}

func textOf(ctx *sql.Context, e sql.Expression, row sql.Row) (text string, null bool, err error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return "", true, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return "", false, err
	}
	switch v := v.(type) {
	case string:
		return v, false, nil
	case []byte:
		return string(v), false, nil
	}
	text, _, err = types.ConvertToCollatedString(ctx, v, e.Type(ctx))
	return text, false, err
}
