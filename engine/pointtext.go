package engine

import (
	"strings"
	"sync"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// Parsing a point read takes a tenth of the time that reading the item does.
// Texts of plain point reads that differ in their constants alone are therefore
// parsed once. See also pointread.go, which does the same for plans.

// pointTexts has the statements of texts of plain point reads.
type pointTexts struct {
	mu     sync.Mutex
	shapes map[string]*sqlparser.Select // never changed
}

// A literal is a constant in a text.
type literal struct {
	typ   sqlparser.ValType
	value string
}

// longestPoint is the longest text, in bytes, that is looked at.
const longestPoint = 1024

// pointText takes the constants out of a text that may be a point read: one of
// names, texts and whole numbers in which each byte means the same in every SQL
// mode and character set.
func pointText(text string) (shape string, constants []literal, ok bool) {
	if len(text) > longestPoint || text != strings.TrimSpace(text) {
		return "", nil, false
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'':
			value, length := quotedText(text[i:])
			if length == 0 || i > 0 && isNameByte(text[i-1]) || strings.HasPrefix(text[i+length:], "'") {
				return "", nil, false
			}
			constants = append(constants, literal{sqlparser.StrVal, value})
			out = append(out, '\'')
			i += length
		case isDigit(c) && (i == 0 || !isNameByte(text[i-1])):
			end := i
			for end < len(text) && isNameByte(text[end]) {
				if !isDigit(text[end]) {
					return "", nil, false
				}
				end++
			}
			if end-i > mostPlainDigits {
				return "", nil, false
			}
			constants = append(constants, literal{sqlparser.IntVal, text[i:end]})
			out = append(out, '0')
			i = end
		case isNameByte(c), c == ' ', c == ',', c == '=', c == '`', c == '*', c == '(', c == ')':
			out = append(out, c)
			i++
		default:
			return "", nil, false
		}
	}
	return string(out), constants, len(constants) > 0
}

// quotedText reads a text in quotes, none of which are inside, and tells its
// length with them; 0 where it is anything else.
func quotedText(s string) (value string, length int) {
	end := strings.IndexAny(s[1:], `'\`)
	if end < 0 || s[1+end] == '\\' {
		return "", 0
	}
	return s[1 : 1+end], end + 2
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameByte(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '.' || c == '$' || c >= 0x80
}

// statement is a statement of its own for a text; nil if its shape is not known.
func (p *pointTexts) statement(shape string, constants []literal) *sqlparser.Select {
	p.mu.Lock()
	known := p.shapes[shape]
	p.mu.Unlock()
	if known == nil {
		return nil
	}
	s := *known
	s.SelectExprs = make(sqlparser.SelectExprs, len(known.SelectExprs))
	for i, e := range known.SelectExprs {
		switch e := e.(type) {
		case *sqlparser.StarExpr:
			c := *e
			s.SelectExprs[i] = &c
		case *sqlparser.AliasedExpr:
			c, name := *e, *e.Expr.(*sqlparser.ColName)
			c.Expr = &name
			s.SelectExprs[i] = &c
		}
	}
	from := *known.From[0].(*sqlparser.AliasedTableExpr)
	s.From = sqlparser.TableExprs{&from}
	where := *known.Where
	where.Expr = withConstants(where.Expr, &constants)
	s.Where = &where
	return &s
}

// withConstants is a copy of the conditions of a point read with other constants.
func withConstants(e sqlparser.Expr, constants *[]literal) sqlparser.Expr {
	switch e := e.(type) {
	case *sqlparser.AndExpr:
		left := withConstants(e.Left, constants)
		return &sqlparser.AndExpr{Left: left, Right: withConstants(e.Right, constants)}
	case *sqlparser.ParenExpr:
		return &sqlparser.ParenExpr{Expr: withConstants(e.Expr, constants)}
	case *sqlparser.ComparisonExpr:
		c, name, v := *e, *e.Left.(*sqlparser.ColName), *e.Right.(*sqlparser.SQLVal)
		v.Val = []byte((*constants)[0].value)
		*constants = (*constants)[1:]
		c.Left, c.Right = &name, &v
		return &c
	}
	return e
}

// remember keeps the statement of a text, if it is a plain point read with just
// these constants, and reports whether it is. Nobody else may use it then.
func (p *pointTexts) remember(shape string, constants []literal, stmt sqlparser.Statement) bool {
	point, ok := pointSelectOf(stmt)
	if !ok || !isPlain(stmt) || len(point.where) != len(constants) {
		return false
	}
	for i, eq := range point.where {
		v, ok := eq.value.(*sqlparser.SQLVal)
		if !ok || v.Type != constants[i].typ || string(v.Val) != constants[i].value {
			return false
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shapes == nil || len(p.shapes) >= mostPoints {
		p.shapes = map[string]*sqlparser.Select{}
	}
	p.shapes[shape] = stmt.(*sqlparser.Select)
	return true
}
