package function

import "strings"

// extracted are the parts that EXTRACT gives for its units of more than one,
// from the first to the last.
var extracted = map[string]string{
	"YEAR_MONTH": "Ym", "DAY_HOUR": "dH", "DAY_MINUTE": "dHi", "DAY_SECOND": "dHis", "DAY_MICROSECOND": "dHisf",
	"HOUR_MINUTE": "Hi", "HOUR_SECOND": "His", "HOUR_MICROSECOND": "Hisf", "MINUTE_SECOND": "is", "MINUTE_MICROSECOND": "isf", "SECOND_MICROSECOND": "sf",
	"YEAR": "Y", "MONTH": "m", "DAY": "d", "HOUR": "H", "MINUTE": "i", "SECOND": "s", "MICROSECOND": "f",
}

// extract is EXTRACT(unit FROM moment), with the unit as text.
func extract(c *call) (any, error) {
	unit, err := c.text(0)
	if err != nil {
		return nil, err
	}
	unit = strings.ToUpper(unit)
	switch unit {
	case "WEEK", "QUARTER":
		m, ok := c.moment(1)
		if !ok || unit == "WEEK" && !m.complete() {
			return nil, nil
		}
		if unit == "QUARTER" {
			return int64(m.month+2) / 3, nil
		}
		_, week := m.week(c.weekMode(2))
		return week, nil
	}
	parts := extracted[unit]
	read := c.clock
	if strings.ContainsAny(parts, "Ym") || unit == "DAY" {
		read = c.moment
	}
	m, ok := read(1)
	if !ok {
		return nil, nil
	}
	n := int64(0)
	for _, p := range parts {
		switch p {
		case 'Y':
			n = int64(m.year)
		case 'm':
			n = n*100 + int64(m.month)
		case 'd':
			n = int64(m.day)
		case 'H':
			n = n*100 + int64(m.hour)
		case 'i':
			n = n*100 + int64(m.minute)
		case 's':
			n = n*100 + int64(m.second)
		case 'f':
			n = n*second + int64(m.micros)
		}
	}
	if m.negative {
		n = -n
	}
	return n, nil
}
