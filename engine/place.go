package engine

import (
	"regexp"
	"strings"
)

// noise are the parts of a statement in which no name stands: strings and
// comments.
var noise = regexp.MustCompile(`(?s)'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|/\*.*?\*/|--[ \t][^\n]*|#[^\n]*`)

// bare is a statement of the same length without strings and comments.
func bare(query string) string {
	return noise.ReplaceAllStringFunc(query, func(s string) string { return strings.Repeat(" ", len(s)) })
}

// word matches a name in a statement, in back quotes or not, as its first group.
func word(name string) string {
	return "(?i:(?:^|[^\\w$`])`?(" + regexp.QuoteMeta(name) + ")(?:[^\\w$]|$))"
}

// placeOf finds a name in a statement by patterns, the best first, of which each
// has the name as its first group. Without one, the place is -1.
func placeOf(query string, patterns ...string) int {
	text := bare(query)
	for _, p := range patterns {
		if m := regexp.MustCompile(p).FindStringSubmatchIndex(text); m != nil {
			return m[2]
		}
	}
	return -1
}

// tablePlace finds the name of a table, which stands behind FROM rather than
// before a column.
func tablePlace(query, name string) int {
	quoted := regexp.QuoteMeta(name)
	return placeOf(query,
		"(?i:(?:from|join|table|describe|desc|explain|,)\\s+(?:[\\w$`]+\\s*\\.\\s*)?`?("+quoted+")(?:[^\\w$]|$))",
		word(name))
}

// columnPlace finds the name of a column: behind its table, if that is said,
// else where it stands alone.
func columnPlace(query, table, column string) int {
	quoted := regexp.QuoteMeta(column)
	if table != "" {
		return placeOf(query,
			"(?i:"+regexp.QuoteMeta(table)+"`?\\s*\\.\\s*`?("+quoted+")(?:[^\\w$]|$))",
			word(column))
	}
	return placeOf(query,
		"(?i:(?:^|[^\\w$`.])`?("+quoted+")(?:[^\\w$`.]|`[^.]|`?$))",
		word(column))
}

// functionPlace finds the name of a function before its parenthesis.
func functionPlace(query, name string) int {
	return placeOf(query, "(?i:(?:^|[^\\w$`.])("+regexp.QuoteMeta(name)+")\\s*\\()", word(name))
}

// written is a name as the statement has it at a place: the library's messages
// have it in lower case.
func written(query, name string, at int) string {
	if at < 0 || at+len(name) > len(query) || !strings.EqualFold(query[at:at+len(name)], name) {
		return name
	}
	return query[at : at+len(name)]
}
