package exec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// groups is GROUP BY with keys. Unlike the library's it compares keys and not
// only their hashes, tells NULL from the text '<nil>' and 1.50 from nothing
// but 1.5's equal, and ends when an expression fails or the statement is
// cancelled.
type groups struct {
	node   *plan.GroupBy
	child  sql.RowIter
	keys   []keyEncoder
	byKey  map[string]int
	groups []buffers
	next   int
	filled bool
}

type buffers []sql.AggregationBuffer

func newGroups(ctx *sql.Context, g *plan.GroupBy, child sql.RowIter) (*groups, error) {
	it := &groups{node: g, child: child, byKey: map[string]int{}}
	for _, e := range g.GroupByExprs {
		it.keys = append(it.keys, newKeyEncoder(e.Type(ctx)))
	}
	return it, nil
}

// Next implements sql.RowIter. Groups come in the order of their first rows.
func (it *groups) Next(ctx *sql.Context) (sql.Row, error) {
	if !it.filled {
		it.filled = true
		if err := it.fill(ctx); err != nil {
			return nil, err
		}
	}
	if it.next == len(it.groups) {
		return nil, io.EOF
	}
	g := it.groups[it.next]
	it.next++
	return g.row(ctx)
}

func (it *groups) fill(ctx *sql.Context) error {
	var key bytes.Buffer
	for n := 0; ; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := it.child.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		key.Reset()
		if err := it.encode(ctx, &key, row); err != nil {
			return err
		}
		g, err := it.group(ctx, key.Bytes())
		if err != nil {
			return err
		}
		for _, b := range g {
			if err := b.Update(ctx, row); err != nil {
				return err
			}
		}
	}
}

func (it *groups) encode(ctx *sql.Context, key *bytes.Buffer, row sql.Row) error {
	for i, e := range it.node.GroupByExprs {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return err
		}
		if err := it.keys[i].append(ctx, key, v); err != nil {
			return err
		}
	}
	return nil
}

func (it *groups) group(ctx *sql.Context, key []byte) (buffers, error) {
	if i, ok := it.byKey[string(key)]; ok {
		return it.groups[i], nil
	}
	g := make(buffers, len(it.node.SelectDeps))
	for i, e := range it.node.SelectDeps {
		aggregate, ok := e.(sql.Aggregation)
		if !ok {
			aggregate = aggregation.NewFirst(e)
		}
		b, err := aggregate.NewBuffer(ctx)
		if err != nil {
			return nil, err
		}
		g[i] = b
	}
	it.byKey[string(key)] = len(it.groups)
	it.groups = append(it.groups, g)
	return g, nil
}

func (g buffers) row(ctx *sql.Context) (sql.Row, error) {
	row := make(sql.Row, len(g))
	for i, b := range g {
		v, err := b.Eval(ctx)
		if err != nil {
			return nil, err
		}
		row[i] = v
	}
	return row, nil
}

// Close implements sql.RowIter.
func (it *groups) Close(ctx *sql.Context) error {
	for _, g := range it.groups {
		for _, b := range g {
			b.Dispose(ctx)
		}
	}
	it.groups = nil
	return it.child.Close(ctx)
}

// A keyEncoder writes the values of one grouping expression so that two values
// have the same bytes exactly when SQL holds them equal.
type keyEncoder struct {
	collation sql.CollationID
	text      bool
	typ       sql.Type
}

func newKeyEncoder(t sql.Type) keyEncoder {
	k := keyEncoder{typ: t}
	if s, ok := t.(sql.StringType); ok && types.IsText(t) {
		k.text, k.collation = true, s.Collation()
	}
	return k
}

const (
	nullTag  = 0
	valueTag = 1
)

func (k keyEncoder) append(ctx *sql.Context, key *bytes.Buffer, v any) error {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return err
	}
	if v == nil {
		key.WriteByte(nullTag)
		return nil
	}
	key.WriteByte(valueTag)
	at := key.Len()
	key.Write([]byte{0, 0, 0, 0}) // the length, once known
	if err := k.write(ctx, key, v); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(key.Bytes()[at:], uint32(key.Len()-at-4))
	return nil
}

func (k keyEncoder) write(ctx *sql.Context, key *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case string:
		if !k.text || byteOrder(k.collation) {
			key.WriteString(v)
			return nil
		}
		return k.collation.WriteWeightString(key, v)
	case []byte:
		key.Write(v)
	case *apd.Decimal:
		reduced, _ := new(apd.Decimal).Reduce(v)
		if reduced.IsZero() {
			reduced.Negative = false
		}
		key.WriteString(reduced.Text('f'))
	case float64:
		return writeFloat(key, v)
	case float32:
		return writeFloat(key, float64(v))
	case time.Time:
		key.WriteString(v.UTC().Format(time.RFC3339Nano))
	case int8, int16, int32, int64, int, uint8, uint16, uint32, uint64, uint, bool:
		fmt.Fprint(key, v)
	default:
		out, err := k.typ.SQL(ctx, nil, v)
		if err != nil {
			return err
		}
		key.Write(out.ToBytes())
	}
	return nil
}

// byteOrder says that texts are equal in the collation only if their bytes are.
func byteOrder(c sql.CollationID) bool {
	return c == sql.Collation_utf8mb4_0900_bin || c == sql.Collation_binary
}

func writeFloat(key *bytes.Buffer, f float64) error {
	if f == 0 {
		f = 0 // of -0 too
	}
	return binary.Write(key, binary.LittleEndian, math.Float64bits(f))
}
