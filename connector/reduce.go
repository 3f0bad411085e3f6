package connector

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
)

// A reduction lets a join read of its right table only what its left side can
// match. The engine's joins read the left side first and then the whole right
// side. Here the left side is held back until the distinct values of the join's
// keys are known; the right table then gets them as one more condition, and is
// read by keys where that takes fewer read units than the plan without. The join
// itself stays the engine's: fewer rows of the right side, none of which could
// have matched, do not change what it returns.
type reduction struct {
	read  *Read
	pairs []pair
	// either are the equalities of the alternatives of an OR, one of each, where
	// no equality holds for all.
	either []pair
	// only are conditions of the left rows alone: the others match nothing.
	only []sql.Expression
	// nullsMatter says that a left row with a NULL asks whether there is any
	// right row, as in NOT IN.
	nullsMatter bool
	// anyRow says that any right row answers that.
	anyRow bool
	// goal is after how many rows of the join the statement may end, or 0.
	goal int64

	// Of the current run of the join:
	keys     map[string][]schema.Scalar // by their joined texts
	ofEither []map[schema.Scalar]bool   // the keys of each alternative
	byAny    *AnyOf                     // by which the right table is read for them
	complete bool                       // every left row has been seen
	null     bool                       // one of them has a NULL that matters
	whole    bool                       // the right table was read without keys
	spent    float64                    // read units of the steps before this
}

// A pair is one equality of the join: an expression over the left side, and
// the column of the right table.
type pair struct {
	left  sql.Expression
	right *schema.Column
}

// readsByKeys reports whether the right side of a join can be read by keys of
// the left one.
func readsByKeys(j *plan.JoinNode) bool {
	return !j.Op.IsLateral() && (j.Op.IsHash() || j.Op.IsInner() || j.Op.IsLeftOuter() || j.Op.IsSemi() || j.Op.IsAnti())
}

// reduceJoin arranges the reduction of a join whose children have been
// rewritten, if its right side is one table with a key among the equalities.
func reduceJoin(ctx *sql.Context, j *plan.JoinNode, goal int64) (sql.Node, error) {
	if !readsByKeys(j) {
		return j, nil
	}
	right := j.Right()
	lookup, hash := right.(*plan.HashLookup)
	if hash {
		right = lookup.Child
	}
	r, ok := readBelow(right)
	if !ok || r.correlated || r.request.NoPushdown {
		return j, nil
	}
	red := &reduction{read: r, goal: goal, nullsMatter: j.Op.IsExcludeNulls()}
	var also []access.Pred
	if hash {
		red.addKeys(ctx, lookup)
	} else {
		also = red.addConditions(ctx, j)
	}
	if red.nullsMatter {
		red.anyRow = len(red.pairs) == 1 && len(expression.SplitConjunction(ctx, j.Filter)) == 1 && len(r.where) == 0
		red.pairs = slices.DeleteFunc(red.pairs, func(p pair) bool { return !red.always(p.right) })
	}
	if len(also) > 0 {
		r.also = append(r.also, also...)
		if err := r.choose(ctx, nil); err != nil {
			return nil, err
		}
	}
	newRight := j.Right()
	if a := r.alternatives(); a != nil {
		var err error
		if newRight, err = a.in(ctx, newRight); err != nil {
			return nil, err
		}
	}
	if !red.useful() && len(red.either) > 0 {
		red.pairs = nil
	}
	if !red.useful() {
		return j.WithChildren(ctx, j.Left(), newRight)
	}
	r.reduction = red
	return j.WithChildren(ctx, &keyed{child: j.Left(), reduction: red}, newRight)
}

// always reports whether every item has a value for a column.
func (d *reduction) always(c *schema.Column) bool {
	return c.Whole() && d.read.table.schema.Key.Has(c.Attribute)
}

// readBelow finds the read at the bottom of nodes that only take rows away.
func readBelow(n sql.Node) (*Read, bool) {
	for {
		switch x := n.(type) {
		case *Read:
			return x, x.request.Limit == 0
		case *plan.TableAlias, *plan.Filter, *plan.Project, *plan.Distinct:
			n = x.Children()[0]
		default:
			return nil, false
		}
	}
}

// terms takes rows apart, those inside rows too.
func terms(e sql.Expression) []sql.Expression {
	t, ok := e.(expression.Tuple)
	if !ok {
		return []sql.Expression{e}
	}
	var out []sql.Expression
	for _, e := range t {
		out = append(out, terms(e)...)
	}
	return out
}

// bytewise reports whether comparing with the expression leaves our columns'
// comparison by bytes in force.
func bytewise(ctx *sql.Context, e sql.Expression) bool {
	if !types.IsText(e.Type(ctx)) {
		return true
	}
	collation, strength := sql.GetCoercibility(ctx, e)
	return strength > 2 || collation == Collation
}

// useful reports whether the pairs fix the hash key of the table or of an index.
func (d *reduction) useful() bool {
	t := d.read.table.schema
	if len(d.pairs) == 0 && len(d.either) > 0 {
		return true // each has been found useful
	}
	if d.has(t.Key.Hash.Name) && d.read.request.Index == "" {
		return true
	}
	for i := range t.Indexes {
		if d.has(t.Indexes[i].Key.Hash.Name) {
			return true
		}
	}
	return false
}

func (d *reduction) has(attribute string) bool {
	for _, p := range d.pairs {
		if p.right.Attribute == attribute {
			return true
		}
	}
	return false
}

