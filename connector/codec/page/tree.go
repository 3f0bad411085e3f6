package page

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/schema"
)

// Document is a map, list, set or whole item outside of a batch, as the JSON in
// which it came. It is immutable and safe for concurrent use. The zero value is
// no document; its kind is Missing.
type Document struct {
	text []byte // Spare bytes follow the value in it
	kind schema.Kind
}

// Document copies a value of kind M, L, SS, NS or BS out of the batch. The error
// is ErrMalformed, for a value that is not DynamoDB JSON at some depth.
func (b *Batch) Document(v Value) (Document, error) {
	span := b.Span(v)
	text := make([]byte, len(span)+Spare)
	copy(text, span)
	d := Document{text, v.Kind}
	if !d.valid(0) {
		return Document{}, ErrMalformed
	}
	return d, nil
}

// DocumentOf makes a document of the SDK's form of a map, list or set; false for
// other values.
func DocumentOf(v types.AttributeValue) (Document, bool) {
	text := appendAttribute(nil, v)
	n := len(text)
	text = append(text, make([]byte, Spare)...)
	c := cursor{text, n}
	e, end := c.element(0, nil)
	d := e.Document()
	return d, end == n && d.kind != schema.Missing
}

// Kind is the kind of the document.
func (d Document) Kind() schema.Kind { return d.kind }

// Bytes is the length of the document as DynamoDB JSON.
func (d Document) Bytes() int { return max(0, len(d.text)-Spare) }

func (d Document) cursor() cursor { return cursor{d.text, d.Bytes()} }

// Attribute makes the SDK's value of the document.
func (d Document) Attribute() types.AttributeValue {
	c := d.cursor()
	v, end := c.content(0, d.kind, 0)
	if end < 0 {
		return nil
	}
	return v
}

// Element is a value inside of a document. It refers to the document's memory.
type Element struct {
	Name []byte // of a member of a map
	Kind schema.Kind
	text []byte // S, N, B: between the quotes; BOOL, NULL: the word; else as Document.text
	raw  bool   // S, N, B: nothing in it is escaped
}

// Text is the text of an S, the digits of an N, or the base64 text of a B. It
// must not be changed.
func (e Element) Text() []byte {
	if e.raw {
		return e.text
	}
	text, _ := appendUnescaped(nil, e.text)
	return text
}

// Binary is the value of a B.
func (e Element) Binary() []byte {
	p, _ := appendBinary([]byte{}, e.text)
	return p
}

// True is the value of a BOOL.
func (e Element) True() bool { return e.Kind == schema.Bool && e.text[0] == 't' }

// Document is the element as a document; none for a scalar.
func (e Element) Document() Document {
	switch e.Kind {
	case schema.M, schema.L, schema.SS, schema.NS, schema.BS:
		return Document{e.text, e.Kind}
	}
	return Document{}
}

// Each calls f for each member of a map, or each element of a list or set, in
// their order, until f returns false.
func (d Document) Each(f func(Element) bool) {
	if d.kind != schema.Missing {
		d.each(f)
	}
}

// each reports whether the document could be read up to its end.
func (d Document) each(f func(Element) bool) bool {
	c := d.cursor()
	open, shut := byte('['), byte(']')
	if d.kind == schema.M {
		open, shut = '{', '}'
	}
	end := c.each(0, open, shut, func(i int) int {
		var e Element
		switch d.kind {
		case schema.M:
			start, end, next, escaped := c.text(i)
			if next < 0 {
				return -1
			}
			name := c.b[start:end]
			if escaped {
				var ok bool
				if name, ok = appendUnescaped(nil, name); !ok {
					return -1
				}
			}
			if i = c.want(next, ':'); i < 0 {
				return -1
			}
			e, i = c.element(c.blanks(i), name)
		case schema.L:
			e, i = c.element(i, nil)
		default:
			e, i = c.scalar(i, setKinds[d.kind])
		}
		if i < 0 || !f(e) {
			return -1
		}
		return i
	})
	return end >= 0 && c.blanks(end) == c.n
}

// setKinds are the kinds of the members of sets.
var setKinds = map[schema.Kind]schema.Kind{schema.SS: schema.S, schema.NS: schema.N, schema.BS: schema.B}

// element reads `{"S":"x"}`.
func (c *cursor) element(i int, name []byte) (Element, int) {
	if i = c.want(i, '{'); i < 0 {
		return Element{}, -1
	}
	start, end, i, _ := c.text(i)
	if i < 0 {
		return Element{}, -1
	}
	kind, ok := schema.KindOf(string(c.b[start:end]))
	if !ok {
		return Element{}, -1
	}
	if i = c.want(i, ':'); i < 0 {
		return Element{}, -1
	}
	i = c.blanks(i)
	var e Element
	switch kind {
	case schema.S, schema.N, schema.B:
		e, i = c.scalar(i, kind)
	default:
		from := i
		if i = c.skip(i); i >= 0 {
			e = Element{Kind: kind, text: c.b[from:i]}
			if kind != schema.Bool && kind != schema.Null {
				e.text = c.b[from : i+Spare]
			}
		}
	}
	if i < 0 {
		return Element{}, -1
	}
	e.Name = name
	return e, c.want(i, '}')
}

// scalar reads a quoted text as a value of kind S, N or B.
func (c *cursor) scalar(i int, kind schema.Kind) (Element, int) {
	start, end, i, escaped := c.text(i)
	if i < 0 {
		return Element{}, -1
	}
	return Element{Kind: kind, text: c.b[start:end], raw: !escaped}, i
}

// valid reports whether all of a document can be read.
func (d Document) valid(depth int) bool {
	if depth > maxDepth {
		return false
	}
	return d.each(func(e Element) bool {
		switch e.Kind {
		case schema.S, schema.N:
			return e.raw || validText(e.text)
		case schema.B:
			_, ok := appendBinary(nil, e.text)
			return ok
		case schema.Bool, schema.Null:
			return string(e.text) == "true" || string(e.text) == "false"
		}
		return e.Document().valid(depth + 1)
	})
}

func validText(text []byte) bool {
	_, ok := appendUnescaped(nil, text)
	return ok
}
