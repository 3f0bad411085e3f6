package connector

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// AnyOf reads one table by several plans, one after the other, and gives each
// item once: the alternatives of an OR, each of which has a key of its own.
type AnyOf struct {
	*Read         // what is read, without its plan
	parts []*Read // their rows end with the key of the table
	units float64 // read units of all parts
}

// anyOf is the read by the alternatives of an OR, if that takes fewer read units
// than the plan of r; nil otherwise. Of the right side of a join it is made when
// the conditions of the join are known.
func (r *Read) anyOf() *AnyOf {
	if r.dynamic {
		return nil
	}
	return r.alternatives()
}

func (r *Read) alternatives() *AnyOf {
	if r.plan.Op != access.Scan || r.correlated || r.kept != nil {
		return nil
	}
	plans := access.Either(r.request)
	if plans == nil {
		return nil
	}
	a := r.byAll(plans)
	if a != nil {
		r.dynamic = true // no plan stands for the whole clause
		r.either = a
	}
	return a
}

// byAll is the read by all of several plans; nil if the rows would not tell the
// items.
func (r *Read) byAll(plans []access.Plan) *AnyOf {
	a := &AnyOf{Read: r}
	columns := slices.Clone(r.columns)
	for _, attr := range r.table.schema.Key.Attrs() { // behind the others, since any may be left out
		at := slices.IndexFunc(r.table.schema.Columns, func(c schema.Column) bool { return c.Attribute == attr.Name && len(c.Path) == 0 })
		if at < 0 {
			return nil
		}
		columns = append(columns, &r.table.schema.Columns[at])
	}
	for _, p := range plans {
		part := *r
		part.columns, part.plan, part.request, part.whole, part.either, part.reduction = columns, p, *p.Request, r, nil, nil
		a.parts = append(a.parts, &part)
		a.units += p.Cost.ReadUnits
	}
	return a
}

// in puts a in the place of its read.
func (a *AnyOf) in(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	if n == a.Read {
		return a, nil
	}
	children := slices.Clone(n.Children())
	for i, child := range children {
		var err error
		if children[i], err = a.in(ctx, child); err != nil {
			return nil, err
		}
	}
	return n.WithChildren(ctx, children...)
}

// Parts are the reads of the alternatives, in their order. They are no children
// of the node: the library puts rows of an enclosing query before those of its
// leaves.
func (a *AnyOf) Parts() []*Read { return a.parts }

// WithChildren implements sql.Node.
func (a *AnyOf) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(a, len(children), 0)
	}
	return a, nil
}

func (a *AnyOf) String() string {
	return fmt.Sprintf("AnyOf %s, %d alternatives", a.table.schema.Name, len(a.parts))
}

// RowIter implements sql.ExecSourceRel. Where the left side of a join gives keys
// that take fewer read units, the table is read by those.
func (a *AnyOf) RowIter(ctx *sql.Context, outer sql.Row) (sql.RowIter, error) {
	if a.reduction == nil {
		return a.rows(), nil
	}
	return a.open(ctx, outer)
}

func (a *AnyOf) rows() sql.RowIter { return &anyOfRows{from: a, seen: map[string]bool{}} }

// anyOfRows gives the rows of each part that no part before it has given.
type anyOfRows struct {
	from *AnyOf
	part int
	rows sql.RowIter // of the part; nil before its first row
	seen map[string]bool
	held Account // of seen; nil before the first row
}

// Next implements sql.RowIter.
func (a *anyOfRows) Next(ctx *sql.Context) (sql.Row, error) {
	width := len(a.from.columns)
	for a.part < len(a.from.parts) {
		if a.rows == nil {
			var err error
			if a.rows, err = a.from.parts[a.part].RowIter(ctx, nil); err != nil {
				return nil, err
			}
		}
		row, err := a.rows.Next(ctx)
		switch {
		case err == io.EOF:
			a.part++
			if err := a.closePart(ctx); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, err
		default:
			isNew, err := a.isNew(ctx, row[width:])
			if err != nil {
				return nil, err
			}
			if isNew {
				return row[:width:width], nil
			}
		}
	}
	return nil, io.EOF
}

// keyBytes is what a key takes beside its text, about.
const keyBytes = 48

// isNew takes the key of an item in. The last alternative has nothing behind it
// that could give an item again.
func (a *anyOfRows) isNew(ctx *sql.Context, values sql.Row) (bool, error) {
	var key strings.Builder
	for _, v := range values {
		fmt.Fprintf(&key, "%q", fmt.Sprint(v))
	}
	if a.seen[key.String()] {
		return false, nil
	}
	if a.part == len(a.from.parts)-1 {
		return true, nil
	}
	if a.held == nil {
		a.held = OpenAccount(ctx)
	}
	if !a.held.GrowBytes(int64(key.Len()) + keyBytes) {
		err := a.held.Full(fmt.Sprintf("reading table '%s' by the alternatives of OR, whose items are told apart in memory,", a.from.table.Name()))
		if err != nil {
			return false, err
		}
	}
	a.seen[key.String()] = true
	return true, nil
}

// Close implements sql.RowIter.
func (a *anyOfRows) Close(ctx *sql.Context) error {
	if a.held != nil {
		a.held.Free()
	}
	a.seen = nil
	return a.closePart(ctx)
}

func (a *anyOfRows) closePart(ctx *sql.Context) error {
	if a.rows == nil {
		return nil
	}
	rows := a.rows
	a.rows = nil
	return rows.Close(ctx)
}
