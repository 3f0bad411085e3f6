package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	builtin "github.com/dolthub/go-mysql-server/sql/expression/function"

	"github.com/dynasql/dynasql/engine/function"
)

// Functions are the names of the functions that a statement may call, in upper
// case and in order.
func Functions() []string {
	var names []string
	for _, f := range builtin.BuiltIns {
		names = append(names, strings.ToUpper(f.FunctionName()))
	}
	for _, name := range function.Names() {
		names = append(names, strings.ToUpper(name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Value is what a session variable holds, as text; empty for a variable that
// does not exist.
func (s *Session) Value(variable string) string {
	v, err := s.GetSessionVariable(sql.NewEmptyContext(), variable)
	if err != nil || v == nil {
		return ""
	}
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}
