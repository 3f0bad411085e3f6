package function

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// clocks are functions of times of a day and of durations.
var clocks = map[string]definition{
	"hour":        clockPart(func(m moment) int { return m.hour }),
	"minute":      clockPart(func(m moment) int { return m.minute }),
	"second":      clockPart(func(m moment) int { return m.second }),
	"microsecond": clockPart(func(m moment) int { return m.micros }),
	"time":        {least: 1, most: 1, typ: always(types.Time), eval: timeOf},
	"maketime":    {least: 3, most: 3, typ: always(types.Time), eval: makeTime},
	"sec_to_time": {least: 1, most: 1, typ: always(types.Time), eval: secToTime},
	"time_to_sec": {least: 1, most: 1, typ: integer, eval: timeToSec},
	"addtime":     {least: 2, most: 2, typ: addedType, eval: func(c *call) (any, error) { return c.addTime(1) }},
	"subtime":     {least: 2, most: 2, typ: addedType, eval: func(c *call) (any, error) { return c.addTime(-1) }},
	"timediff":    {least: 2, most: 2, typ: always(types.Time), eval: timeDiff},
	"utc_time":    {most: 1, typ: always(types.Time), eval: utcTime},
}

func clockPart(of func(moment) int) definition {
	return definition{least: 1, most: 1, typ: integer, eval: func(c *call) (any, error) {
		m, ok := c.clock(0)
		if !ok {
			return nil, nil
		}
		return int64(of(m)), nil
	}}
}

// timespan is a duration as the library has it, cut to the range of TIME.
func (c *call) timespan(micros int64) types.Timespan {
	if micros > longest || micros < -longest {
		c.warn(1292, "Truncated incorrect time value: '%s'", clockOf(micros))
	}
	return types.Timespan(clockOf(micros).sinceMidnight())
}

func timeOf(c *call) (any, error) {
	m, ok := c.clock(0)
	if !ok {
		return nil, nil
	}
	return types.Timespan(m.sinceMidnight()), nil
}

// makeTime is MAKETIME(hours, minutes, seconds); the hours have the sign.
func makeTime(c *call) (any, error) {
	h, m := max(-839, min(c.integer(0), 839)), c.integer(1)
	s, micros, ok := split(c.decimal(2))
	if !ok || m < 0 || m > 59 || s > 59 || c.decimal(2).Negative {
		return nil, nil
	}
	n := m*minute + s*second + int64(micros)
	if h < 0 {
		n = -n
	}
	return c.timespan(h*hour + n), nil
}

func secToTime(c *call) (any, error) {
	d := c.decimal(0)
	n, micros, ok := split(d)
	if !ok || n > math.MaxInt64/second-1 || n < -math.MaxInt64/second+1 {
		n, micros = longest/second+1, 0
		if d.Negative {
			n = -n
		}
	}
	if d.Negative {
		micros = -micros
	}
	return c.timespan(n*second + int64(micros)), nil
}

func timeToSec(c *call) (any, error) {
	m, ok := c.clock(0)
	if !ok {
		return nil, nil
	}
	return m.sinceMidnight() / second, nil
}

// addedType is the type of ADDTIME: a moment for a moment, a time for a time,
// and text for whatever is read as one of them.
func addedType(ctx *sql.Context, args []sql.Expression) sql.Type {
	switch t := args[0].Type(ctx); {
	case types.IsTimespan(t):
		return types.Time
	case types.IsTime(t):
		return types.DatetimeMaxPrecision
	}
	return text(ctx, args)
}

func (c *call) addTime(sign int64) (any, error) {
	by, ok := c.clock(1)
	if !ok || by.hasDate {
		return nil, nil
	}
	var m moment
	if t := c.typeOf(0); types.IsTime(t) {
		m, ok = c.moment(0)
	} else {
		m, ok = c.clock(0)
	}
	if !ok {
		return nil, nil
	}
	n := sign * by.sinceMidnight()
	var out any
	if m.hasDate {
		if !m.complete() {
			return nil, nil
		}
		m = m.moved(n)
		if m.year > 9999 || m.year < 1 {
			return nil, nil
		}
		out = m.time()
	} else {
		out = c.timespan(m.sinceMidnight() + n)
		m = clockOf(m.sinceMidnight() + n)
	}
	if t := c.typeOf(0); !types.IsTime(t) && !types.IsTimespan(t) {
		return m.String(), nil
	}
	return out, nil
}

// timeDiff is the time from the second argument to the first, which are both
// moments or both times.
func timeDiff(c *call) (any, error) {
	a, ok := c.clock(0)
	if !ok {
		return nil, nil
	}
	b, ok := c.clock(1)
	if !ok || a.hasDate != b.hasDate {
		return nil, nil
	}
	n := a.sinceMidnight() - b.sinceMidnight()
	if a.hasDate {
		if !a.complete() || !b.complete() {
			return nil, nil
		}
		n += (a.days() - b.days()) * day
	}
	return c.timespan(n), nil
}

func utcTime(c *call) (any, error) {
	digits, err := c.digits(0)
	if err != nil {
		return nil, err
	}
	m := momentAt(c.ctx.QueryTime().UTC(), false)
	m.micros -= m.micros % int(pow10(6-digits))
	return types.Timespan(m.sinceMidnight()), nil
}

// digits is an argument that says how many digits a second has behind the
// point; without one there are none.
func (c *call) digits(i int) (int64, error) {
	if i >= len(c.values) {
		return 0, nil
	}
	n := c.integer(i)
	if n < 0 || n > 6 {
		return 0, tooBigPrecision(n, c.scalar.Name)
	}
	return n, nil
}

func pow10(n int64) int64 {
	p := int64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return p
}
