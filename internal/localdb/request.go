package localdb

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
	"github.com/dynasql/dynasql/internal/localdb/wire"
)

// parameter is a request parameter that is either part of an expression or of
// the older way to say the same.
type parameter struct {
	name    string
	present bool
}

// checkMixed refuses a request that uses expressions and the older parameters
// together, or placeholders without an expression for them.
func checkMixed(names map[string]string, values map[string]types.AttributeValue, expressions, legacy []parameter) error {
	used := present(expressions)
	if older := present(legacy); len(used) > 0 && len(older) > 0 {
		return invalid("Can not use both expression and non-expression parameters in the same request: "+
			"Non-expression parameters: {%s} Expression parameters: {%s}", strings.Join(older, ", "), strings.Join(used, ", "))
	}
	if names != nil && len(used) == 0 {
		return invalid("ExpressionAttributeNames can only be specified when using expressions")
	}
	return checkValuesUsable(values, expressions)
}

func present(parameters []parameter) []string {
	var names []string
	for _, p := range parameters {
		if p.present {
			names = append(names, p.name)
		}
	}
	return names
}

// checkValuesUsable refuses values when none of the expressions that can have
// values is there; a projection cannot.
func checkValuesUsable(values map[string]types.AttributeValue, expressions []parameter) error {
	if values == nil {
		return nil
	}
	var able []string
	for _, p := range expressions {
		if p.name == "ProjectionExpression" {
			continue
		}
		if p.present {
			return nil
		}
		able = append(able, p.name)
	}
	if len(able) == 0 {
		return nil
	}
	verb := "is"
	if len(able) > 1 {
		verb = "are"
	}
	return invalid("ExpressionAttributeValues can only be specified when using expressions: %s %s null", strings.Join(able, " and "), verb)
}

// newEnv takes over the placeholders of a request.
func newEnv(names map[string]string, values map[string]types.AttributeValue) (*expr.Env, error) {
	env := &expr.Env{Names: names}
	if values != nil {
		form, err := attr.FromSDK(values)
		if err != nil {
			return nil, wire.Located(err, "ExpressionAttributeValues")
		}
		env.Values = maps.Collect(form.Attributes())
	}
	return env, env.Check()
}

// checkKeyPaths refuses paths that go into a key attribute, which is a scalar.
func (t *table) checkKeyPaths(paths []expr.Path) error {
	for _, p := range paths {
		if len(p) < 2 {
			continue
		}
		if t.key.has(p[0].Name) {
			return invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: %s", p[0].Name)
		}
		for _, x := range t.indexes {
			if x.key.has(p[0].Name) {
				return invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: %s", p[0].Name)
			}
		}
	}
	return nil
}

// parseProjection compiles the projection of a request, in either way of
// saying it; nil when all attributes are wanted.
func parseProjection(expression *string, names []string, env *expr.Env) (*expr.Projection, error) {
	if expression != nil {
		return expr.ParseProjection(*expression, env)
	}
	if names == nil {
		return nil, nil
	}
	if name, twice := duplicate(names); twice {
		return nil, invalidValue("Duplicate value in attribute name: %s", name)
	}
	l := newLegacy()
	for _, name := range names {
		l.terms = append(l.terms, l.name(name))
	}
	return expr.ParseProjection(strings.Join(l.terms, ", "), l.env)
}

func duplicate(names []string) (string, bool) {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return name, true
		}
	}
	return "", false
}
