package attr

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// Limits of a DynamoDB number: 38 significant digits, magnitudes from 1E-130
// to 9.99..E+125. An exponent here is that of the leading digit.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

var (
	errOverflow  = &Error{Message: "Number overflow. Attempting to store a number with magnitude larger than supported range"}
	errUnderflow = &Error{Message: "Number underflow. Attempting to store a number with magnitude smaller than supported range"}
	errPrecision = &Error{Message: "Attempting to store more than 38 significant digits in a Number"}
)

func notNumeric(text string) error {
	const message = "The parameter cannot be converted to a numeric value"
	if text == "" {
		return &Error{Message: message}
	}
	return &Error{Message: message + ": " + text}
}

// ParseNumber gives the form in which DynamoDB returns a number: plain decimal
// digits without exponent, plus sign, leading zeros or trailing zeros of the
// fraction; 1E125 is written out and -0 is 0. Errors are *Error.
func ParseNumber(text string) (canonical string, err error) {
	if isCanonical(text) {
		return text, nil
	}
	d, err := parseDecimal(text)
	if err != nil {
		return "", err
	}
	return d.String(), nil
}

// isCanonical accepts only texts that ParseNumber would return unchanged; it
// gives up on more than 38 digits, though "1" with 100 zeros is canonical too.
func isCanonical(text string) bool {
	rest := strings.TrimPrefix(text, "-")
	if len(rest) == 0 || len(rest) > maxDigits || rest[0] < '0' || rest[0] > '9' {
		return false
	}
	point := -1
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		switch {
		case c >= '0' && c <= '9':
		case c == '.' && point < 0:
			point = i
		default:
			return false
		}
	}
	if point < 0 {
		return rest[0] != '0' || text == "0"
	}
	return rest[len(rest)-1] > '0' && (rest[0] != '0' || point == 1)
}

// decimal is 0.digits * 10^point; digits has no leading or trailing zero and
// is empty for zero.
type decimal struct {
	negative bool
	digits   string
	point    int
}

// parseDecimal reads [+-]digits[.digits][(e|E)[+-]digits] and checks the range.
// The exponent of a zero counts as written: 0E126 overflows.
func parseDecimal(text string) (decimal, error) {
	var d decimal
	rest := text
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		d.negative = rest[0] == '-'
		rest = rest[1:]
	}
	mantissa, exponent := rest, int64(0)
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.ParseInt(rest[i+1:], 10, 64); err != nil {
			return d, notNumeric(text)
		}
		mantissa = rest[:i]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole+fraction == "" || !allDigits(whole) || !allDigits(fraction) {
		return d, notNumeric(text)
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	shift := len(whole) - (len(whole+fraction) - len(digits))
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		d.negative = false
		shift = 1
	}
	const far = 1 << 40
	leading := min(max(exponent, -far), far) + int64(shift) - 1
	switch {
	case leading > maxExponent:
		return d, errOverflow
	case leading < minExponent:
		return d, errUnderflow
	case len(d.digits) > maxDigits:
		return d, errPrecision
	}
	d.point = int(leading) + 1
	return d, nil
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// canonicalDecimal splits a canonical number.
func canonicalDecimal(text string) decimal {
	var d decimal
	rest := strings.TrimPrefix(text, "-")
	d.negative = len(rest) < len(text)
	whole, fraction, _ := strings.Cut(rest, ".")
	if whole == "0" {
		d.digits = strings.TrimLeft(fraction, "0")
		d.point = len(d.digits) - len(fraction)
		return d
	}
	d.point = len(whole)
	if fraction == "" {
		d.digits = strings.TrimRight(whole, "0")
	} else {
		d.digits = whole + fraction
	}
	return d
}

func (d decimal) String() string {
	n := len(d.digits)
	text := ""
	switch {
	case n == 0:
		return "0"
	case d.point <= 0:
		text = "0." + strings.Repeat("0", -d.point) + d.digits
	case d.point < n:
		text = d.digits[:d.point] + "." + d.digits[d.point:]
	default:
		text = d.digits + strings.Repeat("0", d.point-n)
	}
	if d.negative {
		return "-" + text
	}
	return text
}

// CompareNumbers compares two canonical numbers exactly: -1, 0 or 1.
func CompareNumbers(a, b string) int {
	negative := len(a) > 0 && a[0] == '-'
	if negative != (len(b) > 0 && b[0] == '-') {
		if negative {
			return -1
		}
		return 1
	}
	if negative {
		return compareMagnitudes(b[1:], a[1:])
	}
	return compareMagnitudes(a, b)
}

// compareMagnitudes relies on the canonical form: with whole parts of one
// length the texts order as the numbers do.
func compareMagnitudes(a, b string) int {
	if c := cmp.Compare(wholeLength(a), wholeLength(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

func wholeLength(text string) int {
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return i
	}
	return len(text)
}

// AddNumbers is a+b of canonical numbers, exact. A sum outside DynamoDB's
// range or precision is an *Error.
func AddNumbers(a, b string) (string, error) {
	if len(a) <= 18 && len(b) <= 18 {
		x, errA := strconv.ParseInt(a, 10, 64)
		y, errB := strconv.ParseInt(b, 10, 64)
		if errA == nil && errB == nil {
			return strconv.FormatInt(x+y, 10), nil
		}
	}
	x, _ := new(big.Rat).SetString(a) // canonical: cannot fail
	y, _ := new(big.Rat).SetString(b)
	return ParseNumber(x.Add(x, y).FloatString(max(fractionLength(a), fractionLength(b))))
}

func fractionLength(text string) int { return max(len(text)-wholeLength(text)-1, 0) }

// SubtractNumbers is a-b, as AddNumbers.
func SubtractNumbers(a, b string) (string, error) {
	if b == "0" {
		return a, nil
	}
	if positive, ok := strings.CutPrefix(b, "-"); ok {
		return AddNumbers(a, positive)
	}
	return AddNumbers(a, "-"+b)
}

// numberSize is what a canonical number counts in an item: one byte, one for
// two significant digits on either side of the point, one for a minus sign.
// Measured on the service by the public conformance suite; the developer guide
// describes it only roughly.
func numberSize(text string) int {
	size := 1
	text, negative := strings.CutPrefix(text, "-")
	if negative {
		size++
	}
	whole, fraction, _ := strings.Cut(text, ".")
	switch {
	case fraction == "":
		whole = strings.TrimRight(whole, "0")
	case whole == "0":
		whole = ""
		fraction = strings.TrimLeft(fraction, "0")
	}
	return size + (len(whole)+1)/2 + (len(fraction)+1)/2
}
