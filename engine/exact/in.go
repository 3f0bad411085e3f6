package exact

import (
	"bytes"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/key"
)

// An in is x IN (SELECT ..) and (x, y) IN (SELECT ..), where it is not run as a
// join. Values are compared as = compares them, and not by a hash of their
// texts.
type in struct {
	*plan.InSubquery

	mu  sync.Mutex
	all *members // of a subquery whose rows are always the same
}

// members are the rows of a subquery.
type members struct {
	count int
	keys  seen
	rows  [][]any // of several terms
	nulls [][]any // those with a NULL, which may or may not be equal
	bytes int64   // that all this takes beside the values, about
}

// Eval implements sql.Expression. The result is NULL where it depends on what
// a NULL stands for.
func (n *in) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	sub, ok := n.RightChild.(*plan.Subquery)
	if !ok {
		return n.InSubquery.Eval(ctx, row)
	}
	left, err := n.LeftChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	c := CompareTypes(ctx, n.LeftChild.Type(ctx), sub.Type(ctx))
	if c == nil {
		return n.InSubquery.Eval(ctx, row) // for its error
	}
	m, err := n.members(ctx, sub, c, row)
	if err != nil {
		return nil, err
	}
	return m.has(ctx, c, terms(left, len(c)))
}

// CompareTypes are the types as which the terms of both sides are compared; nil
// if their numbers differ.
func CompareTypes(ctx *sql.Context, left, right sql.Type) []sql.Type {
	l, r := typesOf(left), typesOf(right)
	if len(l) != len(r) {
		return nil
	}
	out := make([]sql.Type, len(l))
	for i := range l {
		out[i] = types.GetCompareType(l[i], r[i])
		if types.IsDecimal(out[i]) {
			out[i] = types.InternalDecimalType
		}
		switch {
		case types.IsJSON(l[i]) || types.IsJSON(r[i]):
			out[i] = types.JSON
		case types.IsBinaryType(l[i]) || types.IsBinaryType(r[i]):
			out[i] = types.LongBlob
		case types.IsText(l[i]) && types.IsText(r[i]):
			out[i] = collated(l[i], r[i])
		}
	}
	return out
}

// collated is a text of any length with the collation that decides: that of the
// left side, or a binary one if either is.
func collated(l, r sql.Type) sql.Type {
	c := l.(sql.StringType).Collation()
	if right := r.(sql.StringType).Collation(); right == sql.Collation_utf8mb4_0900_bin || right == sql.Collation_binary {
		c = right
	}
	return types.CreateLongText(c)
}

func typesOf(t sql.Type) []sql.Type {
	if tuple, ok := t.(types.TupleType); ok {
		return tuple
	}
	return []sql.Type{t}
}

func terms(v any, n int) []any {
	if t, ok := v.([]any); ok && n > 1 {
		return t
	}
	return []any{v}
}

func (n *in) members(ctx *sql.Context, sub *plan.Subquery, c []sql.Type, row sql.Row) (*members, error) {
	if !sub.CanCacheResults() {
		return newMembers(ctx, sub, c, row)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		m, err := newMembers(ctx, sub, c, row)
		if err != nil {
			return nil, err
		}
		if held := connector.OpenAccount(ctx); !held.GrowBytes(m.bytes) {
			if err := held.Full(subqueryValues); err != nil {
				return nil, err
			}
		}
		n.all = m
	}
	return n.all, nil
}

func newMembers(ctx *sql.Context, sub *plan.Subquery, c []sql.Type, row sql.Row) (*members, error) {
	values, err := sub.EvalMultiple(ctx, row)
	if err != nil {
		return nil, err
	}
	return membersOf(ctx, c, values)
}

func membersOf(ctx *sql.Context, c []sql.Type, values []any) (*members, error) {
	m := &members{count: len(values), keys: seen{}}
	for _, v := range values {
		k, null, err := keyOf(ctx, c, terms(v, len(c)))
		if err != nil {
			return nil, err
		}
		if len(c) > 1 {
			m.rows = append(m.rows, terms(v, len(c)))
			m.bytes += 24
		}
		if null {
			m.nulls = append(m.nulls, terms(v, len(c)))
			m.bytes += 40
			continue
		}
		if m.keys.add(k) {
			m.bytes += keySize(k)
		}
	}
	return m, nil
}

func keyOf(ctx *sql.Context, c []sql.Type, row []any) (k []byte, null bool, err error) {
	var b bytes.Buffer
	for i, v := range row {
		if v == nil {
			null = true
			continue
		}
		if err := AppendKey(ctx, &b, c[i], v); err != nil {
			return nil, false, err
		}
	}
	return b.Bytes(), null, nil
}

