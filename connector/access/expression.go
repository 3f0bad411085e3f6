package access

import (
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// Expression is what one request says in DynamoDB's expression language. Every
// attribute name and constant stands behind a generated placeholder (#n0, :v0),
// so that no name needs quoting. Names and Values hold exactly those in use;
// DynamoDB refuses others. They are nil when empty.
type Expression struct {
	KeyCondition string
	Filter       string
	Projection   string
	Names        map[string]string
	Values       map[string]schema.Scalar
}

// Expression returns the expressions of the request for Keys[i]: a Query or
// GetItem, or, with i = 0, the Scan or the BatchGetItem. With Complete they are
// those that read the index.
func (p *Plan) Expression(i int) Expression {
	var w writer
	var e Expression
	if p.Op == Query {
		e.KeyCondition = w.keyCondition(p.Key(), p.Keys[i])
	}
	if p.Filter != nil {
		w.filter(p.Filter, false)
		e.Filter = w.take()
	}
	paths := p.Project
	if p.Complete {
		paths = p.IndexProject()
	}
	if !p.Count {
		e.Projection = w.projection(paths)
	}
	e.Names, e.Values = w.names, w.values
	return e
}

// Completion returns the projection of the BatchGetItem that completes what
// the index lacks.
func (p *Plan) Completion() Expression {
	var w writer
	projection := w.projection(p.Project)
	return Expression{Projection: projection, Names: w.names}
}

// A writer writes expressions that share placeholders.
type writer struct {
	strings.Builder
	names  map[string]string        // by placeholder
	values map[string]schema.Scalar // by placeholder
	name   map[string]string        // placeholder by name
	value  map[schema.Scalar]string // placeholder by value
}

func (w *writer) take() string {
	s := w.String()
	w.Reset()
	return s
}

func (w *writer) writeName(name string) {
	ph, ok := w.name[name]
	if !ok {
		if w.name == nil {
			w.name, w.names = map[string]string{}, map[string]string{}
		}
		ph = "#n" + strconv.Itoa(len(w.names))
		w.name[name], w.names[ph] = ph, name
	}
	w.WriteString(ph)
}

func (w *writer) writeValue(v schema.Scalar) {
	ph, ok := w.value[v]
	if !ok {
		if w.value == nil {
			w.value, w.values = map[schema.Scalar]string{}, map[string]schema.Scalar{}
		}
		ph = ":v" + strconv.Itoa(len(w.values))
		w.value[v], w.values[ph] = ph, v
	}
	w.WriteString(ph)
}

func (w *writer) writePath(p Path) {
	w.writeName(p.Attribute)
	for _, e := range p.Elems {
		switch e := e.(type) {
		case int:
			w.WriteString("[" + strconv.Itoa(e) + "]")
		case string:
			w.WriteByte('.')
			w.writeName(e)
		}
	}
}

func (w *writer) projection(paths []Path) string {
	for i, p := range paths {
		if i > 0 {
			w.WriteString(", ")
		}
		w.writePath(p)
	}
	return w.take()
}

func (w *writer) keyCondition(k schema.Key, c KeyCond) string {
	w.operator(Path{Attribute: k.Hash.Name}, " = ", c.Hash)
	if c.Sort == nil {
		return w.take()
	}
	w.WriteString(" AND ")
	path := Path{Attribute: k.Sort.Name}
	switch c.Sort.Op {
	case Prefix:
		w.call("begins_with", path, c.Sort.Lo)
	case Between:
		w.operator(path, " BETWEEN ", c.Sort.Lo)
		w.WriteString(" AND ")
		w.writeValue(c.Sort.Hi)
	default:
		w.operator(path, signs[filterOps[c.Sort.Op]], c.Sort.Lo)
	}
	return w.take()
}

var signs = map[FilterOp]string{FEq: " = ", FNe: " <> ", FLt: " < ", FLe: " <= ", FGt: " > ", FGe: " >= "}

func (w *writer) operator(p Path, sign string, v schema.Scalar) {
	w.writePath(p)
	w.WriteString(sign)
	w.writeValue(v)
}

func (w *writer) call(function string, p Path, args ...schema.Scalar) {
	w.WriteString(function)
	w.WriteByte('(')
	w.writePath(p)
	for _, v := range args {
		w.WriteString(", ")
		w.writeValue(v)
	}
	w.WriteByte(')')
}

// filter writes f, in parentheses when nested and not a single call.
func (w *writer) filter(f *Filter, nested bool) {
	switch f.Op {
	case FAnd:
		w.list(f.Kids, " AND ", nested)
	case FOr:
		w.list(f.Kids, " OR ", nested)
	case FNot:
		w.not(f.Kids[0])
	case FBetween:
		w.operator(f.Path, " BETWEEN ", f.Args[0])
		w.WriteString(" AND ")
		w.writeValue(f.Args[1])
	case FIn:
		w.in(f)
	case FBeginsWith:
		w.call("begins_with", f.Path, f.Args...)
	case FContains:
		w.call("contains", f.Path, f.Args...)
	case FExists:
		w.call("attribute_exists", f.Path)
	case FNotExists:
		w.call("attribute_not_exists", f.Path)
	case TypeIs:
		w.call("attribute_type", f.Path, schema.Str(f.Kind.String()))
	default:
		w.operator(f.Path, signs[f.Op], f.Args[0])
	}
}

func (w *writer) list(kids []*Filter, word string, nested bool) {
	if nested {
		w.WriteByte('(')
	}
	for i, kid := range kids {
		if i > 0 {
			w.WriteString(word)
		}
		w.filter(kid, true)
	}
	if nested {
		w.WriteByte(')')
	}
}

func (w *writer) not(f *Filter) {
	w.WriteString("NOT ")
	switch f.Op {
	case FBeginsWith, FContains, FExists, FNotExists, TypeIs, FAnd, FOr:
		w.filter(f, true)
	default:
		w.WriteByte('(')
		w.filter(f, false)
		w.WriteByte(')')
	}
}

func (w *writer) in(f *Filter) {
	w.writePath(f.Path)
	w.WriteString(" IN (")
	for i, v := range f.Args {
		if i > 0 {
			w.WriteString(", ")
		}
		w.writeValue(v)
	}
	w.WriteByte(')')
}
