package localdb

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// legacy translates the parameters that came before expressions into an
// expression with its own placeholders.
type legacy struct {
	env   *expr.Env
	terms []string
}

func newLegacy() *legacy {
	return &legacy{env: &expr.Env{Names: map[string]string{}, Values: map[string]attr.Value{}}}
}

func (l *legacy) name(attribute string) string {
	placeholder := "#n" + strconv.Itoa(len(l.env.Names))
	l.env.Names[placeholder] = attribute
	return placeholder
}

func (l *legacy) value(v attr.Value) string {
	placeholder := ":v" + strconv.Itoa(len(l.env.Values))
	l.env.Values[placeholder] = v
	return placeholder
}

// comparison is one condition on one attribute, as QueryFilter, ScanFilter,
// KeyConditions and Expected have it.
type comparison struct {
	attribute string
	operator  types.ComparisonOperator
	values    []attr.Value
}

// legacyOperator is what an operator takes and what it becomes.
type legacyOperator struct {
	arguments int
	kinds     []attr.Kind // of the arguments, all if nil
	term      string      // as an expression, of the attribute's name and the arguments
	key       expr.KeyOp  // empty if it is none of a key condition
}

var scalars = []attr.Kind{attr.S, attr.N, attr.B}

var legacyOperators = map[types.ComparisonOperator]legacyOperator{
	"EQ":           {1, nil, "%s = %s", expr.KeyEqual},
	"NE":           {1, nil, "%s <> %s", ""},
	"LE":           {1, scalars, "%s <= %s", expr.KeyLessEqual},
	"LT":           {1, scalars, "%s < %s", expr.KeyLess},
	"GE":           {1, scalars, "%s >= %s", expr.KeyGreaterEqual},
	"GT":           {1, scalars, "%s > %s", expr.KeyGreater},
	"NULL":         {0, nil, "attribute_not_exists(%s)", ""},
	"NOT_NULL":     {0, nil, "attribute_exists(%s)", ""},
	"CONTAINS":     {1, scalars, "contains(%s, %s)", ""},
	"NOT_CONTAINS": {1, scalars, "NOT contains(%s, %s)", ""},
	"BEGINS_WITH":  {1, []attr.Kind{attr.S, attr.B}, "begins_with(%s, %s)", expr.KeyBeginsWith},
	"BETWEEN":      {2, scalars, "(%s BETWEEN %s AND %s)", expr.KeyBetween},
	"IN":           {anyNumber, scalars, "%s IN (%s", ""}, // the rest as often as needed
}

// anyNumber of arguments is one or more.
const anyNumber = -1

func (c *constraints) comparisons(conditions map[string]types.Condition, member string) {
	for _, name := range slices.Sorted(maps.Keys(conditions)) {
		at := member + "." + name + ".member.comparisonOperator"
		c.notNull(conditions[name].ComparisonOperator != "", at)
		enum(c, conditions[name].ComparisonOperator, at)
	}
}

// newComparison reads and checks one condition.
func newComparison(attribute string, op types.ComparisonOperator, values []types.AttributeValue) (comparison, error) {
	c := comparison{attribute: attribute, operator: op}
	for _, v := range values {
		value, err := attr.FromSDKValue(v)
		if err != nil {
			return c, err
		}
		c.values = append(c.values, value)
	}
	return c, c.check()
}

