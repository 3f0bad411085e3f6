package expr

import (
	_ "embed"
	"slices"
	"strings"
)

// isReserved tells whether a name is one of DynamoDB's reserved words, which
// an expression may use only through a placeholder. Case does not matter.
func isReserved(name string) bool {
	_, found := slices.BinarySearch(reservedWords, strings.ToUpper(name))
	return found
}

// The 573 reserved words of the developer guide, ascending, one a line.
//
//go:embed reserved.txt
var reservedText string

var reservedWords = strings.Fields(reservedText)
