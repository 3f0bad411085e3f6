package localdb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// constraints collects violations of a request's shape, which the service
// reports together, at most ten of them.
type constraints struct {
	found []string
}

var namePattern = regexp.MustCompile(`^[a-zA-Z0-9_.-]+$`)

func (c *constraints) violate(value, member, constraint string) {
	if len(c.found) < 10 {
		c.found = append(c.found, fmt.Sprintf("Value %s at '%s' failed to satisfy constraint: %s", value, member, constraint))
	}
}

func quote(value any) string { return fmt.Sprintf("'%v'", value) }

func (c *constraints) notNull(present bool, member string) {
	if !present {
		c.violate("null", member, "Member must not be null")
	}
}

func (c *constraints) atLeast(value, least int64, member string) {
	if value < least {
		c.violate(quote(value), member, fmt.Sprintf("Member must have value greater than or equal to %d", least))
	}
}

func (c *constraints) atMost(value, most int64, member string) {
	if value > most {
		c.violate(quote(value), member, fmt.Sprintf("Member must have value less than or equal to %d", most))
	}
}

// length checks the length of a value that is shown as text.
func (c *constraints) length(n, least, most int, text, member string) {
	if n < least {
		c.violate(text, member, fmt.Sprintf("Member must have length greater than or equal to %d", least))
	}
	if n > most {
		c.violate(text, member, fmt.Sprintf("Member must have length less than or equal to %d", most))
	}
}

// name checks the name of an index, or of a table in a request that defines one.
func (c *constraints) name(value *string, member string) {
	if value == nil {
		return
	}
	if *value != "" && !namePattern.MatchString(*value) {
		c.violate(quote(*value), member, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	c.length(len(*value), 3, 255, quote(*value), member)
}

// enums are the values that members may have, in the service's order.
var enums = map[string][]string{
	"attributeType":                       {"B", "N", "S"},
	"billingMode":                         {"PROVISIONED", "PAY_PER_REQUEST"},
	"comparisonOperator":                  {"IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS"},
	"conditionalOperator":                 {"OR", "AND"},
	"keyType":                             {"HASH", "RANGE"},
	"projectionType":                      {"ALL", "INCLUDE", "KEYS_ONLY"},
	"returnConsumedCapacity":              {"INDEXES", "TOTAL", "NONE"},
	"returnItemCollectionMetrics":         {"SIZE", "NONE"},
	"returnValues":                        {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"},
	"returnValuesOnConditionCheckFailure": {"ALL_OLD", "NONE"},
	"select":                              {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"},
	"tableClass":                          {"STANDARD", "STANDARD_INFREQUENT_ACCESS"},
}

// enum checks a value of the member by whose name its path ends.
func enum[T ~string](c *constraints, value T, path string) {
	if value == "" {
		return
	}
	known := enums[path[strings.LastIndexByte(path, '.')+1:]]
	if !slices.Contains(known, string(value)) {
		c.violate(quote(value), path, "Member must satisfy enum value set: ["+strings.Join(known, ", ")+"]")
	}
}

func (c *constraints) attributesToGet(names []string) {
	if names != nil {
		c.length(len(names), 1, 255, quote("["+strings.Join(names, ", ")+"]"), "attributesToGet")
	}
}

// err is the ValidationException for all violations, or nil.
func (c *constraints) err() error {
	switch n := len(c.found); n {
	case 0:
		return nil
	case 1:
		return invalid("1 validation error detected: %s", c.found[0])
	default:
		return invalid("%d validation errors detected: %s", n, strings.Join(c.found, "; "))
	}
}

// checkTable checks the table name of a request that works on an existing
// table. The service reports a wrong name alone.
func checkTable(name *string) error {
	var c constraints
	switch {
	case name == nil:
		c.notNull(false, "tableName")
	case strings.HasPrefix(*name, "arn:"):
	case *name != "" && !namePattern.MatchString(*name):
		c.violate(quote(*name), "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	default:
		c.length(len(*name), 1, 255, quote(*name), "tableName")
	}
	return c.err()
}
