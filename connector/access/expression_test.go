package access

import (
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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
			if c.Match(attr.Encode(attrItem(it))) != awsEval(p.Filter, it) {
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

func attrItem(it item) map[string]attr.Value {
	out := map[string]attr.Value{}
	for name, v := range it {
		out[name] = attrValue(v)
	}
	return out
}

func attrValue(v val) attr.Value {
	var sdk types.AttributeValue = &types.AttributeValueMemberNULL{Value: true}
	switch v.kind {
	case schema.S:
		return attr.Scalar(attr.S, v.text)
	case schema.N:
		return attr.Scalar(attr.N, v.text)
	case schema.B:
		return attr.Scalar(attr.B, v.text)
	case schema.M:
		return attr.Map(attrItem(v.m))
	case schema.SS:
		return attr.Collection(attr.SS, []attr.Value{attrValue(v.list[0])})
	case schema.L:
		return attr.Collection(attr.L, []attr.Value{attrValue(v.list[0])})
	case schema.Bool:
		sdk = &types.AttributeValueMemberBOOL{Value: v.text == "true"}
	}
	made, err := attr.FromSDKValue(sdk)
	if err != nil {
		panic(err)
	}
	return made
}
