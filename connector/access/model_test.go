package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// A val is an attribute value of the model: what SQL and DynamoDB are compared
// on here. Missing attributes are absent from the item.
type val struct {
	kind schema.Kind
	text string
	m    map[string]val
	list []val // L, SS
}

type item map[string]val

// at follows a path; false when it leads nowhere.
func (it item) at(p Path) (val, bool) {
	v, ok := it[p.Attribute]
	for _, e := range p.Elems {
		if !ok {
			return val{}, false
		}
		switch e := e.(type) {
		case string:
			v, ok = v.m[e]
		case int:
			if ok = v.kind == schema.L && e < len(v.list); ok {
				v = v.list[e]
			}
		}
	}
	return v, ok
}

// A truth value of SQL.
type tri int8

const (
	no tri = iota
	maybe
	yes
)

// sqlEval is the meaning of a predicate by SQL. A value of another kind than
// the predicate compares by is compared as text in a column of texts, and is
// NULL in others.
func sqlEval(p *Pred, it item) tri {
	switch p.Op {
	case And:
		out := yes
		for i := range p.Kids {
			out = min(out, sqlEval(&p.Kids[i], it))
		}
		return out
	case Or:
		out := no
		for i := range p.Kids {
			out = max(out, sqlEval(&p.Kids[i], it))
		}
		return out
	case Not:
		return yes - sqlEval(&p.Kids[0], it)
	case False: // which may be unknown, too: the model marks that by the kind
		if p.Kind == schema.Null {
			return maybe
		}
		return no
	case Tuple:
		out := no
		for _, row := range p.Rows {
			one := yes
			for i, path := range p.Paths {
				one = min(one, sqlLeaf(&Pred{Op: Eq, Path: path, Args: row[i : i+1]}, it))
			}
			out = max(out, one)
		}
		return out
	}
	return sqlLeaf(p, it)
}

func sqlLeaf(p *Pred, it item) tri {
	v, ok := it.at(p.Path)
	null := !ok || v.kind == schema.Null
	switch {
	case p.Op == IsNull:
		return boolTri(null)
	case null:
		return maybe
	case v.kind != p.Args[0].Kind && p.Args[0].Kind != schema.S:
		return maybe
	case v.kind != p.Args[0].Kind:
		return boolTri(p.holdsText(v.sqlText()))
	}
	return boolTri(p.holdsOf(schema.Scalar{Kind: v.kind, Text: v.text}))
}

func boolTri(b bool) tri {
	if b {
		return yes
	}
	return no
}

func (v val) sqlText() string {
	if v.list != nil || v.m != nil {
		return fmt.Sprint(v.kind, len(v.list), len(v.m))
	}
	return v.text
}

func (p *Pred) holdsText(s string) bool {
	q := *p
	q.Args = nil
	for _, a := range p.Args {
		q.Args = append(q.Args, schema.Str(a.Text))
	}
	return q.holdsOf(schema.Str(s))
}

// awsEval is the meaning of a filter by DynamoDB: two-valued, false on a
// missing attribute or one of another kind, except <>.
func awsEval(f *Filter, it item) bool {
	switch f.Op {
	case FAnd:
		return !slices.ContainsFunc(f.Kids, func(k *Filter) bool { return !awsEval(k, it) })
	case FOr:
		return slices.ContainsFunc(f.Kids, func(k *Filter) bool { return awsEval(k, it) })
	case FNot:
		return !awsEval(f.Kids[0], it)
	}
	v, ok := it.at(f.Path)
	switch f.Op {
	case FExists:
		return ok
	case FNotExists:
		return !ok
	case TypeIs:
		return ok && v.kind == f.Kind
	case FNe:
		return !ok || !v.is(f.Args[0])
	case FIn:
		return ok && slices.ContainsFunc(f.Args, v.is)
	case FEq:
		return ok && v.is(f.Args[0])
	case FContains:
		return ok && awsContains(v, f.Args[0])
	}
	if !ok || v.kind != f.Args[0].Kind {
		return false
	}
	c := compare(schema.Scalar{Kind: v.kind, Text: v.text}, f.Args[0])
	switch f.Op {
	case FLt:
		return c < 0
	case FLe:
		return c <= 0
	case FGt:
		return c > 0
	case FGe:
		return c >= 0
	case FBeginsWith:
		return strings.HasPrefix(v.text, f.Args[0].Text)
	}
	panic(fmt.Sprint("operator ", f.Op))
}

func (v val) is(s schema.Scalar) bool { return v.kind == s.Kind && v.text == s.Text }

func awsContains(v val, s schema.Scalar) bool {
	switch v.kind {
	case schema.S:
		return strings.Contains(v.text, s.Text)
	case schema.L, schema.SS:
		return slices.ContainsFunc(v.list, func(e val) bool { return e.is(s) })
	}
	return false
}

// sqlCompare orders rows by the terms as SQL does, NULL first. A column that is
// no key is ordered by its text, since it may hold several kinds.
func (w *world) sqlCompare(order []Order, a, b item) int {
	for _, o := range order {
		c := w.compareValues(o.Attribute, a[o.Attribute], b[o.Attribute])
		if o.Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func (w *world) compareValues(attribute string, x, y val) int {
	xNull, yNull := x.kind == schema.Null || x.kind == schema.Missing, y.kind == schema.Null || y.kind == schema.Missing
	switch {
	case xNull || yNull:
		return truth(yNull) - truth(xNull)
	case w.keys[attribute]:
		return compare(schema.Scalar{Kind: x.kind, Text: x.text}, schema.Scalar{Kind: y.kind, Text: y.text})
	}
	return strings.Compare(x.sqlText(), y.sqlText())
}
