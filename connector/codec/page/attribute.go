package page

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/schema"
)

// maxDepth bounds the nesting of documents: DynamoDB allows 32 levels.
const maxDepth = 64

// Attribute makes the SDK's value of v, nil for a missing attribute. It
// allocates: for documents, for keys and for paths that need not be fast.
func (b *Batch) Attribute(v Value) (types.AttributeValue, error) {
	switch v.Kind {
	case schema.Missing:
		return nil, nil
	case schema.S:
		return &types.AttributeValueMemberS{Value: string(b.Span(v))}, nil
	case schema.N:
		return &types.AttributeValueMemberN{Value: string(b.AppendNumber(nil, v))}, nil
	case schema.Bool:
		return &types.AttributeValueMemberBOOL{Value: v.at == 1}, nil
	case schema.Null:
		return &types.AttributeValueMemberNULL{Value: v.at == 1}, nil
	case schema.B:
		if bytes, ok := b.AppendBinary([]byte{}, v); ok {
			return &types.AttributeValueMemberB{Value: bytes}, nil
		}
		return nil, ErrMalformed
	}
	c := b.cursorAt(v)
	if value, end := c.content(int(v.at), v.Kind, 0); end == c.n {
		return value, nil
	}
	return nil, ErrMalformed
}

// ItemMap makes the SDK's form of the whole item of a row.
func (b *Batch) ItemMap(row int) (map[string]types.AttributeValue, error) {
	v := b.Item(row)
	c := b.cursorAt(v)
	if m, end := c.attributes(int(v.at), 0); end == c.n {
		return m, nil
	}
	return nil, ErrMalformed
}

func (b *Batch) cursorAt(v Value) cursor {
	return cursor{b.padded(), int(v.at) + int(v.size)}
}

// attributes reads `{"name":{"S":"x"},..}`.
func (c *cursor) attributes(i, depth int) (map[string]types.AttributeValue, int) {
	m := map[string]types.AttributeValue{}
	i = c.each(i, '{', '}', func(i int) int {
		name, i := c.goString(i)
		if i < 0 {
			return -1
		}
		if i = c.want(i, ':'); i < 0 {
			return -1
		}
		var v types.AttributeValue
		v, i = c.attribute(c.blanks(i), depth)
		m[name] = v
		return i
	})
	return m, i
}

// attribute reads `{"S":"x"}`.
func (c *cursor) attribute(i, depth int) (v types.AttributeValue, next int) {
	if i = c.want(i, '{'); i < 0 || depth > maxDepth {
		return nil, -1
	}
	start, end, i, _ := c.text(i)
	if i < 0 {
		return nil, -1
	}
	kind, ok := schema.KindOf(string(c.b[start:end]))
	if !ok {
		return nil, -1
	}
	if i = c.want(i, ':'); i < 0 {
		return nil, -1
	}
	if v, i = c.content(c.blanks(i), kind, depth+1); i < 0 {
		return nil, -1
	}
	return v, c.want(i, '}')
}

// content reads what follows the type descriptor.
func (c *cursor) content(i int, kind schema.Kind, depth int) (types.AttributeValue, int) {
	switch kind {
	case schema.S:
		s, i := c.goString(i)
		return &types.AttributeValueMemberS{Value: s}, i
	case schema.N:
		s, i := c.goString(i)
		return &types.AttributeValueMemberN{Value: s}, i
	case schema.B:
		p, i := c.goBytes(i)
		return &types.AttributeValueMemberB{Value: p}, i
	case schema.M:
		m, i := c.attributes(i, depth)
		return &types.AttributeValueMemberM{Value: m}, i
	case schema.L:
		l := []types.AttributeValue{}
		i = c.each(i, '[', ']', func(i int) int {
			v, i := c.attribute(i, depth)
			l = append(l, v)
			return i
		})
		return &types.AttributeValueMemberL{Value: l}, i
	case schema.SS, schema.NS, schema.BS:
		return c.set(i, kind)
	}
	return c.boolean(i, kind)
}

func (c *cursor) boolean(i int, kind schema.Kind) (types.AttributeValue, int) {
	end := c.skip(i)
	if end < 0 {
		return nil, -1
	}
	yes := string(c.b[i:end]) == "true"
	if kind == schema.Bool {
		return &types.AttributeValueMemberBOOL{Value: yes}, end
	}
	return &types.AttributeValueMemberNULL{Value: yes}, end
}

func (c *cursor) set(i int, kind schema.Kind) (types.AttributeValue, int) {
	if kind == schema.BS {
		set := [][]byte{}
		i = c.each(i, '[', ']', func(i int) int {
			p, i := c.goBytes(i)
			set = append(set, p)
			return i
		})
		return &types.AttributeValueMemberBS{Value: set}, i
	}
	set := []string{}
	i = c.each(i, '[', ']', func(i int) int {
		s, i := c.goString(i)
		set = append(set, s)
		return i
	})
	if kind == schema.SS {
		return &types.AttributeValueMemberSS{Value: set}, i
	}
	return &types.AttributeValueMemberNS{Value: set}, i
}

func (c *cursor) goString(i int) (string, int) {
	start, end, next, escaped := c.text(i)
	if next < 0 {
		return "", -1
	}
	text := c.b[start:end]
	if escaped {
		var ok bool
		if text, ok = appendUnescaped(nil, text); !ok {
			return "", -1
		}
	}
	return string(text), next
}

func (c *cursor) goBytes(i int) ([]byte, int) {
	start, end, next, _ := c.text(i)
	if next < 0 {
		return nil, -1
	}
	p, ok := appendBinary([]byte{}, c.b[start:end])
	if !ok {
		return nil, -1
	}
	return p, next
}