// AppendKey writes a value as one of the type it is compared as, so that equal
// values have equal bytes.
func AppendKey(ctx *sql.Context, b *bytes.Buffer, t sql.Type, v any) error {
	if text, ok := v.(string); ok && types.IsJSON(t) { // a text that is compared with documents is one
		return key.For(t).Append(ctx, b, types.JSONDocument{Val: text})
	}
	if types.IsJSON(t) { // a text is a JSON string and no document
		return key.For(t).Append(ctx, b, v)
	}
	converted, _, err := t.Convert(ctx, v)
	if err != nil && !sql.ErrTruncatedIncorrect.Is(err) {
		return err
	}
	return key.For(t).Append(ctx, b, converted)
}

func (m *members) has(ctx *sql.Context, c []sql.Type, row []any) (any, error) {
	if m.count == 0 {
		return false, nil
	}
	k, null, err := keyOf(ctx, c, row)
	if err != nil {
		return nil, err
	}
	if null {
		return m.maybe(ctx, c, row)
	}
	if _, ok := m.keys[string(k)]; ok {
		return true, nil
	}
	for _, other := range m.nulls {
		maybe, err := maybeEqual(ctx, c, row, other)
		if maybe || err != nil {
			return nil, err
		}
	}
	return false, nil
}

// maybe is the result for a row with a NULL: unknown, unless its other terms
// rule it out.
func (m *members) maybe(ctx *sql.Context, c []sql.Type, row []any) (any, error) {
	if len(row) == 1 {
		return nil, nil
	}
	for _, other := range m.rows {
		maybe, err := maybeEqual(ctx, c, row, other)
		if maybe || err != nil {
			return nil, err
		}
	}
	return false, nil
}

// maybeEqual reports whether two rows are equal wherever neither is NULL.
func maybeEqual(ctx *sql.Context, c []sql.Type, a, b []any) (bool, error) {
	for i := range a {
		if a[i] == nil || b[i] == nil {
			continue
		}
		ka, _, err := keyOf(ctx, c[i:i+1], a[i:i+1])
		if err != nil {
			return false, err
		}
		kb, _, err := keyOf(ctx, c[i:i+1], b[i:i+1])
		if err != nil || !bytes.Equal(ka, kb) {
			return false, err
		}
	}
	return true, nil
}

// WithChildren implements sql.Expression.
func (n *in) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := n.InSubquery.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &in{InSubquery: e.(*plan.InSubquery)}, nil
}

// An inList is x IN (1, 2, ..) over exact numbers and documents, or over rows
// with such.
type inList struct {
	*expression.HashInTuple

	mu  sync.Mutex
	as  []sql.Type
	all *members
}

// replacesHashIn reports whether numbers are compared, which the library
// converts to the type of the left side, or documents, or rows, in which it takes
// a NULL for a value.
func replacesHashIn(ctx *sql.Context, h *expression.HashInTuple) bool {
	list, ok := h.Right().(expression.Tuple)
	if !ok || len(list) == 0 {
		return false
	}
	left := typesOf(h.Left().Type(ctx))
	for _, t := range append(left, typesOf(list[0].Type(ctx))...) {
		if types.IsDecimal(t) || types.IsJSON(t) {
			return true
		}
	}
	return len(left) > 1
}

// rowsIn returns what stands in place of (x, y) IN ((1, 2), ..) outside of a
// filter, where the library leaves it as it is; nil for any other IN.
func rowsIn(ctx *sql.Context, t *expression.InTuple) sql.Expression {
	if len(typesOf(t.Left().Type(ctx))) == 1 {
		return nil
	}
	h, err := expression.NewHashInTuple(ctx, t.Left(), t.Right())
	if err != nil {
		return nil
	}
	return &inList{HashInTuple: h}
}

// Eval implements sql.Expression.
func (l *inList) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := l.Left().Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	m, err := l.members(ctx)
	if err != nil {
		return nil, err
	}
	return m.has(ctx, l.as, terms(v, len(l.as)))
}

func (l *inList) members(ctx *sql.Context) (*members, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all != nil {
		return l.all, nil
	}
	list := l.Right().(expression.Tuple)
	l.as = CompareTypes(ctx, l.Left().Type(ctx), list[0].Type(ctx))
	values := make([]any, len(list))
	for i, e := range list {
		v, err := e.Eval(ctx, nil)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	m, err := membersOf(ctx, l.as, values)
	l.all = m
	return m, err
}

// WithChildren implements sql.Expression.
func (l *inList) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := l.HashInTuple.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &inList{HashInTuple: e.(*expression.HashInTuple)}, nil
}
