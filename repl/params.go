package repl

import (
	"fmt"
	"sort"
	"strings"

	"github.com/dynasql/dynasql/repl/format"
)

// params returns the values of the parameters that a statement names. A name
// without a value is an error, not an empty string.
func (sh *Shell) params(sql string) ([]Param, error) {
	var list []Param
	seen := map[string]bool{}
	for _, t := range tokens(sql) {
		if t.kind != tokParam {
			continue
		}
		name := sql[t.start+1 : t.end]
		if seen[name] {
			continue
		}
		seen[name] = true
		value, ok := sh.vars[name]
		if !ok {
			return nil, &missingParam{name: name, offset: t.start, known: sortedKeys(sh.vars)}
		}
		list = append(list, parseParam(name, value))
	}
	return list, nil
}

// parseParam reads a value as --var and \set take it: NULL, a number, a string
// in single quotes (so that '42' is a string), or any other text as it is.
func parseParam(name, value string) Param {
	switch {
	case strings.EqualFold(value, "null"):
		return Param{Name: name, Null: true}
	case len(value) >= 2 && value[0] == '\'' && value[len(value)-1] == '\'':
		return Param{Name: name, Kind: format.Text, Text: strings.ReplaceAll(value[1:len(value)-1], "''", "'")}
	case isNumber(value):
		return Param{Name: name, Kind: format.Number, Text: value}
	}
	return Param{Name: name, Kind: format.Text, Text: value}
}

// isNumber reports whether s is a decimal number that is also written as one:
// 007 and 1e5 are texts, since a key that looks so is a string.
func isNumber(s string) bool {
	whole, frac, dotted := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	digits := func(s string) bool {
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return digits(whole) && (whole == "0" || whole[0] != '0') && (!dotted || digits(frac))
}

type missingParam struct {
	name   string
	offset int
	known  []string
}

func (e *missingParam) Error() string { return fmt.Sprintf("the parameter :%s has no value", e.name) }

func (e *missingParam) Position() int { return e.offset }

func (e *missingParam) Hint() string {
	hint := fmt.Sprintf(`give it one: \set %s VALUE in the shell, --var %s=VALUE on the command line`, e.name, e.name)
	if len(e.known) > 0 {
		hint += "; set are " + strings.Join(e.known, ", ")
	}
	return hint
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
