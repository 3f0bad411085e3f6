package vector

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/key"
)

// A like matches texts with a pattern of literal parts and %.
type like struct {
	truth
	first, last string   // what the text begins and ends with
	inner       [][]byte // what comes between, in order
	whole       bool     // no % at all
}

func (p *Program) like(e *expression.Like) Expr {
	v, ok := literal(e.RightChild)
	pattern, text := v.(string)
	if !ok || !text || e.Escape != nil || strings.ContainsAny(pattern, `\_`) {
		return nil
	}
	of, kind, ok := p.operands(e.LeftChild)
	if !ok || kind != Text || !p.bytewise(e) {
		return nil
	}
	parts := strings.Split(pattern, "%")
	x := &like{truth: truth{of: of}, first: parts[0], whole: len(parts) == 1}
	if !x.whole {
		x.last = parts[len(parts)-1]
		for _, part := range parts[1 : len(parts)-1] {
			if part != "" {
				x.inner = append(x.inner, []byte(part))
			}
		}
	}
	return x
}

// Eval implements Expr.
func (x *like) Eval(c *Chunk) (*Column, error) {
	of, _, err := x.start(c)
	if err != nil {
		return nil, err
	}
	v := of[0]
	for i := range c.Rows {
		x.out.Null[i] = v.Null[i]
		x.out.setTruth(i, !v.Null[i] && x.matches(v.Text[i]))
	}
	return &x.out, nil
}

func (x *like) matches(text []byte) bool {
	if x.whole {
		return string(text) == x.first
	}
	if len(text) < len(x.first)+len(x.last) || string(text[:len(x.first)]) != x.first || string(text[len(text)-len(x.last):]) != x.last {
		return false
	}
	text = text[len(x.first) : len(text)-len(x.last)]
	for _, part := range x.inner {
		at := bytes.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}

// A prefix is LEFT(text, length), or SUBSTRING(text, start, length) with a
// constant start from 1 on and a constant length.
type prefix struct {
	of     Expr
	skip   int // characters
	length int // characters
	out    Column
}

func (p *Program) prefix(e, text, start, length sql.Expression) Expr {
	of := p.typed(text)
	if of == nil || of.Kind() != Text || length == nil || kindOf(p.ctx, e) != Text {
		return nil
	}
	from, n := int64(1), int64(0)
	var ok bool
	if start != nil {
		if from, ok = p.whole(start); !ok || from < 1 {
			return nil
		}
	}
	if n, ok = p.whole(length); !ok || n < 1 {
		return nil
	}
	return &prefix{of: of, skip: int(from - 1), length: int(n), out: Column{Kind: Text}}
}

// whole is the value of a constant integer.
func (p *Program) whole(e sql.Expression) (int64, bool) {
	v, ok := literal(e)
	if !ok || !types.IsInteger(e.Type(p.ctx)) {
		return 0, false
	}
	return key.Integer(v)
}

// Kind implements Expr.
func (*prefix) Kind() Kind { return Text }

// Eval implements Expr.
func (x *prefix) Eval(c *Chunk) (*Column, error) {
	v, err := x.of.Eval(c)
	if err != nil {
		return nil, err
	}
	x.out.reset(len(c.Rows))
	for i := range c.Rows {
		if x.out.Null[i] = v.Null[i]; !v.Null[i] {
			rest := v.Text[i][characters(v.Text[i], x.skip):]
			x.out.Text[i] = rest[:characters(rest, x.length)]
		}
	}
	return &x.out, nil
}

// characters is the number of bytes of the first n characters, or of all.
func characters(text []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		if text[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}
