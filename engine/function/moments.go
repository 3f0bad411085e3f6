package function

import (
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	library "github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
)

// Names of functions that the parser puts in place of what has a syntax of its
// own.
const (
	ToDatetime    = "ddb_datetime" // (moment, digits): CAST(moment AS DATETIME(digits))
	ToTime        = "ddb_time"     // (time, digits): CAST(time AS TIME(digits))
	Extract       = "ddb_extract"  // (unit, moment): EXTRACT(unit FROM moment)
	asText        = "ddb_text"
	asNumber      = "ddb_number_of"
	asExactNumber = "ddb_exact_number_of"
	TimestampDiff = "ddb_timestampdiff" // (unit, from, to): TIMESTAMPDIFF(unit, from, to)
)

// moments are functions of dates with their times.
var moments = map[string]definition{
	"timestamp":      {least: 1, most: 2, typ: sumType, eval: timestamp},
	"convert_tz":     {least: 3, most: 3, typ: momentType, eval: convertZone},
	"from_unixtime":  {least: 1, most: 2, typ: fromUnixType, eval: fromUnix},
	"unix_timestamp": {most: 1, typ: toUnixType, eval: toUnix},
	"utc_timestamp":  {most: 1, typ: nowType, eval: utcNow},
	"str_to_date":    {least: 2, most: 2, typ: readType, eval: strToDate},
	asText:           {least: 1, most: 1, typ: text, eval: func(c *call) (any, error) { return c.text(0) }},
	asNumber:         {least: 1, most: 1, typ: numberType, eval: numberOf},
	asExactNumber:    {least: 1, most: 1, typ: always(types.InternalDecimalType), eval: func(c *call) (any, error) { return c.decimal(0), nil }},
	ToDatetime:       {least: 2, most: 2, typ: datetimeOfDigits, eval: toDatetime},
	ToTime:           {least: 2, most: 2, typ: always(types.Time), eval: toTime},
	Extract:          {least: 2, most: 2, typ: integer, eval: extract},
	TimestampDiff:    {least: 3, most: 3, typ: integer, eval: timestampDiff},
}

// momentType is DATETIME with as many digits behind the point of its seconds as
// the first argument has; those of a text that is no constant may be six.
func momentType(ctx *sql.Context, args []sql.Expression) sql.Type {
	return datetime(digitsOf(ctx, args[0]))
}

// sumType is DATETIME with as many digits as one of the arguments has.
func sumType(ctx *sql.Context, args []sql.Expression) sql.Type {
	digits := 0
	for _, a := range args {
		digits = max(digits, digitsOf(ctx, a))
	}
	return datetime(digits)
}

func datetime(digits int) sql.Type { return types.MustCreateDatetimeType(sqltypes.Datetime, digits) }

// digitsOf is how many digits the seconds of an argument may have behind the
// point.
func digitsOf(ctx *sql.Context, e sql.Expression) int {
	if v, ok := literal(ctx, e); ok {
		switch v := v.(type) {
		case string:
			_, fraction, _ := strings.Cut(v, ".")
			return min(countDigits(fraction), 6)
		case *apd.Decimal:
			return max(0, min(-int(v.Exponent), 6))
		}
	}
	switch t := e.Type(ctx); {
	case types.IsInteger(t), types.IsNull(ctx, e):
		return 0
	case types.IsTime(t):
		return t.(sql.DatetimeType).Precision()
	}
	return 6
}

// numberType is the type of an argument as a number.
func numberType(ctx *sql.Context, args []sql.Expression) sql.Type {
	switch t := args[0].Type(ctx); {
	case types.IsTime(t) && t.(sql.DatetimeType).Precision() == 0:
		return types.Int64
	case types.IsTime(t), types.IsTimespan(t):
		return types.MustCreateDecimalType(20, 6)
	}
	return types.Float64
}

func numberOf(c *call) (any, error) {
	switch t := c.scalar.Type(c.ctx); {
	case types.IsInteger(t):
		return c.integer(0), nil
	case types.IsDecimal(t):
		return c.decimal(0), nil
	}
	return c.float(0), nil
}

// zone is the time zone of the session.
func (c *call) zone() *time.Location {
	name, err := library.SessionTimeZone(c.ctx)
	if err != nil {
		return time.UTC
	}
	if at, ok := location(name); ok {
		return at
	}
	return time.UTC
}

// now is when the statement began, as the session's clock shows it.
func (c *call) now() time.Time { return c.ctx.QueryTime().In(c.zone()) }

// location is a time zone by its name, or by its offset from UTC, -13:59 to
// +14:00.
func location(name string) (*time.Location, bool) {
	if strings.EqualFold(name, "system") {
		return time.Local, true
	}
	padded := name
	if len(name) == 5 { // +1:00
		padded = name[:1] + "0" + name[1:]
	}
	if d, ok := readOffset(padded); ok {
		return time.FixedZone(name, int(d.Seconds())), d > -14*time.Hour && d <= 14*time.Hour
	}
	if name == "" || name == "Local" || name[0] == '+' || name[0] == '-' {
		return nil, false
	}
	at, err := time.LoadLocation(name)
	return at, err == nil
}

