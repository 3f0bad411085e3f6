package function

import (
	"strconv"
	"strings"
	"time"
)

// parseMoment reads a text as a date, with a time or without one, as MySQL does:
// 2024-01-31, 24-1-31 10:11:12.5, 2024-01-31T10:11:12Z, 20240131101112. Any
// punctuation may stand between the parts. A time with an offset from UTC is put
// into the zone of the session. What follows is left out.
func parseMoment(s string, zone func() *time.Location) (moment, bool) {
	s = strings.TrimLeft(s, " \t\r\n")
	n := countDigits(s)
	if rest := s[n:]; n > 4 && (rest == "" || rest[0] == '.' || rest[0]|0x20 == 't') {
		return parseCompact(s[:n], rest)
	}
	var m moment
	fields := []*int{&m.year, &m.month, &m.day}
	for i, field := range fields {
		most := 2
		if i == 0 {
			most = 4
		}
		n := min(countDigits(s), most)
		if n == 0 {
			return m, false
		}
		*field, _ = strconv.Atoi(s[:n])
		if i == 0 && n < 3 {
			m.year = century(m.year)
		}
		s = s[n:]
		if i < 2 {
			if s == "" || !isPunct(s[0]) {
				return m, false
			}
			s = strings.TrimLeftFunc(s, func(r rune) bool { return r < 0x80 && isPunct(byte(r)) })
		}
	}
	m.hasDate = true
	if tail := timeTail(s); tail != "" {
		s = m.readTime(tail, true)
	} else {
		return m, m.valid()
	}
	if !m.valid() {
		return m, false
	}
	if offset, ok := readOffset(s); ok && m.complete() {
		return momentAt(m.time().Add(-offset).In(zone()), false), true
	}
	return m, true
}

// timeTail is the time behind a date, or "".
func timeTail(s string) string {
	tail := strings.TrimLeft(s, " \t")
	if tail == s && s != "" && (s[0]|0x20 == 't' || isPunct(s[0])) {
		tail = s[1:]
	}
	if tail == s || countDigits(tail) == 0 {
		return ""
	}
	return tail
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z')
}

// readTime reads hours, minutes and seconds and returns what follows. Parts that
// are missing are 0.
func (m *moment) readTime(s string, anyPunct bool) string {
	m.hasTime = true
	for i, field := range []*int{&m.hour, &m.minute, &m.second} {
		n := min(countDigits(s), 2)
		if n == 0 {
			return s
		}
		*field, _ = strconv.Atoi(s[:n])
		s = s[n:]
		if i == 2 {
			break
		}
		if len(s) < 2 || s[0] != ':' && !(anyPunct && isPunct(s[0]) && s[0] != '.' && s[0] != '+' && s[0] != '-') || countDigits(s[1:]) == 0 {
			return s
		}
		s = s[1:]
	}
	return m.readFraction(s)
}

func (m *moment) readFraction(s string) string {
	if !strings.HasPrefix(s, ".") {
		return s
	}
	n := countDigits(s[1:])
	m.micros = microsOf(s[1 : n+1])
	if m.micros == int(second) { // rounded up
		*m = carried(*m)
	}
	return s[n+1:]
}

// carried is a moment whose millionths make a second.
func carried(m moment) moment {
	m.micros = 0
	if m.hasDate && m.complete() {
		return m.moved(second)
	}
	negative := m.negative
	m.negative = false
	out := clockOf(m.sinceMidnight() + second)
	m.hour, m.minute, m.second, m.micros, m.negative = out.hour, out.minute, out.second, 0, negative
	return m
}

// readOffset reads +02:00 at the end of a moment (MySQL 8.0.19).
func readOffset(s string) (time.Duration, bool) {
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	h, err := strconv.Atoi(s[1:3])
	if err != nil {
		return 0, false
	}
	min, err := strconv.Atoi(s[4:])
	if err != nil || h > 14 || min > 59 {
		return 0, false
	}
	d := time.Duration(h)*time.Hour + time.Duration(min)*time.Minute
	if s[0] == '-' {
		d = -d
	}
	return d, true
}

// parseCompact reads digits without separators, and a time behind T or a
// fraction behind a point.
func parseCompact(digits, rest string) (moment, bool) {
	if rest != "" && rest[0]|0x20 == 't' {
		n := countDigits(rest[1:])
		digits, rest = digits+rest[1:n+1], rest[n+1:]
	}
	var m moment
	width := 2
	if len(digits) == 8 || len(digits) >= 14 {
		width = 4
	}
	given := 0
	for i, field := range []*int{&m.year, &m.month, &m.day, &m.hour, &m.minute, &m.second} {
		n := min(width, len(digits))
		if n == 0 {
			break
		}
		*field, _ = strconv.Atoi(digits[:n])
		if i == 0 && n == 2 {
			m.year = century(m.year)
		}
		digits, width = digits[n:], 2
		given++
	}
	m.hasDate, m.hasTime = true, given > 3
	if given == 6 {
		m.readFraction(rest)
	}
	return m, given >= 3 && m.valid()
}

// parseClock reads a text as a time: 10:11:12.5, 10:11, 101112, 1 10:11:12,
// each with a sign or not, or the time of a moment.
func parseClock(s string, zone func() *time.Location) (moment, bool) {
	s = strings.TrimLeft(s, " \t\r\n")
	if n := countDigits(s); len(s) >= 12 && s[n] != ':' {
		if m, ok := parseMoment(s, zone); ok && m.hasTime {
			return m, true
		}
	}
	m := moment{hasTime: true}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		m.negative = s[0] == '-'
		s = s[1:]
	}
	n := countDigits(s)
	if n == 0 && !strings.HasPrefix(s, ".") || n > 10 {
		return m, false
	}
	first, _ := strconv.Atoi(s[:n])
	rest := s[n:]
	switch tail := strings.TrimLeft(rest, " "); {
	case tail != rest && countDigits(tail) > 0: // days
		rest = m.readTime(tail, false)
		m.hour += 24 * first
	case len(rest) > 1 && rest[0] == ':' && countDigits(rest[1:]) > 0:
		m.readTime("0"+rest, false)
		m.hour = first
	default:
		m.hour, m.minute, m.second = first/10000, first/100%100, first%100
		m.readFraction(rest)
	}
	return m, m.minute <= 59 && m.second <= 59
}
