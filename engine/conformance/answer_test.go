package conformance

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// An answer is what an engine gives for a statement.
type answer struct {
	columns []string
	json    []bool // of each column: its values are documents
	float   []bool // of each column: its values are DOUBLE
	rows    [][]cell
	err     error
	extra   map[string]bool // columns that only copies of tables have
}

type cell struct {
	text string
	null bool
}

func (c cell) String() string {
	if c.null {
		return "NULL"
	}
	return c.text
}

// libraryAnswer writes rows of the library's engine as a client gets them.
func libraryAnswer(ctx *sql.Context, schema sql.Schema, rows []sql.Row) answer {
	var a answer
	for _, c := range schema {
		a.columns = append(a.columns, c.Name)
		a.json = append(a.json, types.IsJSON(c.Type))
		a.float = append(a.float, types.IsFloat(c.Type))
	}
	for _, row := range rows {
		cells := make([]cell, len(row))
		for i, v := range row {
			out, err := schema[i].Type.SQL(ctx, nil, v)
			cells[i] = cell{string(out.ToBytes()), out.IsNull()}
			if err != nil {
				cells[i] = cell{text: fmt.Sprint(v)}
			}
		}
		a.rows = append(a.rows, cells)
	}
	return a
}

// expectedAnswer writes the rows that a test expects in the same way. It reports
// false for rows that are no values but rules for them.
func expectedAnswer(schema sql.Schema, rows []sql.Row) (answer, bool) {
	ctx := sql.NewEmptyContext()
	converted := make([]sql.Row, len(rows))
	for i, row := range rows {
		if len(row) != len(schema) {
			return answer{}, false
		}
		converted[i] = row.Copy()
		for j, v := range row {
			if _, rule := v.(interface{ Validate(any) (bool, error) }); rule {
				return answer{}, false
			}
			if out, _, err := schema[j].Type.Convert(ctx, v); v != nil && err == nil && !types.IsDecimal(schema[j].Type) {
				converted[i][j] = out
			}
		}
	}
	return libraryAnswer(ctx, schema, converted), true
}

// plainAnswer writes numbers, texts and NULLs whose columns are not known.
func plainAnswer(rows []sql.Row) answer {
	var a answer
	for _, row := range rows {
		cells := make([]cell, len(row))
		for i, v := range row {
			if b, ok := v.(bool); ok {
				v = map[bool]int{false: 0, true: 1}[b]
			}
			cells[i] = cell{fmt.Sprint(v), v == nil}
		}
		a.rows = append(a.rows, cells)
		a.columns, a.json, a.float = make([]string, len(row)), make([]bool, len(row)), make([]bool, len(row))
	}
	return a
}

// difference says how our answer differs from the library's; "" if it does not.
// Values are compared as values: 1.50 is 1.5, and documents are equal whatever
// the order of their members. Columns of SELECT * may come in another order.
func difference(ordered bool, theirs, ours answer) string {
	switch {
	case theirs.err != nil && ours.err != nil:
		return ""
	case theirs.err != nil:
		return "not refused: " + theirs.err.Error()
	case ours.err != nil:
		return "refused: " + ours.err.Error()
	case len(theirs.rows) != len(ours.rows):
		return fmt.Sprintf("%d rows instead of %d: %v instead of %v", len(ours.rows), len(theirs.rows), ours.rows, theirs.rows)
	}
	places, ok := match(theirs.columns, ours.columns, ours.extra)
	if !ok {
		return fmt.Sprintf("columns %q instead of %q", ours.columns, theirs.columns)
	}
	moved := make([][]cell, len(ours.rows))
	for i, row := range ours.rows {
		for _, at := range places {
			moved[i] = append(moved[i], row[at])
		}
	}
	ours.rows = moved
	left := slices.Clone(theirs.rows)
	for i, row := range ours.rows {
		at := slices.IndexFunc(left, func(other []cell) bool { return same(theirs, other, row) })
		if ordered && !same(theirs, theirs.rows[i], row) {
			return fmt.Sprintf("row %d is %v instead of %v", i+1, row, theirs.rows[i])
		}
		if at < 0 {
			return fmt.Sprintf("%v instead of %v", ours.rows, theirs.rows)
		}
		left = slices.Delete(left, at, at+1)
	}
	return ""
}

// match finds the place of each wanted column among the ones we have. The
// columns that copies have for their keys are left out.
func match(want, have []string, extra map[string]bool) ([]int, bool) {
	var rest []int
	for i, name := range have {
		if !extra[name] {
			rest = append(rest, i)
		}
	}
	if len(rest) != len(want) {
		return nil, false
	}
	places := make([]int, len(want))
	free := slices.Clone(rest)
	for i, name := range want {
		at := slices.IndexFunc(free, func(j int) bool { return strings.EqualFold(have[j], name) })
		if at < 0 {
			return rest, true // by place: names are another matter
		}
		places[i] = free[at]
		free = slices.Delete(free, at, at+1)
	}
	return places, true
}

func same(theirs answer, want, got []cell) bool {
	for i := range want {
		if !sameValue(want[i], got[i], theirs.json[i], theirs.float[i]) {
			return false
		}
	}
	return true
}

func sameValue(want, got cell, document, float bool) bool {
	switch {
	case want.null || got.null:
		return want.null == got.null
	case want.text == got.text:
		return true
	case document:
		a, errA := canonical(want.text)
		b, errB := canonical(got.text)
		return errA == nil && errB == nil && a == b
	}
	a, okA := number(want.text)
	b, okB := number(got.text)
	if !okA || !okB {
		return trimFraction(want.text) == trimFraction(got.text)
	}
	if a.Cmp(b) == 0 {
		return true
	}
	if float {
		x, _ := a.Float64()
		y, _ := b.Float64()
		return near(x, y)
	}
	return sameDigits(want.text, got.text, a, b)
}

func near(x, y float64) bool {
	d := max(x-y, y-x)
	return d <= 1e-6*max(x, -x)
}

// sameDigits reports whether two quotients agree in the digits that both have:
// how many there are depends on the type of a column, which DynamoDB has not.
func sameDigits(want, got string, a, b *big.Rat) bool {
	n := min(digitsBehind(want), digitsBehind(got))
	return n >= 4 && a.FloatString(n) == b.FloatString(n)
}

func digitsBehind(text string) int {
	_, behind, _ := strings.Cut(text, ".")
	return len(behind)
}

func number(text string) (*big.Rat, bool) {
	if len(text) > 400 || strings.ContainsAny(text, "/_xXpP") {
		return nil, false
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// trimFraction takes the zeros off the fraction of a time: a column copied from
// a DATETIME has six digits.
func trimFraction(text string) string {
	if len(text) > 8 && strings.Count(text, ":") >= 2 && strings.Contains(text, ".") {
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func canonical(text string) (string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	out, err := json.Marshal(byValue(v))
	return string(out), err
}

// byValue writes every number in a document in one way.
func byValue(v any) any {
	switch x := v.(type) {
	case json.Number:
		if n, ok := number(x.String()); ok {
			return n.RatString()
		}
	case []any:
		for i := range x {
			x[i] = byValue(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = byValue(x[k])
		}
	}
	return v
}
