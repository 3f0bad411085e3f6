package connector

import (
	"strings"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// The verbs of an index hint, as in MySQL: USE reads no index but the ones
// named, FORCE reads the one named, IGNORE none of those named. The table's own
// key is the index PRIMARY.
const (
	UseIndex    = "use"
	ForceIndex  = "force"
	IgnoreIndex = "ignore"
)

// hintMark stands between the parts of a table name that carries a hint. No
// name of a table or an index can have it.
const hintMark = "\x00"

// HintedName puts an index hint into the name of a table: the engine forgets
// hints, but it hands names on as they are.
func HintedName(table, verb string, indexes []string) string {
	return strings.Join(append([]string{table, verb}, indexes...), hintMark)
}

// PlainName is the name of a table without the hint that it may carry.
func PlainName(name string) string {
	plain, _, _ := strings.Cut(name, hintMark)
	return plain
}

// splitHint takes the hint out of a name.
func splitHint(name string) (table, verb string, indexes []string) {
	parts := strings.Split(name, hintMark)
	if len(parts) < 2 {
		return name, "", nil
	}
	return parts[0], parts[1], parts[2:]
}

// hintOf is the planner's form of a hint on a table. Names that are no index of
// the table are left in, for the planner to refuse.
func hintOf(t *schema.Table, verb string, indexes []string) access.Hint {
	switch verb {
	case ForceIndex:
		if len(indexes) == 1 {
			return access.Hint{Force: indexes[0]}
		}
		return access.Hint{Forbid: others(t, indexes)}
	case UseIndex:
		return access.Hint{Forbid: others(t, indexes)}
	case IgnoreIndex:
		return access.Hint{Forbid: indexes}
	}
	return access.Hint{}
}

// others are the secondary indexes that are not named, and the names that are
// no index.
func others(t *schema.Table, named []string) []string {
	var out []string
	known := map[string]bool{strings.ToLower(access.Primary): true}
	for i := range t.Indexes {
		known[strings.ToLower(t.Indexes[i].Name)] = true
	}
	want := map[string]bool{}
	for _, n := range named {
		want[strings.ToLower(n)] = true
		if !known[strings.ToLower(n)] {
			out = append(out, n)
		}
	}
	for i := range t.Indexes {
		if name := t.Indexes[i].Name; !want[strings.ToLower(name)] {
			out = append(out, name)
		}
	}
	return out
}
