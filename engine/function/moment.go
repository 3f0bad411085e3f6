package function

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql/types"
)

const (
	second = int64(1_000_000) // in microseconds, as all durations here
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour

	// longest is the largest TIME, 838:59:59.
	longest = 839*hour - second
)

// A moment is a date, a time, or both. Parts of a date that are 0 are those a
// date leaves open, such as the day of 2024-02-00. A time alone may be negative
// and have up to 838 hours.
type moment struct {
	year, month, day             int
	hour, minute, second, micros int
	negative                     bool
	hasDate, hasTime             bool
}

// momentAt is the moment of a value of the library.
func momentAt(t time.Time, dateOnly bool) moment {
	return moment{
		year: t.Year(), month: int(t.Month()), day: t.Day(),
		hour: t.Hour(), minute: t.Minute(), second: t.Second(), micros: t.Nanosecond() / 1000,
		hasDate: true, hasTime: !dateOnly,
	}
}

// clockOf is a time alone, of so many microseconds, cut to the range of TIME.
func clockOf(micros int64) moment {
	m := moment{hasTime: true, negative: micros < 0}
	if m.negative {
		micros = -micros
	}
	micros = min(micros, longest)
	m.hour, m.minute, m.second, m.micros = int(micros/hour), int(micros/minute%60), int(micros/second%60), int(micros%second)
	return m
}

// sinceMidnight is the time in microseconds.
func (m moment) sinceMidnight() int64 {
	n := int64(m.hour)*hour + int64(m.minute)*minute + int64(m.second)*second + int64(m.micros)
	if m.negative {
		return -n
	}
	return n
}

// complete reports whether no part of the date is open.
func (m moment) complete() bool { return m.hasDate && m.month > 0 && m.day > 0 }

// valid reports whether a date exists in the calendar, leaving aside open parts.
func (m moment) valid() bool {
	return m.month <= 12 && m.day <= 31 && (m.month == 0 || m.day <= daysIn(m.year, m.month)) &&
		m.hour <= 23 && m.minute <= 59 && m.second <= 59
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// time is the moment as the library has it.
func (m moment) time() time.Time {
	return time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, m.micros*1000, time.UTC)
}

// moved is the moment so many microseconds later.
func (m moment) moved(micros int64) moment {
	out := momentAt(m.time().AddDate(0, 0, int(micros/day)).Add(time.Duration(micros%day)*time.Microsecond), false)
	return out
}

// number is the moment as MySQL has it in arithmetic: 20240131, 101112 or
// 20240131101112.5.
func (m moment) number() *apd.Decimal {
	var n int64
	if m.hasDate {
		n = int64(m.year*10000 + m.month*100 + m.day)
	}
	if m.hasTime {
		n = n*1_000_000 + int64(m.hour*10000+m.minute*100+m.second)
	}
	d := apd.New(n, 0)
	if m.micros != 0 {
		d = apd.New(n*second+int64(m.micros), -6)
	}
	d.Negative = m.negative
	return d
}

func (m moment) String() string {
	var out strings.Builder
	if m.hasDate {
		fmt.Fprintf(&out, "%04d-%02d-%02d", m.year, m.month, m.day)
	}
	if m.hasTime {
		if m.hasDate {
			out.WriteByte(' ')
		}
		if m.negative {
			out.WriteByte('-')
		}
		fmt.Fprintf(&out, "%02d:%02d:%02d", m.hour, m.minute, m.second)
		if m.micros != 0 {
			fmt.Fprintf(&out, ".%06d", m.micros)
		}
	}
	return out.String()
}

// days is the number of a date's day, as TO_DAYS counts them: 0000-01-01 is 1.
func (m moment) days() int64 {
	n := time.Date(m.year, time.Month(m.month), m.day, 0, 0, 0, 0, time.UTC).Unix()/86400 + 719528
	if m.year == 0 && m.month < 3 { // MySQL's year 0 has no leap day
		n++
	}
	return n
}

