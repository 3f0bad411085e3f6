package engine

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/engine/attribute"
	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/exec"
	"github.com/dynasql/dynasql/engine/function"
	"github.com/dynasql/dynasql/engine/text"
)

var _ sql.FunctionProvider = provider{}

// Function implements sql.FunctionProvider. What is found here stands before
// the library's function of the same name.
func (p provider) Function(_ *sql.Context, _, name string) (sql.Function, bool) {
	if strings.EqualFold(name, assignFunction) {
		return sql.Function2{Name: assignFunction, Fn: newAssign}, true
	}
	if f, ok := attribute.Function(name); ok {
		return f, true
	}
	if f, ok := text.Function(name); ok {
		return f, true
	}
	if f, ok := exec.Function(name); ok {
		return f, true
	}
	if f, ok := exact.Function(name); ok {
		return f, true
	}
	return function.Function(name)
}
