package function

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/dynasql/dynasql/connector/codec"
)

// contains is JSON_CONTAINS(target, candidate[, path]); the library's does not
// know numbers with digits behind the point, and forgets digits.
func contains(c *call) (any, error) {
	target, err := c.document(0)
	if err != nil {
		return nil, err
	}
	candidate, err := c.plain(1)
	if err != nil {
		return nil, err
	}
	var at sql.JSONWrapper = target
	if len(c.values) == 3 {
		path, err := c.text(2)
		if err != nil {
			return nil, err
		}
		if strings.Contains(path, "*") {
			return nil, mysql.NewSQLError(3149, "42000", "In this situation, path expressions may not contain the * and ** tokens or an array range: '%s'", path)
		}
		if at, err = target.Lookup(c.ctx, path); err != nil || at == nil {
			return nil, err
		}
	}
	t, err := at.ToInterface(c.ctx)
	if err != nil {
		return nil, err
	}
	return holds(t, candidate), nil
}

// holds is MySQL's containment: an array holds an array if it holds each of
// its elements, and another value if an element holds it; an object holds an
// object if each of its members is held by that of the same name; a scalar
// holds its equal.
func holds(target, candidate any) bool {
	switch t := target.(type) {
	case []any:
		if list, ok := candidate.([]any); ok {
			for _, e := range list {
				if !anyHolds(t, e) {
					return false
				}
			}
			return true
		}
		return anyHolds(t, candidate)
	case map[string]any:
		members, ok := candidate.(map[string]any)
		if !ok {
			return false
		}
		for name, e := range members {
			own, ok := t[name]
			if !ok || !holds(own, e) {
				return false
			}
		}
		return true
	}
	switch candidate.(type) {
	case []any, map[string]any:
		return false
	}
	return codec.ComparePlain(target, candidate) == 0
}

func anyHolds(list []any, candidate any) bool {
	for _, e := range list {
		if holds(e, candidate) {
			return true
		}
	}
	return false
}