// timestamp is TIMESTAMP(moment[, time to add]).
func timestamp(c *call) (any, error) {
	m, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	if len(c.values) == 2 {
		by, ok := c.clock(1)
		if !ok || by.hasDate {
			return nil, nil
		}
		if m = m.moved(by.sinceMidnight()); m.year < 1 || m.year > 9999 {
			return nil, nil
		}
	}
	return m.time(), nil
}

// lastSecond is the end of the range of TIMESTAMP, 3001-01-18 23:59:59 UTC, as
// UNIX_TIMESTAMP and FROM_UNIXTIME have it since MySQL 8.0.28.
const lastSecond = 32536771199

func convertZone(c *call) (any, error) {
	m, ok := c.date(0)
	if !ok {
		return nil, nil
	}
	var zones [2]*time.Location
	for i := range zones {
		name, err := c.text(i + 1)
		if err != nil {
			return nil, err
		}
		if zones[i], ok = location(name); !ok {
			return nil, nil
		}
	}
	t := m.in(zones[0])
	if t.Unix() < 0 || t.Unix() > lastSecond { // stays as it is
		return m.time(), nil
	}
	return momentAt(t.In(zones[1]), false).time(), nil
}

// in is the instant of a moment in a time zone.
func (m moment) in(zone *time.Location) time.Time {
	return time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, m.micros*1000, zone)
}

func fromUnixType(ctx *sql.Context, args []sql.Expression) sql.Type {
	if len(args) == 2 {
		return text(ctx, args)
	}
	return momentType(ctx, args)
}

func fromUnix(c *call) (any, error) {
	seconds, micros, ok := split(c.decimal(0))
	if !ok || seconds < 0 || seconds > lastSecond || c.decimal(0).Negative {
		return nil, nil
	}
	m := momentAt(time.Unix(seconds, int64(micros)*1000).In(c.zone()), false)
	if len(c.values) == 2 {
		return c.formatted(m, 1)
	}
	return m.time(), nil
}

// toUnixType is an integer, or a decimal if there are digits behind the point.
func toUnixType(ctx *sql.Context, args []sql.Expression) sql.Type {
	digits := 0
	if len(args) == 1 {
		digits = digitsOf(ctx, args[0])
	}
	if digits == 0 {
		return types.Int64
	}
	return types.MustCreateDecimalType(20, uint8(digits))
}

func toUnix(c *call) (any, error) {
	if len(c.values) == 0 {
		return c.ctx.QueryTime().Unix(), nil
	}
	m, ok := c.date(0)
	if !ok {
		return zeroOf(c), nil
	}
	t := m.in(c.zone())
	if t.Unix() < 0 || t.Unix() > lastSecond {
		return zeroOf(c), nil
	}
	if types.IsInteger(c.scalar.Type(c.ctx)) {
		return t.Unix(), nil
	}
	d := apd.New(t.UnixMicro(), -6)
	_, err := wide.Quantize(d, d, -int32(digitsOf(c.ctx, c.scalar.Args[0])))
	return d, err
}

// zeroOf is 0 in the type of a function.
func zeroOf(c *call) any {
	if types.IsInteger(c.scalar.Type(c.ctx)) {
		return int64(0)
	}
	return apd.New(0, 0)
}

func nowType(ctx *sql.Context, args []sql.Expression) sql.Type {
	if len(args) == 1 {
		if v, ok := literal(ctx, args[0]); ok {
			if n, ok := types.CoalesceInt(v); ok && n >= 0 && n <= 6 {
				return datetime(n)
			}
		}
	}
	return types.Datetime
}

func utcNow(c *call) (any, error) {
	digits, err := c.digits(0)
	if err != nil {
		return nil, err
	}
	m := momentAt(c.ctx.QueryTime().UTC(), false)
	m.micros -= m.micros % int(pow10(6-digits))
	return m.time(), nil
}

// units are the months, or the microseconds, of the units of intervals.
var units = map[string]struct{ months, micros int64 }{
	"MICROSECOND": {micros: 1}, "SECOND": {micros: second}, "MINUTE": {micros: minute}, "HOUR": {micros: hour},
	"DAY": {micros: day}, "WEEK": {micros: 7 * day}, "MONTH": {months: 1}, "QUARTER": {months: 3}, "YEAR": {months: 12},
}

// timestampDiff is the number of whole units from one moment to another.
func timestampDiff(c *call) (any, error) {
	name, err := c.text(0)
	if err != nil {
		return nil, err
	}
	from, ok := c.date(1)
	if !ok {
		return nil, nil
	}
	to, ok := c.date(2)
	if !ok {
		return nil, nil
	}
	unit := units[strings.ToUpper(name)]
	apart := to.since(from)
	if unit.months == 0 {
		return apart / unit.micros, nil
	}
	if apart < 0 {
		from, to = to, from
	}
	n := int64(to.year*12+to.month) - int64(from.year*12+from.month)
	if to.inMonth() < from.inMonth() {
		n--
	}
	if n /= unit.months; apart < 0 {
		n = -n
	}
	return n, nil
}

// since is the time between two moments.
func (m moment) since(from moment) int64 {
	return (m.days()-from.days())*day + m.sinceMidnight() - from.sinceMidnight()
}

// inMonth is the time since the beginning of the month.
func (m moment) inMonth() int64 { return int64(m.day)*day + m.sinceMidnight() }
