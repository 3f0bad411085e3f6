package text

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
)

func TestField(t *testing.T) {
	exact := types.MustCreateString(sqltypes.VarChar, 100, sql.Collation_utf8mb4_0900_bin)
	folded := types.MustCreateString(sqltypes.VarChar, 100, sql.Collation_utf8mb4_0900_ai_ci)
	for name, tt := range map[string]struct {
		typ  sql.Type
		args []any
		want int64
	}{
		"found":                {exact, []any{"b", "a", "b"}, 2},
		"case counts":          {exact, []any{"ab", "aB", "ab"}, 2},
		"case of another kind": {folded, []any{"ab", "aB", "ab"}, 1},
		"not found":            {exact, []any{"x", "a", "b"}, 0},
		"NULL":                 {exact, []any{nil, "a", nil}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var args []sql.Expression
			for _, a := range tt.args {
				args = append(args, expression.NewLiteral(a, tt.typ))
			}
			ctx := sql.NewEmptyContext()
			f, err := newField(ctx, args...)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := f.Eval(ctx, nil); err != nil || got != tt.want {
				t.Errorf("FIELD(%v) = %v, %v, want %d", tt.args, got, err, tt.want)
			}
		})
	}
}
