// Package expr compiles DynamoDB's expressions (key condition, filter,
// condition, projection and update) once a request and evaluates them on items.
//
// It knows nothing of tables: a caller checks key attributes through the
// compiled forms. Wording of errors and semantics follow the service, as the
// developer guide and public conformance tests record them.
package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// Limits of one expression: bytes as sent, operators and functions, operands
// of IN, and steps of a document path.
const (
	maxBytes      = 4096
	maxOperators  = 300
	maxInOperands = 100
	maxPathSteps  = attr.MaxDepth
)

// Error carries the message with which DynamoDB refuses an expression; the
// answer is a ValidationException.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func errorf(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

// Env holds the placeholders of one request, shared by all its expressions, and
// tracks which of them the expressions use. It belongs to one goroutine.
type Env struct {
	Names  map[string]string     // ExpressionAttributeNames, with the leading #; nil when not sent
	Values map[string]attr.Value // ExpressionAttributeValues, with the leading :; nil when not sent

	usedNames, usedValues map[string]bool
}

// Check refuses empty maps and malformed placeholders. Call it before parsing.
func (env *Env) Check() error {
	if err := checkPlaceholders("ExpressionAttributeNames", '#', env.Names); err != nil {
		return err
	}
	for placeholder, name := range env.Names {
		if name == "" {
			return errorf("ExpressionAttributeNames contains invalid value: Empty attribute name for key %s", placeholder)
		}
	}
	return checkPlaceholders("ExpressionAttributeValues", ':', env.Values)
}

func checkPlaceholders[V any](parameter string, mark byte, m map[string]V) error {
	if m == nil {
		return nil
	}
	if len(m) == 0 {
		return errorf("%s must not be empty", parameter)
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if len(key) < 2 || key[0] != mark || wordLength(key[1:]) < len(key)-1 {
			return errorf("%s contains invalid key: Syntax error; key: %q", parameter, key)
		}
	}
	return nil
}

// Unused refuses placeholders that no expression used. Call it after parsing
// all expressions of the request.
func (env *Env) Unused() error {
	if err := unused("ExpressionAttributeNames", env.Names, env.usedNames); err != nil {
		return err
	}
	return unused("ExpressionAttributeValues", env.Values, env.usedValues)
}

func unused[V any](parameter string, given map[string]V, used map[string]bool) error {
	if len(given) == len(used) {
		return nil
	}
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(given)), func(key string) bool { return used[key] })
	return errorf("Value provided in %s unused in expressions: keys: {%s}", parameter, strings.Join(keys, ", "))
}

func (env *Env) name(placeholder string) (string, bool) {
	return use(env.Names, &env.usedNames, placeholder)
}

func (env *Env) value(placeholder string) (attr.Value, bool) {
	return use(env.Values, &env.usedValues, placeholder)
}

// use looks a placeholder up and notes that it is used.
func use[V any](given map[string]V, used *map[string]bool, placeholder string) (V, bool) {
	v, ok := given[placeholder]
	if ok {
		if *used == nil {
			*used = map[string]bool{}
		}
		(*used)[placeholder] = true
	}
	return v, ok
}
