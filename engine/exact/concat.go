package exact

import (
	"bytes"
	"reflect"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/engine/key"
)

// A Concat is GROUP_CONCAT. The library leaves out empty strings and cuts the
// result in the middle of a character.
type Concat struct {
	*aggregation.GroupConcat
	of        sql.Expression
	order     sql.SortFields
	separator string
	distinct  bool
	longest   int
}

var _ sql.Aggregation = (*Concat)(nil)

// newConcat returns what stands in place of the library's aggregate, whose
// settings it does not show; nil if they are not where they are expected.
func newConcat(g *aggregation.GroupConcat) sql.Expression {
	v := reflect.ValueOf(g).Elem()
	fields, separator, distinct, longest := v.FieldByName("sf"), v.FieldByName("separator"), v.FieldByName("distinct"), v.FieldByName("maxLen")
	if !fields.IsValid() || !separator.IsValid() || !distinct.IsValid() || !longest.IsValid() || len(g.OutputExpressions()) != 1 {
		return nil
	}
	c := &Concat{
		GroupConcat: g, of: g.OutputExpressions()[0],
		separator: separator.String(), distinct: distinct.String() != "", longest: int(longest.Int()),
	}
	for i, e := range g.Children()[:fields.Len()] {
		f := sql.SortField{Column: e, Order: sql.Ascending, NullOrdering: sql.NullsFirst}
		if sql.SortOrder(fields.Index(i).FieldByName("Order").Uint()) == sql.Descending {
			f.Order, f.NullOrdering = sql.Descending, sql.NullsLast
		}
		c.order = append(c.order, f)
	}
	return c
}

// WithChildren implements sql.Expression.
func (c *Concat) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := c.GroupConcat.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return newConcat(e.(*aggregation.GroupConcat).WithId(c.Id()).(*aggregation.GroupConcat)), nil
}

// WithId implements sql.IdExpression.
func (c *Concat) WithId(id sql.ColumnId) sql.IdExpression {
	out := *c
	out.GroupConcat = c.GroupConcat.WithId(id).(*aggregation.GroupConcat)
	return &out
}

// NewBuffer implements sql.Aggregation.
func (c *Concat) NewBuffer(*sql.Context) (sql.AggregationBuffer, error) {
	return &concatenated{concat: c, seen: seen{}}, nil
}

// concatenated has the texts of one group, and the rows to sort them by.
type concatenated struct {
	concat *Concat
	seen   seen
	texts  []string
	rows   []sql.Row
}

// Update implements sql.AggregationBuffer.
func (b *concatenated) Update(ctx *sql.Context, row sql.Row) error {
	v, err := b.concat.of.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	text, err := textOf(ctx, v, b.concat.of.Type(ctx))
	if err != nil {
		return err
	}
	if b.concat.distinct {
		var k bytes.Buffer
		if err := key.For(b.concat.of.Type(ctx)).Append(ctx, &k, v); err != nil || !b.seen.add(k.Bytes()) {
			return err
		}
	}
	b.texts = append(b.texts, text)
	if len(b.concat.order) > 0 {
		b.rows = append(b.rows, append(row[:len(row):len(row)], len(b.rows)))
	}
	return nil
}

func textOf(ctx *sql.Context, v any, t sql.Type) (string, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return "", err
	}
	if b, ok := v.([]byte); ok {
		return string(b), nil
	}
	text, _, err := types.ConvertToCollatedString(ctx, v, t)
	return text, err
}

// Eval implements sql.AggregationBuffer.
func (b *concatenated) Eval(ctx *sql.Context) (any, error) {
	if len(b.texts) == 0 {
		return nil, nil
	}
	texts := b.texts
	if len(b.rows) > 0 {
		sorter := &expression.Sorter{SortFields: b.concat.order, Rows: b.rows, Ctx: ctx}
		sort.Stable(sorter)
		if sorter.LastError != nil {
			return nil, sorter.LastError
		}
		texts = make([]string, len(b.rows))
		for i, row := range b.rows {
			texts[i] = b.texts[row[len(row)-1].(int)]
		}
	}
	return b.cut(ctx, strings.Join(texts, b.concat.separator)), nil
}

// cut keeps the result within group_concat_max_len bytes, with MySQL's warning.
func (b *concatenated) cut(ctx *sql.Context, text string) string {
	longest := b.concat.longest
	if longest <= 0 || len(text) <= longest {
		return text
	}
	for longest > 0 && !utf8.RuneStart(text[longest]) {
		longest--
	}
	ctx.Warn(1260, "a result of GROUP_CONCAT() was cut to %d bytes, the value of group_concat_max_len", b.concat.longest)
	return text[:longest]
}

// Dispose implements sql.Disposable.
func (b *concatenated) Dispose(*sql.Context) {}
