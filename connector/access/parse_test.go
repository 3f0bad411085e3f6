package access

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// A parser reads predicates as SQL writes them. Constants carry their kind:
// 'text', 12, X'00FF', true.
type parser struct {
	src  string
	toks []token
	at   int
}

type token struct {
	kind byte // w word, q quoted name, s string, n number, x binary, o operator
	text string
}

func tokens(src string) []token {
	var out []token
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == ' ' || c == '\n':
			i++
		case c == '\'' || c == '`':
			text, n := delimited(src[i:], c)
			kind := byte('s')
			if c == '`' {
				kind = 'q'
			}
			out, i = append(out, token{kind, text}), i+n
		case c == 'X' && i+1 < len(src) && src[i+1] == '\'':
			text, n := delimited(src[i+1:], '\'')
			raw, err := hex.DecodeString(text)
			if err != nil {
				panic(err)
			}
			out, i = append(out, token{'x', string(raw)}), i+1+n
		case wordByte(c) && !digit(c):
			n := 1
			for i+n < len(src) && wordByte(src[i+n]) {
				n++
			}
			out, i = append(out, token{'w', src[i : i+n]}), i+n
		case digit(c) || c == '-' && i+1 < len(src) && digit(src[i+1]):
			n := 1
			for i+n < len(src) && (digit(src[i+n]) || src[i+n] == '.') {
				n++
			}
			out, i = append(out, token{'n', src[i : i+n]}), i+n
		default:
			n := 1
			if i+1 < len(src) && strings.Contains("<> <= >= !=", src[i:i+2]) && src[i+1] != ' ' {
				n = 2
			}
			out, i = append(out, token{'o', src[i : i+n]}), i+n
		}
	}
	return out
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
func wordByte(c byte) bool {
	return c == '_' || digit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func delimited(s string, quote byte) (text string, n int) {
	var b strings.Builder
	for n = 1; n < len(s); n++ {
		if s[n] == quote {
			if n+1 < len(s) && s[n+1] == quote {
				n++
			} else {
				return b.String(), n + 1
			}
		}
		b.WriteByte(s[n])
	}
	panic("not closed: " + s)
}

func parseWhere(src string) []Pred {
	if src == "" {
		return nil
	}
	p := &parser{src: src, toks: tokens(src)}
	pred := p.or()
	if p.at < len(p.toks) {
		panic(fmt.Sprintf("left over in %q: %v", src, p.toks[p.at:]))
	}
	if pred.Op == And {
		return pred.Kids
	}
	return []Pred{pred}
}

func (p *parser) is(text string) bool {
	return p.at < len(p.toks) && p.toks[p.at].kind != 's' && strings.EqualFold(p.toks[p.at].text, text)
}

func (p *parser) take(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) need(text string) {
	if !p.take(text) {
		panic(fmt.Sprintf("%q is missing in %q at %v", text, p.src, p.toks[p.at:]))
	}
}

func (p *parser) or() Pred {
	kids := []Pred{p.and()}
	for p.take("or") {
		kids = append(kids, p.and())
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return Pred{Op: Or, Kids: kids}
}

func (p *parser) and() Pred {
	kids := []Pred{p.not()}
	for p.take("and") {
		kids = append(kids, p.not())
	}
	if len(kids) == 1 {
		return kids[0]
	}
	var flat []Pred // BETWEEN is two
	for _, k := range kids {
		if k.Op == And {
			flat = append(flat, k.Kids...)
			continue
		}
		flat = append(flat, k)
	}
	return Pred{Op: And, Kids: flat}
}

func (p *parser) not() Pred {
	if p.take("not") {
		return Pred{Op: Not, Kids: []Pred{p.not()}}
	}
	return p.primary()
}

func (p *parser) primary() Pred {
	switch {
	case p.take("false"):
		return Pred{Op: False}
	case p.take("("):
		if len(p.toks) > p.at+1 && p.toks[p.at+1].text == "," {
			return p.tuple()
		}
		in := p.or()
		p.need(")")
		return in
	}
	return p.comparison(p.path())
}

func (p *parser) path() Path {
	out := Path{Attribute: p.toks[p.at].text}
	p.at++
	for {
		switch {
		case p.take("."):
			out.Elems = append(out.Elems, p.toks[p.at].text)
			p.at++
		case p.take("["):
			n, err := strconv.Atoi(p.toks[p.at].text)
			if err != nil {
				panic(err)
			}
			out.Elems = append(out.Elems, n)
			p.at++
			p.need("]")
		default:
			return out
		}
	}
}

func (p *parser) value() schema.Scalar {
	t := p.toks[p.at]
	p.at++
	switch {
	case t.kind == 's':
		return schema.Str(t.text)
	case t.kind == 'n':
		return schema.Num(t.text)
	case t.kind == 'x':
		return schema.Scalar{Kind: schema.B, Text: t.text}
	case t.text == "true" || t.text == "false":
		return schema.Scalar{Kind: schema.Bool, Text: t.text}
	}
	panic(fmt.Sprintf("no constant in %q: %v", p.src, t))
}

func (p *parser) values() []schema.Scalar {
	var out []schema.Scalar
	p.need("(")
	for !p.take(")") {
		out = append(out, p.value())
		p.take(",")
	}
	return out
}

var opOf = map[string]Op{"=": Eq, "<>": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge}

func leaf(op Op, path Path, args ...schema.Scalar) Pred {
	p := Pred{Op: op, Path: path, Args: args}
	if len(args) > 0 {
		p.Kind = args[0].Kind
	}
	return p
}

func negated(p Pred) Pred { return Pred{Op: Not, Kids: []Pred{p}} }

func (p *parser) comparison(path Path) Pred {
	switch {
	case p.take("is"):
		if p.take("not") {
			p.need("null")
			return negated(leaf(IsNull, path))
		}
		p.need("null")
		return leaf(IsNull, path)
	case p.take("not"):
		return negated(p.comparison(path))
	case p.take("in"):
		return leaf(In, path, p.values()...)
	case p.take("between"):
		lo := leaf(Ge, path, p.value())
		p.need("and")
		return Pred{Op: And, Kids: []Pred{lo, leaf(Le, path, p.value())}}
	case p.take("like"):
		return like(path, p.value().Text)
	case p.take("!="):
		return negated(leaf(Eq, path, p.value()))
	}
	op, ok := opOf[p.toks[p.at].text]
	if !ok {
		panic(fmt.Sprintf("no operator in %q: %v", p.src, p.toks[p.at]))
	}
	p.at++
	return leaf(op, path, p.value())
}

func like(path Path, pattern string) Pred {
	if text, ok := strings.CutPrefix(pattern, "%"); ok && text != "" {
		return leaf(Contains, path, schema.Str(strings.TrimSuffix(text, "%")))
	}
	return leaf(Prefix, path, schema.Str(strings.TrimSuffix(pattern, "%")))
}

func (p *parser) tuple() Pred {
	t := Pred{Op: Tuple}
	for !p.take(")") {
		t.Paths = append(t.Paths, p.path())
		p.take(",")
	}
	not := p.take("not")
	p.need("in")
	p.need("(")
	for !p.take(")") {
		t.Rows = append(t.Rows, p.values())
		p.take(",")
	}
	if not {
		return negated(t)
	}
	return t
}
