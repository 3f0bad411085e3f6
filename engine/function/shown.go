package function

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// shownAs are the texts, in plans and messages, of functions that stand for what
// has a syntax of its own. %1 to %3 are the arguments, those that are words
// without their quotes.
var shownAs = map[string]string{
	Bits: "(%2 %1 %3)", Invert: "~%1", Interval: "INTERVAL", MemberOf: "%1 MEMBER OF(%2)", JSONValue: "json_value(%1,%2)",
	Extract: "EXTRACT(%1 FROM %2)", TimestampDiff: "TIMESTAMPDIFF(%1,%2,%3)", ToDatetime: "CAST(%1 AS DATETIME(%2))", ToTime: "CAST(%1 AS TIME(%2))",
	ToSigned: "CAST(%1 AS SIGNED)", ToUnsigned: "CAST(%1 AS UNSIGNED)", ToChar: "CAST(%1 AS CHAR(%2))",
	asText: "%1", asNumber: "%1", asExactNumber: "%1", round: "round(%1,%2)",
}

func (s *scalar) String() string {
	shape, ok := shownAs[s.Name]
	if !ok {
		return s.Called.String()
	}
	if !strings.Contains(shape, "%") {
		return Called{shape, s.Args}.String()
	}
	var pairs []string
	for i, a := range s.Args {
		pairs = append(pairs, fmt.Sprintf("%%%d", i+1), shownWord(s.Name, i, a))
	}
	return strings.NewReplacer(pairs...).Replace(shape)
}

// shownWord is an argument, or the word that the first one of some functions is.
func shownWord(name string, i int, e sql.Expression) string {
	if i == 0 && (name == Bits || name == Extract || name == TimestampDiff) {
		return strings.Trim(e.String(), "'")
	}
	return e.String()
}
