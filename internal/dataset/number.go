package dataset

import (
	"regexp"
	"strconv"
	"strings"
)

// DynamoDB's numbers: significant digits, and the powers of ten of the first
// digit.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

var numberPattern = regexp.MustCompile(`^[+-]?([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,6}))?$|^[+-]?()\.([0-9]+)(?:[eE]([+-]?[0-9]{1,6}))?$`)

// decimal is 0.digits * 10^exponent; zero has no digits. Digits start and end
// with no zero.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func parseDecimal(text string) (decimal, bool) {
	m := numberPattern.FindStringSubmatch(text)
	if m == nil {
		return decimal{}, false
	}
	whole, fraction, power := m[1]+m[4], m[2]+m[5], m[3]+m[6]
	exponent := 0
	if power != "" {
		exponent, _ = strconv.Atoi(power) // six digits at most
	}
	digits := whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	d := decimal{
		negative: strings.HasPrefix(text, "-"),
		digits:   strings.TrimRight(trimmed, "0"),
		exponent: exponent + len(whole) - (len(digits) - len(trimmed)),
	}
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

// numberProblem is why DynamoDB would refuse a number, or "".
func numberProblem(text string) string {
	d, ok := parseDecimal(text)
	switch {
	case !ok:
		return "is not a number"
	case len(d.digits) > maxDigits:
		return "has more than 38 significant digits"
	case d.digits != "" && d.exponent-1 > maxExponent:
		return "is larger than DynamoDB's numbers go"
	case d.digits != "" && d.exponent-1 < minExponent:
		return "is closer to zero than DynamoDB's numbers go"
	}
	return ""
}

// numberKey is the same text for equal numbers.
func numberKey(text string) string {
	d, _ := parseDecimal(text)
	sign := "+"
	if d.negative {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exponent)
}
