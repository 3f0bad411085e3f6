package attr

import (
	"encoding/base64"
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
func checkSet(k Kind, members []string) *Error {
	if len(members) == 0 {
		switch k {
		case SS:
			return invalid("An string set  may not be empty")
		case NS:
			return invalid("An number set  may not be empty")
		}
		return invalid("Binary sets should not be empty")
	}
	if !hasDuplicate(members) {
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

func hasDuplicate(members []string) bool {
	if len(members) <= 8 {
		for i, m := range members {
			for _, earlier := range members[:i] {
				if m == earlier {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(members))
	for _, m := range members {
		if seen[m] {
			return true
		}
		seen[m] = true
	}
	return false
}

// parseNumbers makes the members of a number set canonical.
func parseNumbers(texts []string) ([]string, error) {
	out := make([]string, len(texts))
	for i, t := range texts {
		n, err := ParseNumber(t)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}