func (c comparison) check() error {
	op := legacyOperators[c.operator]
	if n := len(c.values); n != op.arguments && (op.arguments != anyNumber || n == 0) {
		return invalidValue("Invalid number of argument(s) for the %s ComparisonOperator", c.operator)
	}
	for _, v := range c.values {
		if v.Kind() != c.values[0].Kind() {
			return invalidValue("AttributeValues inside AttributeValueList must be of same type")
		}
		if op.kinds != nil && !slices.Contains(op.kinds, v.Kind()) {
			return invalidValue("ComparisonOperator %s is not valid for %s AttributeValue type", c.operator, v.Kind())
		}
	}
	if c.operator == types.ComparisonOperatorBetween {
		if order, ok := attr.Compare(c.values[0], c.values[1]); ok && order > 0 {
			return invalid("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
		}
	}
	return nil
}

// add adds the comparison as a term of a condition expression.
func (l *legacy) add(c comparison) {
	op := legacyOperators[c.operator]
	term := op.term
	if op.arguments == anyNumber {
		term += strings.Repeat(", %s", len(c.values)-1) + ")"
	}
	operands := []any{l.name(c.attribute)}
	for _, v := range c.values {
		operands = append(operands, l.value(v))
	}
	l.terms = append(l.terms, fmt.Sprintf(term, operands...))
}

// parseLegacy compiles conditions that came before expressions, each of which
// read makes a comparison of.
func parseLegacy[C any](conditions map[string]C, operator types.ConditionalOperator, read func(string, C) (comparison, error)) (*expr.Condition, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	l := newLegacy()
	for _, name := range slices.Sorted(maps.Keys(conditions)) {
		c, err := read(name, conditions[name])
		if err != nil {
			return nil, err
		}
		l.add(c)
	}
	glue := " AND "
	if operator == types.ConditionalOperatorOr {
		glue = " OR "
	}
	return expr.ParseCondition("FilterExpression", strings.Join(l.terms, glue), l.env)
}

// parseFilter compiles the filter of a Query or Scan, in either way of saying it.
func parseFilter(expression *string, conditions map[string]types.Condition, operator types.ConditionalOperator, env *expr.Env) (*expr.Condition, error) {
	if expression != nil {
		return expr.ParseCondition("FilterExpression", *expression, env)
	}
	return parseLegacy(conditions, operator, oldCondition)
}

// parseCondition compiles the condition of a write, in either way of saying it.
func parseCondition(expression *string, expected map[string]types.ExpectedAttributeValue, operator types.ConditionalOperator, env *expr.Env) (*expr.Condition, error) {
	if expression != nil {
		return expr.ParseCondition("ConditionExpression", *expression, env)
	}
	return parseLegacy(expected, operator, expectation)
}

func oldCondition(name string, c types.Condition) (comparison, error) {
	return newComparison(name, c.ComparisonOperator, c.AttributeValueList)
}

// parseKeyConditions reads KeyConditions, what KeyConditionExpression replaced.
func parseKeyConditions(conditions map[string]types.Condition) (expr.KeyCondition, error) {
	var k expr.KeyCondition
	if len(conditions) != 1 && len(conditions) != 2 {
		return k, invalid("Conditions can be of length 1 or 2 only")
	}
	for _, name := range slices.Sorted(maps.Keys(conditions)) {
		c, err := oldCondition(name, conditions[name])
		if err != nil {
			return k, err
		}
		op := legacyOperators[c.operator].key
		if op == "" {
			return k, invalid("Attempted conditional constraint is not an indexable operation")
		}
		k.Terms = append(k.Terms, expr.KeyTerm{Name: name, Op: op, Args: c.values})
	}
	return k, nil
}

// expectation reads one entry of Expected: an operator with values, a value, or
// only whether the attribute exists.
func expectation(name string, e types.ExpectedAttributeValue) (comparison, error) {
	values := e.AttributeValueList
	switch {
	case values != nil && e.Value != nil:
		return comparison{}, invalidValue("Value and AttributeValueList cannot be used together for Attribute: %s", name)
	case e.ComparisonOperator != "" && e.Exists != nil:
		return comparison{}, invalidValue("Exists and ComparisonOperator cannot be used together for Attribute: %s", name)
	case e.ComparisonOperator == "" && values != nil:
		return comparison{}, invalidValue("AttributeValueList can only be used with a ComparisonOperator for Attribute: %s", name)
	}
	if e.Value != nil {
		values = []types.AttributeValue{e.Value}
	}
	if e.ComparisonOperator != "" {
		if legacyOperators[e.ComparisonOperator].arguments > 0 && values == nil {
			return comparison{}, invalidValue("Value or AttributeValueList must be used with ComparisonOperator: %s for Attribute: %s", e.ComparisonOperator, name)
		}
		return newComparison(name, e.ComparisonOperator, values)
	}
	switch exists := e.Exists == nil || *e.Exists; {
	case exists && values == nil && e.Exists == nil:
		return comparison{}, invalidValue("Value must be provided when Exists is null for Attribute: %s", name)
	case exists && values == nil:
		return comparison{}, invalidValue("Value must be provided when Exists is true for Attribute: %s", name)
	case !exists && values != nil:
		return comparison{}, invalidValue("Value cannot be used when Exists is false for Attribute: %s", name)
	case !exists:
		return comparison{attribute: name, operator: types.ComparisonOperatorNull}, nil
	}
	return newComparison(name, types.ComparisonOperatorEq, values)
}

// parseUpdate compiles the update of a request, in either way of saying it; nil
// when there is none.
func parseUpdate(expression *string, updates map[string]types.AttributeValueUpdate, env *expr.Env) (*expr.Update, error) {
	if expression != nil {
		return expr.ParseUpdate(*expression, env)
	}
	if len(updates) == 0 {
		return nil, nil
	}
	l := newLegacy()
	clauses := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(updates)) {
		clause, action, err := l.update(name, updates[name])
		if err != nil {
			return nil, err
		}
		clauses[clause] = append(clauses[clause], action)
	}
	for _, clause := range slices.Sorted(maps.Keys(clauses)) {
		l.terms = append(l.terms, clause+" "+strings.Join(clauses[clause], ", "))
	}
	return expr.ParseUpdate(strings.Join(l.terms, " "), l.env)
}

// update is one entry of AttributeUpdates as a clause of an update expression.
func (l *legacy) update(attribute string, u types.AttributeValueUpdate) (clause, action string, err error) {
	if u.Value == nil {
		if u.Action != types.AttributeActionDelete {
			return "", "", invalidValue("Only DELETE action is allowed when no attribute value is specified")
		}
		return "REMOVE", l.name(attribute), nil
	}
	v, err := attr.FromSDKValue(u.Value)
	if err != nil {
		return "", "", err
	}
	switch u.Action {
	case types.AttributeActionDelete:
		if v.Kind() < attr.SS {
			return "", "", invalidValue("DELETE action with value is not supported for the type %s", v.Kind())
		}
		return "DELETE", l.name(attribute) + " " + l.value(v), nil
	case types.AttributeActionAdd:
		return l.addition(attribute, v)
	}
	return "SET", l.name(attribute) + " = " + l.value(v), nil
}

// addition adds to a number or a set; on a list, which ADD of an expression
// does not know, it appends.
func (l *legacy) addition(attribute string, v attr.Value) (clause, action string, err error) {
	switch v.Kind() {
	case attr.N, attr.SS, attr.NS, attr.BS:
		return "ADD", l.name(attribute) + " " + l.value(v), nil
	case attr.L:
		name, empty := l.name(attribute), l.value(attr.Collection(attr.L, nil))
		return "SET", name + " = list_append(if_not_exists(" + name + ", " + empty + "), " + l.value(v) + ")", nil
	}
	return "", "", invalidValue("ADD action is not supported for the type %s", v.Kind())
}