// names are the columns that the left side gives values for.
func (d *reduction) names() string {
	var names []string
	for _, p := range d.pairs {
		names = append(names, p.right.Name)
	}
	if len(d.pairs) == 0 {
		for _, p := range d.either {
			names = append(names, p.right.Name)
		}
		return strings.Join(names, " or ")
	}
	return strings.Join(names, ", ")
}

func (d *reduction) reset() {
	d.keys, d.complete, d.null = map[string][]schema.Scalar{}, false, false
	d.ofEither, d.byAny = emptyKeys(len(d.either)), nil
}

// add takes the key of a left row. It reports false when a value cannot be put
// as a condition on the right table, which then has to be read without.
func (d *reduction) add(ctx *sql.Context, row sql.Row) (bool, error) {
	for _, e := range d.only {
		if ok, err := sql.EvaluateCondition(ctx, e, row); err != nil || !sql.IsTrue(ok) {
			return true, err
		}
	}
	if len(d.pairs) == 0 {
		return d.addEither(ctx, row)
	}
	key := make([]schema.Scalar, len(d.pairs))
	var text strings.Builder
	l := d.read.lowerer(ctx, nil)
	for i, p := range d.pairs {
		s, null, ok, err := p.key(ctx, l, row)
		if null {
			d.null = d.nullsMatter
			return !d.null || d.anyRow, nil // NULL matches nothing
		}
		if err != nil || !ok {
			return false, err
		}
		key[i] = s
		text.WriteString(s.Text)
		text.WriteByte(0)
	}
	d.keys[text.String()] = key
	return true, nil
}

// key is what a left row says of the column. It reports false for what cannot be
// put as a condition on the right table.
func (p pair) key(ctx *sql.Context, l lowerer, row sql.Row) (s schema.Scalar, null, ok bool, err error) {
	v, err := p.left.Eval(ctx, row)
	if err != nil {
		return s, false, false, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil || v == nil {
		return s, err == nil, false, err
	}
	s, ok = l.scalar(p.right, v)
	return s, false, ok, nil
}

// predicates are what the keys say of the right table: each key column is one
// of its values, and with several columns the values go together.
func (d *reduction) predicates() []access.Pred {
	if len(d.pairs) == 0 {
		return []access.Pred{d.alternatives()}
	}
	if len(d.keys) == 0 {
		return []access.Pred{{Op: access.False}}
	}
	var preds []access.Pred
	for i, p := range d.pairs {
		in := access.Pred{Op: access.In, Path: path(p.right)}
		seen := map[schema.Scalar]bool{}
		for _, key := range d.keys {
			if !seen[key[i]] {
				seen[key[i]] = true
				in.Args, in.Kind = append(in.Args, key[i]), key[i].Kind
			}
		}
		preds = append(preds, in)
	}
	if len(d.pairs) > 1 {
		tuple := access.Pred{Op: access.Tuple}
		for _, p := range d.pairs {
			tuple.Paths = append(tuple.Paths, path(p.right))
		}
		for _, key := range d.keys {
			tuple.Rows = append(tuple.Rows, key)
		}
		preds = append(preds, tuple)
	}
	return preds
}

// reduced is the plan of the right table for the keys collected, or its plan
// without them where that is not dearer, those of earlier steps included.
func (d *reduction) reduced() (access.Plan, error) {
	d.whole, d.byAny = true, nil
	if !d.complete {
		return d.read.plan, nil
	}
	req := d.read.request
	req.Where = append(append([]access.Pred(nil), req.Where...), d.predicates()...)
	if len(d.pairs) == 0 && req.Where[len(req.Where)-1].Op == access.Or {
		d.byEither(req)
		return d.read.plan, nil
	}
	p, err := access.Choose(req)
	if err != nil || d.spent+p.Cost.ReadUnits >= d.read.units() {
		return d.read.plan, err
	}
	d.whole, d.spent = false, d.spent+p.Cost.ReadUnits
	return p, nil
}

// enough reports that so many keys have come that reading by them cannot take
// fewer read units than reading the table: half a unit is the least a key takes.
func (d *reduction) enough() bool {
	n := len(d.keys)
	for _, keys := range d.ofEither {
		n += len(keys)
	}
	return float64(n)/2 > d.read.units()
}

// keyed is the left side of a reduced join: its rows come after its keys are
// known.
type keyed struct {
	child     sql.Node
	reduction *reduction
}

var _ sql.ExecBuilderNode = (*keyed)(nil)

// Schema implements sql.Node.
func (k *keyed) Schema(ctx *sql.Context) sql.Schema { return k.child.Schema(ctx) }

// Children implements sql.Node.
func (k *keyed) Children() []sql.Node { return []sql.Node{k.child} }

// Resolved implements sql.Node.
func (k *keyed) Resolved() bool { return k.child.Resolved() }

// IsReadOnly implements sql.Node.
func (k *keyed) IsReadOnly() bool { return k.child.IsReadOnly() }

func (k *keyed) String() string { return "Collect keys of " + k.reduction.names() }

// WithChildren implements sql.Node.
func (k *keyed) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(k, len(children), 1)
	}
	return &keyed{child: children[0], reduction: k.reduction}, nil
}

// BuildRowIter implements sql.ExecBuilderNode.
func (k *keyed) BuildRowIter(ctx *sql.Context, b sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	child, err := b.Build(ctx, k.child, row)
	if err != nil {
		return nil, err
	}
	k.reduction.reset()
	k.reduction.spent = 0
	return &keyedRows{child: child, reduction: k.reduction, outer: row, width: len(k.Schema(ctx))}, nil
}
