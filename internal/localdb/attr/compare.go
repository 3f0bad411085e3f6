package attr

import (
	"maps"
	"slices"
	"strings"
)

// Compare orders two values of one kind S, N or B: S and B by unsigned bytes
// (UTF-8 for S), N by value. It is false for any other pair.
func Compare(a, b Value) (int, bool) {
	if a.Kind != b.Kind {
		return 0, false
	}
	switch a.Kind {
	case S, B:
		return strings.Compare(a.Text, b.Text), true
	case N:
		return CompareNumbers(a.Text, b.Text), true
	}
	return 0, false
}

// Equal tells whether two values are the same for DynamoDB: of one kind and
// deeply equal, sets without regard to order.
func Equal(a, b Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case S, N, B:
		return a.Text == b.Text
	case BOOL:
		return a.Bool == b.Bool
	case SS, NS, BS:
		return len(a.Set) == len(b.Set) && slices.Equal(sorted(a.Set), sorted(b.Set))
	case L:
		return slices.EqualFunc(a.List, b.List, Equal)
	case M:
		return EqualItems(a.Map, b.Map)
	}
	return true
}

// EqualItems tells whether two items (or maps) have the same attributes with
// equal values.
func EqualItems(a, b Item) bool { return maps.EqualFunc(a, b, Equal) }

func sorted(members []string) []string { return slices.Sorted(slices.Values(members)) }
