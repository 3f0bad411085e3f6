package connector

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/json"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// inside translates an equality on a part of a column: on its first characters,
// or on a place in its document.
func (l lowerer) inside(op access.Op, left, right sql.Expression) (access.Pred, bool, bool) {
	if op != access.Eq {
		return access.Pred{}, false, false
	}
	for _, sides := range [][2]sql.Expression{{left, right}, {right, left}} {
		v, ok := l.constant(sides[1])
		if !ok {
			continue
		}
		if p, exact, ok := l.start(sides[0], v); ok {
			return p, exact, ok
		}
		if p, ok := l.place(sides[0], v); ok {
			return p, false, true
		}
	}
	return access.Pred{}, false, false
}

// start is LEFT(column, n) = 'text' or SUBSTRING(column, 1, n) = 'text': a
// prefix if the text has n characters, the whole column if it has fewer.
func (l lowerer) start(e sql.Expression, v any) (access.Pred, bool, bool) {
	column, length, ok := l.startOf(e)
	text, isText := v.(string)
	if !ok || !isText || column.Type != schema.Text {
		return access.Pred{}, false, false
	}
	p := access.Pred{Path: path(column), Args: []schema.Scalar{schema.Str(text)}, Kind: schema.S}
	switch n := int64(len([]rune(text))); {
	case n == length:
		p.Op = access.Prefix
	case n < length:
		p.Op = access.Eq
	default:
		return access.Pred{Op: access.False}, false, true
	}
	return p, true, true
}

func (l lowerer) startOf(e sql.Expression) (*schema.Column, int64, bool) {
	var args []sql.Expression
	switch x := e.(type) {
	case function.Left:
		args = x.Children()
	case *function.Substring:
		if from, ok := l.integer(x.Start); !ok || from != 1 || x.Len == nil {
			return nil, 0, false
		}
		args = []sql.Expression{x.Str, x.Len}
	default:
		return nil, 0, false
	}
	column, ok := l.column(args[0])
	length, okLength := l.integer(args[1])
	return column, length, ok && okLength && length > 0
}

func (l lowerer) integer(e sql.Expression) (int64, bool) {
	if _, ok := l.constant(e); !ok {
		return 0, false
	}
	return Count(l.ctx, e)
}

// place is document->'$.a.b' = constant or document->>'$.a.b' = 'text'. It
// stands for no more than the filter: the engine compares by JSON's rules, in
// which a number can equal a text.
func (l lowerer) place(e sql.Expression, v any) (access.Pred, bool) {
	unquoted := false
	if u, ok := e.(*json.JSONUnquote); ok {
		e, unquoted = u.Child, true
	}
	x, ok := e.(*json.JSONExtract)
	if !ok || len(x.Paths) != 1 {
		return access.Pred{}, false
	}
	at, ok := l.placeOf(x)
	if !ok {
		return access.Pred{}, false
	}
	var s schema.Scalar
	if text, isText := v.(string); isText {
		s = schema.Str(text)
	} else if s, ok = numberScalar(v); !ok || unquoted {
		return access.Pred{}, false
	}
	return access.Pred{Op: access.Eq, Path: at, Args: []schema.Scalar{s}, Kind: s.Kind}, true
}

// placeOf finds the attribute and the keys of maps that a JSON path names. A
// position in a list is left to the engine, for which a set is a list too.
func (l lowerer) placeOf(x *json.JSONExtract) (access.Path, bool) {
	v, ok := l.constant(x.Paths[0])
	text, isText := v.(string)
	keys, simple := mapKeys(text)
	if !ok || !isText || !simple {
		return access.Path{}, false
	}
	f, ok := x.JSON.(*expression.GetField)
	if !ok || !strings.EqualFold(f.Table(), l.alias) {
		return access.Path{}, false
	}
	if strings.EqualFold(f.Name(), HiddenName(schema.ItemColumn)) {
		return access.Path{Attribute: keys[0], Elems: anys(keys[1:])}, l.unkeyed(keys[0])
	}
	c, ok := l.column(f)
	if !ok || c.Type != schema.JSON {
		return access.Path{}, false
	}
	return access.Path{Attribute: c.Attribute, Elems: append(slices.Clip(c.Path), anys(keys)...)}, true
}

// unkeyed reports whether no key definition fixes the kind of an attribute:
// conditions on keys are to name their columns.
func (l lowerer) unkeyed(attribute string) bool {
	for i := range l.table.schema.Columns {
		if c := &l.table.schema.Columns[i]; c.Attribute == attribute && c.Fixed != schema.Missing {
			return false
		}
	}
	return true
}

func anys(keys []string) []any {
	out := make([]any, len(keys))
	for i, k := range keys {
		out[i] = k
	}
	return out
}

// mapKeys takes a JSON path apart that has nothing but keys of objects, such as
// $.a."b c".
func mapKeys(path string) ([]string, bool) {
	rest, ok := strings.CutPrefix(path, "$")
	if !ok || rest == "" {
		return nil, false
	}
	var keys []string
	for rest != "" {
		if rest, ok = strings.CutPrefix(rest, "."); !ok {
			return nil, false
		}
		var key string
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			if key, rest, ok = strings.Cut(quoted, `"`); !ok || strings.Contains(key, `\`) {
				return nil, false
			}
		} else {
			end := strings.IndexAny(rest, `.[*" `)
			if end < 0 {
				end = len(rest)
			}
			key, rest = rest[:end], rest[end:]
		}
		if key == "" {
			return nil, false
		}
		keys = append(keys, key)
	}
	return keys, true
}
