package attr

import (
	"encoding/base64"
	"slices"
	"strings"
)

func invalid(message string) *Error {
	return &Error{Message: "One or more parameter values were invalid: " + message}
}

var (
	errNoType    = &Error{Message: "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"}
	errManyTypes = &Error{Message: "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"}
	errNullFalse = invalid("Null attribute value types must have the value of true")
)

// checkSet refuses an empty set and a repeated member. The wording is the
// service's, two spaces included.
func checkSet(k Kind, members []string) error {
	if len(members) == 0 {
		switch k {
		case SS:
			return invalid("An string set  may not be empty")
		case NS:
			return invalid("An number set  may not be empty")
		}
		return invalid("Binary sets should not be empty")
	}
	var few [16]string
	ordered := append(few[:0], members...)
	slices.Sort(ordered)
	if len(slices.Compact(ordered)) == len(members) {
		return nil
	}
	switch k {
	case SS:
		return invalid("Input collection [" + strings.Join(members, ", ") + "] contains duplicates.")
	case NS:
		return &Error{Message: "Input collection contains duplicates"}
	}
	shown := make([]string, len(members))
	for i, m := range members {
		shown[i] = base64.StdEncoding.EncodeToString([]byte(m))
	}
	return invalid("Input collection [" + strings.Join(shown, ", ") + "]of type BS contains duplicates.")
}

// MaxDepth is how deep a value may nest: a scalar attribute is level 1, each
// map or list around it adds one.
const MaxDepth = 32

var errDepth = &Error{Message: "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"}

// CheckDepth refuses a value that sits at the given level (1 for a top-level
// attribute) and reaches below MaxDepth.
func CheckDepth(v Value, level int) error {
	if level+v.depth()-1 > MaxDepth {
		return errDepth
	}
	return nil
}
