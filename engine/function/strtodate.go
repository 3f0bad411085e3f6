package function

import (
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// readType is the type of STR_TO_DATE: what its format has parts of.
func readType(ctx *sql.Context, args []sql.Expression) sql.Type {
	v, ok := literal(ctx, args[1])
	format, isText := v.(string)
	if !ok || !isText {
		return types.DatetimeMaxPrecision
	}
	return typeOfFormat(format)
}

func typeOfFormat(format string) sql.Type {
	date, clock, micros := false, false, false
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		date = date || strings.IndexByte("abcDdejMmUuVvWwXxYy", format[i]) >= 0
		clock = clock || strings.IndexByte("fHhIiklprSsT", format[i]) >= 0
		micros = micros || format[i] == 'f'
	}
	switch {
	case date && clock && micros:
		return types.DatetimeMaxPrecision
	case date && clock:
		return types.Datetime
	case date:
		return types.Date
	}
	return types.Time
}

// strToDate is STR_TO_DATE(text, format). A date with open parts, which MySQL
// refuses by default, is NULL.
func strToDate(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	format, err := c.text(1)
	if err != nil {
		return nil, err
	}
	r := reader{rest: s, weekday: -1, week: -1}
	if !r.read(format) || !r.finish() {
		c.warn(1411, "Incorrect datetime value: '%s' for function str_to_date", s)
		return nil, nil
	}
	if strings.TrimSpace(r.rest) != "" {
		c.warn(1292, "Truncated incorrect datetime value: '%s'", s)
	}
	if types.IsTimespan(c.scalar.Type(c.ctx)) {
		return types.Timespan(r.sinceMidnight()), nil
	}
	if !r.complete() {
		c.warn(1411, "Incorrect datetime value: '%s' for function str_to_date", s)
		return nil, nil
	}
	return r.time(), nil
}

// A reader reads a moment by a format.
type reader struct {
	moment
	rest        string
	half        string // AM or PM
	twelve      bool   // the hour is one of twelve
	yearDay     int
	weekday     int // from Sunday, 0; or -1
	week        int // or -1
	weekYear    int
	weekMode    int64
	hasWeekYear bool
}

func (r *reader) read(format string) bool {
	for i := 0; i < len(format) && r.rest != ""; i++ {
		r.rest = strings.TrimLeft(r.rest, " \t\r\n")
		c := format[i]
		switch {
		case c == '%' && i+1 < len(format):
			i++
			if !r.part(format[i]) {
				return false
			}
		case c == ' ' || c == '\t' || c == '\n':
		case r.rest != "" && r.rest[0] == c:
			r.rest = r.rest[1:]
		default:
			return false
		}
	}
	return true
}

// number reads a number of at most so many digits.
func (r *reader) number(most int, into *int) bool {
	n := min(countDigits(r.rest), most)
	if n == 0 {
		return false
	}
	*into, _ = strconv.Atoi(r.rest[:n])
	r.rest = r.rest[n:]
	return true
}

// name reads one of some names and gives its place in the list.
func (r *reader) name(count int, name func(int) string, into *int) bool {
	for i := range count {
		if n := name(i); len(r.rest) >= len(n) && strings.EqualFold(r.rest[:len(n)], n) {
			r.rest, *into = r.rest[len(n):], i
			return true
		}
	}
	return false
}

