package codec

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
)

// Compare implements sqltypes.ComparableJSON by MySQL's order of JSON values:
// NULL, numbers, strings, objects, arrays, booleans. Numbers compare exactly. A
// value that is not JSON compares as the JSON scalar of its kind.
func (d Document) Compare(ctx context.Context, other any) (int, error) {
	b, err := plainOf(ctx, other)
	if err != nil {
		return 0, err
	}
	return ComparePlain(d.plain(), b), nil
}

func plainOf(ctx context.Context, v any) (any, error) {
	switch v := v.(type) {
	case sql.JSONWrapper:
		return v.ToInterface(ctx)
	case []byte:
		return string(v), nil
	case time.Time:
		return v.Format("2006-01-02 15:04:05.000000"), nil
	}
	return v, nil
}

// JsonType implements sqltypes.ComparableJSON: the name that JSON_TYPE gives.
func (d Document) JsonType(context.Context) (string, error) {
	switch v := d.plain().(type) {
	case nil:
		return "NULL", nil
	case bool:
		return "BOOLEAN", nil
	case string:
		return "STRING", nil
	case []any:
		return "ARRAY", nil
	case map[string]any:
		return "OBJECT", nil
	case *apd.Decimal:
		return "DECIMAL", nil
	case float64, float32:
		return "DOUBLE", nil
	case uint64:
		if v > math.MaxInt64 {
			return "UNSIGNED INTEGER", nil
		}
	}
	return "INTEGER", nil
}

// rank is the place of a kind of value in the order of JSON values.
func rank(v any) int {
	switch v.(type) {
	case nil:
		return 0
	case string:
		return 2
	case map[string]any:
		return 3
	case []any:
		return 4
	case bool:
		return 5
	}
	return 1
}

// ComparePlain compares two values of a document, which are nil, bool, string,
// numbers, []any or map[string]any, by MySQL's order of JSON values.
func ComparePlain(a, b any) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch x := a.(type) {
	case nil:
		return 0
	case string:
		return strings.Compare(x, b.(string))
	case map[string]any:
		return compareMembers(x, b.(map[string]any))
	case []any:
		return slices.CompareFunc(x, b.([]any), ComparePlain)
	case bool:
		return compareBool(x, b.(bool))
	}
	return compareNumbers(a, b)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// compareMembers orders objects by their number of members, then by names and
// values: MySQL says only when two are equal.
func compareMembers(a, b map[string]any) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	x, y := sortedNames(a), sortedNames(b)
	if c := slices.Compare(x, y); c != 0 {
		return c
	}
	for _, name := range x {
		if c := ComparePlain(a[name], b[name]); c != 0 {
			return c
		}
	}
	return 0
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func compareNumbers(a, b any) int {
	x, okX := a.(int64)
	y, okY := b.(int64)
	if okX && okY {
		return cmp.Compare(x, y)
	}
	return decimalOf(a).Cmp(decimalOf(b))
}

// decimalOf is a number of any type the engine has; what is no number is 0.
func decimalOf(v any) *apd.Decimal {
	switch v := v.(type) {
	case *apd.Decimal:
		return v
	case int64:
		return apd.New(v, 0)
	case int:
		return apd.New(int64(v), 0)
	case int32:
		return apd.New(int64(v), 0)
	case int16:
		return apd.New(int64(v), 0)
	case int8:
		return apd.New(int64(v), 0)
	case uint64:
		d := new(apd.Decimal)
		d.Coeff.SetUint64(v)
		return d
	case uint32:
		return apd.New(int64(v), 0)
	case uint16:
		return apd.New(int64(v), 0)
	case uint8:
		return apd.New(int64(v), 0)
	case float64:
		d := new(apd.Decimal)
		if _, err := d.SetFloat64(v); err == nil {
			return d
		}
	case float32:
		return decimalOf(float64(v))
	}
	return new(apd.Decimal)
}
