package vector

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/exact"
)

// An Expr is an expression made ready to be evaluated over chunks. It belongs to
// one goroutine.
type Expr interface {
	// Kind is that of the columns.
	Kind() Kind
	// Eval returns a value for each row of the chunk.
	Eval(*Chunk) (*Column, error)
}

// A Program makes expressions over the items of one read, and the right sides
// that they are joined with, ready, and keeps what they share. It belongs to one goroutine.
type Program struct {
	ctx   *sql.Context
	cells *connector.Cells
	slow  *sync.Mutex // held around everything that is not typed; shared by programs of one statement
	sides []*Side
	loads map[int]Expr // columns
	row   sql.Row      // for Eval of expressions
}

// NewProgram makes a program. Programs that run at the same time in one
// statement share the lock, since the expressions of the library and the
// session do not expect to be used by two goroutines.
func NewProgram(ctx *sql.Context, cells *connector.Cells, sides []*Side, slow *sync.Mutex) *Program {
	width := cells.Width()
	for _, s := range sides {
		width += s.width
	}
	return &Program{ctx: ctx, cells: cells, sides: sides, slow: slow, loads: map[int]Expr{}, row: make(sql.Row, width)}
}

// place is the right side that has a column, and which of its columns that is; it
// reports false for a column of the read.
func (p *Program) place(column int) (side, at int, ok bool) {
	at = column - p.cells.Width()
	for side = 0; at >= 0 && side < len(p.sides); side++ {
		if at < p.sides[side].width {
			return side, at, true
		}
		at -= p.sides[side].width
	}
	return 0, 0, false
}

// Serves reports whether an expression gives the same values over a chunk as row
// by row: it depends on nothing but its row.
func Serves(ctx *sql.Context, e sql.Expression) bool {
	serves := true
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch x := e.(type) {
		case nil:
		case *plan.Subquery, *expression.UserVar, *expression.SystemVar, *expression.BindVar, *expression.ProcedureParam:
			serves = false
		case sql.NonDeterministicExpression:
			serves = serves && !x.IsNonDeterministic()
		case connector.Reference:
			serves = false
		}
		serves = serves && !exact.Remembers(e)
		return serves
	})
	return serves
}

// Compile makes an expression ready, which Serves must have approved.
func (p *Program) Compile(e sql.Expression) Expr {
	if x := p.typed(e); x != nil {
		return x
	}
	return p.ByRow(e)
}

// kindOf is the kind in which values of an expression are held.
func kindOf(ctx *sql.Context, e sql.Expression) Kind {
	t := e.Type(ctx)
	switch {
	case types.IsTextOnly(t) && bytewise(ctx, e):
		return Text
	case types.IsNumber(t) && !types.IsFloat(t) && !types.IsBit(t) && !types.IsYear(t):
		return Number
	}
	return Other
}

// bytewise reports whether a text is compared by its bytes.
func bytewise(ctx *sql.Context, e sql.Expression) bool {
	c, _ := sql.GetCoercibility(ctx, e)
	return isBytewise(c) && isBytewise(e.Type(ctx).(sql.StringType).Collation())
}

func isBytewise(c sql.CollationID) bool {
	return c == sql.Collation_utf8mb4_0900_bin || c == sql.Collation_binary
}

// bytewise reports whether an expression compares its texts by their bytes.
func (p *Program) bytewise(e sql.Expression) bool {
	c, _ := sql.GetCoercibility(p.ctx, e)
	return isBytewise(c)
}

// literal returns the value of a constant that is not NULL.
func literal(e sql.Expression) (any, bool) {
	l, ok := e.(*expression.Literal)
	if !ok || l.Value() == nil {
		return nil, false
	}
	return l.Value(), true
}

// columnsOf are the columns that an expression looks at.
func columnsOf(ctx *sql.Context, e sql.Expression) []int {
	var columns []int
	seen := map[int]bool{}
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok && !seen[f.Index()] {
			seen[f.Index()] = true
			columns = append(columns, f.Index())
		}
		return true
	})
	return columns
}