func (r *reader) part(specifier byte) bool {
	switch specifier {
	case 'Y', 'y':
		n := min(countDigits(r.rest), 4)
		if specifier == 'y' {
			n = min(n, 2)
		}
		ok := r.number(n, &r.year)
		if n <= 2 {
			r.year = century(r.year)
		}
		return ok
	case 'm', 'c':
		return r.number(2, &r.month)
	case 'M', 'b':
		short := specifier == 'b'
		ok := r.name(12, func(i int) string { return cut(time.Month(i+1).String(), short) }, &r.month)
		r.month++
		return ok
	case 'd', 'e':
		return r.number(2, &r.day)
	case 'D':
		ok := r.number(2, &r.day)
		r.rest = r.rest[min(2, len(r.rest)):] // st, nd, rd, th
		return ok
	case 'W', 'a':
		short := specifier == 'a'
		return r.name(7, func(i int) string { return cut(time.Weekday(i).String(), short) }, &r.weekday)
	case 'w':
		return r.number(1, &r.weekday) && r.weekday < 7
	case 'j':
		return r.number(3, &r.yearDay) && r.yearDay > 0
	case 'U', 'u', 'V', 'v':
		r.weekMode = int64(strings.IndexByte("UuVv", specifier))
		return r.number(2, &r.week) && r.week <= 53
	case 'X', 'x':
		r.hasWeekYear = true
		return r.number(4, &r.weekYear)
	}
	return r.timePart(specifier)
}

func cut(name string, short bool) string {
	if short {
		return name[:3]
	}
	return name
}

func (r *reader) timePart(specifier byte) bool {
	switch specifier {
	case 'H', 'k':
		return r.number(2, &r.hour)
	case 'h', 'I', 'l':
		r.twelve = true
		return r.number(2, &r.hour)
	case 'i':
		return r.number(2, &r.minute)
	case 's', 'S':
		return r.number(2, &r.second)
	case 'f':
		n := min(countDigits(r.rest), 6)
		r.micros = microsOf(r.rest[:n])
		r.rest = r.rest[n:]
		return n > 0
	case 'p':
		if len(r.rest) < 2 {
			return false
		}
		r.half, r.rest = strings.ToUpper(r.rest[:2]), r.rest[2:]
		return r.half == "AM" || r.half == "PM"
	case 'r':
		return r.read("%I:%i:%S %p")
	case 'T':
		return r.read("%H:%i:%S")
	case '.':
		r.rest = strings.TrimLeftFunc(r.rest, func(c rune) bool { return c < 0x80 && isPunct(byte(c)) })
	case '@':
		r.rest = strings.TrimLeftFunc(r.rest, func(c rune) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' })
	case '#':
		r.rest = r.rest[countDigits(r.rest):]
	case '%':
		if r.rest[0] != '%' {
			return false
		}
		r.rest = r.rest[1:]
	default:
		return false
	}
	return true
}

// finish puts together what was read and checks it.
func (r *reader) finish() bool {
	r.hasDate, r.hasTime = true, true
	if r.twelve || r.half != "" {
		if r.hour < 1 || r.hour > 12 || !r.twelve {
			return false
		}
		r.hour %= 12
		if r.half == "PM" {
			r.hour += 12
		}
	}
	if r.yearDay > 0 {
		t := time.Date(r.year, 1, r.yearDay, 0, 0, 0, 0, time.UTC)
		if t.Year() != r.year {
			return false
		}
		r.month, r.day = int(t.Month()), t.Day()
	}
	if r.week >= 0 && r.weekday >= 0 && !r.ofWeek() {
		return false
	}
	return r.valid()
}

// ofWeek finds the date of a day in a week of a year.
func (r *reader) ofWeek() bool {
	year := r.year
	if strict := r.weekMode >= 2; strict != r.hasWeekYear {
		return false // %V and %v go with %X and %x, %U and %u with %Y
	}
	if r.hasWeekYear {
		year = r.weekYear
	}
	at := moment{year: year, month: 1, day: 1}
	for range 14 { // to a day of week 1
		if y, w := at.week(r.weekMode); w == 1 && y == int64(year) && int(at.time().Weekday()) == r.weekday {
			t := at.time().AddDate(0, 0, 7*(r.week-1))
			r.year, r.month, r.day = t.Year(), int(t.Month()), t.Day()
			return true
		}
		at = momentAt(at.time().AddDate(0, 0, 1), true)
	}
	return false
}
