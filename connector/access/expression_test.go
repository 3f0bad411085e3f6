package access

import (
	"math/rand/v2"
	"testing"

	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// TestExpressionsParse has the embedded store's parser, which knows nothing of
// ours, read what is written, and evaluate filters as the model does.
func TestExpressionsParse(t *testing.T) {
	for n := range uint64(1500) {
		w := newWorld(rand.New(rand.NewPCG(n, 3)))
		for range 5 {
			req := w.request()
			p, err := Choose(req)
			if err != nil || p.Op == Nothing {
				continue
			}
			for i := range max(1, len(p.Keys)) {
				if err := parsed(&p, i, w.items); err != "" {
					t.Fatalf("seed %d: %s\n%s\n%+v", n, err, requestText(&req), p.Expression(i))
				}
			}
		}
	}
}

func parsed(p *Plan, i int, items []item) string {
	e := p.Expression(i)
	env := &expr.Env{Names: e.Names}
	for name, v := range e.Values {
		if env.Values == nil {
			env.Values = map[string]attr.Value{}
		}
		env.Values[name] = attrValue(val{kind: v.Kind, text: v.Text})
	}
	if err := env.Check(); err != nil {
		return err.Error()
	}
	if e.KeyCondition != "" {
		k, err := expr.ParseKeyCondition(e.KeyCondition, env)
		if err != nil {
			return err.Error()
		}
		key := p.Key()
		if _, _, err := k.Resolve(keyAttribute(key.Hash), keyAttribute(key.Sort)); err != nil {
			return err.Error()
		}
	}
	if e.Projection != "" {
		if _, err := expr.ParseProjection(e.Projection, env); err != nil {
			return err.Error()
		}
	}
	if e.Filter != "" {
		c, err := expr.ParseCondition("FilterExpression", e.Filter, env)
		if err != nil {
			return err.Error()
		}
		for _, it := range items {
			if c.Match(attr.Encode(nil, attrItem(it))) != awsEval(p.Filter, it) {
				return "the store and the model differ"
			}
		}
	}
	if err := env.Unused(); err != nil {
		return err.Error()
	}
	return ""
}

func keyAttribute(a schema.Attr) expr.KeyAttribute {
	kinds := map[schema.Kind]attr.Kind{schema.S: attr.S, schema.N: attr.N, schema.B: attr.B}
	return expr.KeyAttribute{Name: a.Name, Kind: kinds[a.Kind]}
}

func attrItem(it item) attr.Item {
	out := attr.Item{}
	for name, v := range it {
		out[name] = attrValue(v)
	}
	return out
}

func attrValue(v val) attr.Value {
	switch v.kind {
	case schema.S:
		return attr.Value{Kind: attr.S, Text: v.text}
	case schema.N:
		return attr.Value{Kind: attr.N, Text: v.text}
	case schema.B:
		return attr.Value{Kind: attr.B, Text: v.text}
	case schema.Bool:
		return attr.Value{Kind: attr.BOOL, Bool: v.text == "true"}
	case schema.M:
		return attr.Value{Kind: attr.M, Map: attrItem(v.m)}
	case schema.SS:
		return attr.Value{Kind: attr.SS, Set: []string{v.list[0].text}}
	case schema.L:
		return attr.Value{Kind: attr.L, List: []attr.Value{attrValue(v.list[0])}}
	}
	return attr.Value{Kind: attr.NULL}
}
