package function

import (
	"fmt"
	"strings"
	"time"
)

// formats are functions that show dates and times.
var formats = map[string]definition{
	"date_format": {least: 2, most: 2, typ: text, eval: dateFormat},
	"time_format": {least: 2, most: 2, typ: text, eval: timeFormat},
}

func dateFormat(c *call) (any, error) {
	m, ok := c.moment(0)
	if !ok {
		return nil, nil
	}
	m.hasTime = true
	return c.formatted(m, 1)
}

func timeFormat(c *call) (any, error) {
	m, ok := c.clock(0)
	if !ok {
		return nil, nil
	}
	m.hasDate = false
	return c.formatted(m, 1)
}

func (c *call) formatted(m moment, i int) (any, error) {
	format, err := c.text(i)
	if err != nil || format == "" {
		return nil, err
	}
	out, ok := m.format(format)
	if !ok {
		return nil, nil
	}
	return out, nil
}

// format shows a moment by the specifiers of DATE_FORMAT. There is none for a
// part that the moment has not.
func (m moment) format(format string) (string, bool) {
	var out strings.Builder
	if m.negative {
		out.WriteByte('-')
	}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		if strings.IndexByte("abcDdejMmUuVvWwXxYy", format[i]) >= 0 {
			if !m.formatDate(&out, format[i]) {
				return "", false
			}
			continue
		}
		m.formatTime(&out, format[i])
	}
	return out.String(), true
}

func (m moment) formatDate(out *strings.Builder, specifier byte) bool {
	if !m.hasDate {
		return m.formatNoDate(out, specifier)
	}
	if strings.IndexByte("ajUuVvWwXx", specifier) >= 0 && !m.complete() || strings.IndexByte("bM", specifier) >= 0 && m.month == 0 {
		return false
	}
	week := func(mode int64) int64 { _, w := m.week(mode); return w }
	weekYear := func(mode int64) int64 { y, _ := m.week(mode); return y }
	switch specifier {
	case 'a':
		out.WriteString(m.time().Weekday().String()[:3])
	case 'b':
		out.WriteString(time.Month(m.month).String()[:3])
	case 'c':
		fmt.Fprint(out, m.month)
	case 'D':
		fmt.Fprintf(out, "%d%s", m.day, ordinal(m.day))
	case 'd':
		fmt.Fprintf(out, "%02d", m.day)
	case 'e':
		fmt.Fprint(out, m.day)
	case 'j':
		fmt.Fprintf(out, "%03d", m.time().YearDay())
	case 'M':
		out.WriteString(time.Month(m.month).String())
	case 'm':
		fmt.Fprintf(out, "%02d", m.month)
	case 'U':
		fmt.Fprintf(out, "%02d", week(0))
	case 'u':
		fmt.Fprintf(out, "%02d", week(1))
	case 'V':
		fmt.Fprintf(out, "%02d", week(2))
	case 'v':
		fmt.Fprintf(out, "%02d", week(3))
	case 'W':
		out.WriteString(m.time().Weekday().String())
	case 'w':
		fmt.Fprint(out, int(m.time().Weekday()))
	case 'X':
		fmt.Fprintf(out, "%04d", weekYear(2))
	case 'x':
		fmt.Fprintf(out, "%04d", weekYear(3))
	case 'Y':
		fmt.Fprintf(out, "%04d", m.year)
	case 'y':
		fmt.Fprintf(out, "%02d", m.year%100)
	}
	return true
}

// formatNoDate shows a part of the date of a time, which is 0.
func (m moment) formatNoDate(out *strings.Builder, specifier byte) bool {
	switch specifier {
	case 'Y':
		out.WriteString("0000")
	case 'm', 'd', 'y':
		out.WriteString("00")
	case 'c', 'e':
		out.WriteString("0")
	default:
		return false
	}
	return true
}

func ordinal(n int) string {
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

func (m moment) formatTime(out *strings.Builder, specifier byte) {
	twelve := (m.hour%24+11)%12 + 1
	half := "AM"
	if m.hour%24 >= 12 {
		half = "PM"
	}
	switch specifier {
	case 'f':
		fmt.Fprintf(out, "%06d", m.micros)
	case 'H':
		fmt.Fprintf(out, "%02d", m.hour)
	case 'h', 'I':
		fmt.Fprintf(out, "%02d", twelve)
	case 'i':
		fmt.Fprintf(out, "%02d", m.minute)
	case 'k':
		fmt.Fprint(out, m.hour)
	case 'l':
		fmt.Fprint(out, twelve)
	case 'p':
		out.WriteString(half)
	case 'r':
		fmt.Fprintf(out, "%02d:%02d:%02d %s", twelve, m.minute, m.second, half)
	case 'S', 's':
		fmt.Fprintf(out, "%02d", m.second)
	case 'T':
		fmt.Fprintf(out, "%02d:%02d:%02d", m.hour, m.minute, m.second)
	default: // %% and whatever stands for itself
		out.WriteByte(specifier)
	}
}
