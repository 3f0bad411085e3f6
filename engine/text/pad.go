package text

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// pad is LPAD or RPAD, counted in characters; the library counts bytes, and
// cuts characters apart.
type pad struct{ *function.Pad }

func newPad(library func(*sql.Context, ...sql.Expression) (sql.Expression, error)) func(*sql.Context, ...sql.Expression) (sql.Expression, error) {
	return func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		e, err := library(ctx, args...)
		if err != nil {
			return nil, err
		}
		return pad{e.(*function.Pad)}, nil
	}
}

// WithChildren implements sql.Expression.
func (p pad) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := p.Pad.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return pad{e.(*function.Pad)}, nil
}

// longestPadded is the length, in bytes, past which MySQL gives NULL: its
// default of max_allowed_packet.
const longestPadded = 64 << 20

// Eval implements sql.Expression.
func (p pad) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	args := p.Children()
	text, null, err := textOf(ctx, args[0], row)
	if null || err != nil {
		return nil, err
	}
	v, err := args[1].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	length, _, err := types.Int64.Convert(ctx, v)
	if err != nil {
		return nil, err
	}
	by, null, err := textOf(ctx, args[2], row)
	if null || err != nil {
		return nil, err
	}
	n := length.(int64)
	if n < 0 || n*int64(max(1, len(by))) > longestPadded {
		return nil, nil
	}
	return padded(text, by, int(n), p.FunctionName() == "lpad"), nil
}

func padded(text, by string, length int, left bool) string {
	have := utf8.RuneCountInString(text)
	switch {
	case have >= length:
		return text[:afterRunes(text, int64(length))]
	case by == "":
		return ""
	}
	missing := length - have
	size := utf8.RuneCountInString(by)
	fill := strings.Repeat(by, missing/size) + by[:afterRunes(by, int64(missing%size))]
	if left {
		return fill + text
	}
	return text + fill
}
