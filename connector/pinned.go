package connector

import (
	"math"
	"strconv"
	"time"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
)

// pinnedType is the SQL type of a column that only a schema file makes, or nil.
func pinnedType(c *schema.Column) sql.Type {
	switch c.Type {
	case schema.BigInt:
		return types.Int64
	case schema.Double:
		return types.Float64
	case schema.DateTime:
		return types.MustCreateDatetimeType(sqltypes.Datetime, c.Scale)
	}
	return nil
}

// shownType is the type of a column as lists of columns show it. To the engine
// every DECIMAL is one that does not round.
func shownType(c *schema.Column) sql.Type {
	if c.Type == schema.Decimal && c.Digits > 0 {
		return types.MustCreateDecimalType(uint8(c.Digits), uint8(c.Scale))
	}
	return sqlType(c)
}

// lowerable reports whether predicates on a column can be put to DynamoDB as
// predicates on its attribute: a position in a list is left to the engine.
func lowerable(c *schema.Column) bool {
	for _, elem := range c.Path {
		if _, name := elem.(string); !name {
			return false
		}
	}
	return true
}

// approximate compares a column whose stored values do not compare as the
// column does: the predicate is one that every match fulfils. The last result
// reports whether the column is such.
func (l lowerer) approximate(op access.Op, c *schema.Column, v any) (p access.Pred, ok, such bool) {
	switch {
	case c.Type == schema.Double:
		p, ok = doublePred(op, c, v)
		return p, ok, true
	case c.Form == schema.ISO8601:
		t, isTime := timeOf(l.ctx, v)
		if !isTime {
			return access.Pred{}, false, true
		}
		return isoPred(op, c, t), true, true
	}
	return access.Pred{}, false, false
}

// doublePred widens a comparison by the numbers that are the same DOUBLE.
func doublePred(op access.Op, c *schema.Column, v any) (access.Pred, bool) {
	s, ok := numberScalar(v)
	if !ok {
		return access.Pred{}, false
	}
	f, err := strconv.ParseFloat(s.Text, 64)
	if err != nil {
		return access.Pred{}, false
	}
	low, okLow := numberScalar(math.Nextafter(f, math.Inf(-1)))
	high, okHigh := numberScalar(math.Nextafter(f, math.Inf(1)))
	if !okLow || !okHigh {
		return access.Pred{}, false
	}
	return bounded(op, c, low, high), true
}

// isoPred compares times by their dates. The local date of an instant is that
// of UTC or the one before or after; and a text of ISO 8601 begins with it.
func isoPred(op access.Op, c *schema.Column, t time.Time) access.Pred {
	const west, east = 12 * time.Hour, 14 * time.Hour
	low := t.UTC().Add(-west).Format(time.DateOnly)
	high := t.UTC().Add(east).AddDate(0, 0, 1).Format(time.DateOnly)
	return bounded(op, c, schema.Str(low), schema.Str(high))
}

// bounded is what a comparison says of a column whose values are between low
// and high where it is equal.
func bounded(op access.Op, c *schema.Column, low, high schema.Scalar) access.Pred {
	from := access.Pred{Op: access.Ge, Path: path(c), Args: []schema.Scalar{low}, Kind: low.Kind}
	to := access.Pred{Op: access.Le, Path: path(c), Args: []schema.Scalar{high}, Kind: high.Kind}
	switch op {
	case access.Gt, access.Ge:
		return from
	case access.Lt, access.Le:
		return to
	}
	return access.Pred{Op: access.And, Kids: []access.Pred{from, to}}
}

// timeOf is a constant as the engine compares it with a DATETIME.
func timeOf(ctx *sql.Context, v any) (time.Time, bool) {
	switch v.(type) {
	case time.Time, string:
	default:
		return time.Time{}, false
	}
	converted, _, err := types.DatetimeMaxPrecision.Convert(ctx, v)
	if err != nil {
		return time.Time{}, false
	}
	t, ok := converted.(time.Time)
	return t, ok
}

// pinnedScalar turns a constant into the stored form of a pinned column, where
// the two compare alike. The last result reports whether the column has a form
// of its own.
func (l lowerer) pinnedScalar(c *schema.Column, v any) (s schema.Scalar, ok, such bool) {
	switch {
	case c.Type == schema.BigInt:
		s, ok = numberScalar(v)
		return s, ok, true
	case c.Type == schema.Boolean && c.Form == schema.ZeroOne:
		s, ok = numberScalar(v)
		return s, ok && (s.Text == "0" || s.Text == "1"), true
	case c.Type == schema.DateTime && c.Form != schema.ISO8601:
		t, isTime := timeOf(l.ctx, v)
		if !isTime {
			return schema.Scalar{}, false, true
		}
		text, ok := codec.EpochText(t, c.Form)
		return schema.Num(text), ok, true
	case c.Type >= schema.BigInt:
		return schema.Scalar{}, false, true
	}
	return schema.Scalar{}, false, false
}

// displayed gives the nodes that list columns the types that lists show.
func displayed(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	target, ok := n.(sql.SchemaTarget)
	if !ok {
		return n, nil
	}
	var t *table
	for _, child := range n.Children() {
		if rt, ok := child.(interface{ UnderlyingTable() sql.Table }); ok {
			t, _ = sql.GetUnderlyingTable(rt.UnderlyingTable()).(*table)
		}
	}
	if t == nil {
		return n, nil
	}
	out := make(sql.Schema, len(target.TargetSchema()))
	for i, col := range target.TargetSchema() {
		shown := *col
		if c, ok := t.schema.Column(col.Name); ok {
			shown.Type = shownType(c)
		}
		out[i] = &shown
	}
	return target.WithTargetSchema(out)
}
