package function

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/dynasql/dynasql/connector/codec"
)

// What JSON_VALUE gives where there is no value, or one that does not fit.
const (
	OnNull    = "NULL"
	OnError   = "ERROR"
	OnDefault = "DEFAULT"
)

// jsonValue is JSON_VALUE(document, path): a scalar as text, or NULL.
func jsonValue(c *call) (any, error) {
	v, found, err := c.valueAt()
	if err != nil || !found {
		return nil, err
	}
	return plainText(v)
}

// valueAt is the value at the path of a document.
func (c *call) valueAt() (value any, found bool, err error) {
	d, err := c.document(0)
	if err != nil {
		return nil, false, err
	}
	path, err := c.text(1)
	if err != nil {
		return nil, false, err
	}
	at, err := d.Lookup(c.ctx, path)
	if err != nil || at == nil {
		return nil, false, err
	}
	value, err = at.ToInterface(c.ctx)
	return value, true, err
}

// plainText is a scalar of a document without quotes; arrays, objects and null
// are NULL.
func plainText(v any) (any, error) {
	switch v := v.(type) {
	case nil, []any, map[string]any:
		return nil, nil
	case string:
		return v, nil
	}
	return codec.PlainDocument(v).String(), nil
}

var returned = regexp.MustCompile(`(?i)^\s*(\w+)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?`)

// jsonValueType is the type that RETURNING asks for.
func jsonValueType(ctx *sql.Context, args []sql.Expression) sql.Type {
	v, _ := literal(ctx, args[2])
	name, _ := v.(string)
	m := returned.FindStringSubmatch(name)
	if m == nil {
		return text(ctx, args)
	}
	first, _ := strconv.Atoi(m[2])
	second, _ := strconv.Atoi(m[3])
	switch strings.ToUpper(m[1]) {
	case "SIGNED":
		return types.Int64
	case "UNSIGNED":
		return types.Uint64
	case "FLOAT", "DOUBLE", "REAL":
		return types.Float64
	case "DECIMAL":
		if m[2] == "" {
			first = 10
		}
		if t, err := types.CreateDecimalType(uint8(min(first, 65)), uint8(min(second, 30))); err == nil {
			return t
		}
	case "DATE":
		return types.Date
	case "DATETIME":
		return types.MustCreateDatetimeType(sqltypes.Datetime, min(first, 6))
	case "TIME":
		return types.Time
	case "YEAR":
		return types.Year
	case "JSON":
		return types.JSON
	}
	return text(ctx, args)
}

// jsonValueAs is JSON_VALUE with RETURNING, ON EMPTY or ON ERROR.
func jsonValueAs(c *call) (any, error) {
	if !c.has(0) || !c.has(1) {
		return nil, nil
	}
	v, found, err := c.valueAt()
	if err != nil {
		return nil, err
	}
	path, _ := c.text(1)
	if !found {
		return c.otherwise(3, 3966, "No value was found by 'json_value' on the specified path.")
	}
	if v == nil {
		return nil, nil
	}
	out, ok := c.returned(v)
	if !ok {
		return c.otherwise(5, 3967, "The value at '"+path+"' cannot be returned as "+c.scalar.Type(c.ctx).String()+" by 'json_value'.")
	}
	return out, nil
}

// otherwise is what ON EMPTY or ON ERROR gives; the argument says which of three.
func (c *call) otherwise(i int, number int, message string) (any, error) {
	how, err := c.text(i)
	if err != nil {
		return nil, err
	}
	switch how {
	case OnError:
		return nil, mysql.NewSQLError(number, "22035", "%s", message)
	case OnDefault:
		if !c.has(i + 1) {
			return nil, nil
		}
		v, _, err := c.scalar.Type(c.ctx).Convert(c.ctx, c.values[i+1])
		return v, err
	}
	return nil, nil
}

// returned is a value of a document in the type of the function.
func (c *call) returned(v any) (any, bool) {
	t := c.scalar.Type(c.ctx)
	if types.IsJSON(t) {
		return codec.PlainDocument(v), true
	}
	plain, err := plainText(v)
	if err != nil || plain == nil {
		return nil, false
	}
	s := plain.(string)
	switch {
	case types.IsTextOnly(t):
		return c.fitting(s)
	case types.IsNumber(t):
		_, isText := v.(string)
		if NumberPrefix(s) != strings.TrimSpace(s) || isText && types.IsInteger(t) && strings.ContainsAny(s, ".eE") {
			return nil, false
		}
		return c.fittingNumber(t, s)
	case types.IsTimespan(t):
		m, ok := parseClock(s, c.zone)
		return types.Timespan(m.sinceMidnight()), ok
	}
	m, ok := parseMoment(s, c.zone)
	if !ok || !m.complete() {
		return nil, false
	}
	out, _, err := t.Convert(c.ctx, m.time())
	return out, err == nil
}

// fitting is a text that is no longer than RETURNING CHAR(n) says.
func (c *call) fitting(s string) (any, bool) {
	name, _ := c.text(2)
	if m := returned.FindStringSubmatch(name); m != nil && m[2] != "" {
		if most, _ := strconv.Atoi(m[2]); len([]rune(s)) > most {
			return nil, false
		}
	}
	return s, true
}

func (c *call) fittingNumber(t sql.Type, s string) (any, bool) {
	d, _, err := apd.NewFromString(strings.TrimSpace(s))
	if err != nil {
		return nil, false
	}
	if types.IsInteger(t) {
		if _, err := wide.RoundToIntegralValue(d, d); err != nil {
			return nil, false
		}
	}
	out, inRange, err := t.Convert(c.ctx, d)
	return out, err == nil && inRange == sql.InRange
}
