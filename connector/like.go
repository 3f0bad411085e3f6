package connector

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

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