// moment is an argument as a date, with a time or without one.
func (c *call) moment(i int) (moment, bool) {
	m, ok := c.readMoment(i)
	if !ok {
		c.warn(1292, "Incorrect datetime value: '%s'", c.show(i))
	}
	return m, ok
}

func (c *call) readMoment(i int) (moment, bool) {
	switch v := c.values[i].(type) {
	case time.Time:
		return momentAt(v, dateOnly(c.typeOf(i))), true
	case types.Timespan: // of today
		now := momentAt(c.now(), true)
		return now.moved(int64(v)), true
	}
	if s, ok := textual(c.plainValue(i)); ok {
		return parseMoment(s, c.zone)
	}
	return momentOfNumber(c.decimal(i))
}

// date is an argument as a date of which no part is open.
func (c *call) date(i int) (moment, bool) {
	m, ok := c.moment(i)
	return m, ok && m.complete()
}

// clock is an argument as a time: that of a moment, or a duration.
func (c *call) clock(i int) (moment, bool) {
	m, ok := c.readClock(i)
	if !ok {
		c.warn(1292, "Truncated incorrect time value: '%s'", c.show(i))
		return m, false
	}
	if n := m.sinceMidnight(); !m.hasDate && (n > longest || n < -longest) {
		c.warn(1292, "Truncated incorrect time value: '%s'", c.show(i))
		return clockOf(n), true
	}
	return m, true
}

func (c *call) readClock(i int) (moment, bool) {
	switch v := c.values[i].(type) {
	case time.Time:
		return momentAt(v, dateOnly(c.typeOf(i))), true
	case types.Timespan:
		return clockOf(int64(v)), true
	}
	if s, ok := textual(c.plainValue(i)); ok {
		return parseClock(s, c.zone)
	}
	return clockOfNumber(c.decimal(i))
}

func (c *call) show(i int) string {
	s, _ := c.text(i)
	return s
}

// momentOfNumber reads 20240131, 240131, 20240131101112.5 and 240131101112.
func momentOfNumber(d *apd.Decimal) (moment, bool) {
	n, micros, ok := split(d)
	if !ok || n < 101 {
		return moment{}, false
	}
	var m moment
	if n > 99991231 {
		m.hour, m.minute, m.second = int(n/10000%100), int(n/100%100), int(n%100)
		m.micros, m.hasTime = micros, true
		n /= 1_000_000
	}
	m.year, m.month, m.day, m.hasDate = int(n/10000), int(n/100%100), int(n%100), true
	if m.year < 100 {
		m.year = century(m.year)
	}
	return m, m.year <= 9999 && m.valid()
}

// clockOfNumber reads 101112.5, and moments as momentOfNumber does.
func clockOfNumber(d *apd.Decimal) (moment, bool) {
	n, micros, ok := split(d)
	if !ok {
		return moment{}, false
	}
	negative := d.Negative
	if n < 0 {
		n = -n
	}
	if n >= 10_000_000_000 && !negative {
		return momentOfNumber(d)
	}
	m := moment{hour: int(n / 10000), minute: int(n / 100 % 100), second: int(n % 100), micros: micros, negative: negative, hasTime: true}
	return m, m.minute <= 59 && m.second <= 59
}

// split is the integer part of a number and its millionths.
func split(d *apd.Decimal) (n int64, micros int, ok bool) {
	var rounded, whole, fraction apd.Decimal
	if _, err := wide.Quantize(&rounded, d, -6); err != nil {
		return 0, 0, false
	}
	rounded.Modf(&whole, &fraction)
	n, err := whole.Int64()
	if err != nil { // more digits than a moment has
		return 0, 0, false
	}
	fraction.Exponent += 6
	millionths, err := fraction.Int64()
	if millionths < 0 {
		millionths = -millionths
	}
	return n, int(millionths), err == nil
}

// century gives a year of two digits its century.
func century(year int) int {
	if year < 70 {
		return year + 2000
	}
	return year + 1900
}

// micros reads the digits behind the point of seconds, of which a seventh
// rounds.
func microsOf(digits string) int {
	padded := (digits + "0000000")[:7]
	n, _ := strconv.Atoi(padded)
	return (n + 5) / 10
}
