package engine

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// A Param is the value of one :name in a statement. It is bound, never pasted
// into the text.
type Param struct {
	Name   string // without the colon
	Text   string
	Number bool // Text is a number, with all its digits
	Null   bool
}

func (p Param) expr() sqlparser.Expr {
	switch {
	case p.Null:
		return &sqlparser.NullVal{}
	case p.Number && strings.ContainsAny(p.Text, ".eE"):
		return sqlparser.NewFloatVal([]byte(p.Text))
	case p.Number:
		return sqlparser.NewIntVal([]byte(p.Text))
	}
	return sqlparser.NewStrVal([]byte(p.Text))
}

// bind puts the values into a parsed statement. A name without a value is an
// error; values without a name in the statement are left over.
func bind(ctx *sql.Context, stmt sqlparser.Statement, params []Param) (map[string]sqlparser.Expr, error) {
	values := map[string]sqlparser.Expr{}
	for _, p := range params {
		values[p.Name] = p.expr()
	}
	used := map[string]sqlparser.Expr{}
	var missing error
	walk := stmt
	if e, ok := stmt.(*sqlparser.Explain); ok {
		walk = e.Statement
	}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		v, ok := node.(*sqlparser.SQLVal)
		if !ok || v.Type != sqlparser.ValArg {
			return true, nil
		}
		name := strings.TrimLeft(string(v.Val), ":")
		value, ok := values[name]
		if !ok && missing == nil {
			missing = fmt.Errorf("the parameter :%s has no value", name)
		}
		used[name] = value
		return true, nil
	}, walk)
	return used, missing
}
