package catalog

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
)

// What is kept of an attribute's values: they are offered to people who type.
const (
	mostValues   = 20
	longestValue = 64 // bytes
)

// values are the distinct strings and numbers of an attribute, as long as they
// are few and short.
type values struct {
	seen map[schema.Scalar]bool
	many bool
}

func (v *values) add(value types.AttributeValue) {
	if v.many {
		return
	}
	kind := codec.KindOf(value)
	if kind != schema.S && kind != schema.N {
		v.many = kind != schema.Null
		return
	}
	scalar, ok := codec.KeyScalar(value, kind)
	if !ok || v.seen[scalar] {
		return
	}
	if len(v.seen) == mostValues || len(scalar.Text) > longestValue {
		v.many, v.seen = true, nil
		return
	}
	if v.seen == nil {
		v.seen = map[schema.Scalar]bool{}
	}
	v.seen[scalar] = true
}

// list are the values in order, or nil when they are not few.
func (v *values) list() []schema.Scalar {
	if v.many {
		return nil
	}
	var list []schema.Scalar
	for scalar := range v.seen {
		list = append(list, scalar)
	}
	slices.SortFunc(list, func(a, b schema.Scalar) int { return strings.Compare(a.Text, b.Text) })
	return list
}
