package text

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
)

func TestLocate(t *testing.T) {
	exact := types.MustCreateString(sqltypes.VarChar, 100, sql.Collation_utf8mb4_0900_bin)
	folded := types.MustCreateString(sqltypes.VarChar, 100, sql.Collation_utf8mb4_0900_ai_ci)
	for name, tt := range map[string]struct {
		typ        sql.Type
		part, text any
		from       any
		want       any
	}{
		"found":                    {exact, "bar", "foobarbar", nil, int64(4)},
		"from a place":             {exact, "bar", "foobarbar", int64(5), int64(7)},
		"not found":                {exact, "x", "foobar", nil, int64(0)},
		"case counts":              {exact, "BAR", "foobar", nil, int64(0)},
		"case of another kind":     {folded, "BAR", "foobar", nil, int64(4)},
		"characters, not bytes":    {exact, "b", "éàb", nil, int64(3)},
		"from after characters":    {exact, "é", "éàéb", int64(2), int64(3)},
		"empty part":               {exact, "", "abc", nil, int64(1)},
		"empty part in the middle": {exact, "", "abc", int64(3), int64(3)},
		"empty part at the end":    {exact, "", "abc", int64(4), int64(4)},
		"behind the end":           {exact, "", "abc", int64(5), int64(0)},
		"before the beginning":     {exact, "a", "abc", int64(0), int64(0)},
		"NULL part":                {exact, nil, "abc", nil, nil},
		"NULL text":                {exact, "a", nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			args := []sql.Expression{expression.NewLiteral(tt.part, tt.typ), expression.NewLiteral(tt.text, tt.typ)}
			if tt.from != nil {
				args = append(args, expression.NewLiteral(tt.from, types.Int64))
			}
			ctx := sql.NewEmptyContext()
			l, err := newLocate(ctx, args...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := l.Eval(ctx, nil)
			if err != nil || got != tt.want {
				t.Errorf("LOCATE(%v, %v, %v) = %v, %v, want %v", tt.part, tt.text, tt.from, got, err, tt.want)
			}
		})
	}
}
