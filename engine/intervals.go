package engine

import (
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// addedInterval is a date and an interval, added or subtracted, as a call of
// DATE_ADD or DATE_SUB, of whose result the library knows the digits.
func addedInterval(x *sqlparser.BinaryExpr) sqlparser.Expr {
	name := "date_add"
	if x.Operator == sqlparser.MinusStr {
		name = "date_sub"
	}
	if _, ok := x.Right.(*sqlparser.IntervalExpr); ok {
		return call(name, x.Left, x.Right)
	}
	if _, ok := x.Left.(*sqlparser.IntervalExpr); ok && x.Operator == sqlparser.PlusStr {
		return call(name, x.Right, x.Left)
	}
	return nil
}

// part is a part of an interval of several units, in microseconds; months are
// apart.
type part struct{ months, micros int64 }

var (
	inYear   = part{months: 12}
	inMonth  = part{months: 1}
	inDay    = part{micros: 86_400_000_000}
	inHour   = part{micros: 3_600_000_000}
	inMinute = part{micros: 60_000_000}
	inSecond = part{micros: 1_000_000}
	inMicro  = part{micros: 1}
)

// unitParts are the parts of the units of which an interval is written with
// several numbers, and of seconds, which may have a fraction.
var unitParts = map[string][]part{
	"YEAR_MONTH": {inYear, inMonth}, "DAY_HOUR": {inDay, inHour}, "DAY_MINUTE": {inDay, inHour, inMinute},
	"DAY_SECOND": {inDay, inHour, inMinute, inSecond}, "DAY_MICROSECOND": {inDay, inHour, inMinute, inSecond, inMicro},
	"HOUR_MINUTE": {inHour, inMinute}, "HOUR_SECOND": {inHour, inMinute, inSecond}, "HOUR_MICROSECOND": {inHour, inMinute, inSecond, inMicro},
	"MINUTE_SECOND": {inMinute, inSecond}, "MINUTE_MICROSECOND": {inMinute, inSecond, inMicro}, "SECOND_MICROSECOND": {inSecond, inMicro},
	"SECOND": {inSecond, inMicro},
}

// plainInterval writes a constant interval of several numbers, or of seconds with
// a fraction, as one of months, seconds or microseconds: the library takes no
// negative ones, needs every number and rounds seconds. It is nil for any other.
func plainInterval(x *sqlparser.IntervalExpr) sqlparser.Expr {
	v, ok := x.Expr.(*sqlparser.SQLVal)
	unit := strings.ToUpper(x.Unit)
	parts := unitParts[unit]
	if !ok || parts == nil || unit == "SECOND" && !strings.Contains(string(v.Val), ".") {
		return nil
	}
	text := strings.TrimSpace(string(v.Val))
	rest, negative := strings.CutPrefix(text, "-")
	numbers := strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if len(numbers) > len(parts) {
		return nil
	}
	if parts[len(parts)-1] == inMicro && len(numbers) > 0 && (len(numbers) == len(parts) || strings.Contains(rest, ".")) {
		last := &numbers[len(numbers)-1] // '1.5' is a second and a half
		*last = (*last + "000000")[:6]
	}
	var sum part
	for i, n := range numbers { // numbers on the left may be missing
		p := parts[len(parts)-len(numbers)+i]
		count, err := strconv.ParseInt(n, 10, 32)
		if err != nil {
			return nil
		}
		sum.months += count * p.months
		sum.micros += count * p.micros
	}
	if negative {
		sum.months, sum.micros = -sum.months, -sum.micros
	}
	switch {
	case unit == "YEAR_MONTH":
		return &sqlparser.IntervalExpr{Expr: integer(int(sum.months)), Unit: "month"}
	case sum.micros%inSecond.micros == 0:
		return &sqlparser.IntervalExpr{Expr: integer(int(sum.micros / inSecond.micros)), Unit: "second"}
	}
	return &sqlparser.IntervalExpr{Expr: integer(int(sum.micros)), Unit: "microsecond"}
}
