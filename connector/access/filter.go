package access

import (
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// A translator puts predicates as a FilterExpression for reads of one space.
type translator struct {
	space *space
	query bool // a Query takes no key attribute in its filter
	fetch bool // attributes that the index lacks are at hand all the same
	at    box  // holds all items that are read
}

// A pushed is the translation of a predicate. The items that it selects are a
// superset of those for which the predicate is true by SQL's rules; they are
// the same when it is exact, whatever an item holds.
type pushed struct {
	filter *Filter // nil when it selects always or never
	never  bool
	exact  bool
}

func (t pushed) always() bool { return t.filter == nil && !t.never }

// open selects everything: the predicate, or this part of it, cannot be put in
// DynamoDB's terms here.
func open() pushed { return pushed{} }

func some(exact bool, f *Filter) pushed { return pushed{filter: f, exact: exact} }

// pred translates p or its negation. Negation is taken down to the comparisons
// by SQL's rules first, since DynamoDB's NOT knows no "unknown".
func (t *translator) pred(p *Pred, negated bool) pushed {
	switch p.Op {
	case And, Or:
		return t.join(len(p.Kids), (p.Op == And) != negated, func(i int) pushed { return t.pred(&p.Kids[i], negated) })
	case Not:
		return t.pred(&p.Kids[0], !negated)
	case False: // its negation may be true or unknown
		return pushed{never: !negated, exact: !negated}
	case Tuple:
		return t.tuple(p, negated)
	}
	return t.leaf(p, negated)
}

// join is the conjunction or disjunction of n translations.
func (t *translator) join(n int, all bool, kid func(int) pushed) pushed {
	var filters []*Filter
	exact := true
	for i := range n {
		k := kid(i)
		switch {
		case all && k.never:
			return k
		case !all && k.always():
			return pushed{exact: k.exact}
		case k.filter != nil:
			filters = append(filters, k.filter)
		}
		exact = exact && k.exact
	}
	if len(filters) == 0 {
		return pushed{never: !all, exact: exact}
	}
	if all {
		return some(exact, andOf(filters...))
	}
	return some(exact, orOf(filters...))
}

func andOf(kids ...*Filter) *Filter { return nodeOf(FAnd, kids) }
func orOf(kids ...*Filter) *Filter  { return nodeOf(FOr, kids) }
func notOf(kid *Filter) *Filter     { return &Filter{Op: FNot, Kids: []*Filter{kid}} }

// nodeOf joins filters, each different one once: comparisons of one attribute
// share their tests for existence.
func nodeOf(op FilterOp, kids []*Filter) *Filter {
	var flat []*Filter
	add := func(f *Filter) {
		if len(flat) > maxOperators || !slices.ContainsFunc(flat, f.equal) {
			flat = append(flat, f)
		}
	}
	for _, k := range kids {
		if k.Op != op {
			add(k)
			continue
		}
		for _, inner := range k.Kids {
			add(inner)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &Filter{Op: op, Kids: flat}
}

func (f *Filter) equal(g *Filter) bool {
	return f.Op == g.Op && f.Kind == g.Kind && f.Path.equal(g.Path) && slices.Equal(f.Args, g.Args) &&
		slices.EqualFunc(f.Kids, g.Kids, (*Filter).equal)
}

func (t *translator) tuple(p *Pred, negated bool) pushed {
	return t.join(len(p.Rows), negated, func(r int) pushed {
		return t.join(len(p.Paths), !negated, func(i int) pushed {
			return t.leaf(&Pred{Op: Eq, Path: p.Paths[i], Args: p.Rows[r][i : i+1]}, negated)
		})
	})
}

func (t *translator) leaf(p *Pred, negated bool) pushed {
	switch t.space.decide(p, negated, t.at) {
	case holds:
		return pushed{exact: true}
	case fails:
		return pushed{never: true, exact: true}
	}
	attribute := p.Path.Attribute
	if t.query && t.space.key.Has(attribute) || !t.fetch && !t.space.projects(attribute) {
		return open()
	}
	fixed, isKey := t.space.kind(attribute)
	isKey = isKey && len(p.Path.Elems) == 0
	if p.Op == IsNull {
		return nullFilter(p.Path, negated, isKey)
	}
	if p.Op == In && len(p.Args) == 0 {
		return pushed{never: !negated, exact: true}
	}
	kind, ok := p.kind()
	if !ok || isKey && kind != fixed {
		return open()
	}
	return compareFilter(p, kind, negated, isKey)
}

// kind is the kind by which the predicate compares; none when its constants are
// of several, or DynamoDB would refuse one of them.
func (p *Pred) kind() (schema.Kind, bool) {
	k := p.Kind
	for _, v := range p.Args {
		if k == schema.Missing {
			k = v.Kind
		}
		if v.Kind != k || !sendable(v) {
			return k, false
		}
	}
	return k, true
}

// nullFilter translates IS NULL and IS NOT NULL, which do not ask for the kind.
func nullFilter(path Path, negated, isKey bool) pushed {
	switch {
	case isKey:
		return pushed{never: !negated, exact: true}
	case negated:
		return some(true, andOf(exists(path), notOf(typeIs(path, schema.Null))))
	}
	return some(true, orOf(&Filter{Op: FNotExists, Path: path}, typeIs(path, schema.Null)))
}

func exists(path Path) *Filter { return &Filter{Op: FExists, Path: path} }

func typeIs(path Path, k schema.Kind) *Filter { return &Filter{Op: TypeIs, Path: path, Kind: k} }

// compareFilter translates a comparison of values of one kind. A key attribute
// always has that kind, so that the comparison says all. Any other may hold a
// value of another kind, which must come back for the engine to report it:
//
//   - where DynamoDB's opposite is false for missing attributes and for other
//     kinds, "exists and is not NULL and not the opposite" selects exactly the
//     true rows and the strange ones;
//   - equality and its like are put as they are, or else "exists and is neither
//     NULL nor of the kind".
func compareFilter(p *Pred, kind schema.Kind, negated, isKey bool) pushed {
	op := p.Op
	if c, ok := complement(op); ok && negated {
		op, negated = c, false
	}
	cmp, ok := comparison(op, p, kind)
	switch {
	case !ok:
		return open()
	case (op == Prefix || op == Contains) && p.Args[0].Text == "": // every text has it
		return pushed{filter: nullFilter(p.Path, true, isKey).filter}
	}
	if negated {
		cmp = notOf(cmp)
	}
	if isKey {
		return some(true, cmp)
	}
	path := p.Path
	present := []*Filter{exists(path), notOf(typeIs(path, schema.Null))}
	switch {
	case op == Contains && negated: // a set or list may contain it, too
		return some(false, andOf(append(present, orOf(cmp, notOf(typeIs(path, kind))))...))
	case negated || op == Ne:
		return some(false, andOf(append(present, cmp)...))
	case op == Lt || op == Le || op == Gt || op == Ge:
		opposite, _ := complement(op)
		cmp, _ = comparison(opposite, p, kind)
		return some(false, andOf(append(present, notOf(cmp))...))
	}
	return some(false, orOf(cmp, andOf(append(present, notOf(typeIs(path, kind)))...)))
}

var filterOps = map[Op]FilterOp{
	Eq: FEq, Ne: FNe, Lt: FLt, Le: FLe, Gt: FGt, Ge: FGe,
	In: FIn, Prefix: FBeginsWith, Contains: FContains,
}

// maxIn is the greatest number of values that IN takes.
const maxIn = 100

// comparison is the bare comparison, if DynamoDB has it for the kind.
func comparison(op Op, p *Pred, kind schema.Kind) (*Filter, bool) {
	ordered := op == Lt || op == Le || op == Gt || op == Ge
	text := op == Prefix || op == Contains
	switch {
	case kind == schema.Missing || len(p.Args) == 0:
		return nil, false
	case kind == schema.Bool && ordered, kind != schema.S && text:
		return nil, false
	case op != In || len(p.Args) <= maxIn:
		return &Filter{Op: filterOps[op], Path: p.Path, Args: p.Args}, true
	}
	var parts []*Filter
	for args := p.Args; len(args) > 0; args = args[min(maxIn, len(args)):] {
		parts = append(parts, &Filter{Op: FIn, Path: p.Path, Args: args[:min(maxIn, len(args))]})
	}
	return orOf(parts...), true
}
