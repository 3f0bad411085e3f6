package engine_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
)

// TestWholeStatementsGiveTexts wants the rows of statements on typed values to be
// written without being made, and those of others to be made.
func TestWholeStatementsGiveTexts(t *testing.T) {
	e := localEngine(t)
	s := e.NewSession()
	t.Cleanup(s.Close)
	for text, want := range map[string]bool{
		"SELECT * FROM facts": true,
		"SELECT id, UPPER(note) FROM facts f WHERE weight > 3 LIMIT 3 OFFSET 2":           true,
		"SELECT note FROM facts ORDER BY amount DESC":                                     true,
		"SELECT * FROM facts ORDER BY amount LIMIT 4":                                     true,
		"SELECT f.id, k.name FROM facts f JOIN kinds k ON k.k = f.ref":                    true,
		"SELECT id, (SELECT MAX(k) FROM kinds) FROM facts":                                false,
		"SELECT id, @a := 3 FROM facts":                                                   false,
		"SELECT id FROM (SELECT id FROM facts ORDER BY amount LIMIT 3) d WHERE id <> 'x'": false,
		"SELECT id FROM facts UNION ALL SELECT k FROM kinds LIMIT 3":                      true,
		"SELECT id FROM facts UNION SELECT k FROM kinds":                                  false,
		"SELECT id, RANK() OVER (PARTITION BY grp ORDER BY amount) AS r, grp FROM facts":  true,
		"SELECT id, NTILE(3) OVER (ORDER BY amount) FROM facts":                           false,
		"SELECT 1": false,
	} {
		_ = s.CommandBegin()
		ctx, err := e.Library().ProcessList.BeginQuery(
			sql.NewContext(context.Background(), sql.WithSession(s), sql.WithProcessList(e.Library().ProcessList)), text)
		if err != nil {
			t.Fatal(err)
		}
		parsed, _, _, err := e.Library().Parser.Parse(ctx, text, false)
		if err != nil {
			t.Fatal(err)
		}
		_, iter, err := e.Execute(ctx, text, parsed, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		texts, ok := iter.(sql.ValueRowIter)
		if got := ok && texts.IsValueRowIter(ctx); got != want {
			t.Errorf("%s: gives texts: %t", text, got)
		}
		if err := iter.Close(ctx); err != nil {
			t.Error(err)
		}
	}
}

// TestLimitEvaluatesNoMore wants a LIMIT to end a statement with the row that it
// needs: what a condition says of later items is not looked at.
func TestLimitEvaluatesNoMore(t *testing.T) {
	f := fixture{name: "fractions", hash: "h:S", sort: "sk:N"}
	for i := range 20 {
		f.items = append(f.items, fmt.Sprintf(`{"h":{"S":"a"},"sk":{"N":"%d"},"v":{"N":"%d"}}`, i, (25-i)/20))
	}
	s := sessionOver(t, f)
	for _, typed := range []string{"0", "1"} {
		mustAnswer(t, s, "SET ddb_typed = "+typed)
		for text, want := range map[string]int{
			"SELECT sk FROM fractions WHERE h = 'a' AND 5 DIV v > 0 LIMIT 6":          0,
			"SELECT sk FROM fractions WHERE h = 'a' AND 5 DIV v > 0 LIMIT 1 OFFSET 5": 0,
			"SELECT sk FROM fractions WHERE h = 'a' AND 5 DIV v > 0 LIMIT 7":          1,
		} {
			rows, err := s.Query(context.Background(), text)
			for err == nil {
				_, err = rows.Next()
			}
			if err != io.EOF {
				t.Fatal(err)
			}
			if err := rows.Close(); err != nil || len(rows.Warnings()) != want {
				t.Errorf("ddb_typed = %s: %s: %v, warnings %v", typed, text, err, rows.Warnings())
			}
		}
	}
}
