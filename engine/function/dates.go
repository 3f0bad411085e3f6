package function

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// dates are functions of dates without their times.
var dates = map[string]definition{
	"date":         {least: 1, most: 1, typ: always(types.Date), eval: dateOf},
	"year":         part(func(m moment) int { return m.year }),
	"quarter":      part(func(m moment) int { return (m.month + 2) / 3 }),
	"month":        part(func(m moment) int { return m.month }),
	"day":          part(func(m moment) int { return m.day }),
	"dayofmonth":   part(func(m moment) int { return m.day }),
	"dayofyear":    completePart(func(m moment) int64 { return int64(m.time().YearDay()) }),
	"dayofweek":    completePart(func(m moment) int64 { return int64(m.time().Weekday()) + 1 }),
	"weekday":      completePart(func(m moment) int64 { return m.weekday() }),
	"weekofyear":   completePart(func(m moment) int64 { _, w := m.week(3); return w }),
	"to_days":      completePart(moment.days),
	"to_seconds":   completePart(func(m moment) int64 { return m.days()*86400 + m.sinceMidnight()/second }),
	"week":         {least: 1, most: 2, typ: integer, eval: weekOf},
	"yearweek":     {least: 1, most: 2, typ: integer, eval: yearWeekOf},
	"dayname":      {least: 1, most: 1, typ: text, eval: dayName},
	"monthname":    {least: 1, most: 1, typ: text, eval: monthName},
	"last_day":     {least: 1, most: 1, typ: always(types.Date), eval: lastDay},
	"from_days":    {least: 1, most: 1, typ: always(types.Date), eval: fromDays},
	"makedate":     {least: 2, most: 2, typ: always(types.Date), eval: makeDate},
	"datediff":     {least: 2, most: 2, typ: integer, eval: dateDiff},
	"period_add":   {least: 2, most: 2, typ: integer, eval: periodAdd},
	"period_diff":  {least: 2, most: 2, typ: integer, eval: periodDiff},
	"curdate":      today,
	"current_date": today,
	"utc_date":     {typ: always(types.Date), eval: func(c *call) (any, error) { return midnight(c.ctx.QueryTime().UTC()), nil }},
}

var today = definition{typ: always(types.Date), eval: func(c *call) (any, error) { return midnight(c.now()), nil }}

// part is a function that gives a part of a date, which may be open.
func part(of func(moment) int) definition {
	return definition{least: 1, most: 1, typ: integer, eval: func(c *call) (any, error) {
		m, ok := c.moment(0)
		if !ok {
			return nil, nil
		}
		return int64(of(m)), nil
	}}
}

// completePart is a function of a date without open parts.
func completePart(of func(moment) int64) definition {
	return definition{least: 1, most: 1, typ: integer, eval: func(c *call) (any, error) {
		m, ok := c.date(0)
		if !ok {
			return nil, nil
		}
		return of(m), nil
	}}
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func dateOf(c *call) (any, error) {
	m, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	return midnight(m.time()), nil
}

// weekday is the day of the week, of which Monday is 0.
func (m moment) weekday() int64 { return (int64(m.time().Weekday()) + 6) % 7 }

// week is the week of a date and the year it belongs to. The modes are WEEK's:
// of odd ones the week begins on Monday, else on Sunday; with the bit 2, a day
// before week 1 belongs to the last week of the year before, else to week 0. The
// first week is one of four days or more, or one of seven.
func (m moment) week(mode int64) (year, week int64) {
	monday := mode&1 != 0
	whole := monday == (mode&4 != 0)
	start := func(year int) int64 { // the first day of week 1
		first := moment{year: year, month: 1, day: 1}
		before := first.weekday()
		if !monday {
			before = (before + 1) % 7
		}
		if before == 0 || !whole && before <= 3 {
			return first.days() - before
		}
		return first.days() + 7 - before
	}
	day, y := m.days(), m.year
	switch {
	case day < start(y) && mode&2 == 0:
		return int64(y), 0
	case day < start(y):
		y--
	case mode&2 != 0 && day >= start(y+1):
		y++
	}
	return int64(y), (day-start(y))/7 + 1
}

func (c *call) weekMode(i int) int64 {
	if i < len(c.values) {
		return c.integer(i) & 7
	}
	v, err := c.ctx.GetSessionVariable(c.ctx, "default_week_format")
	if err != nil {
		return 0
	}
	n, _ := types.CoalesceInt(v)
	return int64(n) & 7
}

func weekOf(c *call) (any, error) {
	m, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	_, week := m.week(c.weekMode(1))
	return week, nil
}

func yearWeekOf(c *call) (any, error) {
	m, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	mode := int64(0)
	if len(c.values) > 1 {
		mode = c.integer(1)
	}
	year, week := m.week(mode&7 | 2)
	return year*100 + week, nil
}

func dayName(c *call) (any, error) {
	m, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	return m.time().Weekday().String(), nil
}

func monthName(c *call) (any, error) {
	m, ok := c.moment(0)
	if !ok || m.month == 0 {
		return nil, nil
	}
	return time.Month(m.month).String(), nil
}

func lastDay(c *call) (any, error) {
	m, ok := c.moment(0)
	if !ok || m.month == 0 {
		return nil, nil
	}
	return time.Date(m.year, time.Month(m.month)+1, 0, 0, 0, 0, 0, time.UTC), nil
}

// fromDays is the date with a number of TO_DAYS. The date 0000-00-00 that MySQL
// gives for others is NULL.
func fromDays(c *call) (any, error) {
	n := c.integer(0)
	if n < 366 || n > 3652424 { // the years 1 to 9999
		return nil, nil
	}
	return time.Unix((n-719528)*86400, 0).UTC(), nil
}

// makeDate is the day of a year with a number, from 1 on. Years of two digits
// are those from 1970 to 2069.
func makeDate(c *call) (any, error) {
	year, day := c.integer(0), c.integer(1)
	if year < 0 || year > 9999 || day <= 0 || day > 4_000_000 {
		return nil, nil
	}
	if year < 100 {
		year = int64(century(int(year)))
	}
	date := time.Date(int(year), 1, int(day), 0, 0, 0, 0, time.UTC)
	if date.Year() > 9999 {
		return nil, nil
	}
	return date, nil
}

func dateDiff(c *call) (any, error) {
	a, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	b, ok := c.date(1)
	if !ok {
		return nil, nil
	}
	return a.days() - b.days(), nil
}

// months is the number of months of a period, YYMM or YYYYMM.
func (c *call) months(i int) (int64, error) {
	p := c.integer(i)
	year, month := p/100, p%100
	if p <= 0 || month < 1 || month > 12 {
		return 0, wrongArguments(c.scalar.Name)
	}
	if year < 100 {
		year = int64(century(int(year)))
	}
	return year*12 + month - 1, nil
}

func periodAdd(c *call) (any, error) {
	n, err := c.months(0)
	if err != nil {
		return nil, err
	}
	n += c.integer(1)
	return n/12*100 + n%12 + 1, nil
}

func periodDiff(c *call) (any, error) {
	a, err := c.months(0)
	if err != nil {
		return nil, err
	}
	b, err := c.months(1)
	if err != nil {
		return nil, err
	}
	return a - b, nil
}
